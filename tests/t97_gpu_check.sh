#!/usr/bin/env bash
# scripts/gpu-check.sh where there is no GPU, and, with stand-ins for all it runs, what it makes of steps that pass,
# fail, take too long or are not there.
# usage: t97_gpu_check.sh JSON_GET
set -uo pipefail
json_get=$1
check=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/scripts/gpu-check.sh
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
    cat out err
}

# stand_in NAME LINE...: a program on the path of gpu-check.
mkdir bin
stand_in() {
    local name=$1
    shift
    printf '%s\n' '#!/bin/sh' "$@" >"$name"
    chmod +x "$name"
}

# checked STATUS ARGUMENT...
checked() {
    local wanted=$1 status=0
    shift
    rm -rf results
    OUT=$work/results PATH=$work/bin:$PATH bash "$check" "$@" >out 2>err || status=$?
    expect "gpu-check $*: exit status $status, not $wanted" test "$status" = "$wanted"
}

json() {
    "$json_get" "$1" <"$(echo results/*Z.json)"
}

# ---- no GPU
stand_in bin/nvidia-smi 'echo "No devices were found"; exit 6'
checked 1
expect "not one line" test "$(wc -l <err)" = 1
expect "no reason" grep -q 'no NVIDIA GPU on this machine, nothing was checked: No devices were found' err
expect "something was done" test ! -s out -a ! -e results
checked 1 --packed
checked 1 --packed nothing.tgz
checked 1 --other
expect "no usage" grep -q 'usage: gpu-check.sh' err

# ---- a pack of stand-ins
mkdir -p pack/release pack/strict
echo abcdef123456 >pack/commit
printf '%s\n' 't50_one good' 't54_two good few' 't99_bad bad with words' >pack/gpu_tests
stand_in bin/nvidia-smi 'echo "NVIDIA H999 80GB \"X\", 580.1"'
for tool in compute-sanitizer ncu nsys; do
    stand_in bin/$tool 'exit 0'
done
# shellcheck disable=SC2016
stand_in pack/release/riccatree 'case $1 in backends) echo "cuda   available" ;;' \
    '*) echo "{\"ns_per_body_evaluation\": 3.0}" ;; esac'
# shellcheck disable=SC2016
stand_in pack/release/good 'test "$LD_LIBRARY_PATH" = "$RICCATREE_PLUGINS:${RICCATREE_PLUGINS%/release}/lib"'
stand_in pack/release/bad 'echo "an error of $*"; exit 3'
stand_in pack/strict/t52_device_repeats 'exit 0'
stand_in pack/release/bench_sweeps 'exit 0'
stand_in pack/release/bench_segments 'exit 1'
tar -C pack -czf pack.tgz .
checked 1 --packed pack.tgz
expect "device" test "$(json device)" = 'NVIDIA H999 80GB "X"'
expect "driver" test "$(json driver)" = 580.1
expect "commit" test "$(json commit)" = abcdef123456
expect "failed" test "$(json failed)" = 1
expect "speed" test "$(json numbers.0.us_per_evaluation)" = 100.002
expect "steps" test "$(json steps.#)" = 16
step() { # NUMBER NAME STATUS
    expect "step $1: $(json "steps.$1.step") $(json "steps.$1.status")" \
        test "$(json "steps.$1.step") $(json "steps.$1.status")" = "$2 $3"
}
step 0 backend passed
step 1 'test t50_one' passed
step 3 'test t99_bad' failed
expect "why" test "$(json steps.3.why)" = 'exit status 3: an error of with words'
step 4 'golden bits' passed
step 5 memcheck passed
step 12 'bench sweeps' passed
step 13 'bench segments' skipped
step 14 'bench batch' skipped
step 15 profile passed
expect "no log" grep -q '==== test t99_bad' results/gpu-check.log

sed -i '/bad/d' pack/gpu_tests
tar -C pack -czf pack.tgz .
checked 0 --packed pack.tgz
stand_in pack/release/riccatree 'echo "cuda   not available: no NVIDIA GPU"'
tar -C pack -czf pack.tgz .
checked 1 --packed pack.tgz
expect "it went on" test "$(json steps.#)" = 1
((failures == 0)) && echo "gpu-check does as it should"
