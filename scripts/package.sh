#!/usr/bin/env bash
# Makes the Debian packages of Riccatree (libraries, headers, command line and plugins) in build/package/packages or
# FOLDER/packages.
# usage: package.sh [--check] [FOLDER]     FOLDER: a build with the library folder of Debian, as the prefix /usr gives it;
#                                          without FOLDER, build/package is configured and built
#                                          --check: installs the packages into a clean Debian 12 and uses them there. Needs
#                                          root, mmdebstrap and chroot, and the Debian mirror that mmdebstrap uses. Where
#                                          the clean Debian cannot be made, the script says so and exits with status 0
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

check=false
if [[ ${1:-} == --check ]]; then
    check=true
    shift
fi
if (($# > 1)) || [[ ${1:-} == -* ]]; then
    echo "usage: ${0##*/} [--check] [FOLDER]" >&2
    exit 2
fi
build=${1:-build/package}
if (($# == 0)); then
    cmake --preset release -B "$build" -DCMAKE_INSTALL_PREFIX=/usr -DRCT_TESTS=OFF -DRCT_BENCH=OFF -DRCT_PYTHON=OFF
    cmake --build "$build"
fi
for tool in dpkg-shlibdeps dpkg-architecture file; do
    command -v $tool >/dev/null || {
        echo "package: $tool is missing; install dpkg-dev and file" >&2
        exit 1
    }
done
libraries=lib/$(dpkg-architecture --query DEB_HOST_MULTIARCH)
grep -qx "CMAKE_INSTALL_LIBDIR:[A-Z]*=$libraries" "$build/CMakeCache.txt" || {
    echo "package: $build installs libraries into another folder than Debian; configure it with -DCMAKE_INSTALL_LIBDIR=$libraries" >&2
    exit 1
}

packages=$PWD/$build/packages
rm -rf "$packages"
cpack --config "$build/CPackConfig.cmake" -B "$packages" >"$build/cpack.log" 2>&1 || { cat "$build/cpack.log"; exit 1; }
rm -rf "$packages/_CPack_Packages"
for package in "$packages"/*.deb; do
    echo "package: $package: $(dpkg-deb --field "$package" Depends)"
done
$check || exit 0
if ((EUID != 0)) || ! command -v mmdebstrap >/dev/null; then
    echo "package: not tried on a clean Debian, which needs root and mmdebstrap" >&2
    exit 0
fi

# The clean machine. Its compiler is only for the program that uses the headers.
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
echo "package: a clean Debian in $root"
make_root() {
    mmdebstrap --quiet --variant=apt --aptopt='Acquire::Retries "5"' --include=gcc,libc6-dev,pkg-config bookworm "$root" &&
        { cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true; } && chroot "$root" apt-get -qq update
}
if ! make_root; then
    echo "package: not tried on a clean Debian, because it could not be made (see above)" >&2
    exit 0
fi
mkdir "$root/packages"
cp "$packages"/*.deb examples/pendulum.c "$root/packages"
# shellcheck disable=SC2016  # the inner shell expands the variables
chroot "$root" env DEBIAN_FRONTEND=noninteractive bash -euc '
    apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends /packages/*.deb >/packages/log 2>&1 || { cat /packages/log; exit 1; }
    cd /packages
    riccatree --version
    riccatree run chain --bodies 100 --t-end 0.1 --out chain.h5
    riccatree plot chain.h5 energy --out chain.svg
    riccatree backends
    cc pendulum.c $(pkg-config --cflags --libs riccatree) -o pendulum
    ./pendulum | tee lines
    for package in $(dpkg-query -W -f "\${Package}\n" "*riccatree*"); do
        [[ -s /usr/share/doc/$package/copyright ]] || { echo "$package has no copyright file"; exit 1; }
    done
    apt-get -qq -o Dpkg::Use-Pty=0 purge -y "*riccatree*" >log 2>&1 || { cat log; exit 1; }
    [[ -z $(find / -xdev -path /packages -prune -o -path /proc -prune -o -name "*riccatree*" ! -path "/var/cache/*" -print) ]] || {
        echo "files are left behind"
        exit 1
    }
'
for line in "$(head -1 "$root/packages/lines")" "$(tail -1 "$root/packages/lines")"; do
    grep -qxF "    $line" README.md docs/*.md || { echo "package: no document shows \"$line\"" >&2; exit 1; }
done
echo "package: installed, used and removed on a clean Debian"
