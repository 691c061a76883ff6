#!/usr/bin/env bash
# The Debian packages that CPack makes of a build: each installed file is in one of them, each package names its dependencies and
# has its licence, and the unpacked command line runs. scripts/package.sh --check installs the packages into a clean Debian.
# usage: t95_debian.sh CMAKE BUILD_FOLDER WORK_FOLDER
# It ends with 77, and says why, where dpkg-shlibdeps or file is missing.
set -euo pipefail
cmake=$1
build=$2
work=$3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for tool in dpkg-shlibdeps dpkg-deb file; do
    command -v $tool >/dev/null || { echo "t95_debian: skipped, $tool is not installed"; exit 77; }
done

fail() {
    echo "t95_debian: $1" >&2
    exit 1
}

rm -rf "$work"
mkdir -p "$work"
"${cmake%/*}/cpack" --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
cd "$work"

# package NAME: its file.
package() { find packages -maxdepth 1 -name "$1_*.deb"; }
for name in libriccatree0 libriccatree-dev riccatree; do
    [[ -f $(package $name) ]] || fail "there is no package $name: $(ls packages)"
done
depends=$(dpkg-deb --field "$(package libriccatree0)" Depends)
for needed in libc6 libhdf5 libxml2 libklu libopenblas liblapacke zlib1g; do
    grep -qF "$needed" <<<"$depends" || fail "libriccatree0 does not depend on $needed: $depends"
done
version=$("$build/riccatree" --version | sed 's/^riccatree //; q')
for name in libriccatree-dev riccatree; do
    dpkg-deb --field "$(package $name)" Depends | grep -qF "libriccatree0 (= $version-1)" || fail "$name goes with any libriccatree0"
done

: >held
for deb in packages/*.deb; do
    name=$(dpkg-deb --field "$deb" Package)
    dpkg-deb --extract "$deb" unpacked
    dpkg-deb --fsys-tarfile "$deb" | tar -t | sed 's|^\./||; /\/$/d' | grep -v "^usr/share/doc/$name/copyright$" >>held
    # The words of the licence, without the marks of the format.
    diff <(sed '1,/^License:/d; s/^ //; s/^\.$//' "unpacked/usr/share/doc/$name/copyright") "$root/LICENSE" ||
        fail "$name has another licence"
done
"$cmake" --install "$build" --prefix "$work/installed/usr" >/dev/null
diff <(sort held) <(cd installed && find usr ! -type d | sort) || fail "packages and the installed tree hold other files, above"

LC_ALL=C find unpacked -type f \( -name '*.so.*' -o -path '*/bin/*' \) -exec readelf -dW {} + | grep -E '\((RPATH|RUNPATH)\)' &&
    fail "a packaged file looks for libraries elsewhere"
libraries=$(dirname "$(find unpacked -name 'libriccatree.so.*' -type f)")
LD_LIBRARY_PATH=$PWD/$libraries unpacked/usr/bin/riccatree run chain --bodies 10 --t-end 0.01 --out chain.h5
echo "packages: $(find packages -maxdepth 1 -name '*.deb' | wc -l), $(wc -l <held) files"
