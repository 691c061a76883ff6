#!/usr/bin/env bash
# The whole check: formatting, then build and tests as strict, asan, tsan and release, warnings as errors; as
# tsan only the tests in which threads share work, threads of the host or emulated ones of a GPU. Stops at the
# first failure. The closing lines are ctest's on the release build, which comes last.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-dependencies.sh
scripts/check-format.sh

threaded=(t12_team t53_segments t63_mixed_faults t65_lane_faults t66_step_faults t78_ensemble_claims t78_ensemble_failures t80_mixed_repeatability)
emulated=(t46_emulation_bugs t54_device_random)

for preset in strict asan tsan release; do
    echo
    echo "== $preset"
    targets=() tests=()
    if [[ $preset == tsan ]]; then
        targets=(--target "${threaded[@]}" t46_emulation_bugs t54_device riccatree_cuda_emulated)
        tests=(-R "^($(IFS='|' && echo "${threaded[*]} ${emulated[*]}" | tr ' ' '|'))$")
    fi
    cmake --preset "$preset" -DRCT_WERROR=ON
    cmake --build --preset "$preset" "${targets[@]}"
    ctest --preset "$preset" --output-on-failure --parallel "$(nproc)" "${tests[@]}"
done
