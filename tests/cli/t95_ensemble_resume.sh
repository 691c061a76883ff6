#!/usr/bin/env bash
# An ensemble that is ended or killed at any moment and resumed as often as needed leaves the results of an undisturbed one, byte
# for byte. Ensembles that cannot be resumed give an error.
# usage: t95_ensemble_resume.sh RICCATREE JSON_GET EMULATED_FOLDER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"
# shellcheck source=tests/cli/disturbed.sh
source "$here/disturbed.sh"
emulated=$3
examples=$here/../../examples

# disturbed STOPS SECONDS ARGUMENT...: an ensemble of about SECONDS is stopped STOPS times, begun anew if it ends
# before, and finally left alone.
disturbed() {
    local left=$1 signal how number
    undisturbed "$2" "${@:3}"
    while ((left > 0)); do
        signal=$(cut -d' ' -f$((left % 8 + 1)) <<<'TERM KILL INT KILL HUP KILL USR1 XCPU')
        how=("${command[@]}") # the file holds the name of the program that made it
        [[ ! -e broken/a.h5 ]] || how+=(--threads $((left % 3 + 1)) --batch $((8 * (left % 3))))
        ((left % 2)) && [[ -e broken/a.h5 ]] && how=(resume a.h5 --threads $((left % 3 + 1)) --checkpoint-every 15)
        live "$signal" "${how[@]}" --json
        adapt $status
        if [[ $status == 0 || $status == 3 ]]; then
            same "$(($1 - left))"
            rm -f broken/*
            continue
        fi
        [[ $signal == KILL || ! -e broken/a.h5 ]] || told "$signal" 'with [0-9]+ of [0-9]+ members done' \
            'they are in a.h5; continue with: riccatree resume a.h5'
        [[ ! -e broken/a.h5.checkpoint ]] || kept=$((kept + 1))
        left=$((left - 1))
    done
    how=(resume a.h5)
    [[ -e broken/a.h5 ]] || how=("${command[@]}")
    last="${how[*]}"
    (cd broken && "$riccatree" "${how[@]}" --json >../out 2>../err)
    same "$1"
}
kept=0
vary=(--vary 'bodies.body3.mass=-0.2:1:4' --perturb 0.3)
disturbed 10 1 chain --bodies 8 --hinge revolute "${vary[@]}" --vary 'bodies.body1.hinge.damping=0:0.5:3' \
    --series 9 --track body3 --t-end 0.3
disturbed 4 1 branch --bodies 40 "${vary[@]}" --t-end 0.2 --method riccati --lanes 2
disturbed 3 1 chain --bodies 1500 --perturb 1 --t-end 0.05
disturbed 3 1 "$examples/drill.json" --perturb 0.01 --t-end 0.2
disturbed 2 1 "$examples/bricard.json" --perturb 0.01 --t-end 0.05 --closing multipliers --drift baumgarte
RICCATREE_PLUGINS=$emulated every=5 disturbed 2 1 chain --bodies 6 --perturb 0.3 --t-end 0.03 --backend cuda
expect "only $kept of 24 stops left a checkpoint" test "$kept" -ge 8
expect "$unheard stops, of 12 by signals that can be heard, were not" test "$unheard" -le 6

# ---- by the clock; a second time; with nothing left to do
rm -f broken/*
ensemble=(ensemble chain --bodies 6 --members 24 --perturb 0.3 --t-end 0.05 --out a.h5)
(cd straight && rm -f ./* && "$riccatree" "${ensemble[@]}" >../out 2>../err)
(cd broken && "$riccatree" "${ensemble[@]}" --checkpoint-every 0.001s >../out 2>../err)
last="${ensemble[*]}"
expect "checkpoints are left" test -z "$(find broken -name 'a.h5.checkpoint*')"
cp straight/a.h5 kept.h5
works resume straight/a.h5
shows '^  done before      24$'
works resume straight/a.h5 --json
equals members_before 24
expect "going on with what is whole changed it" cmp kept.h5 straight/a.h5

# ---- ensembles that cannot be resumed
cp kept.h5 a.h5
refuses 2 '--resume continues .* and --overwrite starts' "${ensemble[@]}" --resume --overwrite
refuses 2 '--resume needs --out' ensemble chain --members 4 --perturb 1 --resume
refuses 2 '--checkpoint-every needs --out' ensemble chain --members 4 --perturb 1 --checkpoint-every 5
refuses 2 '--checkpoint-every "0": give a number' "${ensemble[@]}" --checkpoint-every 0
refuses_other() {
    refuses 2 '^riccatree: a.h5: ' ensemble chain --bodies "${bodies:-6}" --members "${count:-24}" \
        --perturb "${perturb:-0.3}" --t-end "${end:-0.05}" --out a.h5 --resume "$@"
}
bodies=7 refuses_other
count=25 refuses_other
perturb=0.4 refuses_other
end=0.06 refuses_other
refuses_other --dt 1e-4
refuses_other --seed 9
refuses_other --method riccati
refuses_other --hinge revolute
refuses_other --series 3
refuses_other --lanes 1
refuses_other --vary bodies.body1.mass=1:2:2
refuses_other --only 3
expect "a refusal changed the file" cmp kept.h5 a.h5
loops=(ensemble "$examples/four-bar.json" --vary 'bodies.*.mass=1:2:2' --t-end 0.01 --out loops.h5)
works "${loops[@]}" --closing qr --drift baumgarte
works "${loops[@]}" --closing qr --drift baumgarte --baumgarte 10,10 --resume
works resume loops.h5
refuses_loops() {
    refuses 2 "^riccatree: loops.h5: was made with $1; give what it was made with" "${loops[@]}" --resume "${@:2}"
}
refuses_loops 'closing qr, not svd' --closing svd --drift baumgarte
refuses_loops 'closing qr, not admittance' --drift baumgarte
refuses_loops 'drift baumgarte, not project' --closing qr
refuses_loops 'baumgarte_beta 10.0, not 7.0' --closing qr --drift baumgarte --baumgarte 10,7
refuses_loops 'as_given 0, not 1' --closing qr --drift baumgarte --as-given
refuses 2 'an ensemble continues in its own file' resume a.h5 --out b.h5
head -c 3000 kept.h5 >cut.h5
refuses 2 '^riccatree: cut.h5: ' resume cut.h5
works run chain --bodies 4 --t-end 0.01 --out run.h5
refuses 2 '^riccatree: run.h5: is the recording of a run, not a file of an ensemble; a run continues from its checkpoint$' resume run.h5

# ---- a damaged checkpoint, and one of another ensemble, beside it
cp kept.h5 a.h5
head -c 100 kept.h5 >a.h5.checkpoint
refuses 2 '^riccatree: a.h5.checkpoint: is not a checkpoint: it does not begin like one; remove it or move it away$' resume a.h5
mkdir 'a b'
"$riccatree" ensemble chain --bodies 32 --members 100000 --perturb 0.2 --t-end 1 --checkpoint-every 5 \
    --out 'a b/o.h5' >/dev/null 2>&1 &
other=$!
while [[ ! -e 'a b/o.h5.checkpoint' ]]; do sleep 0.02; done
kill -KILL $other
wait $other 2>/dev/null
refuses 2 "^riccatree: a b/o.h5.checkpoint: is a checkpoint of an ensemble; continue with the file of its results: riccatree resume 'a b/o.h5'\$" \
    resume 'a b/o.h5.checkpoint'
cp 'a b/o.h5.checkpoint' a.h5.checkpoint
refuses 2 '^riccatree: a.h5.checkpoint: belongs to another model: .*; remove it or move it away, and its batches start again$' resume a.h5
works run chain --bodies 4 --t-end 0.01 --checkpoint a.h5.checkpoint --overwrite
refuses 2 '^riccatree: a.h5.checkpoint: is a checkpoint of a single run, not of an ensemble; move it away, or continue from it: riccatree resume a.h5.checkpoint$' \
    resume a.h5
rm a.h5.checkpoint
mv 'a b/o.h5.checkpoint' 'a b/o.previous'
refuses 2 "^riccatree: a b/o: there is no such checkpoint, but the one before it exists; continue from that: riccatree resume 'a b/o.previous'\$" \
    resume 'a b/o'
refuses 2 'is a checkpoint of an ensemble; continue with the file of its results: riccatree resume FILE$' resume 'a b/o.previous'
rm 'a b'/*

# ---- another model, another body followed
works generate chain --bodies 4 --hinge revolute --out arm.json
arm=(--members 3 --perturb 0.1 --t-end 0.01 --series 3 --out arm.h5)
works ensemble arm.json "${arm[@]}" --track body3
sed '0,/"mass": 1.0/s//"mass": 2.0/' arm.json >heavier.json
refuses 2 '^riccatree: arm.h5: belongs to another model: bodies.body0.mass is 1.0 in the file, but 2.0 now; give what it was made with, or start another file$' \
    ensemble heavier.json "${arm[@]}" --track body3 --resume
refuses 2 'arm.h5: belongs to another model: the number of bodies is 4 in the file, but 9 now; give' \
    ensemble chain --bodies 9 --hinge revolute "${arm[@]}" --track body3 --resume
refuses 2 'arm.h5: was made with track\[0\] "body3", not "body2"; give what it was made with' \
    ensemble arm.json "${arm[@]}" --track body2 --resume

# ---- two runs at once, and a file that is not one of an ensemble
mkfifo pipe
refuses 2 'pipe: it is not a regular file' resume pipe
refuses 2 'pipe: it is not a regular file' summary pipe
rm -f a.h5*
long=(ensemble chain --bodies 32 --members 100000 --perturb 0.2 --t-end 1 --threads 1 --out a.h5)
"$riccatree" "${long[@]}" >/dev/null 2>&1 &
other=$!
while [[ ! -e a.h5 ]]; do sleep 0.02; done
refuses 2 'a.h5: another process writes to it; wait until that process is done' resume a.h5
refuses 2 'a.h5: another process writes to it' "${long[@]}" --overwrite
works summary a.h5
kill -TERM $other
wait $other
expect "the first one did not go on" test "$?" = 143
expect "it kept nothing" test -e a.h5.checkpoint

finish
