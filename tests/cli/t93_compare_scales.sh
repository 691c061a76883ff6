#!/usr/bin/env bash
# riccatree compare where accelerations or forces cancel: free fall, springs that hold a system at rest, no forces at all. Methods
# and references then differ by rounding of the acting forces, and a reference that has lost its digits still shows this.
# usage: t93_compare_scales.sh RICCATREE JSON_GET
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

# body NAME PARENT HINGE [INITIAL]: a rod.
body() {
    printf '{"name": "%s", "parent": "%s", "hinge": {%s}, "mass": 2, "com": [0, 0, 0.5],
             "inertia": [0.2, 0.2, 0.05, 0, 0, 0], "initial": {%s}}' "$1" "$2" "$3" "${4:-}"
}

# model FILE GRAVITY HINGE INITIAL: six rods, the first free, the others on hinges of that kind.
model() {
    {
        printf '{"riccatree": 1, "gravity": [0, 0, %s], "bodies": [' "$2"
        body root ground '"type": "free"' '"orientation": [0.9, 0.1, 0.3, 0.2], "velocity": [0.3, 0.1, 0.7]'
        local parent=root
        for k in 1 2 3 4 5; do
            printf ', '
            body "rod$k" "$parent" "$3" "$4"
            parent=rod$k
        done
        printf ']}'
    } >"$1"
}

# rounding FILE: every entry that has a result differs by rounding alone.
rounding() {
    works compare "$1" --repeat 1 --json
    equals base lagrange
    for i in 0 1 2 3 4; do
        holds "entries.$i.largest" 'x >= 0 && x < 2e-15'
    done
}

model falling.json -9.81 '"type": "ball", "at": [0, 0, 1]' '"orientation": [0.9, 0.2, 0.3, 0.2]'
rounding falling.json
holds scales.linear 'x > 9.80999 && x < 9.81001'
holds scales.force 'x > 117 && x < 118'
model drifting.json 0 '"type": "ball", "at": [0, 0, 1]' '"orientation": [0.9, 0.2, 0.3, 0.2]'
rounding drifting.json
model held.json 0 '"type": "revolute", "at": [0, 0, 1], "axis": [1, 0.7, 0.1], "stiffness": 37.7, "rest": 0.1, "applied": 14.703' \
    '"position": 0.49'
rounding held.json
holds scales.linear 'x > 10 && x < 100'
works accel held.json --json
holds bodies.5.linear.0 'x < 1e-13 && x > -1e-13'
model pulled.json 0 '"type": "revolute", "at": [0, 0, 1], "axis": [1, 0.7, 0.1], "stiffness": 37.7, "rest": 0.1, "applied": 14.7' \
    '"position": 0.49'
rounding pulled.json

# Rates with large squares, and rates whose fourth powers overflow: differences are rounding as before.
for rate in 1e8 1e80 1e120; do
    model fast.json -9.81 '"type": "revolute", "at": [0, 0, 1], "axis": [1, 0.7, 0.1]' "\"position\": 0.4, \"rate\": $rate"
    works compare fast.json --repeat 1 --json
    for i in 0 1 2 3 4; do
        holds "entries.$i.largest" 'x >= 0 && x < 1e-13'
    done
    holds entries.2.largest 'x > 0'
done

# The plain transfer matrix product in free fall: forces are 0, and the product gives others.
works compare falling.json --repeat 1 --json
holds entries.5.largest 'x < 1e-9'
works generate chain --bodies 60 --perturb 1 --out long.json
sed -i '0,/"type": "ball", "at": .*/s//"type": "free" },/' long.json
works compare long.json --repeat 1 --json
equals entries.5.name transfer
holds entries.5.largest 'x > 1e-6'
holds entries.0.largest 'x < 1e-14'
finish
