#!/usr/bin/env bash
# The binary interface is that of the last release (until 0.1.0, the interface recorded for it) or more: every line of abi_0.txt
# holds. And abi.py finds changes that break it.
# usage: t85_abi.sh COMPILER INCLUDE_FOLDER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

python3 "$here/abi.py" "$1" "$2" --hold "$here/abi_0.txt" || failures=1

# breaks SED: headers changed by SED break the recorded interface; holds SED: they keep it.
try() {
    rm -rf "$work/include"
    cp -r "$2" "$work/include"
    sed -i -E "$3" "$work"/include/riccatree/*.h
    if diff -rq "$2" "$work/include" >/dev/null; then
        echo "FAILED: $3 changes nothing"
        failures=1
    fi
    python3 "$here/abi.py" "$1" "$work/include" --hold "$here/abi_0.txt" >"$work/said"
    (($? == $4)) || {
        echo "FAILED: $3: $(cat "$work/said")"
        failures=1
    }
}
breaks() { try "$1" "$2" "$3" 1; }
holds() { try "$1" "$2" "$3" 0; }

holds "$1" "$2" 's|^( *)(double armature\[3\];)|\1\2 double more;|'
holds "$1" "$2" 's|^RCT_API const char \*rct_version\(void\);|& RCT_API int rct_new(int new_one);|'
breaks "$1" "$2" 's|^( *)(double mass; )|\1double before; \2|'
breaks "$1" "$2" 's|^( *)int32_t parent; |\1int64_t parent; |'
breaks "$1" "$2" 's|RCT_ERROR_IO, |RCT_ERROR_NEW, RCT_ERROR_IO, |'
breaks "$1" "$2" 's|char text\[RCT_ERROR_TEXT_SIZE\]; |& double more; |'
breaks "$1" "$2" 's|^RCT_API const char \*rct_version\(void\);||'
breaks "$1" "$2" 's|rct_solver_step\(rct_solver \*solver, double dt, int64_t|rct_solver_step(rct_solver *solver, double dt, int32_t|'
((failures == 0)) && echo "abi.py finds what breaks programs"
