#!/usr/bin/env bash
# The command line on models with loops: info, run and its recordings, accel, and refused input.
# usage: t93_loops.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

works info "$examples/bricard.json" --json
equals loops.count 1
equals loops.constraints 5
equals loops.rank 4
equals loops.redundant 1
equals loops.closing admittance
equals loops.drift project
equals aggregates.count 1
equals aggregates.single 0
equals aggregates.first.0.head null
equals aggregates.first.0.independent 1
equals aggregates.first.0.rank 4
equals aggregates.first.0.redundant 1
equals aggregates.first.0.body_names.4 rod5
equals aggregates.first.0.loop_names.# 1
works info "$examples/bricard.json"
shows '^loops +1, 1 active: 5 constraints of rank 4, 1 redundant$'
works info chain --json
equals loops null
equals aggregates null

# Bodies and cut edges of each aggregate, and its independent rates.
works info "$examples/geared-link.json"
shows '^aggregates +2, with 4 of the 4 bodies, 2 in the largest; 2 cut edges$'
shows '^ +4 rates, 2 independent and 2 dependent; 2 constraints of rank 2$'
shows '^  2 bodies on the ground: motor1 upper; cut at shoulder; 2 rates, 1 independent and 1 dependent; 1 constraint of rank 1$'
shows '^  2 bodies on upper: motor2 fore; cut at elbow; '
works info fourbars --bodies 9 --closing qr --json
equals aggregates.largest 9
works info fourbars --bodies 9
shows '^degrees of freedom +9 of the tree with its loops open, 1 of them independent with these closed$'
shows '^aggregates +1, of 9 bodies on the ground: body0 body2 body4 body6 body8 and 4 more; cut at loop0 loop1 loop2 loop3$'
shows '^ +9 rates, 1 independent and 8 dependent; 8 constraints of rank 8$'
expect "the one aggregate is told twice" test "$(grep -c independent out)" = 2
works info "$examples/boom.json"
shows '^aggregates +none: no loop is active$'
shows '^degrees of freedom +9$'
works info fourbars --bodies 9 --json
equals aggregates.loops 4
equals aggregates.rates 9
equals aggregates.independent 1
# Bodies in no loop are single; lists end after 20, and the table says how many more there are.
sed 's/"type": "planar_revolute"/"active": false, &/' "$examples/four-bar.json" >parted.json
works info parted.json --json
equals aggregates null
works generate fourbars --bodies 3 --systems 30 --out apart.json
works info apart.json
shows '^aggregates +30, with 90 of the 90 bodies, 3 in the largest; 30 cut edges$'
shows '^  and 10 more$'
works info apart.json --json
equals aggregates.count 30
equals aggregates.first.# 20
works info fourbars --bodies 101 --json
equals aggregates.first.0.bodies 101
equals aggregates.first.0.body_names.# 20

for closing in admittance embedding multipliers qr svd; do
    works run "$examples/four-bar.json" --t-end 0.2 --closing $closing --json
    equals loops.closing $closing
    equals loops.rank 2
    holds loops.position_violation_largest 'x < 1e-12'
    holds loops.velocity_violation_largest 'x < 1e-12'
    holds energy_drift_relative 'x < 1e-9'
done

# Only dependent coordinates are corrected.
for closing in admittance embedding multipliers qr svd; do
    works run "$examples/quick-return-1.json" --t-end 0.2 --closing $closing --drift partition --json
    equals loops.drift partition
    equals loops.rank 4
    holds loops.position_violation_largest 'x < 1e-12'
    holds loops.velocity_violation_largest 'x < 1e-12'
done
works run "$examples/four-bar.json" --t-end 0.2 --drift partition --json
holds energy_drift_relative 'x < 1e-9'
refuses 2 '--baumgarte needs --drift baumgarte' \
    run "$examples/four-bar.json" --drift partition --baumgarte 1,2

# Without projection constraints drift, and Baumgarte holds them.
# A loop that is open at the end is an error that names it, and the report is still printed; if the start is taken as given, it is no error.
for closing in admittance qr; do
    refuses 1 '^riccatree: loop 0 "hinge15" is open by 1\.[0-9]+ at the end, and the motion is no longer that' \
        run "$examples/six-bodies.json" --closing "$closing" --drift none --dt 0.25 --t-end 150 --json
    holds loops.position_violation 'x > 0.1'
    equals loops.drift none
done
# Two four-bars that share a rod reach a singular pose; without projection they leave their constraints there.
for closing in admittance embedding multipliers qr svd; do
    refuses 1 '^riccatree: (loop [01] "loop[01]" is open by [0-9.e+]+ at the end|stopped after step)' \
        run fourbars --bodies 5 --closing $closing --drift none --t-end 10
done
works run fourbars --bodies 5 --t-end 5 --json
works run fourbars --bodies 5 --drift none --t-end 0.1 --json
works run "$examples/six-bodies.json" --drift none --as-given --dt 0.25 --t-end 150 --json
works run "$examples/bricard.json" --t-end 0.5 --dt 1e-2 --drift none --json
equals loops.drift none
equals loops.position_loop point5
holds loops.position_violation 'x > 1e-12 && x < 1e-6'
works run "$examples/bricard.json" --t-end 0.5 --dt 1e-2 --drift baumgarte --baumgarte 20,30 --json
equals loops.drift baumgarte
works run "$examples/bricard.json" --t-end 0.5 --dt 1e-2 --drift baumgarte --baumgarte 10,10 --json
violation=$(get loops.position_violation)
works run "$examples/bricard.json" --t-end 0.5 --dt 1e-2 --drift baumgarte --json
equals loops.position_violation "$violation"
works run "$examples/bricard.json" --t-end 0.5 --dt 1e-2 --drift baumgarte --baumgarte 0,0 --json
holds loops.position_violation "x > $violation || x < $violation"
works run "$examples/bricard.json" --t-end 0.1 --drift baumgarte
shows '^violation +[0-9.e-]+ m or rad at point5, [0-9.e-]+ m/s or rad/s at point5 at the end$'
shows '^closed by +admittance, drift: baumgarte$'

works accel "$examples/four-bar.json" --json
equals loops.# 1
equals loops.0.name pivot
equals loops.0.effort 0
equals loops.0.force.2 0
holds loops.0.force.1 'x * x > 1'
force=$(get loops.0.force.1)
derivative=$(get bodies.2.derivatives.0)
for closing in embedding multipliers qr svd; do
    works accel "$examples/four-bar.json" --closing $closing --json
    holds loops.0.force.1 "(x - ($force)) ^ 2 < 1e-18 * ($force) ^ 2"
    holds bodies.2.derivatives.0 "(x - ($derivative)) ^ 2 < 1e-18 * ($derivative) ^ 2"
done
works accel "$examples/geared-link.json" --json
holds loops.0.effort 'x * x > 0'

# An open start is closed, or left as it is.
sed 's/"position": 1.0471975511965976/"position": 1.1/' "$examples/four-bar.json" >open.json
works run open.json --t-end 0.01 --json
holds loops.position_violation 'x < 1e-12'
holds loops.start_position_violation 'x > 1e-3'
equals loops.start_position_loop pivot
for command in 'run --t-end 0.01' info accel; do
    works $command open.json
    shows '^closed at the start, from 0\.[0-9]+ m or rad at pivot, [0-9.e-]+ m/s.*not those given \(--as-given'
    works $command "$examples/four-bar.json"
    expect "a closed start was closed" test "$(grep -c 'closed at the start' out)" = 0
done
# References evaluate the same state; where the output has no line for it, a warning says so.
for given in '' --as-given; do
    works accel open.json $given --json
    acceleration=$("$json_get" bodies.0.angular.2 <out)
    works accel open.json $given --method lagrange --json
    holds bodies.0.angular.2 "(x - ($acceleration)) ^ 2 < 1e-18 * x ^ 2"
    holds start_position_violation "x $([ -n "$given" ] && echo '== 0' || echo '> 1e-3')"
done
for command in 'accel --csv' 'accel --csv --method lagrange' derivatives summary; do
    run $command open.json
    expect "a closed start was not told: $command" grep -qE 'its loops were open at the start, by 0\.[0-9]+ m or rad' err
    works $command "$examples/four-bar.json"
done
# The same for a mechanism of nanometres.
sed -E -e 's/("(at|com|other_at)": \[[0-9.]+)/\1e-9/g' \
    -e 's/"inertia": \[([0-9.]+), ([0-9.]+), ([0-9.]+)/"inertia": [\1e-18, \2e-18, \3e-18/' open.json >nanometres.json
works run nanometres.json --t-end 1e-6 --dt 1e-7
shows '^closed at the start, from [0-9.e-]+ m or rad at pivot'
works accel open.json --json
equals start_position_loop pivot
works run open.json --t-end 0.01 --as-given --drift none --json
equals loops.start_position_violation 0
holds loops.position_violation 'x > 1e-3'
sed 's/"other_at": \[1, 0, 0\]/"other_at": [9, 0, 0]/' "$examples/four-bar.json" >far.json
refuses 1 'loop "pivot" of body 2 "rocker": it cannot be closed: it stays open by' run far.json

works run "$examples/bricard.json" --t-end 0.1 --frames 5 --out frames.h5
if command -v h5dump >/dev/null; then
    h5dump -d /frames/position_violation frames.h5 >out
    shows 'DATASPACE +SIMPLE \{ \( 5 \)'
fi

refuses 2 '^riccatree: --hinge ball: the hinges of fourbars are revolute; omit --hinge' \
    info fourbars --bodies 5 --hinge ball
refuses 2 '^riccatree: --closing is for models with loops, and this model has none' run chain --closing qr
refuses 2 '^riccatree: --as-given is for models with loops' info chain --as-given
refuses 2 '--baumgarte needs --drift baumgarte' run "$examples/four-bar.json" --baumgarte 1,2
refuses 2 '--baumgarte "5": give two numbers' run "$examples/four-bar.json" --baumgarte 5
refuses 2 '--baumgarte' run "$examples/four-bar.json" --drift baumgarte --baumgarte 5,-1
refuses 2 '--closing "lu": give one of admittance, embedding, multipliers, qr, svd' \
    run "$examples/four-bar.json" --closing lu
refuses 2 '--drift "some": give one of project, baumgarte, none, partition' \
    run "$examples/four-bar.json" --drift some
refuses 2 '--closing is for abi and riccati' accel "$examples/four-bar.json" --method lagrange \
    --closing qr

finish
