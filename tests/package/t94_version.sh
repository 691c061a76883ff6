#!/usr/bin/env bash
# One version everywhere: that of include/riccatree/version.h is what the command line, the packages of CMake and pkg-config,
# the wheel, the Python package and CITATION.cff say.
# usage: t94_version.sh BUILD_FOLDER [PYTHON]     PYTHON: the interpreter that the build made its package for
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
python=${2:-}

# number PART: this number of the header.
number() { sed -nE "s/^#define RCT_VERSION_$1 ([0-9]+)( .*)?$/\1/p" "$root/include/riccatree/version.h"; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "t94_version: no version in version.h: $version" >&2; exit 1; }

failures=0
# same WHAT SAYS: SAYS contains this version.
same() {
    [[ $2 == "$version" ]] && return
    echo "t94_version: version.h has $version, $1 has \"$2\"" >&2
    failures=$((failures + 1))
}

same "riccatree --version" "$("$build/riccatree" --version | sed 's/^riccatree //; q')"
same CITATION.cff "$(sed -n 's/^version: //p' "$root/CITATION.cff")"
for package in riccatree riccatree_reference; do
    same $package.pc "$(sed -n 's/^Version: //p' "$build/$package.pc")"
done
same riccatree-config-version.cmake "$(sed -nE 's/^set\(PACKAGE_VERSION "(.*)"\)$/\1/p' "$build/riccatree-config-version.cmake")"
if [[ -n $python ]]; then
    same "the Python package" "$(PYTHONPATH=$build/python "$python" -c 'import riccatree; print(riccatree.__version__)')"
    same pyproject.toml "$("$python" - "$root" <<'PYTHON'
import pathlib, re, sys, tomllib
root = pathlib.Path(sys.argv[1])
how = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["scikit-build"]["metadata"]["version"]
found = re.search(how["regex"], (root / how["input"]).read_text())
print(how["result"].format(**found.groupdict()))
PYTHON
)"
fi
((failures == 0)) && echo "version: $version everywhere"
