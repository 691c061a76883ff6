#!/usr/bin/env bash
# info and summary of every kind of file: its kind, the program that made it, its numbers; unknown files are refused.
# usage: t94_files.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh" "$@"

works generate chain --bodies 3 --perturb 0.5 --out model.h5
works generate chain --bodies 3 --perturb 0.5 --out model.json
works run model.h5 --t-end 0.125 --dt 0.0078125 --frames 9 --out run.h5 --checkpoint run.checkpoint
works run model.json --t-end 0.1 --frames 11 --dt 0.005 --out single.h5
works ensemble model.json --vary bodies.body2.mass=1:2:4 --t-end 0.05 --series 6 --track body2 --out sweep.h5

# ---- info: a recording
works info run.h5
shows '^kind +recording$'
shows '^frames +9 from 0 s to 0.125 s, complete$'
shows '^quantities +orientation angular_velocity position time kinetic '
shows '^run +to 0.125 s by abi on cpu, dt 0.0078125 s$'
shows '^created +20[0-9-]+T[0-9:]+Z$'
shows '^made by version +[0-9]+\.'
shows '^command +riccatree run model.h5 --t-end 0.125'
shows '^bodies +3$'
works info run.h5 --json
equals file.kind recording
equals file.path run.h5
equals file.complete true
equals file.frames 9
equals file.first_time 0
equals file.last_time 0.125
equals file.quantities.2 position
equals file.method abi
equals file.backend cpu
equals file.dt 0.0078125
equals file.t_end 0.125
equals bodies 3
equals method abi
works info single.h5 --json
equals file.frames 11

# ---- of an ensemble
works info sweep.h5
shows '^kind +ensemble$'
shows '^members +4 from 0 on, complete$'
shows '^varied +bodies.body2.mass$'
shows '^series +6 frames, 1 body tracked$'
shows '^run +50 steps of 0.001 s by abi on cpu$'
works info sweep.h5 --json
equals file.kind ensemble
equals file.members 4
equals file.first_member 0
equals file.varied.0 bodies.body2.mass
equals file.series 6
equals file.tracked 1
equals file.steps 50
works ensemble model.json --perturb 0.1 --members 2 --t-end 0.01 --only 1 --out one.h5
works info one.h5
shows '^members +1 from 1 on, complete$'
shows '^series +none$'

# ---- of a checkpoint
works info run.checkpoint
shows '^kind +checkpoint$'
shows '^run +rk4 by abi on cpu$'
shows '^bodies +3$'
works info run.checkpoint --json
equals file.kind checkpoint
equals file.integrator rk4
equals bodies 3
refuses 2 '--bodies is for families, and "run.checkpoint" is a file; leave it out' info run.checkpoint --bodies 2
head -c 300 run.checkpoint >cut.checkpoint
refuses 2 'cut.checkpoint: ' info cut.checkpoint
printf 'RCTBATCH and more' >batch.checkpoint
refuses 2 'batch.checkpoint: it is a checkpoint of an ensemble; give the file of its results instead' info batch.checkpoint

# ---- of models and families
for model in model.h5 model.json "$here/../../examples/arm7.urdf"; do
    works info "$model" --json
    equals file.kind model
    works info "$model"
    shows '^kind +model$'
    expect "$model has lines of results" test -z "$(grep -E '^(run|frames) ' out)"
done
works info chain --json
equals file null

# ---- summary: a recording, against the numbers of export
works summary run.h5
shows '^frames +9 from 0 s to 0.125 s, complete$'
shows '^energy +[-0-9.e]+ J at first, [-0-9.e]+ J at last, changed by at most [-0-9.e]+ J$'
shows '^position.z +[-0-9.]+ +[0-9.]+ +body[0-2] +[-0-9.]+ +[0-9.]+ +body[0-2] +m$'
works summary run.h5 --json
equals kind recording
equals frames 9
equals complete true
equals quantities.9.name position.z
equals quantities.9.unit m
least=$(get quantities.9.min.value)
when=$(get quantities.9.min.time)
body=$(get quantities.9.min.body)
run export run.h5 position.z:body0 position.z:body1 position.z:body2 --csv --out z.csv
expect "exit status $status, not 0" test "$status" = 0
expect "the least position.z is $least, of $body at $when" awk -F, -v least="$least" -v when="$when" -v body="${body#body}" '
    NR > 1 { for (k = 2; k <= 4; k++) if (low == "" || $k < low) { low = $k; at = $1; who = k - 2 } }
    END { d = low - least; exit !(d < 1e-12 && d > -1e-12 && at == when && who == body) }' z.csv
works summary single.h5 --json
equals bodies 3

# ---- of an ensemble, as before
works summary sweep.h5 --json
equals kind ensemble
equals ok 4

# ---- of a checkpoint, whose state a frame of the recording has too, and of models: one state
works run model.h5 --t-end 0.125 --dt 0.0078125 --frames 9 --out end.h5 --checkpoint end.checkpoint --checkpoint-every 10
run export end.h5 kinetic position.z:body0 position.z:body1 position.z:body2 --csv --out end.csv
expect "exit status $status, not 0" test "$status" = 0
works summary end.checkpoint --json
equals kind checkpoint
equals time 0.078125
kinetic=$(get kinetic)
lowest=$(get quantities.2.min.value)
expect "the checkpoint has $kinetic J and $lowest m, not as its frame" awk -F, -v kinetic="$kinetic" -v low="$lowest" '
    $1 == 0.078125 { e = $2; z = $3 < $4 ? $3 : $4; z = z < $5 ? z : $5 }
    END { a = e - kinetic; b = z - low; exit !(a * a < 1e-20 && b * b < 1e-20) }' end.csv
works summary end.checkpoint
shows '^energy +[-0-9.e]+ J kinetic, [-0-9.e]+ J potential more than at the start$'
shows '^velocity.z +[-0-9.e]+ +0.078125 +body[0-2] +[-0-9.e]+ +0.078125 +body[0-2] +m/s$'
for model in model.json model.h5; do
    works summary $model --json
    equals kind model
    equals time 0
    equals quantities.8.name angular_velocity.z
done
refuses 2 'none.h5: cannot open the file' summary none.h5
refuses 2 '"none.json" is neither a file nor a family' summary none.json
works run chain --bodies 200 --perturb 0.5 --t-end 0.02 --out bad.h5 # most of it are frames
printf '\377\377\377\377' | dd of=bad.h5 bs=1 seek=$(($(stat -c %s bad.h5) / 2)) conv=notrunc 2>dd
refuses 2 'bad.h5: is damaged: the checksum of frame [0-9]+ is' summary bad.h5
refuses 2 'bad.h5: is damaged: the checksum of frame [0-9]+ is' info bad.h5
cp sweep.h5 bad.h5
printf '\377\377\377\377' | dd of=bad.h5 bs=1 seek=$(($(stat -c %s bad.h5) / 2)) conv=notrunc 2>dd
refuses 2 'bad.h5: ' info bad.h5
printf 'plain' >plain.h5
refuses 2 'plain.h5: ' info plain.h5

finish
