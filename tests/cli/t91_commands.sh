#!/usr/bin/env bash
# The command line: info, backends, generate, accel and compare.
# usage: t91_commands.sh RICCATREE JSON_GET
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

# ---- backends
works backends
shows '^cpu +available$'
works backends --json
equals backends.1.name cpu
equals backends.1.available true
equals backends.1.reason null

# ---- info
works info branch --bodies 33
shows '^degrees of freedom  99$'
works info --partition branch --bodies 33 --json
equals model branch
equals bodies 33
equals links 33
equals dof 99
equals roots 1
equals tips 2
equals junctions 1
equals branching 2
equals mass 33
equals coordinates 132
equals hinges.ball 33
equals hinges.fixed 0
equals conservative true
equals wide 0
equals method abi
equals backend cpu
holds threads 'x >= 1'
holds bytes 'x > 33 * 100'
holds bytes_per_body 'x > 100'
works info chain --hinge fixed --bodies 5 --json
equals links 1
works info --partition chain --method riccati --json
equals method riccati
equals threads 1
equals segments 8
works info --partition chain --bodies 40 --json
equals segments 0
equals imbalance 1
works info --partition chain --hinge revolute --json
equals segments 0
works info --partition chain --bodies 1000 --segment 100 --lanes 2 --threads 3 --json
equals threads 3
equals lanes 2
equals segment_length 100
equals segments 10
equals tiles 5
equals tasks 0
equals trunk 10
equals padding 0
holds imbalance 'x > 1.19 && x < 1.21' # 5 tiles of 100 steps: 1, 2 and 2 to a thread
works info --partition chain --bodies 1000 --segment 100 --lanes 2 --threads 3 --hinge revolute --json
holds imbalance 'x > 1.19 && x < 1.25' # the same of wide rows
equals wide 1000
works info --partition chain --bodies 1000 --segment 100 --lanes 2 --threads 3
for line in 'backend +cpu, 3 threads' 'memory .* per body' 'lanes +2' 'segment length +100 links' \
    'segments +10' 'tiles +5' 'tasks +0' 'bushes +0' 'waves +0' 'trunk +10' 'padding +0 links' 'imbalance +1.2'; do
    shows "^$line$"
done
works info --partition chain --bodies 1003 --segment 100 --lanes 2 --threads 1 --json
holds padding 'x > 0'
equals imbalance 1
works info --partition comb --bodies 1000 --segment 50 --threads 2 --json
holds segments 'x > 0'
holds tasks 'x > 0'
holds bushes 'x > 0'
holds waves 'x > 0'
holds imbalance 'x >= 1 && x <= 2'
works info --partition chain --bodies 1000 --segment 0 --json
equals segment_length 0
equals segments 0
equals tiles 0
works info --partition chain --bodies 1000 --segment 0
shows '^segment length +0 \(the serial sweep\)$'
works info --partition binary --bodies 1000 --lanes 2 --json
equals segment_length 0
holds waves 'x >= 450 && x < 700' # 1000 links, two at a time, except those of the trunk
works info --partition binary --bodies 1000
shows '^segment length +0 \(no segments\)$'
works info --partition chain --bodies 1000 --segment auto --json
holds segments 'x > 0'
cp out chosen
works info --partition chain --bodies 1000 --json
expect "auto is not the default" cmp -s out chosen
works info chain --bodies 3 --threads 8 --json
equals threads 8
for lanes in 1 2 4 8; do
    run info chain --bodies 1000 --lanes $lanes --json
    if [[ $status == 0 ]]; then
        equals lanes $lanes
        most=$lanes
    else
        refuses 2 "$lanes lanes are not available on this machine; give 1, 2, 4 or 8, at most $most, or 0" info chain --lanes $lanes
        refuses 2 "$lanes lanes are not available on this machine" compare chain --lanes $lanes
    fi
done
works info chain --bodies 1000 --json
equals lanes "$most"
works info chain --bodies 10 --lanes 2 --json
equals lanes 1 # the lanes would not be filled

works info chain --bodies 1000
expect "the partition is shown unasked" test "$(grep -cE 'segment|tiles|trunk|imbalance|padding' out)" = 0
works info chain --bodies 1000 --json
expect "the partition is in JSON unasked" test "$(grep -cE 'segment|tiles|trunk|imbalance|padding' out)" = 0
works info --help
shows 'An aggregate is a group$'
shows 'Degrees of freedom are the rates of the tree, with all loops open'
works info chain --bodies 1 --segment 1 --threads 1 --hinge revolute --partition # one of each
for line in 'degrees of freedom +1' 'segment length +1 link' 'wide +1 link swept .*' 'backend +cpu, 1 thread' 'forces +0 wrenches, 0 springs'; do
    shows "^$line$"
done
works run chain --bodies 1 --hinge revolute --t-end 1e-3
shows '^model +chain: 1 body, 1 degree of freedom$'
shows '^simulated +0.001 s in 1 step of 0.001 s$'
works generate chain --bodies 1 --out one.json
shows '^one.json: 1 body$'

# ---- generate: the same to a file and to standard output; a written file is read back to the same
works generate random --bodies 40 --seed 7 --perturb 0.5 --out random.json
shows '^random.json: 40 bodies$'
works generate random --bodies 40 --seed 7 --perturb 0.5
expect "standard output differs from the file" cmp -s out random.json
works generate random --bodies 40 --seed 7 --perturb 0.5 --out -
expect "--out - differs from the file" cmp -s out random.json
works accel random --bodies 40 --seed 7 --perturb 0.5 --json
cp out generated
works accel random.json --json
expect "a written model moves differently" cmp -s out generated
works generate random --bodies 40 --seed 7 --perturb 0.5 --out random.h5
works generate random --bodies 40 --seed 7 --perturb 0.5
works accel random.json --json
mv out json_moves
works accel random.h5 --json
expect "a model in HDF5 moves differently" cmp -s out json_moves
works run random.h5 --t-end 0.01 --out moved.h5
works accel moved.h5 --json
expect "the model of a recording moves differently" cmp -s out json_moves
works check random.h5
expect "check knows no models" grep -q '^kind *model$' out
refuses 2 'random.h5: it exists; add --overwrite' generate chain --out random.h5
cp random.h5 other.model
works accel other.model --json
expect "HDF5 is not known by its first bytes" cmp -s out json_moves
refuses 2 '--out random.h5: that is also the file that is read; name another' run random.h5 --t-end 0.01 --out random.h5 --overwrite
ln -s random.json linked.json
refuses 2 'that is also the file that is read' import linked.json --out random.json --overwrite
works import random.h5 --out again.json
expect "HDF5 and JSON differ" cmp -s again.json random.json
works import again.json --out again.hdf5
works import again.hdf5
expect "JSON and HDF5 differ" cmp -s out random.json
refuses 2 '--format is for URDF and MJCF, and "again.json" is a model file' import again.json --format urdf
printf 'no HDF5 at all' > none.h5
refuses 2 'none.h5: is not an HDF5 file: it does not begin like one' info none.h5
refuses 2 'random.json: it exists; add --overwrite' generate chain --out random.json
works generate chain --bodies 3 --out random.json --overwrite
works info random.json --json
equals bodies 3
refuses 2 '--overwrite needs --out FILE' generate chain --overwrite
refuses 2 'nowhere/x.json: cannot create' generate chain --out nowhere/x.json
refuses 2 '--out \.: it is a folder' generate chain --out .
(echo first && "$riccatree" generate chain --bodies 1 && echo last) >shared
expect "standard output shared with others is overwritten" \
    test "$(head -n 1 shared) $(tail -n 1 shared)" = "first last"

# ---- accel
cat >names.json <<'END'
{ "riccatree": 1, "name": "a \"b\" \\ ü", "bodies": [
  { "name": "one, \"two\"\nthree", "parent": "ground", "hinge": { "type": "ball", "at": [0, 0, 0] },
    "mass": 2, "com": [1, 0, 0], "inertia": [0.1, 0.1, 0.1, 0, 0, 0] } ] }
END
works accel names.json --json
equals model 'a "b" \ ü'
equals bodies.0.name $'one, "two"\nthree'
equals bodies.# 1
holds bodies.0.angular.1 'x > 2 * 9.81 / 2.1 - 1e-12 && x < 2 * 9.81 / 2.1 + 1e-12'
holds bodies.0.linear.2 'x == 0'
holds bodies.0.force.2 'x > 0.93 && x < 0.94' # m (g - l alpha)
equals bodies.0.moment '[0,0,0]'
works accel names.json --csv
shows '^name,linear_x,linear_y,linear_z,angular_x,.*,moment_z,derivative_1,derivative_2,derivative_3$'
shows '^"one, ""two""$'
works accel names.json
shows '^one, "two"\?three '
works accel chain --bodies 4 --csv
expect "not a header and four rows" test "$(wc -l <out)" = 5
expect "not 16 columns" awk -F, 'NF != 16 { exit 1 }' out
refuses 2 '--json and --csv exclude each other' accel chain --json --csv
refuses 2 '--backend is for abi and riccati' accel chain --method lagrange --backend cpu
refuses 2 'reference transfer takes ball, free and fixed hinges' accel branch --hinge revolute --method transfer
works accel branch --bodies 9 --perturb 1 --method transfer --json
works accel comb --bodies 500 --perturb 1 --segment 40 --threads 1 --json
cp out one
works accel comb --bodies 500 --perturb 1 --segment 40 --threads 3 --json
expect "results depend on the threads" cmp -s out one
works accel comb --bodies 500 --perturb 1 --segment 40 --lanes 1 --json
for method in abi riccati lagrange transfer; do
    works accel chain --bodies 3 --perturb 1 --method "$method" --json
    equals method "$method"
    holds bodies.2.linear.0 'x > -0.5080 && x < -0.5079'
    for axis in 0 1 2; do # as the angular acceleration, which is rounded apart
        holds "bodies.2.derivatives.$axis" "(x - ($(get "bodies.2.angular.$axis"))) ^ 2 < 1e-29"
    done
done

# ---- compare
works compare branch --bodies 33 --perturb 1 --repeat 3 --json
equals base lagrange
equals bodies 33
equals entries.# 7
for entry in 0 1 2 3 6; do
    equals "entries.$entry.available" true
    for quantity in linear angular force; do
        holds "entries.$entry.$quantity.largest" 'x >= 0 && x < 1e-10'
        holds "entries.$entry.$quantity.rms" 'x >= 0 && x < 1e-10'
    done
    holds "entries.$entry.largest" 'x >= 0 && x < 1e-10'
    holds "entries.$entry.seconds" 'x > 0 && x < 60'
done
equals entries.0.name 'abi serial'
equals entries.0.repeats 3
equals entries.1.name abi
equals entries.2.name 'riccati serial'
equals entries.3.name riccati
equals entries.4.name lagrange
equals entries.4.repeats 1
equals entries.5.name transfer
equals entries.5.available true # and has lost its digits
holds entries.5.largest 'x > 1e-6'
equals entries.6.name spatial
works accel branch --bodies 20 --perturb 1 --method spatial --json
equals method spatial
for reference in spins torques; do
    works accel branch --bodies 20 --perturb 1 --method "$reference" --json
    equals method "$reference"
done
works accel chain --bodies 5 --hinge revolute --perturb 1 --method angles --json
equals method angles
refuses 2 'is for abi and riccati' accel chain --method angles --lanes 1
refuses 2 'up to 200 bodies, and the model has 201' compare chain --bodies 201 --reference spatial
works compare chain --bodies 500 --perturb 1 --reference none --threads 2 --lanes 2 --segment 25 --json
equals entries.0.threads 1
equals entries.0.segments 0
equals entries.1.threads 2
equals entries.1.lanes 2
equals entries.1.segment_length 25
holds entries.1.segments 'x >= 20'
holds entries.1.largest 'x < 1e-9'
equals entries.2.threads 1
equals entries.2.segments 0
equals entries.3.threads 2
holds entries.3.segments 'x >= 20'
holds entries.3.largest 'x < 1e-9'
works compare chain --bodies 3 --reference transfer --json
equals base transfer
holds entries.0.largest 'x < 1e-9'
works compare chain --bodies 3 --reference none --json
equals base riccati
equals entries.# 4
works compare chain --bodies 3
shows '^chain, 3 bodies: differences from lagrange'
for name in 'abi serial' abi 'riccati serial' riccati lagrange transfer; do
    shows "^$name "
done
refuses 2 '^riccatree: transfer: ' compare branch --hinge revolute --reference transfer
works compare chain --bodies 5 --perturb 1 --repeat 1 --reference all --json
equals base lagrange
equals entries.# 20
for entry in 5 6 8 9 10 11 13 14 15 18 19; do
    holds "entries.$entry.largest" 'x > 0 && x < 1e-9'
done
equals entries.12.available false # barycentres: the chain hangs on the ground
equals entries.17.name semi-recursive-2
equals entries.17.available false
for name in forces mixed spins augmented directions torques angles gauss; do
    works compare branch --bodies 9 --perturb 1 --repeat 1 --reference "$name" --json
    equals base "$name"
    equals entries.# 8
    equals entries.7.name "$name"
    holds entries.4.largest 'x > 0 && x < 1e-10'
done
refuses 2 '^riccatree: barycentres: body 0 "body0" has a ball hinge on the ground; ' \
    compare chain --reference barycentres
refuses 2 '^riccatree: angles: reference angles forms full matrices: it takes up to 2000 bodies, ' \
    compare chain --bodies 2001 --reference angles

# ---- identities of the spatial operators
works compare random --bodies 12 --hinge universal --perturb 1 --repeat 1 --reference spatial --identities --json
equals identities.# 10
for ((i = 0; i < 10; i++)); do
    holds "identities.$i.apart" 'x >= 0 && x < 1e-7'
done
works compare branch --bodies 9 --repeat 1 --reference spatial --identities
shows '^ .*e-[0-9]+  0\.4: \[I - H psi K\] H phi = H psi$'
refuses 2 '^riccatree: --identities checks the operators of seed 001; ' compare chain --identities
refuses 2 '^riccatree: --identities checks the operators' compare chain --bodies 3 --reference lagrange --identities

# ---- memory: the sanitizers do not work with a limit
if [[ -z ${SANITIZED:-} ]]; then
    last="info chain --bodies 5000000, 800 MB"
    status=0
    (ulimit -v 800000 && "$riccatree" info chain --bodies 5000000) >out 2>err || status=$?
    expect "exit status $status, not 1" test "$status" = 1
    expect "stderr is not one line" one_line
    expect "stderr does not say memory" grep -q 'out of memory' err
fi

# ---- without the library of references everything works except these
mkdir alone
cp "$riccatree" alone/riccatree
cp -L "$(dirname "$riccatree")"/libriccatree.so.0 alone/
whole=$riccatree
riccatree=$PWD/alone/riccatree
works accel chain --bodies 2
refuses 2 'the library of references cannot be used: .*libriccatree_reference' accel chain --bodies 2 --method lagrange
riccatree=$whole

finish
