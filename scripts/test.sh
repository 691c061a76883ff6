#!/usr/bin/env bash
# The check: formatting, one build with warnings as errors, and its tests but the long ones.
# usage: test.sh [--all]     --all: also the long ones, all tests as release, all but the long ones as clang and
#                            asan, the tests in which threads share work as tsan, and clang-tidy
# It stops at the first failure; the closing lines are ctest's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
'') builds=(strict) ;;
--all) builds=(strict clang asan tsan release) ;;
*)
    echo "usage: ${0##*/} [--all]" >&2
    exit 2
    ;;
esac

scripts/install-dependencies.sh "$@"
scripts/check-format.sh
[[ ${1:-} != --all ]] || scripts/check-tidy.sh
for build in "${builds[@]}"; do
    echo
    echo "== $build, $SECONDS s after the start"
    targets=() tests=()
    case $build in
    strict) [[ ${1:-} == --all ]] || tests=(-LE long) ;;
    clang | asan) tests=(-LE long) ;;
    tsan)
        targets=(--target tests_of_threads)
        tests=(-L threads)
        ;;
    esac
    cmake --preset "$build" -DRCT_WERROR=ON
    cmake --build --preset "$build" "${targets[@]}"
    ctest --preset "$build" --output-on-failure --parallel "$(nproc)" "${tests[@]}"
done
