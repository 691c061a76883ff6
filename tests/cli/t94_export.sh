#!/usr/bin/env bash
# riccatree export and plot: tables, arrays and pictures have the numbers of the recording; unknown names are refused.
# usage: t94_export.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

works run chain --bodies 6 --perturb 0.3 --hinge revolute --t-end 0.02 --frames 11 --out a.h5
works run chain --bodies 6 --perturb 0.3 --hinge revolute --t-end 0.02 --frames 11 --json
cp out run.json

# number FILE ROW COLUMN: of a table.
number() {
    awk -F, -v row="$2" -v column="$3" 'NR == row { print $column }' "$1"
}

# ---- tables
works export a.h5 --csv
cp out sums.csv
expect "not a line a frame" test "$(wc -l <sums.csv)" = 12
expect "another head" test "$(head -1 sums.csv | cut -d, -f1-6)" = time,kinetic,potential,energy,energy_drift,momentum.x
expect "another last energy" test "$(number sums.csv 12 4)" = "$("$json_get" energy_final <run.json)"
expect "another first momentum" test "$(number sums.csv 2 7)" = "$("$json_get" momentum_initial.1 <run.json)"
works export a.h5 energy momentum.y position:body3 position.z:body3 orientation.w:body5 coordinates.2 --csv
cp out some.csv
expect "another head" test "$(head -1 some.csv)" = \
    time,energy,momentum.y,position.x:body3,position.y:body3,position.z:body3,position.z:body3,orientation.w:body5,coordinates.2
expect "another energy" test "$(cut -d, -f2 <some.csv)" = "$(cut -d, -f4 <sums.csv)"
expect "columns differ" test "$(cut -d, -f6 <some.csv)" = "$(cut -d, -f7 <some.csv)"
for path in "/frames/position 5,3,0 1,1,3 7 4" "/frames/coordinates 5,2 1,1 7 9" "/frames/orientation 5,5,0 1,1,1 7 8"; do
    read -r dataset start count row column <<<"$path"
    dumped=$(h5dump -y -m %.17g -w 0 -d "$dataset" -s "$start" -c "$count" a.h5 | awk '/^      DATA [{]/ && !got++ { getline; sub(/,.*/, "", $1); print $1 }')
    expect "$dataset is $dumped in the file" test "$(number some.csv "$row" "$column")" = "$dumped"
done
run export a.h5 energy --csv --out e.csv
expect "exit status $status" test "$status" = 0
expect "the file has another table" test "$(cut -d, -f1,4 sums.csv)" = "$(cat e.csv)"
works run chain --bodies 1 --t-end 0.002 --out one.h5
works export one.h5 angular_velocity.y:body0 --csv
works run ladder --bodies 6 --t-end 0.002 --out closed.h5
works export closed.h5 --csv
expect "no violation in a table of loops" grep -q ',position_violation,velocity_violation$' out
sed 's/"body5"/"a,\\"b"/' <("$riccatree" generate chain --bodies 1 | sed 's/{ "parent"/{ "name": "a,\\"b", "parent"/') >odd.json
works run odd.json --t-end 0.002 --out odd.h5
works export odd.h5 'position.x:a,"b' --csv
expect "a name is not in quotes" test "$(head -1 out)" = 'time,"position.x:a,""b"'

# ---- turns: more than three at 4 rad/s, the first relative to a body at rest; half a turn about x has none about z
cat >spin.json <<'END'
{ "riccatree": 1, "gravity": [0, 0, 0], "bodies": [
  { "parent": "ground", "hinge": { "type": "ball" }, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0],
    "initial": { "orientation": [1, 0, 0, 1], "angular_velocity": [0, 0, 4] } },
  { "parent": "ground", "hinge": { "type": "ball" }, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "initial": { "orientation": [0, 1, 0, 0] } },
  { "parent": "ground", "hinge": { "type": "ball" }, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "initial": { "angular_velocity": [0, -3, 0] } } ] }
END
works run spin.json --dt 1e-2 --t-end 5 --frames 101 --out spin.h5
works export spin.h5 turn.z:body0 turn.z:body1 turn:body2 --csv
expect "another head" test "$(head -1 out)" = time,turn.z:body0,turn.z:body1,turn.x:body2,turn.y:body2,turn.z:body2
expect "another turn" awk -F, 'function off(a, b) { return (a - b) ^ 2 > 1e-14 }
    NR > 1 && (off($2, 4 * $1 + atan2(1, 0)) || off($5, -3 * $1) || $4 != 0 || $6 != 0 || $3 != "nan") { exit 1 }' out
expect "not 101 frames" test "$(wc -l <out)" = 102
works plot spin.h5 turn.z:body0 angular_velocity.z:body0
expect "there is no rad" grep -qF '>rad</text>' out

# ---- arrays, where there is numpy
works export a.h5 --npz --out a.npz
works export a.h5 --vtkhdf --out a.vtkhdf
if python3 -c 'import numpy, h5py' 2>/dev/null; then
    expect "arrays differ" python3 - <<'END'
import zipfile, h5py, numpy
arrays, frames = numpy.load("a.npz"), h5py.File("a.h5")["frames"]
names = set(frames) - {"checksum", "axis", "quaternion", "coordinate", "rate"}
assert set(arrays.files) == names | {"parent", "first_coordinate", "first_rate"}, set(arrays.files) ^ names
model = h5py.File("a.h5")["model"]
assert all((arrays[name] == model[name][:]).all() for name in ("first_coordinate", "first_rate"))
for name in names - {"body"}:
    assert arrays[name].shape == frames[name].shape and (arrays[name] == frames[name][:]).all(), name
assert list(arrays["body"]) == [b"body%d" % k for k in range(6)] and list(arrays["parent"]) == [-1, 0, 1, 2, 3, 4]
assert zipfile.ZipFile("a.npz").testzip() is None
END
fi

# ---- evaluated: at the start as accel has it, accelerations as velocities change, loops only while they hold
works run "$examples/four-bar.json" --dt 1e-3 --t-end 0.4 --frames 401 --out bars.h5
"$riccatree" accel "$examples/four-bar.json" --json >bars.json
works export bars.h5 hinge_force:coupler hinge_moment.z:crank acceleration:coupler angular_acceleration.z:rocker loop_force:pivot \
    loop_moment.x:pivot --csv
cp out bars.csv
column=1
for key in bodies.1.force.{0,1,2} bodies.0.moment.2 bodies.1.linear.{0,1,2} bodies.2.angular.2 loops.0.force.{0,1,2} loops.0.moment.0; do
    column=$((column + 1))
    expect "$key is $(number bars.csv 2 $column) at the start" \
        awk -v a="$(number bars.csv 2 $column)" -v b="$("$json_get" "$key" <bars.json)" 'BEGIN { exit !((a - b) ^ 2 < 1e-22) }'
done
works export bars.h5 velocity.x:coupler acceleration.x:coupler angular_velocity.z:rocker angular_acceleration.z:rocker --csv
expect "accelerations are not derivatives" awk -F, 'NR > 2 { if (n++ > 1) { a = ($2 - v) / 2e-3 - at; b = ($4 - w) / 2e-3 - bt; most += $3 ^ 2 + $5 ^ 2
        off += a * a + b * b } v = lv; w = lw; lv = $2; lw = $4; at = $3; bt = $5 } END { exit !(off < 1e-8 * most && most > 1) }' out
cat >open.json <<'END'
{"riccatree": 1, "bodies": [
  {"name": "a", "parent": "ground", "hinge": {"type": "revolute", "axis": [0, 1, 0]}, "mass": 1, "com": [0.5, 0, 0],
   "inertia": [0.1, 0.1, 0.1, 0, 0, 0], "initial": {"position": 0.3, "rate": 1}},
  {"name": "b", "parent": "ground", "hinge": {"type": "revolute", "at": [0, 1, 0], "axis": [0, 1, 0]}, "mass": 2, "com": [0.5, 0, 0],
   "inertia": [0.1, 0.1, 0.1, 0, 0, 0]}],
 "loops": [{"name": "gear", "type": "relation", "terms": [{"body": "a"}, {"body": "b", "factor": -2}]}]}
END
baumgarte="--as-given --drift baumgarte --baumgarte 20,30"
works run open.json --dt 1e-3 --t-end 0.01 $baumgarte --out open.h5
works info open.h5
expect "info does not show alpha and beta" grep -q '^alpha, beta  *20, 30 1/s' out
"$riccatree" accel open.json $baumgarte --json >open-accel.json
works export open.h5 angular_acceleration.y:a --csv
expect "accelerations leave out what Baumgarte's method adds" \
    awk -v a="$(number out 2 2)" -v b="$("$json_get" bodies.0.angular.1 <open-accel.json)" 'BEGIN { exit !((a - b) ^ 2 < 1e-20 * b ^ 2) }'
works run "$examples/sling.json" --dt 1e-3 --t-end 1.6 --frames 161 --out sling.h5
works export sling.h5 loop_active.1 loop_force:tether --csv
expect "a loop that is gone exerts a force, or one that holds none" awk -F, 'NR > 1 { n[$2]++; f = $3 ^ 2 + $4 ^ 2 + $5 ^ 2
    if ($2 ? f == 0 : f != 0) exit 1 } END { exit !(n[0] > 50 && n[1] > 90) }' out
works export sling.h5 --npz --out sling.npz
if python3 -c 'import numpy' 2>/dev/null; then
    expect "no names" python3 -c '
import numpy
a = numpy.load("sling.npz")
assert list(a["loop"]) == [b"grip", b"tether"] and list(a["event"]) == [b"lets go", b"caught", b"cut"]'
fi
works export sling.h5 loop_active event_time --csv
expect "loops and events have no numbers" test "$(head -1 out)" = \
    time,loop_active.0,loop_active.1,event_time.0,event_time.1,event_time.2
works export sling.h5 loop_active.1 loop_active:tether event_time.2 event_time:cut event_count:"lets go" --csv
expect "columns of loops and events have no names" test "$(head -1 out)" = \
    "time,loop_active.1,loop_active:tether,event_time.2,event_time:cut,event_count:lets go"
expect "other columns of loops and events" awk -F, 'NR > 1 && ($2 != $3 || $4 != $5) { exit 1 }' out
works export bars.h5 coordinates.1 coordinates:coupler rates.2 rates.0:rocker --csv
expect "columns of hinges have no names" test "$(head -1 out)" = time,coordinates.1,coordinates:coupler,rates.2,rates:rocker
expect "other columns" awk -F, 'NR > 1 && ($2 != $3 || $4 != $5) { exit 1 }' out
works run chain --bodies 3 --perturb 0.3 --t-end 0.01 --frames 2 --out balls.h5
"$riccatree" accel chain --bodies 3 --perturb 0.3 --json >balls.json
works export balls.h5 hinge_force.y:body1 --csv
expect "another force at a ball hinge" test "$(number out 2 2)" = "$("$json_get" bodies.1.force.1 <balls.json)"
works plot bars.h5 loop_force:pivot hinge_moment.z:crank
expect "there is no N m" grep -qF '>N m</text>' out

# ---- pictures
works plot a.h5 kinetic potential energy momentum position.z:body5
cp out a.svg
expect "not seven curves" test "$(grep -c 'fill="none" stroke' a.svg)" = 7
expect "not eleven points a curve" test "$(grep 'fill="none" stroke' a.svg | tr -cd L | wc -c)" = 70
for text in J 'kg m/s' m energy momentum.y position.z:body5; do
    expect "there is no $text" grep -qF ">$text</text>" a.svg
done
works plot odd.h5 'position.x:a,"b'
cat >hinges.json <<'END'
{ "riccatree": 1, "bodies": [
  { "parent": "ground", "hinge": { "type": "cylindrical", "axis": [0, 0, 1] }, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0] },
  { "parent": "body0", "hinge": { "type": "planar", "axis": [0, 0, 1] }, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0] },
  { "parent": "ground", "hinge": { "type": "free" }, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0] } ] }
END
works run hinges.json --t-end 0.002 --frames 2 --out hinges.h5
for words in "coordinates.0 rad" "coordinates.1 m" "coordinates.2 m" "coordinates.4 rad" "coordinates.8 1" "coordinates.9 m" \
    "rates.0 rad/s" "rates.1 m/s" "rates.3 m/s" "rates.4 rad/s" "rates.7 rad/s" "rates.8 m/s" "rates.10 m/s"; do
    works plot hinges.h5 "${words% *}"
    expect "${words% *} is not in ${words#* }" grep -qF ">${words#* }</text>" out
done
run plot a.h5 energy --out b.svg
expect "exit status $status" test "$status" = 0
expect "the file is not whole" test "$(tail -1 b.svg)" = '</svg>'

# ---- refused input
refuses 2 'give one of --csv, --npz and --vtkhdf' export a.h5
refuses 2 'give one of --csv, --npz and --vtkhdf' export a.h5 --csv --npz --out c
refuses 2 '--npz does not write text; name the file with --out' export a.h5 --npz
refuses 2 '"energy": --vtkhdf writes the whole recording' export a.h5 energy --vtkhdf --out c
refuses 2 'the recording has no "force"; it has orientation angular_velocity position time kinetic' export a.h5 force --csv
refuses 2 'time kinetic .* rates; computed are turn velocity .* loop_effort$' export a.h5 force --csv
refuses 2 'hinge_force is a quantity of bodies; name a body, such as hinge_force:crank' plot bars.h5 hinge_force
refuses 2 'loop_force is a quantity of loops; name a loop, such as loop_force:pivot' plot bars.h5 loop_force.x
refuses 2 'loop_force is a quantity of loops, but the model has none' plot a.h5 loop_force
refuses 2 'no loop of the model is called "pivto"; did you mean "pivot".* It has pivot' plot bars.h5 loop_force:pivto
refuses 2 'no loop of the model is called "x"; it has no loops' plot a.h5 loop_force:x
refuses 2 'loop_force has no component "w"; give x, y or z' plot bars.h5 loop_force.w:pivot
refuses 2 'loop_force:pivot.x: a component stands before the colon: loop_force.x:pivot' plot bars.h5 loop_force:pivot.x
refuses 2 'loop_force is a quantity of loops, and "rocker" is a body' plot bars.h5 loop_force:rocker
refuses 2 'hinge_force is a quantity of bodies, and "pivot" is a loop' plot bars.h5 hinge_force:pivot
refuses 2 'hinge_force is a quantity of bodies; name a body, such as hinge_force:crank' plot bars.h5 hinge_force:
refuses 2 '"pivot" is no relation and has no loop_effort; ask for loop_force or loop_moment' plot bars.h5 loop_effort:pivot
works run "$examples/geared-link.json" --t-end 0.002 --frames 2 --out gears.h5
gear=$("$riccatree" accel "$examples/geared-link.json" --json | "$json_get" loops.0.name)
works export gears.h5 "loop_effort:$gear" --csv
refuses 2 "\"$gear\" is a relation, which has no loop_force; ask for loop_effort" plot gears.h5 "loop_force:$gear"
works run "$examples/chain-breaks.json" --t-end 0.002 --frames 2 --out breaks.h5
works export breaks.h5 "loop_force:link7 hinge" --csv
refuses 2 'the hinge of "link7" can break, so it is a loop; ask for loop_force:"link7 hinge"' plot breaks.h5 hinge_force:link7
refuses 2 'no loop of the model is called "link7"; did you mean loop_force:"link7 hinge"' plot breaks.h5 loop_force:link7
refuses 2 'name a loop, such as loop_force:"link1 hinge"' plot breaks.h5 loop_force
refuses 2 'turn has no component "w"; give x, y or z' export a.h5 turn.w:body0 --csv
refuses 2 'turn is a quantity of bodies; name a body, such as turn:body0' plot a.h5 turn.z
refuses 2 'momentum has no component "w"; give x, y or z' export a.h5 momentum.w --csv
refuses 2 'coordinates has no component "6"; give a number from 0 to 5' export a.h5 coordinates.6 --csv
refuses 2 'energy is one number; leave ".x" out' plot a.h5 energy.x
refuses 2 'position is a quantity of bodies; name a body, such as position:body0' export a.h5 position --csv
refuses 2 'coordinates:crank is one number; leave ".1" out' plot bars.h5 coordinates.1:crank
refuses 2 'no body is called "crnk"; did you mean "crank"' plot bars.h5 coordinates:crnk
refuses 2 'no loop of the model is called "grp"; did you mean "grip"' plot sling.h5 loop_active:grp
refuses 2 'no event of the model is called "cuts"' plot sling.h5 event_time:cuts
refuses 2 'rates: give a name after the colon, or leave the colon out' plot bars.h5 rates:
refuses 2 'energy is a quantity of the whole system; leave ":body3" out' export a.h5 energy:body3 --csv
refuses 2 'no body is called "body6"' plot a.h5 position:body6
refuses 2 'plot needs a QUANTITY after a.h5' plot a.h5
refuses 2 'a QUANTITY is empty' plot a.h5 ''
refuses 2 'plot needs a FILE.h5' plot
refuses 2 'none.h5: ' plot none.h5 energy
refuses 2 'odd.json: is not a recording: it does not begin like one' plot odd.json energy
for words in "export a.h5 --csv --out e.csv" "export a.h5 --npz --out a.npz" "plot a.h5 energy --out b.svg"; do
    read -ra words <<<"$words"
    refuses 2 'it exists; add --overwrite to replace it' "${words[@]}"
done
# shellcheck disable=SC2046
works export a.h5 $(printf 'energy %.0s' {1..64}) --csv
# shellcheck disable=SC2046
refuses 2 'more than 64 quantities; give at most 64 at once' export a.h5 $(printf 'energy %.0s' {1..65}) --csv
refuses 2 '--out -: arrays cannot go to standard output; name a file' export a.h5 --npz --out -
refuses 2 '--out -: arrays cannot go to standard output; name a file' export a.h5 --vtkhdf --out -
refuses 2 'nowhere/c: cannot create the file' export a.h5 --csv --out nowhere/c
refuses 2 'nowhere/c' export a.h5 --npz --out nowhere/c
if [[ -w /dev/full ]]; then
    last="plot to /dev/full"
    "$riccatree" plot a.h5 energy >/dev/full 2>err
    expect "a full disk is no failure" test $? = 1
    expect "a full disk is not told of" grep -q 'cannot write to standard output: No space left' err
    ln -s /dev/full full.svg
    refuses 2 'full.svg: cannot write the file: No space left on device; free space or choose another disk$' \
        plot a.h5 energy --out full.svg
fi
finish
