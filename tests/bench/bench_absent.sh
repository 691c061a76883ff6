#!/usr/bin/env bash
# Benchmarks without the library that they need: one line that names it, exit status 1.
# usage: bench_absent.sh BUILD_FOLDER
set -uo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

# fails REASON COMMAND...: exit status 1, and the reason is the last line of the output.
fails() {
    local reason=$1 status
    shift
    "$@" >"$work/out" 2>"$work/err"
    status=$?
    if [[ $status != 1 ]] || ! tail -1 "$work/err" | grep -qE "^benchmark failed: $reason\$"; then
        echo "bench_absent: $*: exit status $status, said: $(tail -1 "$work/err")"
        wrong=1
    fi
}

mkdir "$work/plugins" "$work/libraries"
RICCATREE_PLUGINS=$work/plugins fails 'backend "cuda" cannot run here: .*; use auto or cpu' \
    "$build/bench/bench_batch" --smoke --backend cuda
fails 'there is no backend "tpu"; did you mean "cpu"\? Use auto or one that `riccatree backends` lists' "$build/bench/bench_sweeps" --smoke --backend=tpu

export LD_LIBRARY_PATH=$build/tests/libraries
LIBRARY_DEVICES=0 fails 'no GPU for cuBLAS: no CUDA-capable device is detected' \
    "$build/bench/bench_library" --smoke
for name in cudart cublas; do # files that are not libraries
    export LD_LIBRARY_PATH=$work/libraries:$build/tests/libraries
    rm -f "$work"/libraries/*
    for version in .13 .12 ''; do
        echo nothing >"$work/libraries/lib$name.so$version"
    done
    fails '.* cannot be opened: no .* that can be loaded; install the libraries of CUDA, or set .*' \
        "$build/bench/bench_library" --smoke
done
exit $wrong
