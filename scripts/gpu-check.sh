#!/usr/bin/env bash
# All that only a GPU can show, in under 8 minutes: the release build with the CUDA backend, its tests on the
# device, the golden bits of the strict build, compute-sanitizer, benchmarks, one profile. Writes one JSON with the
# device, driver, CUDA, commit, and status and seconds of every step, bench/results/DEVICE/DATE.json, and a log,
# build/gpu-check.log; both into folder OUT if that is set. Exit status 1 if a step failed or there is no GPU.
# Neither network nor installs; what is not there is skipped in a line. Where not even the libraries to build with
# are: `gpu-check.sh --pack FILE` on a machine that has them and nvcc, `--packed FILE` on the one with a GPU.
set -uo pipefail
mode=${1:-}
file=${2:-}
[[ -z $file || $file == /* ]] || file=$PWD/$file
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
readonly most_seconds=460 # in all

fail() {
    echo "gpu-check: $1" >&2
    exit 1
}

case $mode in
'') ;;
--pack | --packed) [[ -n $file ]] || fail "give a file after $mode" ;;
*) fail "usage: gpu-check.sh [--pack FILE | --packed FILE]" ;;
esac
cores=$(nproc)

configure() { # PRESET
    local nvcc
    nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc) || { echo "no nvcc"; return 1; }
    CUDACXX=$nvcc cmake --preset "$1" -DRCT_CUDA=ON
}
build() {
    configure release && cmake --build --preset release -j "$cores"
}
build_strict() {
    configure strict &&
        cmake --build --preset strict -j "$cores" --target riccatree_cuda riccatree_cli t52_device_repeats
}
commit_here() {
    git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || echo unknown
}

# ---- packing: programs, plugins and the libraries they need but for those of any machine
pack=
if [[ $mode == --pack* ]]; then
    pack=$(mktemp -d)
    trap 'rm -rf "$pack"' EXIT
fi

pack_build() { # PRESET PROGRAM...
    local preset=$1 to=$pack/$1 from program
    shift
    mkdir -p "$to" "$pack/lib"
    for program in "$@"; do
        from=$(find "build/$preset" -maxdepth 2 -type f -name "$program" | head -n 1)
        [[ -n $from ]] || { echo "no $program in build/$preset"; return 1; }
        strip -o "$to/$program" "$from" || return 1
        ldd "$from" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
            grep -vE '/(libc|libm|libdl|librt|libpthread|ld-linux.*|libstdc\+\+|libgcc_s)\.so' |
            while read -r library; do
                case $library in
                "$PWD"/*) cp -L "$library" "$to/" ;;
                *) cp -Lu "$library" "$pack/lib/" ;;
                esac
            done
    done
}

if [[ $mode == --pack ]]; then
    { build && build_strict; } || fail "the build failed"
    commit_here >"$pack/commit"
    cp build/release/tests/gpu_tests "$pack/gpu_tests"
    mapfile -t programs < <(awk '{ print $2 }' "$pack/gpu_tests" | sort -u)
    mapfile -t benches < <(find build/release/bench -maxdepth 1 -type f -name 'bench_*' -executable -printf '%f\n')
    pack_build release riccatree libriccatree_cuda.so "${programs[@]}" "${benches[@]}" || fail "packing failed"
    pack_build strict libriccatree_cuda.so t52_device_repeats || fail "packing failed"
    tar -C "$pack" -czf "$file" . || fail "cannot write $file"
    echo "gpu-check: $file, $(($(stat -c %s "$file") >> 20)) MB"
    exit 0
fi

# ---- the device
none="no NVIDIA GPU on this machine, nothing was checked"
command -v nvidia-smi >/dev/null || fail "$none: nvidia-smi is not there"
device=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>&1) || fail "$none: ${device//$'\n'/ }"
device=${device%%$'\n'*} # the first, as the library takes
driver=${device##*, }
device=${device%, *}
cuda=$(nvcc --version 2>/dev/null || /usr/local/cuda/bin/nvcc --version 2>/dev/null)
cuda=$(sed -n 's/.*release \([0-9.]*\),.*/\1/p' <<<"$cuda")
class=$(tr '[:upper:]' '[:lower:]' <<<"$device" | sed -E 's/^nvidia //; s/[^a-z0-9]+/-/g; s/-$//')
date=$(date -u +%Y-%m-%dT%H%M%SZ)
results=${OUT:-bench/results/$class}
result=$results/$date.json
log=${OUT:-build}/gpu-check.log
mkdir -p "$results" "${log%/*}" || fail "cannot write to $results and ${log%/*}"
: >"$log" || fail "cannot write to $log"
if [[ $mode == --packed ]]; then
    { tar -C "$pack" -xzf "$file" && commit=$(cat "$pack/commit"); } || fail "$file is no pack"
    release=$pack/release
    bench=$pack/release
    strict=$pack/strict
    tests=$pack/release
    strict_tests=$pack/strict
else
    commit=$(commit_here)
    release=$PWD/build/release
    bench=$release/bench
    tests=$release/tests
    strict=$PWD/build/strict
    strict_tests=$strict/tests
fi
echo "gpu-check: $device, driver $driver, CUDA ${cuda:-unknown}, commit $commit"

# ---- steps
steps=()
numbers=()
failures=0

quoted() { # as a JSON string
    local text=${1//\\/\\\\}
    text=${text//\"/\\\"}
    printf '"%s"' "$(tr '\000-\037' ' ' <<<"$text" | sed 's/ *$//')"
}

note() { # NAME STATUS SECONDS WHY
    steps+=("{\"step\": $(quoted "$1"), \"status\": $(quoted "$2"), \"seconds\": $3, \"why\": $(quoted "$4")}")
    printf '%-24s %-8s %6.1f s  %s\n' "$1" "$2" "$3" "$4"
    [[ $2 != failed ]] || failures=$((failures + 1))
}

skip() { # NAME WHY
    note "$1" skipped 0 "$2"
}

# step NAME LIMIT COMMAND...: within the limit, and the time left for all.
step() {
    local name=$1 limit=$2 from=$EPOCHREALTIME status=0 left seconds why=""
    shift 2
    left=$((most_seconds - SECONDS))
    if ((left < 5)); then
        note "$name" failed 0 "no time left of $most_seconds s"
        return 1
    fi
    printf '\n==== %s: %s\n' "$name" "$*" >>"$log"
    timeout -k 5 $((limit < left ? limit : left)) "$@" >"$log.step" 2>&1 || status=$?
    cat "$log.step" >>"$log"
    seconds=$(awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    if ((status != 0)); then
        why="exit status $status"
        ((status != 124 && status != 137)) || why="out of time"
        why+=": $(grep -E 'rror|FAIL|failed|fatal' "$log.step" | tail -n 1 | head -c 200)"
    fi
    note "$name" "$( ((status == 0)) && echo passed || echo failed)" "$seconds" "$why"
    return "$status"
}

export -f configure build build_strict
export cores

finish() {
    rm -f "$log.step"
    {
        echo "{"
        echo "  \"device\": $(quoted "$device"), \"driver\": $(quoted "$driver"), \"cuda\": $(quoted "${cuda:-unknown}"),"
        echo "  \"commit\": $(quoted "$commit"), \"date\": $(quoted "$date"), \"host\": $(quoted "$(uname -srm)"),"
        echo "  \"seconds\": $SECONDS, \"failed\": $failures,"
        local i
        for name in numbers steps; do
            local -n all=$name
            echo "  \"$name\": ["
            for ((i = 0; i < ${#all[@]}; i++)); do
                echo "    ${all[i]}$( ((i + 1 < ${#all[@]})) && echo ,)"
            done
            echo "  ]$([[ $name == steps ]] || echo ,)"
        done
        echo "}"
    } >"$result"
    echo "gpu-check: $((${#steps[@]})) steps, $failures failed, $SECONDS s; $result"
    ((failures == 0))
    exit
}

if [[ $mode != --packed ]]; then
    step build 200 bash -c build || finish
fi

# What of a build runs here: with its libraries and its plugin.
in_release=(env LD_LIBRARY_PATH="$release${pack:+:$pack/lib}" RICCATREE_PLUGINS="$release")
in_strict=(env LD_LIBRARY_PATH="$strict${pack:+:$pack/lib}" RICCATREE_PLUGINS="$strict")
riccatree=$(find "$release" -maxdepth 3 -name riccatree ! -type d | head -n 1)
# shellcheck disable=SC2016
step backend 20 "${in_release[@]}" bash -c '"$0" backends; "$0" backends | grep -q "^cuda *available$"' \
    "$riccatree" || finish

# ---- tests on the device
if [[ $mode != --packed ]]; then
    step tests 180 ctest --preset release -L gpu --no-tests=error --output-on-failure
else
    while read -r -a test; do
        step "test ${test[0]}" 60 "${in_release[@]}" bash tests/on_gpu.sh "$riccatree" "$release" \
            "$tests/${test[1]}" "${test[@]:2}"
    done <"$pack/gpu_tests"
fi
if [[ $mode == --packed ]] || step "build strict" 120 bash -c build_strict; then
    step "golden bits" 60 "${in_strict[@]}" "$strict_tests/t52_device_repeats"
fi

# ---- compute-sanitizer, on a few small systems
sanitizer=$(command -v compute-sanitizer || command -v /usr/local/cuda/bin/compute-sanitizer || true)
for tool in memcheck racecheck synccheck; do
    if [[ -z $sanitizer ]]; then
        skip "$tool" "no compute-sanitizer"
    else
        step "$tool" 60 "${in_release[@]}" "$sanitizer" --tool "$tool" --error-exitcode 9 "$tests/t54_device" one
    fi
done

# ---- speed: whole runs by the command line, then the benchmarks
measure() { # NAME BODIES T_END FAMILY METHOD
    step "run $1" 60 "${in_release[@]}" "$riccatree" run "$4" --bodies "$2" --t-end "$3" --dt 1e-3 --method "$5" \
        --backend cuda --json || return 0
    local cost
    cost=$(sed -n '/==== run '"$1"'/,$p' "$log" | grep -oE '"ns_per_body_evaluation": *[0-9.e+-]+' | tail -n 1)
    numbers+=("{\"run\": $(quoted "$1"), \"bodies\": $2, \"method\": $(quoted "$5"), \"us_per_evaluation\": $(
        awk -v c="${cost##*: }" -v n="$2" 'BEGIN { printf "%.3f", c * n * 1e-3 }')}")
}
measure "branch abi" 33334 0.2 branch abi
measure "branch riccati" 33334 0.2 branch riccati
measure "chain abi" 33334 0.2 chain abi
measure "million abi" 1000000 0.02 chain abi

for name in sweeps segments batch; do
    program=$bench/bench_$name
    if [[ ! -x $program ]]; then
        skip "bench $name" "not built"
    elif ! "${in_release[@]}" "$program" --backend=cuda --benchmark_list_tests >/dev/null 2>&1; then
        skip "bench $name" "it takes no --backend"
    else
        step "bench $name" 60 "${in_release[@]}" "$program" --backend=cuda --benchmark_repetitions=5 \
            --benchmark_min_time=0.02 --benchmark_report_aggregates_only=true \
            --benchmark_out="$results/gpu-$name.json" --benchmark_out_format=json &&
            sed -i '/"host_name":/d' "$results/gpu-$name.json"
    fi
done

# ---- one profile
run_once=("$riccatree" run branch --bodies 33334 --t-end 0.003 --dt 1e-3 --backend cuda)
nsys=$(command -v nsys || true)
ncu=$(command -v ncu || command -v /usr/local/cuda/bin/ncu || true)
if [[ -n $ncu ]]; then
    step profile 60 "${in_release[@]}" "$ncu" --clock-control none --launch-skip 6 --launch-count 12 --set basic "${run_once[@]}"
elif [[ -n $nsys ]]; then
    step profile 60 "${in_release[@]}" "$nsys" profile --stats=true --force-overwrite=true -o "$results/profile" "${run_once[@]}"
else
    skip profile "neither ncu nor nsys"
fi
finish
