#!/usr/bin/env bash
# The pictures of docs/closed-loops.md are those that scripts/draw_mechanism.py makes of the examples and families now, and every
# model in examples/ can be drawn. scripts/draw_motion.py draws recordings.
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

# A missing parent, and too few arguments.
sed 's/"parent": "crank"/"parent": "crunk"/' "$root/examples/four-bar.json" >"$work/bad.json"
! "$python" "$root/scripts/draw_mechanism.py" "$work/bad.json" "$work/bad.svg" 2>"$work/out" || fail "drew a bad model"
grep -q 'coupler: crunk is no body' "$work/out" || fail "does not say what is wrong: $(cat "$work/out")"
! "$python" "$root/scripts/draw_mechanism.py" 2>"$work/out" || fail "drew nothing"
grep -q usage "$work/out" || fail "does not say how it is used"

# A recording in motion: a closed ring, and a tree with gravity along y.
if "$python" -c 'import h5py, numpy' 2>/dev/null; then
    "$riccatree" run binary --bodies 15 --perturb 0.3 --t-end 0.1 --frames 11 --out "$work/a.h5" >"$work/out"
    "$python" "$root/scripts/draw_motion.py" "$work/a.h5" "$work/a.svg" || fail "a tree cannot be drawn"
    "$python" - "$work/a.svg" <<'END' || fail "the picture that moves is not whole"
import sys, xml.etree.ElementTree as tree
space = "{http://www.w3.org/2000/svg}"
moves = list(tree.parse(sys.argv[1]).getroot().iter(space + "animate"))
frames = [move.get("values").split(";") for move in moves]
points = sum(frame[0].count("L") for frame in frames)
assert len(moves) == 8 and all(len(frame) == 11 for frame in frames) and points == 15 + 7, (len(moves), points)
END
    ! "$python" "$root/scripts/draw_motion.py" 2>"$work/out" || fail "drew no recording"
    grep -q usage "$work/out" || fail "does not say how a recording is drawn"
else
    echo "t94_pictures: there is no h5py; recordings are not drawn"
fi
exit $((failures > 0))
