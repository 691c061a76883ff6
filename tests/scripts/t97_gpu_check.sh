#!/usr/bin/env bash
# scripts/gpu-check.sh where there is no GPU, and, with stand-ins for everything it runs, its report of steps that pass, fail,
# refuse, take too long or are missing, their order, and its search for libraries.
# usage: t97_gpu_check.sh JSON_GET
set -uo pipefail
json_get=$1
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/scripts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

expect() { # WHAT TEST...
    local what=$1
    shift
    "$@" && return
    failures=$((failures + 1))
    echo "FAILED: $what"
    tail -n 12 out err
    ((failures < 8)) || exit 1
}

# stand_in PATH LINE...: a program.
stand_in() {
    local name=$1
    shift
    printf '%s\n' '#!/bin/sh' "$@" >"$name"
    chmod +x "$name"
}

# The path of gpu-check: stand-ins, and the commands of a bare machine, without xz if python3 can replace it.
mkdir bin few
for name in bash sh env cat sed grep awk tr head tail date mkdir mktemp rm mv sort timeout dirname realpath uname \
    nproc tar sleep id ldd python3; do
    found=$(PATH=/usr/bin:/bin command -v $name) && ln -s "$found" few/$name
done
[[ -x few/python3 ]] || ln -s "$(command -v xz)" few/xz
path=$work/bin:$work/few

# checked STATUS ARGUMENT...
checked() {
    local wanted=$1 status=0
    shift
    rm -rf results
    env -i PATH="$path" ${given:+LD_LIBRARY_PATH=$given} bash "$scripts/gpu-check.sh" --out results "$@" >out 2>err || status=$?
    expect "gpu-check $*: exit status $status, not $wanted" test "$status" = "$wanted"
}
given=

refused() { # PATTERN ARGUMENT...
    checked 1 "${@:2}"
    expect "$*: not said" grep -qE "^gpu-check: $1" err
    expect "$*: something was done" test ! -e results
}

json() {
    "$json_get" "$1" <"$(echo results/*Z*.json)"
}

# ---- no GPU, or wrong arguments
refused 'no NVIDIA GPU on this machine, nothing was checked: nvidia-smi is not there$'
stand_in bin/nvidia-smi 'echo "No devices were found"; exit 6'
refused 'no NVIDIA GPU on this machine, nothing was checked: No devices were found$'
stand_in bin/nvidia-smi 'echo "NVIDIA H999 80GB \"X\", 580.1"'
stand_in bin/ldconfig
stand_in bin/find # nothing on the whole machine
refused 'there is no .*/nothing$' --packed nothing
refused 'usage: gpu-check.sh' --other
refused '--packed needs a value' --packed
refused '--seconds 1.5: give a whole number' --seconds 1.5

# ---- nothing to build with
checked 1
expect "not said what it lacks" grep -qE '^gpu-pack: this machine lacks cmake ninja .*hdf5.*Random123.*; make a pack' err
expect "it began" test ! -e results
status=0
PATH=$path bash "$scripts/gpu-check.sh" --pack x.tar.xz >out 2>err || status=$?
expect "a pack was made" test "$status" = 1 -a ! -e x.tar.xz
expect "not said what it lacks" grep -q '^gpu-pack: this machine lacks cmake' err

# ---- a pack of stand-ins
mkdir -p pack/release pack/strict
echo abcdef123456 >pack/commit
printf '%s\n' 't50_one good' 't51_two good few' 't98_none none' 't99_bad bad with words' >pack/tests
stand_in bin/ncu 'echo "==ERROR== ERR_NVGPUCTRPERM"; exit 1'
stand_in bin/compute-sanitizer 'echo "Error: Device not supported"; exit 9'
# shellcheck disable=SC2016
stand_in pack/release/riccatree 'case $1 in backends) echo "cuda   available" ;;' \
    '*) echo "{\"ns_per_body_evaluation\": 3.0}" ;; esac'
# shellcheck disable=SC2016
stand_in pack/release/good 'test "${RICCATREE_PLUGINS##*/}" = release'
stand_in pack/release/none 'echo "skipped: no cuSOLVER"; exit 77'
# shellcheck disable=SC2016
stand_in pack/release/bad 'echo "an error of $*"; echo "that was all"; exit 3'
# shellcheck disable=SC2016
stand_in pack/strict/t52_device_repeats 'test "${RICCATREE_PLUGINS##*/}" = strict'
# shellcheck disable=SC2016
stand_in pack/release/bench_segments 'for word; do case $word in --benchmark_out=*) file=${word#*=} ;; esac; done' \
    'printf "%s\n" "{" "  \"host_name\": \"h\"," "  \"cv\": NaN," "  \"says\": \"s\"" "}" >$file' \
    'echo "steps64/x_median 5 us 5 us 5 time_per_body=1n time_per_evaluation=49.7u"'
# shellcheck disable=SC2016
stand_in pack/release/bench_batch 'for word; do case $word in --benchmark_out=*) echo { >${word#*=} ;; esac; done; exit 4'
pack() {
    tar -C pack -cJf pack.tar.xz .
}
pack
checked 1 --packed pack.tar.xz
expect "device" test "$(json device)" = 'NVIDIA H999 80GB "X"'
expect "driver" test "$(json driver)" = 580.1
expect "commit" test "$(json commit)" = abcdef123456
expect "failed" test "$(json failed)" = 3
expect "speed of $(json runs.0.run)" test "$(json runs.0.us_per_evaluation)" = 100.002
expect "a result that is broken" test "$(json benchmarks.#)" = 4
expect "a result" test "$(json benchmarks.0.result.says)" = s
expect "speed is not told" grep -q '^    steps64/x_median time_per_evaluation=49.7u$' out
expect "no log" grep -q '==== test t99_bad' results/gpu-check.log
expect "the folder" test "$(ls results)" = "$(cd results && echo *Z.json)"$'\n'gpu-check.log

# In their order: STATUS STEP, and the reason.
mapfile -t wanted <<'END'
passed backend
passed bench steps
passed run branch abi
passed run branch riccati
passed run chain abi
passed run million abi
failed bench batch: exit status 4
skipped bench hinges: not in the pack
passed bench million
failed bench batch of 100,000: exit status 4
skipped bench ensembles: not in the pack
skipped bench calls: not in the pack
passed run four-bars
passed run four-bars cpu
passed run ladder
passed run ladder cpu
skipped bench loops: not in the pack
skipped bench library: no cuBLAS on this machine
passed bench longest
passed bench segments
passed test t50_one
passed test t51_two
skipped test t98_none: nothing to do: skipped: no cuSOLVER
failed test t99_bad: exit status 3: an error of with words
passed golden bits
skipped dense: no cuSOLVER on this machine
skipped ncu branch: exit status 1: ==ERROR== ERR_NVGPUCTRPERM
skipped ncu chain: exit status 1: ==ERROR== ERR_NVGPUCTRPERM
skipped ncu hinges: exit status 1: ==ERROR== ERR_NVGPUCTRPERM
skipped memcheck: it refuses this machine: Error: Device not supported
skipped racecheck: it refuses this machine: Error: Device not supported
skipped synccheck: it refuses this machine: Error: Device not supported
END
expect "$(json steps.#) steps" test "$(json steps.#)" = ${#wanted[@]}
for ((i = 0; i < ${#wanted[@]}; i++)); do
    why=$(json "steps.$i.why")
    is="$(json "steps.$i.status") $(json "steps.$i.step")${why:+: $why}"
    expect "step $i: $is" test "$is" = "${wanted[i]}"
done

# ---- one part alone; tools that work; no failure
sed -i '/bad/d' pack/tests
rm pack/release/bench_batch
stand_in bin/ncu
# shellcheck disable=SC2016
stand_in bin/compute-sanitizer 'test "$(echo "$@" | grep -c t54)" = 0 || exit 9'
pack
checked 1 --packed pack.tar.xz rest
expect "what a tool found" test "$(json failed)" = 3
stand_in bin/compute-sanitizer
checked 0 --packed pack.tar.xz rest
expect "first $(json steps.1.step)" test "$(json steps.1.step)" = 'test t50_one'
expect "steps of the rest" test "$(json steps.#)" = 12
checked 0 --packed pack speed # a folder
expect "steps of speed" test "$(json steps.#)" = 20

# ---- no time for anything; no backend: nothing was checked
checked 1 --packed pack --seconds 1
expect "why $(json steps.0.why)" test "$(json steps.0.why)" = 'no time left of 1 s'
stand_in pack/release/riccatree 'echo "cuda   not available: no NVIDIA driver"'
checked 1 --packed pack
expect "it went on" test "$(json steps.#)" = 1
expect "why $(json steps.0.why)" test "$(json steps.0.why)" = 'exit status 1: cuda   not available: no NVIDIA driver'

# ---- libraries: given folders stay, folders that the loader does not know are appended
mkdir given nvidia
touch given/libcuda.so.1
stand_in bin/ldconfig 'echo "	libcublas.so.13 (libc6,x86-64) => /lib/libcublas.so.13"'
stand_in bin/find "echo $work/nvidia/libcusolver.so.12" "echo $work/other/libcusolver.so.12" \
    "echo $work/other/libcublas.so.13" "echo $work/other/libcuda.so.1"
# shellcheck disable=SC2016
stand_in pack/release/riccatree 'echo "$LD_LIBRARY_PATH" >&2; echo "cuda   available"'
given=$work/given
checked 0 --packed pack rest
expect "LD_LIBRARY_PATH" grep -qxF "$work/given:$work/nvidia" results/gpu-check-rest.log
expect "a fact" grep -qx "libcusolver.so.12: $work/nvidia" out
expect "the loader's" grep -qx "libcuda.so.1: loader" out
expect "the loader's" grep -qx "libcublas.so.13: loader" out
expect "dense was not run" grep -qE '^dense +passed' out

# ---- a step that hangs, and the report between steps
(
    # shellcheck disable=SC2034
    seconds_most=1000 result=$work/r.json log=$work/r.log device=d driver=1 commit=c date=t facts=('"a fact"')
    # shellcheck source=scripts/gpu-steps.sh
    source "$scripts/gpu-steps.sh"
    # shellcheck disable=SC2016
    step first 60 sh -c 'printf "line\t\"1\"\351\n"; exit 5'
    cp "$result" between.json
    step hangs 1 sleep 1000
) >out 2>err
expect "between: $("$json_get" steps.# <between.json)" test "$("$json_get" steps.# <between.json)" = 1
expect "quoted" test "$("$json_get" steps.0.why <between.json)" = 'exit status 5: line "1" '
expect "a fact" test "$("$json_get" facts.0 <between.json)" = 'a fact'
expect "out of time" grep -q '"why": "out of time"' r.json
((failures == 0)) && echo "gpu-check does as it should"
