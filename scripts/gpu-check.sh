#!/usr/bin/env bash
# Runs everything that only a GPU can show. First the facts of the machine; then `speed`: whole runs and benchmarks with the
# CUDA backend; then `rest`: the tests on the device, the golden bits of the strict build, profiles by ncu,
# compute-sanitizer. bench/results/DEVICE/DATE.json holds the facts, every step with its seconds and every benchmark;
# build/gpu-check.log holds all output. With --out both are in that folder. Both are complete after each step. The exit
# status is 1 if a step failed or there is no GPU.
# The script needs no network and installs nothing. A step whose tool is missing or refuses is skipped, with the reason. If
# this machine cannot build: use `--pack FILE` on a machine with nvcc and the other build tools, and `--packed FILE` on the
# machine with the GPU.
usage="usage: gpu-check.sh [speed|rest] [--packed FILE] [--out FOLDER] [--seconds N] [--smoke]
       gpu-check.sh --pack FILE
  speed, rest    only this part; each takes some minutes
  --packed FILE  use the pack that --pack made, or its unpacked folder, instead of building
  --out FOLDER   folder of the results; default: the environment variable OUT, if it is set
  --seconds N    time limit of all steps together (default 560)
  --smoke        small and short runs, to see beforehand that all steps can run"
set -uo pipefail
part='' packed='' out=${OUT:-} seconds_most=560 smoke=''

fail() {
    echo "gpu-check: $1" >&2
    exit 1
}

while (($# > 0)); do
    case $1 in
    speed | rest) part=$1 ;;
    --smoke) smoke=--smoke ;;
    --pack | --packed | --out | --seconds)
        (($# > 1)) || fail "$1 needs a value"
        case $1 in
        --pack) exec "$(dirname "${BASH_SOURCE[0]}")/gpu-pack.sh" "$2" ;;
        --packed) packed=$(realpath -m "$2") ;;
        --out) out=$(realpath -m "$2") ;;
        *) seconds_most=$2 ;;
        esac
        shift
        ;;
    -h | --help) echo "$usage" && exit 0 ;;
    *) fail "$usage" ;;
    esac
    shift
done
[[ $seconds_most =~ ^[1-9][0-9]*$ ]] || fail "--seconds $seconds_most: give a whole number"
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
[[ -z $packed || -r $packed ]] || fail "there is no $packed"

# ---- the machine
none="no NVIDIA GPU on this machine, nothing was checked"
command -v nvidia-smi >/dev/null || fail "$none: nvidia-smi is not there"
device=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>&1) || fail "$none: ${device//$'\n'/ }"
device=${device%%$'\n'*} # the first one, as in the library
driver=${device##*, }
device=${device%, *}
PATH=$PATH:/usr/local/cuda/bin

# Place of each library that is opened on demand: "loader" if the loader finds it by itself, a folder, or "none".
libraries=(libcuda.so.1 libcudart.so.1{3,2} libcublas.so.1{3,2} libcusolver.so.1{2,1})
declare -A place
has_any() { # LIBRARY...
    local library
    for library in "$@"; do
        [[ ${place[$library]} == none ]] || return 0
    done
    return 1
}
has_all() {
    has_any libcuda.so.1 && has_any libcudart.so.1{3,2} && has_any libcublas.so.1{3,2} && has_any libcusolver.so.1{2,1}
}
find_libraries() {
    local library path cache wanted=()
    cache=$({ ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null)
    for library in "${libraries[@]}"; do
        place[$library]=none
        wanted+=(-o -name "$library")
        ! grep -qF "$library " <<<"$cache" || place[$library]=loader
        while read -r -d : path; do
            [[ ! -e $path/$library ]] || place[$library]=loader
        done <<<"${LD_LIBRARY_PATH:-}:"
    done
    ! has_all || return
    while read -r path; do
        library=${path##*/}
        [[ ${place[$library]} != none ]] || place[$library]=${path%/*}
        ! has_all || break
    done < <(timeout 30 find /usr/local /opt / \( -path /proc -o -path /sys -o -name stubs -o -name compat \) -prune \
        -o \( -false "${wanted[@]}" \) -print 2>/dev/null)
}
find_libraries
# LD_LIBRARY_PATH keeps its folders; the folders that the loader does not know are appended.
for library in "${libraries[@]}"; do
    [[ ${place[$library]} != /* || :${LD_LIBRARY_PATH:-}: == *:${place[$library]}:* ]] ||
        export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${place[$library]}
done

gather_facts() {
    local name
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.max.sm,power.limit --format=csv 2>&1
    nvidia-smi 2>/dev/null | grep -o 'CUDA Version: *[0-9.]*'
    grep -m 1 '^model name' /proc/cpuinfo
    echo "processors: $(nproc), $(grep -m 1 MemTotal /proc/meminfo)"
    echo "system: $(uname -srm), $(sed -n 's/^PRETTY_NAME=//p' /etc/os-release)"
    echo "glibc: $(ldd --version 2>/dev/null | head -n 1)"
    echo "LD_LIBRARY_PATH: ${LD_LIBRARY_PATH:-}"
    for name in "${libraries[@]}"; do
        echo "$name: ${place[$name]}"
    done
    for name in xz python3 nvcc ncu nsys compute-sanitizer; do
        echo "$name: $(command -v $name || echo none)"
    done
}
mapfile -t told < <(gather_facts)
printf '%s\n' "${told[@]}"

[[ -n $packed ]] || scripts/gpu-pack.sh --ready || exit 1

# ---- where results go
class=$(tr '[:upper:]' '[:lower:]' <<<"$device" | sed -E 's/^nvidia //; s/[^a-z0-9]+/-/g; s/-$//')
date=$(date -u +%Y-%m-%dT%H%M%SZ)
results=${out:-bench/results/$class}
result=$results/$date${part:+-$part}.json
log=${out:-build}/gpu-check${part:+-$part}.log
mkdir -p "$results" "${log%/*}" || fail "cannot write to $results and ${log%/*}"
printf '%s\n' "${told[@]}" >"$log" || fail "cannot write to $log"
# shellcheck source=scripts/gpu-steps.sh
source scripts/gpu-steps.sh
facts=()
for line in "${told[@]}"; do
    facts+=("$(quoted "$line")")
done
commit=unknown

finish() {
    rm -f "$log.step" "$log.json"
    report
    echo "gpu-check: ${count[passed]} passed, ${count[failed]} failed, ${count[skipped]} skipped, $SECONDS s; $result"
    ((count[failed] == 0 && count[passed] > 0))
    exit
}

# ---- the steps
unpack() { # FILE FOLDER
    if command -v xz >/dev/null; then
        tar -C "$2" -xJf "$1"
    else
        python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$1" "$2"
    fi
}
pack=$packed
if [[ -z $packed ]]; then
    export RCT_CUDA_ARCHITECTURES=${RCT_CUDA_ARCHITECTURES:-native}
    step build 400 scripts/gpu-pack.sh || finish
    pack=$PWD/build/pack/all
elif [[ ! -d $packed ]]; then
    pack=$(mktemp -d)
    trap 'rm -rf "$pack"' EXIT
    unpack "$packed" "$pack" || fail "$packed is not a pack, or cannot be unpacked without xz and python3"
fi
commit=$(cat "$pack/commit" 2>/dev/null) || fail "$packed is not a pack"
echo "gpu-check: $device, driver $driver, commit $commit"
release=(env RICCATREE_PLUGINS="$pack/release")
riccatree=("${release[@]}" "$pack/release/riccatree")
# shellcheck disable=SC2016
step backend 60 bash -c '"$@" backends; "$@" backends | grep "^cuda"; "$@" backends | grep -q "^cuda *available$"' - \
    "${riccatree[@]}" || finish

source scripts/gpu-parts.sh
[[ $part == rest ]] || speed
[[ $part == speed ]] || rest
finish
