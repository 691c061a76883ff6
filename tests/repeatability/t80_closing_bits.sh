#!/usr/bin/env bash
# A strict build closes loops to the same bits on any number of processors, whatever threads and kernels OpenBLAS would use: every
# method, on four-bars side by side, a ladder, a necklace and two hubs, whose system is dense or solved by a front. Of OpenBLAS's
# kernels the test asks for those whose instructions this machine has.
# usage: t80_closing_bits.sh RICCATREE ...
set -euo pipefail
riccatree=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

flags=$(grep -m1 '^flags' /proc/cpuinfo 2>/dev/null || true)
kernels=()
[[ $flags != *avx2* ]] || kernels+=(OPENBLAS_CORETYPE=Haswell OPENBLAS_CORETYPE=Zen)
[[ $flags != *avx512dq* ]] || kernels+=(OPENBLAS_CORETYPE=SkylakeX)
places=("OPENBLAS_NUM_THREADS=1" "OPENBLAS_NUM_THREADS=2" "${kernels[@]}")
first=$(taskset -cp $$ | sed -E 's/.*: ([0-9]+).*/\1/')

# digest METHOD MODEL... : of all numbers of the recording
digest() {
    "${prefix[@]}" "$riccatree" run "${@:2}" --closing "$1" --threads 1 --t-end 2e-3 --frames 2 \
        --out "$work/x.h5" --overwrite >"$work/log" || { cat "$work/log"; exit 1; }
    h5dump -A 0 -m %.17g "$work/x.h5" | tail -n +2 | sha256sum
}

compared=0
wrong=0
for model in 'fourbars --bodies 199' 'ladder --bodies 90 --hinge revolute' 'necklace --bodies 80' \
    'hub --bodies 61' 'hub --bodies 81'; do
    for method in admittance embedding multipliers qr svd; do
        prefix=(env)
        # shellcheck disable=SC2086 # a family and its options
        expected=$(digest $method $model)
        for place in "${places[@]}" processor; do
            prefix=(env "$place")
            [[ $place != processor ]] || prefix=(taskset -c "$first")
            # shellcheck disable=SC2086
            if [[ $(digest $method $model) != "$expected" ]]; then
                echo "other bits: $model, $method, $place"
                wrong=$((wrong + 1))
            fi
            compared=$((compared + 1))
        done
    done
done
echo "closing: $compared runs compared, $wrong differ"
[[ $wrong == 0 && $compared -ge 75 ]]
