#!/usr/bin/env bash
# CTest runs every test that the pages of guarantees and security name, and every promise there names a test. The first page says
# which of its tests only scripts/test.sh --all runs.
# usage: t94_guarantees.sh CTEST BUILD_FOLDER PAGE...
set -uo pipefail
ctest=$1
build=$2
shift 2
known=$("$ctest" --test-dir "$build" -N | sed -nE 's/^ *Test *#[0-9]*: ([^ ]+).*/\1/p')
failures=0
count=0
for page in "$@"; do
    for name in $(grep -oE '`t[0-9]{2}_[a-z0-9_]+`' "$page" | tr -d '`' | sort -u); do
        count=$((count + 1))
        grep -qxF "$name" <<<"$known" || {
            echo "FAILED: $page names $name, which is no test of this build"
            failures=1
        }
    done
done
later=$("$ctest" --test-dir "$build" -N -L '^(long|emulated)$' | sed -nE 's/^ *Test *#[0-9]*: ([^ ]+).*/\1/p')
named() { grep -oE '`t[0-9]{2}_[a-z0-9_]+`' | tr -d '`' | sort -u; }
left_out=$(grep -E '^(`t[0-9]{2}_[a-z0-9_]+`(, |\.))+$' "$1" | named)
[[ $left_out == "$(named <"$1" | grep -xF "$later")" ]] || {
    echo "FAILED: $1 says that scripts/test.sh leaves out" $left_out
    failures=1
}
while IFS= read -r row; do
    grep -qE '`t[0-9]{2}_' <<<"$row" || {
        echo "FAILED: no test holds: $row"
        failures=1
    }
done < <(grep '^| \*\*' "$1")
echo "$count names of tests"
((failures == 0 && count > 40))
