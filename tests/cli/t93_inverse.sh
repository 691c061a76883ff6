#!/usr/bin/env bash
# The command line on inverse dynamics: efforts against closed forms and against the efforts that produced given accelerations,
# and refused input.
# usage: t93_inverse.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

# near FILE FILE: the numbers of two tables, after the lines of names, differ by 1e-10 at most, and there are numbers.
near() {
    paste -d, <(tail -n +2 "$1") <(tail -n +2 "$2") | awk -F, '
        { for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (!(d * d <= 1e-20)) exit 1; n++ } if (NF % 2) exit 1 }
        END { if (n == 0) exit 1 }'
}

# ---- a mass on a slide at height sin t, with a spring, a damper, a constant force, and a curve over the time
cat >slide.json <<'END'
{"riccatree": 1, "name": "slide", "gravity": [0, 0, -9.81], "bodies": [
{"name": "lift, left", "parent": "ground", "mass": 2, "inertia": [1, 1, 1, 0, 0, 0],
 "hinge": {"type": "prismatic", "axis": [0, 0, 1], "stiffness": 3, "damping": 0.5, "applied": 0.7, "armature": 0.25}}],
"forces": [{"type": "curve", "body": "lift, left", "over": "time", "table": [[0, 0], [10, 20]]}]}
END
awk 'BEGIN { OFS = ","; print "t,q,u,a"; for (k = 0; k < 50; k++) { t = k / 10; printf "%.17g, %.17g\t%.17g  %.17g\r\n", t, sin(t), cos(t), -sin(t) } }' >slide.txt
awk 'BEGIN { print "time,effort"; for (k = 0; k < 50; k++) { t = k / 10
    printf "%.17g,%.17g\n", t, 2 * 9.81 - 2.25 * sin(t) + 3 * sin(t) + 0.5 * cos(t) - 0.7 - 2 * t } }' >wanted.csv
works inverse slide.json --motion slide.txt
expect "the first line names no effort" test "$(head -1 out)" = 'time,"effort_1:lift, left"'
expect "efforts are not m (a + g) + k q + d u - what acts" near out wanted.csv
cp out printed.csv
run inverse slide.json --motion slide.txt --out efforts.csv
expect "--out writes another table, or says something" eval 'test "$status" = 0 && test ! -s out && cmp -s efforts.csv printed.csv'
refuses 2 'slide.txt: that is also the file that is read' inverse slide.json --motion slide.txt --out slide.txt --overwrite
refuses 2 'efforts.csv: it exists; add --overwrite' inverse slide.json --motion slide.txt --out efforts.csv
works inverse slide.json --motion slide.txt --json
equals model slide
equals dof 1
equals motion.# 50
equals motion.10.time 1
holds motion.0.efforts.0 'x > 19.42 - 1e-10 && x < 19.42 + 1e-10'

# ---- applied efforts are recovered: an arm of several hinges, its state from a recording, its accelerations from accel
arm() { # APPLIED APPLIED,APPLIED
    cat <<END
{"riccatree": 1, "name": "arm", "bodies": [
{"name": "upper", "parent": "ground", "mass": 1, "com": [0, 0, -0.5], "inertia": [0.1, 0.1, 0.01, 0, 0, 0],
 "hinge": {"type": "revolute", "axis": [0, 1, 0], "stiffness": 3, "damping": 0.2, "applied": $1, "armature": 0.3},
 "initial": {"position": 0.4, "rate": 1.5}},
{"name": "lower", "parent": "upper", "mass": 2, "com": [0.1, 0, -0.5], "inertia": [0.1, 0.1, 0.01, 0, 0, 0],
 "hinge": {"type": "universal", "at": [0, 0, -1], "axis": [0, 1, 0], "axis2": [1, 0, 0], "applied": [$2]},
 "initial": {"position": [-0.3, 0.2], "rate": [2, -1]}},
{"name": "plate", "parent": "lower", "mass": 1, "inertia": [0.1, 0.1, 0.01, 0, 0, 0], "hinge": {"type": "fixed"}},
{"name": "hand", "parent": "lower", "mass": 1, "com": [0, 0, -0.2], "inertia": [0.1, 0.1, 0.01, 0, 0, 0],
 "hinge": {"type": "ball", "at": [0, 0, -1], "damping": 0.1, "stiffness": 2},
 "initial": {"angular_velocity": [0.5, 1, -0.5]}}],
"forces": [{"type": "friction", "body": "upper", "coulomb": 1, "slip": 0.1}]}
END
}
arm 0 0,0 >arm.json
arm 5 -3,4 >driven.json
works run arm.json --t-end 1e-3 --dt 1e-3 --frames 2 --out arm.h5
works export arm.h5 coordinates rates --csv
sed -n 2p out >state
for model in arm driven; do
    works accel "$model.json" --json
    for at in 0.0 1.0 1.1 3.0 3.1 3.2; do
        get "bodies.${at%.*}.derivatives.${at#*.}"
    done | paste -sd, >"$model.a"
    { echo names; paste -d, state "$model.a"; } >"$model.csv"
done
expect "efforts do not change accelerations" test "$(cat arm.a)" != "$(cat driven.a)"
works inverse arm.json --motion driven.csv
printf 'names\n0,5,-3,4,0,0,0\n' >wanted.csv
expect "efforts are not those applied" near out wanted.csv
works inverse arm.json --motion arm.csv
printf 'names\n0,0,0,0,0,0,0\n' >wanted.csv
expect "its own accelerations need efforts" near out wanted.csv
expect "the first line has other names" test "$(head -1 out)" = time,effort_1:upper,effort_1:lower,effort_2:lower,effort_1:hand,effort_2:hand,effort_3:hand

# ---- refused input
cat slide.txt driven.csv >longer.txt
refuses 2 '^riccatree: longer.txt:52: "names" in column 1 is not a finite number$' inverse slide.json --motion longer.txt
refuses 2 '^riccatree: slide.txt:2: it has 4 columns, but a motion of this model has 20: the time, 7 coordinates, 6 rates, 6 derivatives of rates$' inverse arm.json --motion slide.txt
# told PATTERN TEXT: a table with TEXT after its names is refused, with these words.
told() {
    printf 't q u a\n%b' "$2" >told.txt
    refuses 2 "$1" inverse slide.json --motion told.txt
}
told 'told.txt:2: it has 5 columns, but a motion of this model has 4' '1 2 3 4 5\n'
told 'told.txt:3: it has 0 columns' '1 2 3 4\n\n1 2 3 4\n'
told 'told.txt:2: "0x1" in column 2' '1,0x1,3,4\n'
told 'told.txt:2: "nan" in column 4' '1,2,3,nan\n'
told 'told.txt:2: "1e999" in column 3' '1,2,1e999,4\n'
told 'told.txt:2: "1e" in column 1' '1e,2,3,4\n'
told 'told.txt:2: "" in column 3' '1,2,,4\n'
told 'told.txt:2: "" in column 5' '1,2,3,4,\n'
told 'told.txt:2: it contains a zero byte' '1 2 3 4\0 5\n'
told 'told.txt: it has no rows' ''
: >empty.txt
refuses 2 'empty.txt: it has no rows' inverse slide.json --motion empty.txt
tail -n +2 slide.txt >bare.txt
refuses 2 'bare.txt:1: it begins with a number; put a line with the names' inverse slide.json --motion bare.txt
refuses 2 'arm.h5: a motion must be a table of text, but this is HDF5' inverse arm.json --motion arm.h5
refuses 2 'nowhere.txt: cannot open the file: No such file' inverse slide.json --motion nowhere.txt
refuses 2 'a folder' inverse slide.json --motion .
refuses 2 'inverse needs the motion; give its table with --motion FILE' inverse slide.json
refuses 2 'this model has loops, and inverse is for trees' inverse fourbars --bodies 3 --motion slide.txt
refuses 2 '\-\-json and --out exclude each other' inverse slide.json --motion slide.txt --json --out new.csv
refuses 2 'efforts are written as comma-separated values; name it new.csv' inverse slide.json --motion slide.txt --out new.json
expect "what is refused leaves a file" test ! -e new.csv
{ echo names; echo "0,0.4,-0.3,0.2,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1"; } >unturned.csv
refuses 2 'unturned.csv:2: .*body 3 "hand"' inverse arm.json --motion unturned.csv
{ echo names; tail -1 arm.csv; echo "0,0.4,-0.3,0.2,1,0,0,0,1e200,1,1,1,1,1,1,1,1,1,1,1"; } >fast.csv
refuses 2 'fast.csv:3: its efforts are not finite; give smaller numbers' inverse arm.json --motion fast.csv
{ echo names; echo "0,0.4,-0.3,0.2,1,0,0,0,1,1,1,1,1,1,1e308,1e308,1,1,1,1"; } >steep.csv
refuses 2 'steep.csv:2: its efforts are not finite' inverse arm.json --motion steep.csv
finish
