#!/usr/bin/env bash
# A shared library exports exactly the functions that its public headers declare. A plugin (--plugin) exports the one symbol that
# the library looks for.
# usage: exports_check.sh LIBRARY HEADER... | --plugin
set -euo pipefail
library=$1
shift

exported=$(nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ { print $3 }' | grep -v '^__odr_asan' |
    sort)
if [[ $1 == --plugin ]]; then
    declared=rct_plugin_exported
else # RCT_API, a return type, the name, its parenthesis, over one line or more.
    declared=$(cat "$@" | tr '\n' ' ' | grep -oE 'RCT_API [^(]*\(' | grep -oE 'rct_[a-z0-9_]+\($' | tr -d '(' | sort)
fi

result=0
extra=$(comm -23 <(echo "$exported") <(echo "$declared"))
if [[ -n $extra ]]; then
    printf 'exported, but not declared in its public headers:\n%s\n' "$extra"
    result=1
fi
absent=$(comm -13 <(echo "$exported") <(echo "$declared"))
if [[ -n $absent ]]; then
    printf 'declared, but not in the library:\n%s\n' "$absent"
    result=1
fi
echo "exports: $(wc -w <<<"$exported") of $(wc -w <<<"$declared") declared symbols"
exit $result
