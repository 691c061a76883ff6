#!/usr/bin/env bash
# The whole check: formatting, then build and tests as strict, asan and release, warnings as errors.
# Stops at the first failure. The closing lines are ctest's on the release build, which comes last.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install-dependencies.sh
scripts/check-format.sh

for preset in strict asan release; do
    echo
    echo "== $preset"
    cmake --preset "$preset" -DRCT_WERROR=ON
    cmake --build --preset "$preset"
    ctest --preset "$preset" --output-on-failure
done
