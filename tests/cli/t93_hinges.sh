#!/usr/bin/env bash
# The command line on models of every hinge type: generate, info, accel, compare, run and its recordings.
# usage: t93_hinges.sh RICCATREE JSON_GET
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

# available ENTRY: the entry agrees with the base, or says why it has no result.
available() {
    if [[ $(get "entries.$1.available") == true ]]; then
        holds "entries.$1.largest" 'x >= 0 && x < 1e-9'
    else
        expect "the note of entry $1 is missing" test -n "$(get "entries.$1.note")"
    fi
}

# of a hinge: coordinates and freedoms
sizes=(revolute 1 prismatic 1 universal 2 cylindrical 2 planar 3 helical 1)
for ((i = 0; i < ${#sizes[@]}; i += 2)); do
    hinge=${sizes[i]}
    family=(comb --bodies 60 --hinge "$hinge" --perturb 0.3)
    works info --partition "${family[@]}" --json
    equals dof $((60 * sizes[i + 1]))
    equals coordinates $((60 * sizes[i + 1]))
    equals "hinges.$hinge" 60
    equals hinges.ball 0
    equals wide 60
    equals conservative true
    works generate "${family[@]}" --out "$hinge.json"
    works accel "${family[@]}" --segment 10 --threads 1 --json
    equals bodies.59.derivatives.# "${sizes[i + 1]}"
    cp out family
    works accel "$hinge.json" --segment 10 --threads 3 --json
    expect "the file, or another number of threads, gives other accelerations" cmp -s out family
    works compare "$hinge.json" --repeat 1 --segment 10 --lanes 2 --json
    equals base lagrange
    equals entries.1.lanes 2
    for entry in 0 1 4 6; do
        equals "entries.$entry.available" true
    done
    for entry in 0 1 2 3 5 6; do
        available $entry
    done
    works run "$hinge.json" --t-end 0.02 --json
    equals conservative true
    equals energy_changed_by null
    holds energy_drift_relative 'x < 1e-6'
done

# ---- a method that refuses the model is shown as not available, and another one is the base
works compare revolute.json --reference none --repeat 1 --json
equals entries.# 4
if [[ $(get entries.3.available) == true ]]; then
    equals base riccati
else
    equals base 'abi serial'
    works compare revolute.json --reference none --repeat 1
    shows '^riccati +-  method riccati '
    refuses 2 'method riccati ' run revolute.json --method riccati
fi
works compare revolute.json --reference all --repeat 1 --json
equals entries.# 20
for entry in 8 9 13 14 15 18 19; do # forces, mixed, directions, torques, angles, gauss, closed-chain
    equals "entries.$entry.available" true
done
for ((entry = 0; entry < 20; entry++)); do
    available $entry
done
works generate chain --bodies 9 --hinge planar --perturb 0.1 --out planar.json --overwrite
refuses 2 '^riccatree: semi-recursive-1: body 1 "body1": ' compare planar.json --reference semi-recursive-1
cat >slider.json <<'END'
{ "riccatree": 1, "bodies": [
  { "parent": "ground", "hinge": { "type": "prismatic", "axis": [1, 0, 0], "stiffness": 3 },
    "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "initial": { "position": 0.5 } },
  { "parent": "previous", "hinge": { "type": "revolute", "axis": [0, 1, 0] },
    "mass": 1, "com": [0, 0, -1], "inertia": [1, 1, 1, 0, 0, 0], "initial": { "position": 0.7, "rate": 1 } } ] }
END
works compare slider.json --reference semi-recursive-2 --json
equals base semi-recursive-2
holds entries.1.largest 'x < 1e-13'
works accel slider.json --method semi-recursive-1 --json
equals method semi-recursive-1
linear=$(get bodies.0.derivatives.0)
works accel slider.json --json
holds bodies.0.derivatives.0 "(x - $linear) ^ 2 < 1e-24"

# ---- all loads, counted and listed
cat >all.json <<'END'
{ "riccatree": 1, "name": "all", "bodies": [
  { "name": "a", "parent": "ground", "hinge": { "type": "revolute", "axis": [0, 1, 0], "stiffness": 3, "damping": 1, "armature": 0.2 },
    "mass": 1, "com": [0, 0, -1], "inertia": [1, 1, 1, 0, 0, 0] },
  { "name": "b", "parent": "a", "hinge": { "type": "cylindrical", "at": [0, 0, -1], "axis": [0, 0, 1], "applied": [0, 2] },
    "mass": 1, "inertia": [1, 1, 1, 0, 0, 0] },
  { "name": "c", "parent": "b", "hinge": { "type": "fixed" }, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0] },
  { "name": "d", "parent": "ground", "hinge": { "type": "free" }, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0],
    "initial": { "position": [2, 0, 0] } } ],
  "forces": [ { "type": "wrench", "body": "c", "force": [1, 0, 0] },
    { "type": "spring", "body": "c", "other": "d", "stiffness": 4, "damping": 0.5, "length": 1 } ],
  "base": { "velocity": [1, 0, 0], "rate": 0.5 } }
END
works info all.json --json
equals dof 9
equals coordinates 10
equals links 3
for count in hinges.revolute hinges.cylindrical hinges.fixed hinges.free hinge_springs hinge_dampers hinge_forces \
    hinge_rotors wrenches springs; do
    equals $count 1
done
equals ground_moves true
equals ground_rows 0
equals conservative false
works info all.json --partition
for line in 'degrees of freedom  9' 'coordinates         10' '  revolute +1' '  free +1' '  with springs +1' \
    '  with dampers +1' '  with forces +1' '  with rotors +1' 'forces +1 wrench, 1 spring' 'ground +moves, accelerations constant' \
    'wide +[0-9]+ links swept 6x6, those on runs of balls 3x3' 'energy +not conserved: dampers, forces applied at hinges, wrenches, a ground that moves'; do
    shows "^$line$"
done
expect "a type that is not there is counted" test -z "$(grep planar out)"
works info slider.json
shows '^energy +conserved$'
shows '^ground +at rest$'
sed 's/"velocity".*0.5 }/"table": [ [0, 0, 0, 0, 0], [1, 1, 0, 0, 0] ] }/; s/"applied": \[0, 2\]/"rest": [0, 2]/' all.json >table.json
works info table.json
shows '^ground +moves by a table of 2 rows$'
shows '^energy +not conserved: dampers, wrenches, a ground that moves$'
works compare all.json --json
holds entries.1.largest 'x < 1e-12'
works accel all.json --csv
shows ',derivative_5,derivative_6$'
expect "not 19 columns" awk -F, 'NF != 19 { exit 1 }' out
shows '^a,.*[0-9],,,,,$'
shows '^c,.*,,,,,,$'
works run all.json --t-end 0.1 --json
equals conservative false
equals energy_changed_by 'dampers, forces applied at hinges, wrenches, a ground that moves'
equals energy_drift null
equals energy_drift_relative null
works run all.json --t-end 0.1
shows '^energy drift +none to tell: energy is changed by dampers, forces applied at hinges, wrenches, a ground'
works run slider.json --t-end 0.1
shows '^energy drift +[0-9.e+-]+ J, '

# ---- recordings have coordinates and rates, and their size is a bound
works run all.json --t-end 0.1 --frames 3 --out all.h5 --json
holds file_bytes "x >= $(stat -c %s all.h5)"
if command -v h5dump >/dev/null; then
    expect "no coordinates" test "$(h5dump -H -d /frames/coordinates all.h5 | grep -c '( 3, 10 )')" = 1
    expect "no rates" test "$(h5dump -H -d /frames/rates all.h5 | grep -c '( 3, 9 )')" = 1
    expect "no columns" test "$(h5dump -y -w 0 -d /model/first_rate all.h5 | grep -c ' 0, 1, 3, 3')" = 1
fi

# ---- errors name the body
refuses 2 'its bodies hang on one another, and free bodies cannot' generate chain --hinge free
refuses 1 'stopped after step [0-9]+ of 100, t = .* s: body [0-9]+: ' \
    run chain --hinge revolute --perturb 1e6 --t-end 0.1

# ---- compare: numbers that are zero up to rounding differ by rounding
body='"mass": 2, "com": [0, 0, 0.5], "inertia": [1, 1, 1, 0, 0, 0]'
falling() { # falling GRAVITY: a tree of three bodies, free
    echo "{ \"riccatree\": 1, \"name\": \"fall\", \"gravity\": [0, 0, $1], \"bodies\": [
        { \"name\": \"a\", \"parent\": \"ground\", \"hinge\": { \"type\": \"free\" }, $body$2 },
        { \"name\": \"b\", \"parent\": \"a\", \"hinge\": { \"type\": \"ball\", \"at\": [0.3, 0.1, 1] }, $body },
        { \"name\": \"c\", \"parent\": \"b\", \"hinge\": { \"type\": \"revolute\", \"at\": [0, 0, 1], \"axis\": [1, 0, 0] }, $body } ] }"
}
spinning=', "initial": { "angular_velocity": [0.1, 0.2, 3] }'
falling -9.81 '' >fall.json
falling 0 '' >rest.json
falling 0 "$spinning" >spin.json
for model in fall rest spin; do
    works compare $model.json --repeat 1 --json
    for entry in 0 1 2 3 6; do
        holds "entries.$entry.largest" 'x < 1e-14'
    done
done
works compare fall.json --json
holds scales.linear 'x > 9.80 && x < 9.82'
holds scales.force 'x > 58.8 && x < 58.9' # the weight of the tree
holds scales.angular 'x > 5 && x < 20'
works compare rest.json --json
equals scales.force 1
works compare chain --bodies 40 --perturb 1 --repeat 1 --json
equals entries.5.name transfer # which has lost all digits
holds entries.5.largest 'x > 1'

# ---- run: without an exchange of energy the drift is relative to the energies there are
works run spin.json --t-end 0.2 --json
holds exchange 'x < 1e-9'
holds energy_scale 'x > 1'
holds energy_drift_relative 'x < 1e-9'
works run spin.json --t-end 0.2
shows '^energy drift .* of the energies there are \([0-9.]+ J\)$'
works run rest.json --t-end 0.2 --json
equals energy_drift_relative 0
works run fall.json --t-end 0.2 --json
holds energy_drift_relative 'x < 1e-12'
holds energy_scale 'x > 11 && x < 12' # 6 kg, fallen by 0.2 m
expect "the scale is not the exchange" test "$(get energy_scale)" = "$(get exchange)"
# Errors during the run name bodies
cat >light.json <<'END'
{ "riccatree": 1, "bodies": [
  { "name": "base", "parent": "ground", "hinge": { "type": "revolute", "axis": [0, 1, 0] }, "mass": 1, "com": [1, 0, 0],
    "inertia": [1, 1, 1, 0, 0, 0] },
  { "name": "link 7", "parent": "base", "hinge": { "type": "revolute", "axis": [0, 1, 0], "at": [2, 0, 0] }, "mass": 1e-300,
    "com": [0, 0, 0], "inertia": [0, 0, 0, 0, 0, 0] } ] }
END
refuses 1 '^riccatree: body 1 "link 7": nothing resists its turn about' accel light.json
refuses 1 'body 1 "link 7": nothing resists its turn about' run light.json --t-end 0.01
refuses 1 'body 1 "link 7": nothing resists its turn about' run light.json --t-end 0.01 --integrator dopri5
refuses 1 '^riccatree: body 1: nothing resists its turn' accel <(sed 's/"name": "link 7", //' light.json)

finish
