#!/usr/bin/env bash
# What the shared library exports is what the public headers declare: no more, and with --complete
# no less. A plugin (--plugin) exports the one symbol that the library looks for.
# usage: exports_check.sh LIBRARY INCLUDE_FOLDER [--complete | --plugin]
set -euo pipefail
library=$1
headers=$2
complete=${3:-}

exported=$(nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ { print $3 }' | grep -v '^__odr_asan' |
    sort)
# RCT_API, a return type, the name, its parenthesis, over one line or more.
declared=$(cat "$headers"/riccatree/*.h | tr '\n' ' ' | grep -oE 'RCT_API [^(]*\(' |
    grep -oE 'rct_[a-z0-9_]+\($' | tr -d '(' | sort)
[[ $complete != --plugin ]] || declared=rct_plugin_exported

result=0
extra=$(comm -23 <(echo "$exported") <(echo "$declared"))
if [[ -n $extra ]]; then
    printf 'exported, but declared in no public header:\n%s\n' "$extra"
    result=1
fi
absent=$(comm -13 <(echo "$exported") <(echo "$declared"))
if [[ -n $absent && -n $complete ]]; then
    printf 'declared, but not in the library:\n%s\n' "$absent"
    result=1
fi
echo "exports: $(wc -w <<<"$exported") of $(wc -w <<<"$declared") declared symbols"
exit $result
