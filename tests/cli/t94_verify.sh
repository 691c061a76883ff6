#!/usr/bin/env bash
# riccatree verify: models of all kinds pass (t94_verify_models.sh has every example). Faults fail by the check meant for them:
# steps that are too long, a motion that is not smooth, a singular matrix, a lost accelerator.
# usage: t94_verify.sh RICCATREE JSON_GET EMULATED_FOLDER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"
# shellcheck source=tests/support/command_line/verify.sh
source "$here/../support/command_line/verify.sh"
emulated=$3
mkdir scratch
export TMPDIR=$work/scratch

# ---- trees
passes random --bodies 20 --hinge universal --perturb 1
gives passed 'hinge forces' spatial 'energy and work' momentum 'angular momentum' 'order of rk4' 'same bits, riccati'
passes chain --bodies 1 --t-end 0.5 --dt 0.01
passes chain --bodies 3000
passes star --bodies 400 # nearly in equilibrium: rates are small, forces are not
gives 'not checked' spatial closed-chain

# ---- loops: redundant, singular, closed at the start
for family in 'fourbars --bodies 21' 'ladder --bodies 21' 'necklace --bodies 21' 'hub --bodies 21' \
    'hub --bodies 11 --hinge revolute' 'ladder --bodies 12 --hinge revolute'; do
    # shellcheck disable=SC2086
    passes $family --perturb 0.3
    gives passed 'loops closed' 'loops closed, velocities' 'rank of loops' 'abi multipliers' 'riccati svd'
done
passes necklace --bodies 3
passes fourbars --bodies 401
gives 'not checked' 'qr, svd'
cat >flat.json <<'END'
{ "riccatree": 1, "bodies": [
  { "name": "a", "parent": "ground", "hinge": { "type": "revolute", "axis": [0, 1, 0] },
    "mass": 1, "com": [0.5, 0, 0], "inertia": [0.01, 0.1, 0.1, 0, 0, 0] },
  { "name": "b", "parent": "a", "hinge": { "type": "revolute", "at": [1, 0, 0], "axis": [0, 1, 0] },
    "mass": 1, "com": [1, 0, 0], "inertia": [0.01, 0.3, 0.3, 0, 0, 0] },
  { "name": "c", "parent": "ground", "hinge": { "type": "revolute", "at": [2, 0, 0], "axis": [0, 1, 0] },
    "mass": 1, "com": [0.5, 0, 0], "inertia": [0.01, 0.1, 0.1, 0, 0, 0] } ],
  "loops": [ { "type": "planar_revolute", "body": "b", "at": [2, 0, 0], "other": "c", "other_at": [1, 0, 0],
               "axis": [0, 1, 0] } ] }
END
passes flat.json
gives 'not checked' spatial

# ---- events: one that attaches a loop after the run leaves the balances to be checked
cat >events.json <<'END'
{ "riccatree": 1, "bodies": [
  { "name": "a", "parent": "ground", "hinge": { "type": "revolute", "axis": [0, 1, 0] }, "mass": 1, "com": [0.5, 0, 0],
    "inertia": [0.1, 0.1, 0.1, 0, 0, 0] },
  { "name": "b", "parent": "ground", "hinge": { "type": "revolute", "at": [0, 1, 0], "axis": [0, 1, 0] }, "mass": 2, "com": [0.5, 0, 0],
    "inertia": [0.1, 0.1, 0.1, 0, 0, 0] } ],
  "loops": [ { "name": "gear", "type": "relation", "terms": [ { "body": "a" }, { "body": "b", "factor": -2 } ] },
             { "name": "stop", "type": "relation", "active": false, "terms": [ { "body": "a" } ] } ],
  "events": [ { "type": "time", "value": 0.03, "loop": "gear", "becomes": "released" },
              { "type": "time", "value": 5, "loop": "stop", "becomes": "pulled" } ] }
END
passes events.json
gives passed 'energy and work' momentum 'angular momentum'
sed 's/"value": 5/"value": 0.05/' events.json >attaches.json
passes attaches.json
gives 'not checked' 'energy and work' momentum 'angular momentum'

# ---- light bodies that carry a heavy one; a moving ground with a body welded to it
cat >light.json <<'END'
{ "riccatree": 1, "bodies": [
  { "name": "a", "parent": "ground", "hinge": { "type": "ball" },
    "mass": 1e-6, "com": [0, 0, -0.5], "inertia": [1e-7, 1e-7, 1e-8, 0, 0, 0] },
  { "name": "b", "parent": "a", "hinge": { "type": "ball", "at": [0, 0, -1] }, "mass": 1000, "com": [0.1, 0, -0.5],
    "inertia": [1, 1, 1, 0, 0, 0], "initial": { "orientation": [0.3, 0.1, 0.4, 0.3] } } ] }
END
passes light.json
cat >carried.json <<'END'
{ "riccatree": 1, "bodies": [
  { "name": "table", "parent": "ground", "hinge": { "type": "fixed" }, "mass": 1000, "inertia": [1, 1, 1, 0, 0, 0] },
  { "name": "mast", "parent": "table", "hinge": { "type": "revolute", "axis": [0, 1, 0], "stiffness": 200, "damping": 2,
    "applied": 1 }, "mass": 3, "com": [0.1, 0, 0.8], "inertia": [0.7, 0.7, 0.01, 0, 0, 0] } ],
  "forces": [ { "type": "wrench", "body": "mast", "at": [0, 0, 1], "force": [3, 1, 2], "moment": [0.1, 0.2, 0.3] } ],
  "base": { "velocity": [1, 0, 0], "acceleration": [2, 1, 0], "axis": [1, 1, 0], "rate": 0.4, "angular_acceleration": 2 } }
END
passes carried.json
gives passed 'energy and work' momentum 'angular momentum'
sed -i 's/"body": "mast", "at"/"body": "table", "at"/' carried.json
passes carried.json
gives passed 'energy and work' momentum 'angular momentum'
sed -i 's/{ "type": "wrench".*/{ "type": "spring", "body": "mast", "at": [0, 0, 1], "other": "table", "other_at": [1, 0, 0], "stiffness": 50, "length": 1 } ],/' carried.json
passes carried.json
gives 'not checked' 'energy and work'

# ---- faults
fails "$examples/cam-follower.json" --t-end 1 --dt 0.1 # longer steps do not reach the end
gives 'not checked' 'order of rk4'
fails "$examples/cardan-shaft.json" --dt 1e-3
gives failed 'order of rk4'
gives passed abi riccati 'energy and work'
fails "$examples/andrews.json" --dt 1e-3
gives failed 'energy and work' momentum 'order of rk4'
passes "$examples/andrews.json" --dt 1e-5
cat >stiff.json <<'END'
{ "riccatree": 1, "bodies": [
  { "name": "bar", "parent": "ground", "hinge": { "type": "revolute", "axis": [0, 1, 0], "stiffness": 1e7, "rest": 0.1 },
    "mass": 1, "com": [0, 0, -0.5], "inertia": [0.1, 0.1, 0.01, 0, 0, 0] } ] }
END
fails stiff.json --dt 1e-3
gives failed motion
expect "no step that would do" grep -q 'take a smaller step, 5e-05 s' out
passes stiff.json --dt 2e-5
# A spring whose ends pass through one another: its force changes direction at once.
cat >through.json <<'END'
{ "riccatree": 1, "gravity": [0, 0, 0], "bodies": [
  { "name": "slide", "parent": "ground", "hinge": { "type": "prismatic", "axis": [1, 0, 0] }, "mass": 1,
    "inertia": [0.1, 0.1, 0.01, 0, 0, 0], "initial": { "position": -0.0504, "rate": 1 } } ],
  "forces": [ { "type": "spring", "body": "slide", "at": [0, 0, 0], "other": "ground", "other_at": [0, 0, 0],
                "stiffness": 5, "length": 0.3 } ] }
END
fails through.json
gives failed 'energy, half the step' 'order of rk4'
passes through.json --t-end 0.02
cat >singular.json <<'END'
{ "riccatree": 1, "bodies": [
  { "name": "wire", "parent": "ground", "hinge": { "type": "revolute", "axis": [0, 0, 1] }, "mass": 1,
    "com": [0, 0, -0.5], "inertia": [0.1, 0.1, 0, 0, 0, 0] } ] }
END
fails singular.json
gives failed 'abi serial'
equals checks.# 1
expect "not why" grep -q 'nothing resists its turn' out

# ---- other backends
export RICCATREE_PLUGINS=$emulated
passes branch --bodies 50 --perturb 1
gives passed 'backend cuda, abi' 'backend cuda, riccati'
RCT_EMULATION="lose_at_call=1" passes branch --bodies 50 --perturb 1
gives 'not checked' 'backend cuda'
RCT_EMULATION="lose_at_call=150" fails branch --bodies 50 --perturb 1
gives failed 'backend cuda, abi'
unset RICCATREE_PLUGINS

# ---- as a table; refused input
works verify chain --bodies 3
shows '^abi +[0-9.e+-]+ <= [0-9.e+-]+  passed$'
shows '^order of rk4 +[0-9.e+-]+ >= 3.00e\+00  passed$'
expect "the verdict is not last" grep -q '^verdict: passed: [0-9]* passed, 0 failed, [0-9]* not checked$' <(tail -1 out)
refuses 2 'is not a whole number of steps' verify chain --t-end 0.0015 --dt 1e-3
refuses 2 'has no option --method' verify chain --method abi
refuses 2 'needs a MODEL' verify
passes chain --bodies 3 --t-end 1e-3 --dt 1e-3
gives 'not checked' 'energy and work'
expect "files are left" test -z "$(ls scratch)"
TMPDIR=$work/nowhere refuses 1 'cannot make a folder for temporary files in .*nowhere' verify chain --bodies 3
TMPDIR=$(printf '/x%.0s' {1..400}) refuses 1 'its path is too long' verify chain --bodies 3
finish
