#!/usr/bin/env bash
# The pictures of docs/closed-loops.md are those that scripts/draw_mechanism.py makes of the examples and families now,
# and every model in examples/ can be drawn.
# usage: t94_pictures.sh PYTHON RICCATREE
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

"$riccatree" generate fourbars --bodies 9 --out "$work/fourbars.json" >"$work/out"
"$riccatree" generate necklace --bodies 24 --out "$work/necklace.json" >"$work/out"
"$riccatree" generate hub --bodies 15 --hinge revolute --out "$work/hub.json" >"$work/out"
for model in "$root"/examples/*.json "$work"/*.json; do
    name=$(basename "$model" .json)
    [[ $name != two-rods ]] || continue # 33,334 of them
    "$python" "$root/scripts/draw_mechanism.py" "$model" "$work/$name.svg" || fail "$name cannot be drawn"
done
for picture in "$root"/docs/pictures/*.svg; do
    name=$(basename "$picture")
    cmp "$picture" "$work/$name" || fail "$name is another than scripts/draw_mechanism.py makes"
    grep -qF "(pictures/$name)" "$root/docs/closed-loops.md" || fail "docs/closed-loops.md does not show $name"
done
for picture in $(grep -o 'pictures/[a-z0-9-]*\.svg' "$root/docs/closed-loops.md"); do
    [[ -f $root/docs/$picture ]] || fail "$picture is not there"
done

# A parent that is not there, and too few arguments.
sed 's/"parent": "crank"/"parent": "crunk"/' "$root/examples/four-bar.json" >"$work/bad.json"
! "$python" "$root/scripts/draw_mechanism.py" "$work/bad.json" "$work/bad.svg" 2>"$work/out" || fail "drew a bad model"
grep -q 'coupler: crunk is no body' "$work/out" || fail "does not say what is wrong: $(cat "$work/out")"
! "$python" "$root/scripts/draw_mechanism.py" 2>"$work/out" || fail "drew nothing"
grep -q usage "$work/out" || fail "does not say how it is used"
exit $((failures > 0))
