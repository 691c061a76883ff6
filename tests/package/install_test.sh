#!/usr/bin/env bash
# Installs the build, moves the installed tree, and uses it as a user would: a C and a C++ program, built by CMake's find_package
# and by the plain compiler with pkg-config.
# usage: install_test.sh CMAKE BUILD_FOLDER WORK_FOLDER   (CC, CXX, CFLAGS, CXXFLAGS are respected)
set -euo pipefail
cmake=$1
build=$2
work=$3
consumer=$(cd "$(dirname "${BASH_SOURCE[0]}")/consumer" && pwd)
read -ra c_flags <<<"${CFLAGS:-}"
read -ra cxx_flags <<<"${CXXFLAGS:-}"

fail() {
    echo "install_test: $1" >&2
    exit 1
}

# expect PATTERN COMMAND...: the output matches the pattern.
expect() {
    local pattern=$1 says
    shift
    says=$("$@")
    echo "$says"
    # shellcheck disable=SC2053
    [[ $says == $pattern ]] || fail "$* said \"$says\""
}
greeting='riccatree *: 2 bodies'
answer='reference lagrange: 14.7150 rad/s^2' # 3 g / 2 for a rod of 1 m

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
prefix=$work/moved
if grep -rIl -e "$build" -e "$work/first" "$prefix"; then
    fail "the files above hold an absolute path"
fi
bash "$consumer/../../house/run_paths.sh" "$prefix" || fail "the files above look for libraries anywhere"

"$cmake" -S "$consumer" -B "$work/by-cmake" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
"$cmake" --build "$work/by-cmake"
expect "$greeting" "$work/by-cmake/consumer_c"
expect "$greeting" "$work/by-cmake/consumer_cpp"
expect "$answer" "$work/by-cmake/consumer_reference"

pc=$(find "$prefix" -name riccatree.pc)
lib=$(cd "$(dirname "$pc")/.." && pwd)
export PKG_CONFIG_PATH=${pc%/*}
read -ra package <<<"$(pkg-config --cflags --libs riccatree)"
read -ra reference <<<"$(pkg-config --cflags --libs riccatree_reference)"
strict=(-Wall -Wextra -Wpedantic -Werror)
"$CC" -std=c11 "${strict[@]}" "${c_flags[@]}" "$consumer/consumer.c" "${package[@]}" \
    -o "$work/consumer_c"
"$CXX" -std=c++17 "${strict[@]}" "${cxx_flags[@]}" "$consumer/consumer.cpp" "${package[@]}" \
    -o "$work/consumer_cpp"
"$CC" -std=c11 "${strict[@]}" "${c_flags[@]}" "$consumer/consumer_reference.c" "${reference[@]}" \
    -o "$work/consumer_reference"
expect "$greeting" env LD_LIBRARY_PATH="$lib" "$work/consumer_c"
expect "$greeting" env LD_LIBRARY_PATH="$lib" "$work/consumer_cpp"
expect "$answer" env LD_LIBRARY_PATH="$lib" "$work/consumer_reference"

# The command line finds the libraries by itself, wherever the tree is.
if [[ -e $prefix/bin/riccatree ]]; then
    ldd "$prefix/bin/riccatree" | grep -F libriccatree.so | grep -qF "$prefix" ||
        fail "bin/riccatree does not find libriccatree.so of its own prefix"
    env LD_DEBUG=files "$prefix/bin/riccatree" accel chain --bodies 2 --method lagrange 2>&1 | grep -F 'calling init' |
        grep -F libriccatree_reference.so | grep -qF "$prefix" ||
        fail "bin/riccatree does not open libriccatree_reference.so of its own prefix"
fi

# The manual page and the completion are those that the installed command prints.
if [[ -e $prefix/bin/riccatree ]]; then
    cmp <("$prefix/bin/riccatree" man) "$prefix/share/man/man1/riccatree.1" || fail "the manual page is another"
    cmp <("$prefix/bin/riccatree" completion bash) "$prefix/share/bash-completion/completions/riccatree" ||
        fail "the completion is another"
fi

# The library works without the references.
if ldd "$lib/libriccatree.so" | grep -F libriccatree_reference; then
    fail "libriccatree.so is linked with the references"
fi

# A plugin stands beside the library; the command line, not started by mpirun, needs none for ranks.
if [[ -e $build/libriccatree_mpi.so ]]; then
    [[ -e $lib/libriccatree_mpi.so ]] || fail "the plugin for ranks is not beside the library"
fi

# It also finds its GPU plugin, if one was built: if the plugin cannot run, the reason is not that it is missing.
if [[ -e $build/libriccatree_cuda.so && -e $prefix/bin/riccatree ]]; then
    [[ -e $lib/libriccatree_cuda.so ]] || fail "the plugin is not beside the library"
    says=$("$prefix/bin/riccatree" backends)
    [[ $says != *"not beside the library"* ]] || fail "the plugin is not found: $says"
fi
