#!/usr/bin/env bash
# Runs the check: formatting, one build with warnings as errors, and its tests except the long ones and those of the emulated
# CUDA backend. The build has kernels of up to 2 lanes, and the CUDA kernels where there is a GPU.
# usage: test.sh [--all]     --all: strict: all tests, with 8 lanes; asan, built by Clang: all tests but the long ones and those
#                            for which one build is enough; release, with 4 lanes: of the latter those about numbers (asan and
#                            release leave out the emulated backend); the Debian packages of release on a clean Debian; tsan:
#                            the tests in which threads share work; and clang-tidy
# The script stops at the first failure; the last lines are those of ctest.
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
'') builds=(strict) lanes=2 emulation=OFF strict=(-LE 'long|emulated') ;;
--all) builds=(strict asan tsan release) lanes=8 emulation=ON strict=() ;;
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
    targets=() tests=() options=(-DRCT_WERROR=ON)
    case $build in
    strict)
        options+=(-DRCT_MOST_LANES="$lanes" -DRCT_EMULATION="$emulation")
        tests=("${strict[@]}")
        if [[ ${1:-} != --all && ! -e /dev/nvidiactl ]]; then
            options+=(-DRCT_CUDA=OFF) # without a GPU nothing could run the kernels
        fi
        ;;
    asan)
        options+=(-DRCT_EMULATION=OFF)
        tests=(-LE 'long|once|emulated')
        ;;
    release) # strict compiles the CUDA kernels, t47_kernel_budget compiles them without the options of strict
        options+=(-DRCT_MOST_LANES=4) # strict has the kernels of 8 lanes
        options+=("-DRCT_TEST_FOLDERS=kernels;backend;reference;operators;closure;dynamics;integrate;analysis;ensemble;repeatability;bench;scripts")
        options+=(-DRCT_CUDA=OFF -DRCT_EMULATION=OFF -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture --query DEB_HOST_MULTIARCH)")
        tests=(-LE 'long|once|emulated')
        ;;
    tsan)
        targets=(--target tests_of_threads)
        tests=(-L threads)
        ;;
    esac
    cmake --preset "$build" "${options[@]}"
    cmake --build --preset "$build" "${targets[@]}"
    [[ $build != release ]] || scripts/package.sh --check build/release
    ctest --preset "$build" --output-on-failure --parallel "$(($(nproc) + 1))" "${tests[@]}" # some tests wait for others
done
