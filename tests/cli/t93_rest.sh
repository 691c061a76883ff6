#!/usr/bin/env bash
# The command line on rest and modes: what the commands find and write, the report of an unstable rest, and refused input.
# usage: t93_rest.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

works equilibrium chain --bodies 20 --perturb 1 --out rest.json --json
equals stable true
equals unstable 0
equals indifferent 20
equals file rest.json
refuses 2 'rest.json' equilibrium chain --out rest.json
works equilibrium rest.json --out rest.h5
shows '^steps +0$'
shows '^written +rest.h5$'
works equilibrium chain --bodies 3 --perturb 1
shows '^indifferent +3 directions$'
refuses 1 'no equilibrium found in .* steps: the forces on body' equilibrium chain --bodies 3 --hinge prismatic
works equilibrium necklace --bodies 10 --out ring.json --json
equals stable true
refuses 2 'standard output has the report; name a file' equilibrium chain --out -

works modes rest.json --count 4 --json --shapes
equals dof 60
equals indifferent 20
equals modes.# 4
equals modes.0.growth null
equals modes.0.shape.# 60
works modes rest.h5 --count 2
shows '^ +2 +0\.13[0-9]+ Hz'
works modes chain --bodies 20 --perturb 1 --about equilibrium
shows '^indifferent +20 \(frequency 0, not listed\)$'
refuses 2 'moves: modes need a state of rest' modes chain --bodies 20 --perturb 1
refuses 2 '\-\-shapes needs --json' modes rest.json --shapes

works equilibrium "$here/../../examples/four-bar.json" --out four-bar.json --json
equals unstable 0
works modes four-bar.json --count 4 --json --shapes
equals dof 4
equals indifferent 0
equals modes.# 2
equals modes.0.shape.# 4

# warned PATTERN ARGUMENT...: success with this warning.
warned() {
    local pattern=$1
    shift
    run "$@"
    expect "exit status $status, not 0" test "$status" = 0
    expect "stderr does not match: $pattern" grep -qE -- "warning: $pattern" err
}

# A rod that stands on its hinge.
cat >standing.json <<'END'
{"riccatree": 1, "name": "standing", "gravity": [0, 0, 9.81], "bodies": [
{"name": "rod", "parent": "ground", "mass": 1, "com": [0, 0, -0.5], "inertia": [0.1, 0.1, 0.01, 0, 0, 0],
 "hinge": {"type": "revolute", "axis": [1, 0, 0]}}]}
END
warned 'this rest is unstable: the energy falls in 1 direction;' equilibrium standing.json --json
equals stable false
equals unstable 1
warned 'this rest is unstable: it has 1 growing motion, listed first' modes standing.json --json
equals unstable 1
equals modes.0.frequency null
warned 'this rest is unstable' modes standing.json
shows '^ +1 +grows by e in '
warned 'this rest is unstable: the energy falls in 1 direction;' equilibrium fourbars --bodies 3
sed 's/"hinge"/"initial": {"position": 0.5}, "hinge"/' standing.json >tilted.json
refuses 2 'this is not a state of rest: the forces on body 0 "rod" are out of balance by 0\.[0-9]+ times what its hinge carries' modes tilted.json
works modes tilted.json --about equilibrium
RICCATREE_PLUGINS=/nowhere refuses 2 'modes need ARPACK, which is not available' modes rest.json
finish
