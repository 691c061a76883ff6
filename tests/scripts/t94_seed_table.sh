#!/usr/bin/env bash
# scripts/seed_table.py at small sizes: its table and figures, the cells of a method that has ended, and that
# docs/transfer-matrix.md shows its output.
# usage: t94_seed_table.sh PYTHON RICCATREE
set -euo pipefail
python=$1 riccatree=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

"$python" "$root/scripts/seed_table.py" --riccatree "$riccatree" --elements 13,63,69 --out "$work/out" 2>"$work/err"
table=$work/out/seed-table.md
[[ $(wc -l <"$table") == 5 ]] || fail "not a header and three rows: $(cat "$table")"
grep -qE '^\| 13 \| 7 \| 21 \| [0-9.]+ .?s, [0-9]e-1[0-9] \| ' "$table" || fail "no row of 13 elements"
grep -qE '^\| 63 \| 32 \| 96 \| [0-9.]+ .?s, no digit \| ' "$table" || fail "the product has digits left: $(cat "$table")"
grep -qE '^\| 69 \| 35 \| 105 \|  \| [0-9.]+ .?s, [0-9]e-1[0-9] \| ' "$table" || fail "asked again: $(cat "$table")"
for entry in time:5 error:4; do # the number of curves: errors are relative to the sparse augmented system
    figure=${entry%:*}
    file=$work/out/seed-table-$figure.svg
    "$python" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$file" || fail "$file is no SVG"
    [[ $(grep -c 'stroke-width="1.6"' "$file") == "${entry#*:}" ]] || fail "$file has other curves"
    grep -qF "(figures/seed-table-$figure.svg)" "$root/docs/transfer-matrix.md" || fail "docs do not show $figure"
    [[ -f $root/docs/figures/seed-table-$figure.svg ]] || fail "docs/figures has no $figure"
done

# Whole simulations: our two sweeps, the drift of the energy beside the time.
"$python" "$root/scripts/seed_table.py" --riccatree "$riccatree" --elements 13,63 --simulate 0.1 --out "$work/runs" 2>"$work/err"
table=$work/runs/seed-runs.md
[[ $(head -1 "$table") == '| N | bodies | freedoms | riccati | abi |' ]] || fail "another head: $(cat "$table")"
grep -qE '^\| 63 \| 32 \| 96 \| [0-9.]+ .?s, [0-9]e-1[0-9] \| [0-9.]+ .?s, [0-9]e-1[0-9] \|$' "$table" || fail "no row of 63: $(cat "$table")"
[[ $(ls "$work/runs") == seed-runs.md ]] || fail "more than a table"
"$python" "$root/scripts/seed_table.py" --riccatree "$riccatree" --elements 13,63 --simulate 1 --seconds 0.001 >"$work/runs.md" 2>"$work/err"
[[ $(grep -o 'over 0.001 s' "$work/runs.md" | wc -l) == 2 && $(wc -l <"$work/runs.md") == 3 ]] || fail "has time: $(cat "$work/runs.md")"

# A process that runs out of time.
"$python" "$root/scripts/seed_table.py" --riccatree "$riccatree" --elements 13 --seconds 0.001 >"$work/out.md" 2>"$work/err"
[[ $(grep -o 'over 0.001 s' "$work/out.md" | wc -l) == 5 ]] || fail "has time: $(cat "$work/out.md")"
exit $((failures > 0))
