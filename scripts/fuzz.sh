#!/usr/bin/env bash
# Attacks the readers with libFuzzer for MINUTES in total, under AddressSanitizer and UndefinedBehaviorSanitizer, on all
# processors. The programs are those of tests/fuzz and the seeds are those of the tests. The corpus found so far stays in
# build/fuzz/corpus. Inputs that crash a reader go to build/fuzz/finds: fix the reader, and put the input into
# tests/fuzz/finds as READER-WHAT.
# usage: fuzz.sh MINUTES [READER...]     readers: all, json, urdf, mjcf, sweep, arguments, ... as tests/fuzz/t84_read_READER.c
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ ! ${1:-} =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: ${0##*/} MINUTES [READER...]" >&2
    exit 2
fi
minutes=$1
shift
all=(tests/fuzz/t84_read_*.c)
all=("${all[@]##*t84_read_}")
readers=("${@:-${all[@]%.c}}")

cmake --preset fuzz -DRCT_CUDA=OFF >/dev/null
cmake --build --preset fuzz --target "${readers[@]/#/t84_read_}"
seconds=$((minutes * 60 / ${#readers[@]}))
found=0
mkdir -p build/fuzz/finds
for reader in "${readers[@]}"; do
    corpus=build/fuzz/corpus/$reader
    mkdir -p "$corpus"
    echo "== $reader, $seconds s"
    RICCATREE_FUZZ_SEEDS=$corpus "build/fuzz/tests/t84_read_$reader" -max_total_time="$seconds" -max_len=65536 -timeout=30 \
        -rss_limit_mb=4096 -artifact_prefix="build/fuzz/finds/$reader-" -print_final_stats=1 -verbosity=0 \
        -fork="$(nproc)" "$corpus" || found=$((found + 1))
done
echo "fuzz: ${#readers[@]} readers, $found with finds"
((found == 0))
