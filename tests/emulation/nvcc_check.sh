#!/usr/bin/env bash
# Sources that compile for the emulation must compile for the device too: the samples, and the numbers and signatures of the
# runtime. (The build compiles the kernels.) The script only compiles; exit status 77, skipped, without nvcc.
# usage: nvcc_check.sh ROOT OUT
set -euo pipefail
root=$1
out=$2

nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc || true)
if [[ -z $nvcc ]]; then
    echo "skipped: no nvcc"
    exit 77
fi
mkdir -p "$out"
for file in "$root"/tests/emulation/*.cu; do
    echo "nvcc ${file#"$root"/}"
    "$nvcc" -c -std=c++17 -arch=sm_90 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror \
        -I"$root" -I"$root/include" -I"$root/kernels/cuda" -I"$root/tests/emulation" -o "$out/$(basename "$file").o" "$file"
done
