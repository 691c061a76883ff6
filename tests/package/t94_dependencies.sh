#!/usr/bin/env bash
# cmake/Dependencies.cmake asks find_package first, then pkg-config, then the folders of the system, and says what to install if a
# package is not found.
# usage: t94_dependencies.sh CMAKE WORK_FOLDER   (CC and CMAKE_GENERATOR are respected)
set -euo pipefail
cmake=$1
work=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rm -rf "$work"
mkdir -p "$work/project"
cat >"$work/project/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(dependencies LANGUAGES C)
include($root/cmake/Dependencies.cmake)
CMAKE

# configure ARGUMENT...: a project that includes the file; the output of CMake goes to $work/said.
configure() {
    rm -rf "$work/build"
    "$cmake" -S "$work/project" -B "$work/build" "$@" >"$work/said" 2>&1
}
# takes LINE: CMake chose this.
takes() {
    grep -qxE -- "-- $1" "$work/said" || { cat "$work/said"; echo "t94_dependencies: not \"$1\"" >&2; exit 1; }
}

configure || { cat "$work/said"; exit 1; }
takes 'hdf5: hdf5::hdf5'
takes 'hdf5_hl: hdf5::hdf5_hl'
takes 'zlib: ZLIB::ZLIB'
takes 'libxml2: LibXml2::LibXml2'

without=()
for package in HDF5 ZLIB LibXml2 AMD KLU LDL OpenBLAS LAPACKE; do
    without+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
configure "${without[@]}" || { cat "$work/said"; exit 1; }
for package in hdf5 zlib libxml2 openblas lapacke; do
    takes "$package: PkgConfig::$package"
done
takes 'hdf5_hl: (PkgConfig::hdf5_hl|/.*/libhdf5[a-z_]*\.so)'

# The configuration of a newer SuiteSparse, in a separate prefix.
mkdir -p "$work/prefix/lib/cmake/KLU"
echo 'add_library(SuiteSparse::KLU INTERFACE IMPORTED)' >"$work/prefix/lib/cmake/KLU/KLUConfig.cmake"
configure "-DCMAKE_PREFIX_PATH=$work/prefix" || { cat "$work/said"; exit 1; }
takes 'klu: SuiteSparse::KLU'

if PKG_CONFIG_LIBDIR=$work/nowhere configure "${without[@]}"; then
    echo "t94_dependencies: configured without HDF5" >&2
    exit 1
fi
tr -s ' \n' '  ' <"$work/said" | grep -qF 'hdf5 was not found, neither by find_package nor by pkg-config; install libhdf5-dev' || {
    cat "$work/said"
    exit 1
}
echo "dependencies: by find_package, pkg-config, and a refusal"
