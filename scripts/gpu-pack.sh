#!/usr/bin/env bash
# Builds the programs that gpu-check.sh runs and gathers them in build/pack/all: programs and plugins in release/ and strict/,
# in lib/ the libraries they need, except those that every machine has, the list of tests, and the commit. With FILE it packs
# all this into FILE, by xz. FILE and the tracked files of the checkout travel together and may have 30 MiB.
# Programs of release share one libriccatree.so. All programs find their libraries beside themselves. BLAS and LAPACK are
# Debian's plain ones, a tenth of the size of OpenBLAS. The tables of ICU are left out, because libxml2 uses them only for rare
# encodings.
# usage: gpu-pack.sh [FILE | --ready]     RCT_CUDA_ARCHITECTURES: the GPUs to compile for (default 90-real)
#   --ready: only says what this machine lacks for that; exit status 1 if anything is missing
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
file=${1:-}
[[ -z $file || $file == --ready ]] || file=$(realpath -m "$file")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly most_bytes=$((30 << 20))
work=$PWD/build/pack
pack=$work/all
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc || true)

fail() {
    echo "gpu-pack: $1" >&2
    exit 1
}

# Prints the tools and libraries that the build needs and this machine lacks.
lacking() {
    local what
    for what in cmake ninja pkg-config cc c++ strip xz git; do
        command -v "$what" >/dev/null || echo "$what"
    done
    [[ -n $nvcc ]] || echo nvcc
    for what in hdf5 lapacke openblas zlib libxml-2.0 cmocka; do
        pkg-config --exists "$what" 2>/dev/null || echo "$what"
    done
    for what in Random123/philox.h suitesparse/klu.h benchmark/benchmark.h; do
        echo "#include <$what>" | c++ -E -x c++ - >/dev/null 2>&1 || echo "$what"
    done
}

configure() { # PRESET FLAG...
    # shellcheck disable=SC2016
    CUDACXX=$nvcc cmake --preset "$1" -B "$work/$1" -DRCT_CUDA=ON -DRCT_MPI=OFF "${@:2}" \
        -DRCT_CUDA_ARCHITECTURES="${RCT_CUDA_ARCHITECTURES:-90-real}" -DCMAKE_SKIP_RPATH=ON \
        -DCMAKE_EXE_LINKER_FLAGS='-Wl,--disable-new-dtags,-rpath,'\''$ORIGIN:$ORIGIN/../lib'\'
}

build() { # PRESET TARGET...
    cmake --build "$work/$1" -j "$(nproc)" --target "${@:2}"
}

# Makes small libraries that replace the large ones: the loader finds them first.
make_thin() { # FOLDER
    local plain tables
    rm -rf "$1" && mkdir -p "$1"
    plain=$(dirname "$(ldd "$work/release/libriccatree_reference.so" | awk '$1 == "libopenblas.so.0" { print $3 }')")
    if [[ -e $plain/blas/libblas.so.3 && -e $plain/lapack/liblapack.so.3 ]]; then
        ln -s "$plain/blas/libblas.so.3" "$1/libblas.so.3"
        ln -s "$plain/blas/libblas.so.3" "$1/libopenblas.so.0"
        ln -s "$plain/lapack/liblapack.so.3" "$1/liblapack.so.3"
    fi
    tables=$(ldd "$work/release/libriccatree.so" | awk '$1 ~ /^libicudata/ { print $1 }')
    [[ -z $tables ]] || echo "const char icudt${tables##*.}_dat[16];" |
        cc -shared -fPIC -x c -Wl,-soname,"$tables" -o "$1/$tables" -
}

gather() { # PRESET PROGRAM...
    local preset=$1 to=$pack/$1 program from name library
    shift
    mkdir -p "$to" "$pack/lib"
    for program in "$@"; do
        from=$(find "$work/$preset/" -maxdepth 2 -type f -name "$program")
        [[ -n $from ]] || fail "$program was not built in $work/$preset"
        strip -o "$to/$program" "$from"
        LD_LIBRARY_PATH=$work/thin:$work/$preset ldd "$from" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' >"$work/needed"
        while read -r name library; do
            case $name in
            libriccatree.so.* | libriccatree_reference.so.*) strip -o "$to/$name" "$library" ;;
            libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.* | libresolv.so.* | ld-linux* | \
                libstdc++.so.* | libgcc_s.so.*) ;;
            *) cp -Lu "$library" "$pack/lib/$name" ;;
            esac
        done <"$work/needed"
    done
}

lacks=$(lacking | tr '\n' ' ')
[[ -z $lacks ]] || fail "this machine lacks ${lacks% }; make a pack on a machine that has them by gpu-check.sh --pack FILE, \
and use it here by gpu-check.sh --packed FILE"
[[ $file != --ready ]] || exit 0
configure release -DRCT_SHARED_INSIDES=ON -DRCT_EMULATION=OFF
mapfile -t tests < <(awk '{ print $2 }' "$work/release/tests/gpu_tests" | sort -u)
benches=(bench_{segments,batch,hinges,ensemble,loops,library,calls})
build release riccatree_cli riccatree_cuda "${tests[@]}" "${benches[@]}"
configure strict
build strict riccatree_cuda t52_device_repeats
rm -rf "$pack"
make_thin "$work/thin"
gather release riccatree libriccatree_cuda.so "${tests[@]}" "${benches[@]}"
gather strict libriccatree_cuda.so t52_device_repeats
cp "$work/release/tests/gpu_tests" "$pack/tests"
git describe --always --dirty --abbrev=12 --exclude='*' >"$pack/commit"
if [[ -n $file ]]; then
    XZ_OPT=${XZ_OPT:--9} tar -C "$pack" --sort=name --owner=0 --group=0 -cJf "$file" .
    bytes=$(stat -c %s "$file")
    tree=$(git archive HEAD | wc -c)
    echo "gpu-pack: $file, $((bytes >> 10)) KiB; with the tree, $((tree >> 10)) KiB, $(((bytes + tree) >> 10)) of" \
        "$((most_bytes >> 10)) KiB"
    ((bytes + tree <= most_bytes)) || fail "that is too large"
fi
