#!/usr/bin/env bash
# Every step of scripts/gpu-check.sh, small, with the programs of this build, the emulated plugin and stand-ins for the libraries
# and tools of CUDA: none fails, so every program knows the names, flags and filters that the script uses.
# usage: t97_gpu_smoke.sh BUILD JSON_GET EMULATED_FOLDER STAND_INS_FOLDER
set -uo pipefail
build=$1
json_get=$2
check=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/scripts/gpu-check.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# stand_in NAME COMMAND
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}

mkdir -p bin pack/release pack/strict
ln -s "$build/riccatree" "$build/tests/t54_device" "$3/libriccatree_cuda.so" pack/release
ln -s "$build/tests/t54_device" pack/strict/t52_device_repeats
[[ ! -d $build/bench ]] || find "$build/bench" -maxdepth 1 -name 'bench_*' -exec ln -s {} pack/release \;
echo t54_device_few t54_device few >pack/tests
echo abcdef123456 >pack/commit
stand_in bin/nvidia-smi 'echo "Emulation, 1.0"'
stand_in bin/find ''
for tool in ncu compute-sanitizer; do
    # shellcheck disable=SC2016
    stand_in bin/$tool 'until [ "$1" = env ]; do shift; done; exec "$@"'
done
LD_LIBRARY_PATH=$4 PATH=$work/bin:$PATH bash "$check" --packed pack --smoke --out results --seconds 800 >out 2>err
status=$?
steps=$("$json_get" steps.# <"$(echo results/*.json)")
failed=$("$json_get" failed <"$(echo results/*.json)")
skipped=$(grep -cE '^.{25}skipped' out)
absent=$(grep -cE '^bench .* skipped .* not in the pack$' out)
cat out err
if [[ $status != 0 || $failed != 0 || $steps -lt 25 || $skipped != "$absent" ]]; then
    cat results/gpu-check.log
    echo "FAILED: exit status $status, $steps steps, $failed failed, $skipped skipped, $absent absent"
    exit 1
fi
