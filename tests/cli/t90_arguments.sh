#!/usr/bin/env bash
# The command line: help, version, and every kind of wrong argument.
# usage: t90_arguments.sh RICCATREE JSON_GET
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

works --version
shows '^riccatree [0-9]+\.[0-9]+\.[0-9]+$'
for command in accel backends check compare ensemble equilibrium export generate help import info inverse modes plot summary view run; do
    works --help
    shows "^  $command "
    works "$command" --help
    shows "^usage: riccatree $command"
    shows '^  --help'
done
cp out help
works run -h
expect "run -h is not run --help" cmp -s out help
works help run
expect "help run is not run --help" cmp -s out help
works --help
cp out help
for words in -h help; do
    works $words
    expect "$words is not --help" cmp -s out help
done
refuses 2 'unknown command "walk"; see riccatree --help' help walk
refuses 2 'unknown command "rnu"; did you mean "run"\? See' help rnu
refuses 2 'unexpected argument "info"; see riccatree help --help' help run info
refuses 2 'unexpected argument "x"; see riccatree --help' --version x
refuses 2 'unexpected argument "x"; see riccatree --help' -V x
works --version
expect "--version is not one line" test "$(wc -l <out)" = 1
cp out version
works -V
expect "-V does not begin with --version" test "$(head -n 1 out)" = "$(cat version)"
shows '^build +[^ ].*, flags [0-9a-f]{8}, sources [0-9a-f]{12}$'
shows '^type +[A-Z]'
shows '^lanes +up to [248], on this machine [1248]$'
shows '^backends +cuda.*, cpu$'
shows '^plugins +(none|(arpack|cuda|mpi)(, (arpack|cuda|mpi))*)$'
shows '^HDF5 +[0-9]+\.[0-9]+'
lanes=$(sed -n 's/^lanes.*machine //p' out)
works info chain --bodies 1000 --lanes "$lanes" --json
equals lanes "$lanes"
((lanes == 8)) || refuses 2 "$((2 * lanes)) lanes are not available on this machine" info chain --lanes $((2 * lanes))
refuses 2 'unknown option "-v"; did you mean "-V"\?' -v

refuses 2 'no command given; see riccatree --help'
refuses 2 'unknown command "walk"; see riccatree --help' walk
refuses 2 'unknown option "--walk"; see riccatree --help' --walk
for command in accel backends check compare ensemble export generate import info plot summary run view; do
    refuses 2 "$command has no option --walk; see riccatree $command --help" "$command" --walk
    refuses 2 "$command has no option -j; " "$command" -j
    refuses 2 "$command has no option --; |unexpected argument|neither a file|give one of --csv|cannot open" "$command" chain -- b
done
for command in accel compare ensemble info run; do
    refuses 2 "$command needs a MODEL\|FAMILY; see" "$command"
    refuses 2 'unexpected argument "extra"; see' "$command" chain extra
    refuses 2 'the MODEL\|FAMILY is empty' "$command" ''
done
refuses 2 'generate needs a FAMILY' generate
refuses 2 'import needs a FILE' import
refuses 2 'give one of urdf, mjcf$' import a.xml --format sdf
refuses 2 'unexpected argument "chain"' doctor chain

# Values
refuses 2 '^riccatree: --bodies needs a value, N' info chain --bodies
refuses 2 '^riccatree: --bodies needs a value, N' info chain --bodies --json
refuses 2 '^riccatree: --json takes no value' info chain --json=yes
refuses 2 '^riccatree: --json is given twice' info chain --json --json
refuses 2 '^riccatree: --bodies is given twice' info chain --bodies 3 --bodies=4
for text in 1.5 1e-1 1e 1e19x 1.0000000000000001 +1e3 1e+ ' 3' 3x 0x10 + - 1-2 ''; do
    refuses 2 'give a whole number, 1 or more$' info chain --bodies "$text"
done
refuses 2 'give a whole number, 1 or more$' info chain --bodies 0
refuses 2 'give a whole number, 1 or more$' info chain --bodies -3
refuses 2 '"9223372036854775808": give a whole number, from 1 to 9223372036854775807$' \
    info chain --bodies 9223372036854775808
refuses 2 'too many; a model holds at most' info chain --bodies 9223372036854775807
refuses 2 'give a whole number, 0 or more$' info chain --seed -1
for text in nan inf -inf 0x1p3 1e-3s ' 1' '' . 1e; do
    refuses 2 'give a number such as' info chain --perturb "$text"
    refuses 2 'give a number such as' run chain --dt "$text"
done
refuses 2 'finite number that is 0 or more' info chain --perturb -1
works generate rod --bodies 4 --length 2 --density 0.5 --radius 0.02 --bending 3,4 --twist 0 --delay 0.1 --out rod.json
expect "the stiffness of a rod is not that asked for" grep -Eq '"stiffness": \[6\.0, 8\.0, 0\.0\]' rod.json
expect "the damping of a rod is not that asked for" grep -Eq '"damping": \[0\.6[0-9]*, 0\.8[0-9]*, 0\.0\]' rod.json
works generate rod --bodies 4 --length 2 --density 0.5 --radius 0.02 --bending 3 --pinned
works info rod --bodies 4 --bending 0 --twist 0 --json
equals dof 12
refuses 2 'give a finite number above 0' info rod --length 0
refuses 2 'give a number such as' info rod --bending x
refuses 2 'give a number such as' info rod --bending 1,
refuses 2 'a rod that bends about x alone' info rod --bending 1,0 --twist 0
refuses 2 '--length is for the family rod, not for chain; leave it out' info chain --length 2
refuses 2 '--pinned is for the family rod, not for comb; leave it out' generate comb --pinned
refuses 2 'finite number that is 0 or more' info chain --perturb 1e999
refuses 2 'finite number above 0' run chain --dt 0
refuses 2 'finite number above 0' run chain --t-end -1
refuses 2 'give one of fixed, ball, revolute, prismatic, universal, cylindrical, planar, helical, free$' \
    info chain --hinge axle
refuses 2 'its bodies hang on one another, and free bodies cannot' generate chain --hinge free
for hinge in fixed ball revolute prismatic universal cylindrical planar helical; do
    works generate comb --bodies 9 --hinge "$hinge" --perturb 0.1
done
refuses 2 'give one of abi, riccati$' info chain --method lagrange
references='lagrange, transfer, spatial, dense, forces, mixed, spins, augmented, barycentres, directions, torques, angles, semi-recursive-1, semi-recursive-2, gauss, closed-chain'
refuses 2 "give one of abi, riccati, $references\$" accel chain --method magic
refuses 2 "give one of $references, none, all\$" compare chain --reference magic
refuses 2 'give a whole number, 1 or more$' compare chain --repeat 0
for command in accel compare ensemble info run; do
    for text in 1.5 1e-1 1e 1e19x 1.0000000000000001 +1e3 1e+ ' 3' 3x 0x10 + - 1-2 '' auto; do
        refuses 2 '^riccatree: --threads ".*": give a whole number, from 0 to 1024$' \
            "$command" chain --threads "$text"
    done
    refuses 2 'give a whole number, from 0 to 1024$' "$command" chain --threads -1
    refuses 2 'give a whole number, from 0 to 1024$' "$command" chain --threads 1025
    refuses 2 'give a whole number, from 0 to 1024$' "$command" chain --threads 99999999999999999999
    for text in 3 -1 16 08 ' 1' auto ''; do
        refuses 2 '^riccatree: --lanes ".*": give one of 0, 1, 2, 4, 8$' \
            "$command" chain --lanes "$text"
    done
    for text in Auto automatic 1.5 1e-1 ' 3' 3x ''; do
        refuses 2 '^riccatree: --segment ".*": give auto, whole or a whole number' \
            "$command" chain --segment "$text"
    done
    refuses 2 '--segment "-1": give auto, whole or a whole number, 0 or more$' "$command" chain --segment -1
    refuses 2 'give auto, whole or a whole number, from 0 to 9223372036854775807$' \
        "$command" chain --segment 9223372036854775808
done
for text in 0 -1 abc 1.5 1e-1 ''; do
    refuses 2 "^riccatree: --members \"$text\": give a whole number, 1 or more\$" \
        ensemble chain --perturb 0.1 --members "$text"
done
for text in -1 abc 1,2 ''; do
    refuses 2 "^riccatree: --only \"$text\": give a whole number, 0 or more\$" \
        ensemble chain --perturb 0.1 --members 4 --only "$text"
done
for text in 4 10; do
    refuses 2 "^riccatree: --only $text: there is no such member; give one from 0 to 3\$" \
        ensemble chain --perturb 0.1 --members 4 --only "$text"
done
refuses 2 '^riccatree: --only 1: there is no such member; the only one is 0$' ensemble chain --only 1
for option in '--threads 2' '--lanes 2' '--segment 9'; do
    # shellcheck disable=SC2086
    refuses 2 "${option% *} is for abi and riccati" accel chain --method lagrange $option
done
refuses 2 'generate has no option --threads' generate chain --threads 2
works info chain --method riccati --threads 2 --lanes 2 --segment 9
works info chain --method riccati --threads 0 --lanes 0 --segment auto
works info chain --segment 9223372036854775807
for text in 1e3 1E3 1e+3 1000 1.0e3 10e2 1000.0 1000e0; do # counts in any usual writing
    works info chain --bodies "$text" --json
    equals bodies 1000
done
works run chain --bodies 2e0 --t-end 1e-1 --frames 1.1e1 --threads 1e0 --checkpoint-every 1e2 --checkpoint run.checkpoint --json
equals bodies 2
equals frames 11
works info chain --seed 9223372036854775807
works info chain --seed 9e18
refuses 2 '"1e19": give a whole number, from 0 to 9223372036854775807$' info chain --seed 1e19
refuses 2 '"1e999": give a whole number, ' info chain --seed 1e999
works ensemble chain --bodies 2 --members 2e0 --perturb 0.1 --t-end 1e-2 --series 3e0 --track body1 --json
equals members 2
works ensemble chain --bodies 2 --vary 'gravity[0]=0:1:3e0' --t-end 1e-2 --json
equals members 3
refuses 2 'give PATH=FROM:TO:COUNT' ensemble chain --vary 'gravity[0]=0:1:1.5'
refuses 2 'give PATH=FROM:TO:COUNT' ensemble chain --vary 'gravity[0]=0:1:+2'
echo '{ "riccatree_sweep": 1, "members": 2e0, "seed": 1e3, "vary": [
    { "path": "bodies.*.mass", "uniform": [1, 2] } ], "t_end": 0.01 }' >sweep.json
works ensemble chain --bodies 2 --sweep sweep.json --json
equals members 2
works info chain --bodies 300 --segment whole --partition
shows '^segments  *0$'
refuses 2 '--out "": its FILE.json is empty' generate chain --out=
refuses 2 'no backend "abacus"' info chain --backend abacus
works info --bodies=7 chain
works info --bodies=7 --systems 3 chain
shows '^bodies  *21$'
refuses 2 'give a whole number, 1 or more$' info chain --systems 0
refuses 2 'too many; a model holds at most' info chain --systems 2147483647
works info --bodies 7 -- chain

# Input that does not exist, is not a model, or was not asked for in this way
refuses 2 '"nowhere.json" is neither a file nor a family; families: chain .*star' info nowhere.json
refuses 2 'unknown family "walk"; the families are chain' generate walk
refuses 2 'the smallest has 7' info branch --bodies 6
mkdir folder
for command in info run accel compare ensemble; do
    refuses 2 '^riccatree: folder: cannot read the model file: it is a directory; name a file in it$' \
        "$command" folder
done
refuses 2 '^riccatree: folder: cannot read the file: it is a directory; name a file in it$' import folder
refuses 2 '^riccatree: folder: cannot read the sweep file: it is a directory; name a file in it$' \
    ensemble chain --sweep folder
refuses 2 '^riccatree: folder: it is a folder; name a file in it$' resume folder
refuses 2 '^riccatree: folder: it is a folder; name a file in it$' summary folder
refuses 2 '^riccatree: folder: it is a folder; name a file in it$' ensemble chain --out folder --resume
echo '{ "riccatree": 1, "bodies": [' >torn.json
refuses 2 'torn.json: line 2, column' info torn.json
echo '{ "riccatree": 1, "bodies": [], "wheels": 4 }' >wheels.json
refuses 2 'wheels.json: line 1: .*wheels' info wheels.json
works generate chain --bodies 4 --out chain4.json
for option in '--bodies 4' '--systems 2' '--hinge ball' '--seed 1' '--perturb 0'; do
    # shellcheck disable=SC2086
    refuses 2 "${option% *} is for families, and \"chain4.json\" is a model file" \
        info chain4.json $option
done
works info chain4.json

finish
