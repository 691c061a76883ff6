#!/usr/bin/env bash
# Builds the command line and runs the branch system of 33,334 bodies (100,002 degrees of freedom)
# for 0.1 s in steps of 1 ms. Writes the trajectory to results/branch.h5.
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-dependencies.sh --run-only

# The demo shares build/release with the tests, so that nothing is compiled twice. A configured folder
# is used as it is. A new folder is configured without tests and benchmarks, because their packages
# may be missing; `cmake --preset release` turns them on again, since the presets set both options.
if [[ ! -f build/release/build.ninja ]]; then
    cmake --preset release -DRCT_TESTS=OFF -DRCT_BENCH=OFF
fi
cmake --build --preset release --target riccatree_cli

mkdir -p results
build/release/riccatree run branch --bodies 33334 --dt 1e-3 --t-end 0.1 \
    --out results/branch.h5 --overwrite
