#!/usr/bin/env bash
# The command line on derivatives of accelerations: a closed form, differences of accelerations, directions, loops, and refused
# input.
# usage: t93_derivatives.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

# ---- a pendulum of 2 kg, 0.5 m, at q = 0.3 rad, 1.5 rad/s, with a damper of 0.2 N m s: I a = -m g l sin q - d u + effort, I = 2 x 0.25 + 0.1
cat >pendulum.json <<'END'
{"riccatree": 1, "name": "pendulum", "gravity": [0, 0, -9.81], "bodies": [
{"name": "rod, long", "parent": "ground", "mass": 2, "com": [0, 0, -0.5], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
 "hinge": {"type": "revolute", "axis": [0, 1, 0], "damping": 0.2}, "initial": {"position": 0.3, "rate": 1.5}}]}
END
works derivatives pendulum.json --json
equals model pendulum
equals dof 1
equals changes.# 3
equals changes.0.change position
equals changes.1.change rate
equals changes.2.change effort
equals changes.2.body "rod, long"
equals changes.2.freedom 1
holds changes.0.derivatives.0 "(x + 9.81 / 0.6 * cos(0.3))^2 < 1e-24"
holds changes.1.derivatives.0 "(x + 0.2 / 0.6)^2 < 1e-28"
holds changes.2.derivatives.0 "(x - 1 / 0.6)^2 < 1e-28"
works derivatives pendulum.json
expect "the first line names other things" test "$(head -1 out)" = 'change,"derivative_1:rod, long"'
expect "rows have other names" test "$(cut -d'"' -f2 out | tail -n +2 | paste -sd';')" = "position_1:rod, long;rate_1:rod, long;effort_1:rod, long"
works derivatives pendulum.json --about equilibrium --json
holds changes.0.derivatives.0 "(x + 9.81 / 0.6)^2 < 1e-18"

# ---- an arm of several hinges, against differences of accelerations in states on both sides
arm() { # POSITION UNIVERSAL,UNIVERSAL RATE APPLIED
    cat <<END
{"riccatree": 1, "name": "arm", "bodies": [
{"name": "upper", "parent": "ground", "mass": 1, "com": [0, 0, -0.5], "inertia": [0.1, 0.1, 0.01, 0, 0, 0],
 "hinge": {"type": "revolute", "axis": [0, 1, 0], "stiffness": 3, "damping": 0.2, "applied": $4, "armature": 0.3},
 "initial": {"position": $1, "rate": $3}},
{"name": "plate", "parent": "upper", "mass": 1, "inertia": [0.1, 0.1, 0.01, 0, 0, 0], "hinge": {"type": "fixed"}},
{"name": "lower", "parent": "upper", "mass": 2, "com": [0.1, 0, -0.5], "inertia": [0.1, 0.1, 0.01, 0, 0, 0],
 "hinge": {"type": "universal", "at": [0, 0, -1], "axis": [0, 1, 0], "axis2": [1, 0, 0]},
 "initial": {"position": [$2], "rate": [2, -1]}},
{"name": "hand", "parent": "lower", "mass": 1, "com": [0, 0, -0.2], "inertia": [0.1, 0.1, 0.01, 0, 0, 0],
 "hinge": {"type": "ball", "at": [0, 0, -1], "damping": 0.1, "stiffness": 2}, "initial": {"angular_velocity": [0.5, 1, -0.5]}}]}
END
}
# accelerations FILE: the accelerations of the arm in FILE, numbers in a line.
accelerations() {
    "$riccatree" accel "$1" --csv | tail -n +2 | awk -F, '{ for (i = 14; i <= NF; i++) if ($i != "") printf "%s ", $i } END { print "" }'
}
arm 0.4 -0.3,0.2 1.5 0 >arm.json
run derivatives arm.json --out arm.csv
expect "--out fails, or says something" eval 'test "$status" = 0 && test ! -s out'
expect "the table has not a row for each of 18 changes" test "$(wc -l <arm.csv)" = 19
expect "bodies on fixed hinges have derivatives" test "$(head -1 arm.csv)" = change,derivative_1:upper,derivative_1:lower,derivative_2:lower,derivative_1:hand,derivative_2:hand,derivative_3:hand
h=0.000001
# differs NAME ARM_OF_MORE ARM_OF_LESS: the row of this name is the difference, to 1e-7 of the largest.
differs() {
    arm $2 >more.json
    arm $3 >less.json
    { accelerations more.json; accelerations less.json; grep "^$1," arm.csv | cut -d, -f2- | tr , ' '; } | awk -v h=$h '
        { for (i = 1; i <= NF; i++) x[NR, i] = $i; n[NR] = NF }
        END { if (n[1] != 6 || n[3] != 6) exit 1
            for (i = 1; i <= 6; i++) { most = x[3, i] * x[3, i] > most ? x[3, i] * x[3, i] : most }
            for (i = 1; i <= 6; i++) { d = (x[1, i] - x[2, i]) / (2 * h) - x[3, i]; if (!(d * d <= 1e-14 * most + 1e-14)) exit 1 } }'
}
expect "position_1:upper" differs position_1:upper "0.400001 -0.3,0.2 1.5 0" "0.399999 -0.3,0.2 1.5 0"
expect "position_2:lower" differs position_2:lower "0.4 -0.3,0.200001 1.5 0" "0.4 -0.3,0.199999 1.5 0"
expect "rate_1:upper" differs rate_1:upper "0.4 -0.3,0.2 1.500001 0" "0.4 -0.3,0.2 1.499999 0"
expect "effort_1:upper" differs effort_1:upper "0.4 -0.3,0.2 1.5 0.000001" "0.4 -0.3,0.2 1.5 -0.000001"

# ---- along given changes: sums of rows
{ echo changes; echo "1 0 0 0 0 0  0 0 0 0 0 0  0 0 0 0 0 0"; echo "0,0,2,0,0,0,-3,0,0,0,0,0,0,0,0,0,0,5"; } >along.txt
works derivatives arm.json --along along.txt
expect "the first line names no row" test "$(head -1 out | cut -d, -f1)" = row
expect "sums of rows are others" awk -F, '
    NR == FNR { for (i = 2; i <= 7; i++) x[$1, i] = $i; next }
    $1 == 1 { for (i = 2; i <= 7; i++) if ($i != x["position_1:upper", i]) exit 1; rows++ }
    $1 == 2 { for (i = 2; i <= 7; i++) { d = $i - (2 * x["position_2:lower", i] - 3 * x["rate_1:upper", i] + 5 * x["effort_3:hand", i])
              if (!(d * d <= 1e-20)) exit 1 } rows++ }
    END { if (rows != 2) exit 1 }' arm.csv out
works derivatives arm.json --along along.txt --json
equals changes.# 2
equals changes.1.row 2

# ---- loops act: a change that opens no loop leaves them closed
works derivatives fourbars --bodies 3 --json
equals dof 3
equals changes.# 9

# ---- nothing moves
cat >fixed.json <<'END'
{"riccatree": 1, "name": "fixed", "bodies": [{"name": "a", "parent": "ground", "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "hinge": {"type": "fixed"}}]}
END
works derivatives fixed.json
expect "what is fixed has derivatives" test "$(cat out)" = change

# ---- refused input
refuses 2 'along.txt:2: it has 18 columns, but a table of changes of this model has 3: changes of positions, of rates and of efforts, 1 each' derivatives pendulum.json --along along.txt
refuses 2 'arm.csv: it exists; add --overwrite' derivatives arm.json --out arm.csv
refuses 2 '\-\-json and --out exclude each other' derivatives arm.json --json --out new.csv
refuses 2 'derivatives are written as comma-separated values; name it new.csv' derivatives arm.json --out new.json
refuses 2 'along.txt: that is also the file that is read' derivatives arm.json --along along.txt --out along.txt --overwrite
cat >meeting.json <<'END'
{"riccatree": 1, "name": "meeting", "bodies": [
{"name": "a", "parent": "ground", "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "hinge": {"type": "free"}}],
"forces": [{"type": "spring", "body": "a", "other": "ground", "stiffness": 1, "length": 1}]}
END
refuses 2 'the ends of this spring meet' derivatives meeting.json --json
expect "what is refused prints something" test ! -s out
expect "what is refused leaves a file" test ! -e new.csv
finish
