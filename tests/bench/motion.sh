#!/usr/bin/env bash
# race.py and motion_tables.py with programs of known times and errors, and with programs that take too long, fail, or print no
# number.
# usage: motion.sh
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

# says PATTERN FILE
says() {
    tr -d '\n' <"$2" | grep -qE -- "$1" || { echo "motion: no $1 in $2:" && cat "$2" && wrong=1; }
}

mkdir -p "$work/venv/bin"
# Rotations of 0.1 plus an error in proportion to the setting; a time of 0.01 / setting. For rods the deflection 0.5 plus that error.
cat >"$work/python.py" <<'END'
import json, sys, time
script, program, method, setting, first = sys.argv[1:6]
setting = float(setting)
if program == 'mujoco' and method == 'implicit' or program == 'pyelastica':
    while True:
        pass
if method == 'implicitfast':
    print('Traceback', file=sys.stderr)
    sys.exit('no such rope')
off = {'velocity_implicit_euler': float('nan'), 'implicit_euler': 3e-5}.get(method, setting)
n = 10
along = [k / n for k in range(n + 1)]
slow = {'implicit': 1, 'dopri5': 2, 'rk4': 3}.get(method, 20) if program == 'riccatree' else 20
print(json.dumps({'seconds': slow * 0.01 / setting, 'turns': [0.1, 0.2 + off], 'along': along,
                  'x': along, 'z': [-0.5 * x ** 2 - off * x for x in along]}))
END
printf '#!/bin/sh\nexec python3 "%s" "$@"\n' "$work/python.py" >"$work/venv/bin/python"
printf '#!/bin/sh\nexec python3 "%s" ropes.py simbody "$@"\n' "$work/python.py" >"$work/ropes_simbody"
chmod +x "$work/venv/bin/python" "$work/ropes_simbody"

for kind in ropes rods; do
    bench/peers/motion/race.py "$kind" "$work" 1 1 2 0 >"$work/$kind.json" 2>"$work/said" || { cat "$work/said" && wrong=1; }
    printf '<!-- peers %s conditions -->\nold\n<!-- end -->\n<!-- peers %s results -->\nold\n<!-- end -->\n' "$kind" "$kind" \
        >"$work/$kind.md"
    scripts/motion_tables.py --write "$work/$kind.md" "$work/$kind.json" || wrong=1
done
says '"program": "mujoco", *"method": "implicit", *"runs": \[ *\{ *"setting": 0.02, *"left_out": "more than 1 s" *\} *\]' "$work/ropes.json"
says '"method": "implicitfast", *"runs": \[ *\{ *"setting": 0.02, *"left_out": "no such rope" *\}, *\{ *"setting": 0.01,' "$work/ropes.json"
says '"method": "velocity_implicit_euler", *"runs": \[ *\{ *"setting": 0.1, *"seconds": 2.0, *"error": null *\}, *\{' "$work/ropes.json"
! grep -q '"error": 3.16[0-9]*e-07' "$work/ropes.json" || { echo "motion: finer than asked for" && wrong=1; }
# error 1e-3 by 10 s here; 200 s of Simbody and Drake's radau3, none of implicit_euler, which is at 3e-5 whatever the setting: 2 s
says '\| 100 \| 1e4 \| 0 \| 0.001 \| 10 s, implicit \| 200 s \| 200 s \| 2 s \| not reached \| > 1 s \| not reached \| 0.2 \|' "$work/ropes.md"
says '\| 100 \| 1e4 \| 0 \| 1e-06 \| [0-9.e+]+ s, [a-z0-9]+ \| [0-9.e+]+ s \| [0-9.e+]+ s \| not reached \|.* \| 20 \|' "$work/ropes.md"
says '\| 100 \| 0.01 \| 3.16 s, implicit \| > 1 s \| 40 s \| 12.6 \|' "$work/rods.md"
for file in ropes rods; do
    ! grep -q old "$work/$file.md" || { echo "motion: old text in $file.md" && wrong=1; }
done
# repeated by a program that takes twice as long: the median of three times is the long one
sed -i 's/slow \* 0.01/slow * 0.02/' "$work/python.py"
bench/peers/motion/race.py again "$work/rods.json" "$work" 2 2>"$work/said" || { cat "$work/said" && wrong=1; }
scripts/motion_tables.py --write "$work/rods.md" "$work/rods.json" || wrong=1
says '\| 100 \| 0.01 \| 6.32 s \(3.16 to 6.32\), implicit \| > 1 s \| 80 s \(40 to 80\) \| 12.6 \|' "$work/rods.md"
says 'medians of 3, all but the first on 20[0-9-]*, commit [0-9a-f]+' "$work/rods.md"
says '<svg.*Simbody CPodes.*</svg>' "$work/figures/ropes-100-1e4-0.svg"
says '<svg.*Py-DiSMech.*</svg>' "$work/figures/rods-100.svg"
exit "$wrong"
