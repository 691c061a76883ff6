#!/usr/bin/env bash
# riccatree compare on closed loops: on every example with loops all ways to close them agree with the Lagrangian reference, and
# report the redundant constraints.
# usage: t93_compare_loops.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

closings=(embedding multipliers qr svd)
seen=0
for file in "$examples"/*.json; do
    works info "$file" --json
    [[ $(get loops.active) -gt 0 ]] || continue
    seen=$((seen + 1))
    works compare "$file" --repeat 1 --json
    equals base lagrange
    for ((i = 0; i < 10; i++)); do
        [[ $(get "entries.$i.available") != false ]] || continue # embedding does not cover all
        holds "entries.$i.largest" 'x < 1e-10'
        holds "entries.$i.rank" 'x > 0'
    done
    for ((i = 0; i < 4; i++)); do
        equals "entries.$((4 + i)).name" "abi ${closings[i]}"
    done
    for ((i = 8; i < 10; i++)); do
        equals "entries.$i.name" "riccati ${closings[i - 6]}"
        equals "entries.$i.closing" "${closings[i - 6]}"
        equals "entries.$i.available" true
    done
    equals entries.5.available true
    equals entries.5.closing multipliers
    equals entries.6.closing qr
    equals entries.7.closing svd
    equals entries.10.name lagrange
    equals entries.11.available false
    equals entries.12.available false
done
expect "only $seen examples have loops" test "$seen" -ge 8

# Arms that meet in one body.
for hinge in ball revolute; do
    works compare hub --bodies 41 --hinge "$hinge" --perturb 0.1 --repeat 1 --json
    equals base lagrange
    for ((i = 0; i < 10; i++)); do
        holds "entries.$i.largest" 'x < 1e-10'
        equals "entries.$i.rank" "$([[ $hinge == ball ]] && echo 60 || echo 40)"
    done
done

# Bricard's mechanism has one constraint too many: forces are not unique, the accelerations are.
works compare "$examples/bricard.json" --repeat 1 --json
for ((i = 0; i < 10; i++)); do
    [[ $(get "entries.$i.available") != false ]] || continue
    equals "entries.$i.rank" 4
    equals "entries.$i.redundant" 1
    equals "entries.$i.force.largest" null
done
works compare "$examples/bricard.json" --repeat 1
expect "no rank in the table" grep -qE '^abi svd .* - .* 4 of 5$' out
expect "no title of ranks" grep -qE 'rank of loops$' out

# The formulations of seed 004 on every example whose hinges they cover: loops by eqs. 63 and 73.
closed=0
for file in "$examples"/*.json; do
    grep -q '"loops"' "$file" || continue
    works compare "$file" --repeat 1 --reference all --json
    for ((i = 14; i <= 25; i++)); do # forces to angles, then semi-recursive, gauss and closed-chain
        name=$(get "entries.$i.name")
        if [[ $(get "entries.$i.available") == true ]]; then
            closed=$((closed + 1))
            # the matrix of eq. 14 has the square of the condition of the others
            if [[ $name == forces ]]; then
                holds "entries.$i.largest" 'x < 1e-8'
            else
                holds "entries.$i.largest" 'x < 1e-10'
            fi
        elif [[ $name == gauss || $name == directions || $name == mixed ]]; then
            expect "$file: $name refuses, not for rotors" grep -q 'armature' out
        fi
    done
done
expect "only $closed comparisons" test "$closed" -ge 40
works accel "$examples/bricard.json" --method gauss --json
equals method gauss

# Seed 001, steps (A) to (F): admittance, and all other ways to close loops, against these steps.
stepped=0
for file in "$examples"/*.json; do
    grep -q '"loops"' "$file" && ! grep -q '"relation"' "$file" || continue
    works compare "$file" --repeat 1 --reference closed-chain --identities --json
    stepped=$((stepped + 1))
    equals base closed-chain
    for ((i = 0; i < 11; i++)); do
        [[ $(get "entries.$i.available") != true ]] || holds "entries.$i.largest" 'x < 1e-10'
    done
    for ((i = 0; i < 10; i++)); do
        holds "identities.$i.apart" 'x < 1e-7'
    done
done
expect "only $stepped examples by steps" test "$stepped" -ge 6
refuses 2 'loop 0 "shoulder" is a relation among coordinates' compare "$examples/geared-link.json" --reference closed-chain

# Seed 003: the quick-return mechanism of Fig. 8 cut open in two ways, and all other planar examples, by both formulations.
for name in quick-return-1 quick-return-2 quick-return-3 cam-follower four-bar four-bar-internal andrews ladder; do
    for which in 1 2; do
        works compare "$examples/$name.json" --repeat 1 --reference "semi-recursive-$which" --json
        equals base "semi-recursive-$which"
        equals entries.10.name lagrange
        holds entries.10.largest 'x < 1e-10'
        holds entries.0.largest 'x < 1e-10'
    done
done
works accel "$examples/quick-return-1.json" --method semi-recursive-2 --json
equals method semi-recursive-2
refuses 2 'loop 0 "shoulder" is active, and its type is not a planar one' \
    compare "$examples/geared-link.json" --reference semi-recursive-1

# Between methods only the forces of least length are compared.
works compare "$examples/bricard.json" --repeat 1 --reference none --json
equals base riccati
for i in 0 5 6 7 8 9; do
    holds "entries.$i.force.largest" 'x < 1e-10'
done

# None of this without loops, and no reference of trees.
works compare chain --bodies 3 --repeat 1 --json
equals entries.4.name lagrange
works compare chain --bodies 3 --repeat 1
expect "ranks of no loops" bash -c '! grep -q rank out'
refuses 2 'loop 0 "pivot" is active' compare "$examples/four-bar.json" --reference spatial

finish
