#!/usr/bin/env bash
# The check: formatting, one build with warnings as errors and kernels of up to 2 lanes, with those of CUDA where there is a
# GPU, and its tests but the long ones and those of the emulated CUDA backend.
# usage: test.sh [--all]     --all: all tests, with 8 lanes; as asan, which is by Clang, all but the long ones and those that
#                            one build is enough for; of these, as release with 4 lanes, those of numbers; both without the
#                            emulated backend; the Debian packages of release on a clean Debian; the tests in which threads
#                            share work as tsan, and clang-tidy
# It stops at the first failure; the closing lines are ctest's.
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
            options+=(-DRCT_CUDA=OFF) # no GPU: nothing could run it
        fi
        ;;
    asan)
        options+=(-DRCT_EMULATION=OFF)
        tests=(-LE 'long|once|emulated')
        ;;
    release) # strict compiles the kernels of CUDA, and t47_kernel_budget without its options
        options+=(-DRCT_MOST_LANES=4) # strict has the others
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
    ctest --preset "$build" --output-on-failure --parallel "$(($(nproc) + 1))" "${tests[@]}" # some wait for others
done
