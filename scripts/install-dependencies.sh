#!/usr/bin/env bash
# Installs the missing Debian packages that Riccatree is built on, and the missing Python modules of its Python package and its
# tests. If nothing is missing, it changes nothing and needs no network.
# usage: install-dependencies.sh [--run-only | --all]     --run-only: without the packages that only tests and benchmarks
#                                                         need; --all: with the packages that scripts/test.sh --all needs
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(
    cmake ninja-build gcc g++ libc6-dev pkg-config
    libxml2-dev        # URDF and MJCF models
    libhdf5-dev        # result files
    hdf5-tools         # h5dump and h5ls, to look into them
    liblapacke-dev     # dense systems of the reference formulations
    libopenblas-dev    # the same, fast
    libsuitesparse-dev # KLU, LDL and AMD: sparse systems; its other libraries are not linked
    libarpack2-dev     # modes
    zlib1g-dev         # checksums of checkpoints
    librandom123-dev   # random numbers of ensembles
)
development=(
    libcmocka-dev    # tests
    libbenchmark-dev # benchmarks
    libopenmpi-dev   # ensembles over ranks, and its tests
    openmpi-bin      # the same: mpirun
    groff-base       # the manual page, tested
    python3-dev      # the Python package
    python3-pip      # installs the modules below
    chromium         # the player of `riccatree view`, tested without a window
)

# Installed by pip, for the interpreter python3: Debian 12 has no nanobind.
modules=(
    nanobind               # the Python package
    numpy tqdm             # the same, at run time
    pytest h5py pandas     # its tests
    xarray h5netcdf        # the same, for the axes of recordings
)

whole_check=(
    clang           # a second compiler
    libclang-rt-dev # its sanitizers
    lld             # its linker
    clang-format    # the layout of sources
    clang-tidy      # finds what compilers do not warn of
    python3-yaml    # CITATION.cff, checked
    doxygen         # the reference of the interface
    mkdocs          # the site of docs/
    dpkg-dev file   # Debian packages: what they depend on
    mmdebstrap      # a clean Debian, in which the Debian packages are installed
)

case ${1:-} in
'') packages+=("${development[@]}") ;;
--all) packages+=("${development[@]}" "${whole_check[@]}") ;;
--run-only) ;;
*)
    echo "usage: ${0##*/} [--run-only | --all]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    {
        echo "This is not a Debian system. Install the contents of these Debian packages with the tools"
        echo "of your system, then build with CMake as CONTRIBUTING.md says:"
        echo "    ${packages[*]}"
    } >&2
    exit 1
fi

# Without these modules the Python package is not built, or its tests are skipped. Only --all fails then.
install_modules() {
    local missing=()
    [[ $1 != --run-only ]] || return 0
    mapfile -t missing < <(python3 -c 'import sys; from importlib.util import find_spec as find
[print(name) for name in sys.argv[1:] if find(name) is None]' "${modules[@]}")
    if ((${#missing[@]} == 0)); then
        echo "dependencies: all ${#modules[@]} Python modules are installed"
        return 0
    fi
    if ! install_by_pip "${missing[@]}"; then
        echo "dependencies: could not install ${missing[*]}; the Python package or its tests are left out" >&2
        [[ $1 != --all ]] || exit 1
    fi
}

install_by_pip() {
    echo "dependencies: installing $* by pip"
    python3 -m pip install --quiet --break-system-packages --root-user-action=ignore "$@"
}

# Where nvcc is, its kernels are read by nvdisasm, which not every toolkit has.
install_disassembler() {
    [[ $1 == --all ]] || return 0
    if PYTHONPATH=scripts python3 -Bc 'from gpu_sass import tool; exit(not tool("nvcc") or bool(tool("nvdisasm")))'; then
        install_by_pip nvidia-cuda-nvdisasm ||
            echo "dependencies: could not install nvdisasm; the test of docs/gpu.md is skipped" >&2
    fi
}

# dpkg-query prints the packages that it knows and fails if it knows none; both are fine here.
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
    grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
    echo "dependencies: all ${#packages[@]} packages are installed"
    install_modules "${1:-}"
    install_disassembler "${1:-}"
    exit 0
fi

# Wait for another apt-get, up to five minutes.
install=(apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0
    install -y --no-install-recommends "${missing[@]}")
root=()
if ((EUID != 0)); then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
        {
            echo "dependencies: packages are missing; install them as root with:"
            echo "    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
        } >&2
        exit 1
    fi
    root=(sudo -n)
fi
echo "dependencies: installing ${missing[*]}"
root+=(env DEBIAN_FRONTEND=noninteractive)
# An unreachable source may not matter; if it does, the installation below fails.
"${root[@]}" apt-get update -qq || echo "dependencies: apt-get update failed; continuing" >&2
if ! "${root[@]}" "${install[@]}"; then
    echo "dependencies: could not install ${missing[*]}; see the lines above" >&2
    exit 1
fi
install_modules "${1:-}"
install_disassembler "${1:-}"
