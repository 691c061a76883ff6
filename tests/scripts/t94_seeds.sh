#!/usr/bin/env bash
# docs/seeds.md is true: every command on it works, every named test and figure exists, plots of its commands are the figures of
# the same name in docs/figures, and every row has a command or says what is missing.
# usage: t94_seeds.sh RICCATREE
set -euo pipefail
riccatree=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
page=$root/docs/seeds.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

# numbers FILE: one per line.
numbers() {
    grep -oE '[0-9]+([.][0-9]+)?' "$1"
}

ln -s "$root/examples" "$work/examples"
cd "$work"
commands=0
while IFS= read -r command; do
    commands=$((commands + 1))
    read -ra words <<<"$command"
    "$riccatree" "${words[@]:1}" >"$work/out" 2>"$work/err" || fail "$command: $(cat "$work/err")"
    [[ -s $work/out || $command == *" --out "* ]] || fail "$command prints nothing"
done < <(grep -o '`riccatree [^`]*`' "$page" | tr -d '`')
((commands >= 35)) || fail "only $commands commands"
plots=0
for plot in *.svg; do
    plots=$((plots + 1))
    paste <(numbers "$plot") <(numbers "$root/docs/figures/$plot") |
        awk 'NF != 2 || ($1 - $2) ^ 2 > 0.0009 { exit 1 }' || fail "docs/figures/$plot is another"
done
((plots >= 2)) || fail "only $plots plots"

cd "$root"
for script in $(grep -o '`scripts/[^` ]*`' "$page" | tr -d '`'); do
    [[ -x $script ]] || fail "$script cannot be run"
done

for name in $(grep -oE '\bt[0-9][0-9]_[a-z0-9_]+' "$page" | sort -u); do
    compgen -G "tests/*/$name.*" >"$work/out" || fail "there is no test $name"
done
for figure in $(grep -oE '\((figures|pictures)/[a-z0-9-]+\.svg\)' "$page" | tr -d '()' | sort -u); do
    [[ -f docs/$figure ]] || fail "there is no docs/$figure"
done

# Each row has six columns; without a command the last one says what is missing.
rows=0
while IFS='|' read -r _ what command _ tests _ missing _; do
    rows=$((rows + 1))
    [[ $tests == *" t"[0-9][0-9]_* ]] || fail "no test: $what"
    [[ $command == *'`riccatree '* || $missing =~ [a-z] ]] || fail "neither a command nor what is missing: $what"
done < <(grep -E '^\| ' "$page" | grep -vE '^\| what ')
((rows >= 38)) || fail "only $rows rows"
exit $((failures > 0))
