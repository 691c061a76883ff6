#!/usr/bin/env bash
# The command line answers an unknown word that is nearly a known one with a suggestion of the known one.
# usage: t90_suggestions.sh RICCATREE JSON_GET
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

# means NAME ARGUMENT...: refused with the suggestion NAME.
means() {
    local name=$1
    shift
    refuses 2 "did you mean \"$name\"\?( [A-Z]|$)" "$@"
}

# has_none ARGUMENT...: refused without a suggestion.
has_none() {
    refuses 2 '.' "$@"
    expect "there is a suggestion" test "$(grep -c 'did you mean' err)" = 0
}

# Commands and options
refuses 2 '^riccatree: unknown command "rnu"; did you mean "run"\? See riccatree --help$' rnu
refuses 2 '^riccatree: run has no option --boddies; did you mean "--bodies"\? See riccatree run --help$' run chain --boddies 3
means ensemble ensmeble
means --help --hepl
means --t-end run chain --t_end=3
means --help run chain --hlep
has_none walk
has_none --walk
has_none run --walk
has_none generate chain --thread 2 # generate does not have it, nor anything similar

# Families, files and values of options
refuses 2 '^riccatree: "chian" is neither a file nor a family; did you mean "chain"\? Families: chain ' info chian
means binary generate Binray
has_none info model.json
refuses 2 '^riccatree: --method "ricati": did you mean "riccati"\? Give one of abi, riccati$' info chain --method ricati
means implicit run chain --integrator implcit
means rk4 run chain --integrator RK4
has_none run chain --integrator rk5
means admittance info ladder --closing admitance
means baumgarte info ladder --drift baumgart
means revolute info chain --hinge revolut
means lagrange compare chain --reference lagrnage
means mjcf import a.xml --format mjfc
means device info chain --junction devise
means cuda info chain --backend cuad

# Names of bodies and recorded quantities, and paths
works run chain --bodies 12 --t-end 0.01 --out r.h5
means energy export r.h5 --csv enrgy
means turn plot r.h5 trun.z:body3
means body3 export r.h5 --csv position:bdoy3
means body11 plot r.h5 position:Body11
has_none export r.h5 --csv position:body12 # nobody mistypes a digit
means body3 ensemble chain --vary 'gravity[2]=1:2:3' --series 2 --track bdoy3
means body3 ensemble chain --vary 'bodies.bdoy3.mass=1:2:3'
means mass ensemble chain --vary 'bodies.body3.mas=1:2:3'
means hinge.stiffness ensemble chain --vary 'bodies.body3.hinge.stifness=1:2:3'
has_none ensemble chain --vary 'bodies.body3.wheels=1:2:3'
echo '{ "t_edn": 1 }' >sweep.json
means t_end ensemble chain --sweep sweep.json

# Model files. A model: its bodies, and what follows them.
model() {
    echo "{ \"riccatree\": 1, \"bodies\": [ $1 ] $2 }" >model.json
}
arm='"mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "hinge": { "type": "revolute", "axis": [0, 1, 0] }'
base="{ \"name\": \"base\", \"parent\": \"ground\", $arm }"
fore="{ \"name\": \"fore\", \"parent\": \"base\", $arm }"
model "$base, $fore" ''
works info model.json
model "{ \"nmae\": \"base\", $arm }" ''
refuses 2 'unknown key "nmae" in a body; did you mean "name"\? Known keys are name, ' info model.json
model "${base/revolute/revlute}" ''
means revolute info model.json
model "${base/ground/groud}" ''
means ground info model.json
model "$base, ${fore/base/bsae}" ''
means base info model.json
model "$base, $fore" ', "forces": [ { "type": "wrench", "body": "for", "force": [1, 0, 0] } ]'
means fore info model.json
model "$base, $fore" ', "forces": [ { "type": "wrnch", "body": "fore", "force": [1, 0, 0] } ]'
means wrench info model.json
model "$base, $fore" ', "loops": [ { "name": "pin", "type": "ball", "body": "fore", "other": "ground" } ],
    "events": [ { "type": "time", "value": 1, "loop": "pni", "becomes": "released" } ]'
means pin info model.json
model "$base, $fore" ', "loops": [ { "name": "pin", "type": "ball", "body": "fore", "other": "ground" } ],
    "events": [ { "type": "time", "value": 1, "loop": "pin", "becomes": "releasd" } ]'
means released info model.json
model "$base, $fore" ', "wheels": 4'
has_none info model.json

# Files of others
cat >robot.urdf <<'XML'
<robot name="r"><link name="base"/><link name="arm"/>
<joint name="j" type="fixed"><parent link="bsae"/><child link="arm"/></joint></robot>
XML
means base import robot.urdf
cat >robot.xml <<'XML'
<mujoco><default><default class="visual"><geom type="sphere"/></default></default>
<worldbody><body name="a"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint class="visaul"/></body></worldbody></mujoco>
XML
means visual import robot.xml

finish
