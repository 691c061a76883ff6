#!/usr/bin/env bash
# riccatree verify passes every example, every family and every type of hinge.
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
passes triangle.json # nothing can move: closing loops leaves rounding

# ---- any size: metres, micrometres and a thousand kilometres, in trees and in loops whose rows turn; exponents of m, kg and kg m^2, and a step
while read -r L M I dt; do
    rod="\"mass\": 1$M, \"com\": [0.5$L, 0, 0], \"inertia\": [0.01$I, 0.1$I, 0.1$I, 0, 0, 0]"
    ball="\"mass\": 1$M, \"inertia\": [0.1$I, 0.1$I, 0.1$I, 0, 0, 0]"
    cat >sized_tree.json <<END
{ "riccatree": 1, "bodies": [
  { "name": "a", "parent": "ground", "hinge": { "type": "ball" }, $rod },
  { "name": "b", "parent": "a", "hinge": { "type": "universal", "axis": [0, 0.6, 0.8], "axis2": [1, 0, 0], "at": [1$L, 0, 0] }, $rod },
  { "name": "c", "parent": "b", "hinge": { "type": "cylindrical", "axis": [1, 2, 3], "at": [1$L, 0, 0] }, $rod } ] }
END
    cat >sized_crank.json <<END
{ "riccatree": 1, "bodies": [
  { "name": "crank", "parent": "ground", "hinge": { "type": "revolute", "axis": [0, 1, 0] }, $rod, "initial": { "position": 1 } },
  { "name": "rod", "parent": "crank", "hinge": { "type": "revolute", "axis": [0, 1, 0], "at": [1$L, 0, 0] }, $rod, "initial": { "position": -1.4 } },
  { "name": "slide", "parent": "ground", "hinge": { "type": "prismatic", "axis": [1, 0, 0] }, $rod, "initial": { "position": 2.6$L } } ],
  "loops": [ { "type": "planar_revolute", "body": "rod", "at": [2$L, 0, 0], "other": "slide", "axis": [0, 1, 0] } ] }
END
    cat >sized_bricard.json <<END
{ "riccatree": 1, "gravity": [0, -9.81, 0], "bodies": [
  { "name": "1", "parent": "ground", "hinge": { "type": "revolute", "axis": [0, 1, 0] }, $ball },
  { "name": "2", "parent": "1", "hinge": { "type": "revolute", "axis": [0, 0, 1], "at": [1$L, 0, 0] }, $ball },
  { "name": "3", "parent": "2", "hinge": { "type": "revolute", "axis": [1, 0, 0], "at": [0, -1$L, 0] }, $ball },
  { "name": "4", "parent": "3", "hinge": { "type": "revolute", "axis": [0, 1, 0], "at": [0, 0, 1$L] }, $ball },
  { "name": "5", "parent": "4", "hinge": { "type": "revolute", "axis": [0, 0, 1], "at": [-1$L, 0, 0] }, $ball } ],
  "loops": [ { "type": "revolute", "body": "5", "at": [0, 1$L, 0], "other": "ground", "other_at": [0, 0, 1$L], "axis": [1, 0, 0] } ] }
END
    passes sized_tree.json --dt "$dt"
    for loop in sized_crank sized_bricard; do
        passes $loop.json --dt "$dt"
        gives passed 'loops closed' 'loops closed, velocities'
    done
done <<'END'
e0 e0 e0 1e-3
e-6 e-12 e-24 1e-6
e-11 e-30 e-52 1e-9
e6 e18 e30 1
END
for seed in 2 3 4; do
    passes random --bodies 25 --seed $seed --perturb 1
done
finish
