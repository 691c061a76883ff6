#!/usr/bin/env bash
# t82_null_arguments.c calls every public function that takes a pointer, and t83_sized.c every function that makes defaults.
# usage: null_check.sh INCLUDE_FOLDER TEST_SOURCE
set -euo pipefail
headers=$1
source=$2

# RCT_API, a return type, the name and its arguments; functions whose only pointer is the error are left out.
functions=$(cat "$headers"/riccatree/*.h | tr '\n' ' ' | grep -oE 'RCT_API [^(;]*\([^;]*;' |
    sed -E 's/rct_error \*//' | grep -E '\([^)]*(\*|\[|rct_in |rct_out )' | grep -oE 'rct_[a-z0-9_]+\(' | tr -d '(' |
    sed 's/_sized$//' | grep -v '_init$' | sort -u)
absent=$(comm -23 <(echo "$functions") <(grep -oE 'rct_[a-z0-9_]+' "$source" | sort -u))
if [[ -n $absent ]]; then
    printf 'not called with NULL in %s:\n%s\n' "$source" "$absent"
    exit 1
fi
echo "null check: $(wc -w <<<"$functions") functions are called"
