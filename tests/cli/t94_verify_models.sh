#!/usr/bin/env bash
# riccatree verify: every example passes, every family and every type of hinge.
# usage: t94_verify_models.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"
# shellcheck source=tests/support/command_line/verify.sh
source "$here/../support/command_line/verify.sh"

# ---- all examples, all families, all hinges
checked=0
for file in "$examples"/*.json "$examples"/*.urdf "$examples"/*.xml; do
    [[ $file != */two-rods.json ]] || continue # as branch below, and large
    passes "$file"
    gives passed abi riccati 'Newton and Euler' 'same bits, twice' 'same bits, 2 threads' \
        'same bits, checkpoint' 'same bits, riccati'
    checked=$((checked + 1))
done
expect "only $checked examples" test "$checked" -ge 20
for family in chain branch fork comb binary star; do
    passes "$family" --bodies 25 --perturb 1
    gives passed 'hinge forces' spatial 'energy and work' momentum 'angular momentum' 'order of rk4'
done
for hinge in fixed revolute prismatic universal cylindrical planar helical; do
    passes random --bodies 20 --hinge "$hinge" --perturb 0.5
done
rod='"mass": 1, "com": [0.5, 0, 0], "inertia": [0.01, 0.1, 0.1, 0, 0, 0]'
cat >triangle.json <<END
{ "riccatree": 1, "bodies": [
  { "name": "a", "parent": "ground", "hinge": { "type": "revolute", "axis": [0, 1, 0] }, $rod },
  { "name": "b", "parent": "a", "hinge": { "type": "revolute", "axis": [0, 1, 0], "at": [1, 0, 0] }, $rod } ],
  "loops": [ { "type": "planar_revolute", "body": "b", "at": [1, 0, 0], "other": "ground", "other_at": [0, 0, 1], "axis": [0, 1, 0] } ] }
END
passes triangle.json # nothing can move: what closing loops leaves is rounding
for seed in 2 3 4; do
    passes random --bodies 25 --seed $seed --perturb 1
done
finish
