#!/usr/bin/env bash
# A run that is ended or killed at any moment and resumed as often as needed prints the numbers and leaves the recording of an
# undisturbed run, byte for byte. Runs that cannot be resumed give an error.
# usage: t77_resume.sh RICCATREE JSON_GET EMULATED_FOLDER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"
# shellcheck source=tests/cli/stopped.sh
source "$here/stopped.sh"
emulated=$3
RANDOM=7
mkdir straight broken

# try_out SECONDS ARGUMENT...: sets `steps`, the number of steps of such a run that take about SECONDS, and `begin`, the
# microseconds of a run that has hardly begun.
try_out() {
    local seconds=$1 from=${EPOCHREALTIME/./}
    works run "${@:2}" --dt 1e-4 --t-end 1e-2 --json
    begin=$((${EPOCHREALTIME/./} - from))
    steps=$(awk -v wall="$(get wall_s)" -v seconds="$seconds" \
        'BEGIN { n = int(100 * seconds / wall); print (n < 200 ? 200 : n > 200000 ? 200000 : n) }')
}

# plain FILE: the output of a run, without lines that depend on the clock and the memory.
plain() {
    sed -E 's/"(threads|bytes|wall_s|total_s|ns_per_body_evaluation|peak_memory_bytes)": [^,}]*//g' "$1"
}

# same_recording: equal except for the time of creation, and the checksum over it at the beginning.
same_recording() {
    { cmp -l straight/a.h5 broken/a.h5 2>&1 || true; } | awk '
        /EOF|differ|No such/ { exit 1 }
        $1 > 24 && $1 <= 32 { next }
        { first = first == 0 ? $1 : first; if ($1 - first >= 20) exit 1 }'
}

# steps_saved: the number of steps in the checkpoint, -1 if there is none.
steps_saved() {
    if [[ -e broken/a.ck ]]; then od -An -j32 -N8 -td8 broken/a.ck | tr -d ' '; else echo -1; fi
}

a_while() {
    nap $((begin + RANDOM * 10))
}

# same STOPS: the run in the folder broken left the same results as the undisturbed one.
same() {
    expect "the recordings differ after $1 stops" same_recording
    expect "the numbers differ after $1 stops" cmp <(plain straight.json) <(plain out)
}

# disturbed STOPS SECONDS ARGUMENT...: a run of about SECONDS is stopped STOPS times, started again
# if it ends before, and finally left alone.
disturbed() {
    local left=$1 steps begin how signal before
    try_out "$2" "${@:3}"
    local command=(run "${@:3}" --dt 1e-4 --t-end "$(awk -v n="$steps" 'BEGIN { printf "%.10g", n * 1e-4 }')"
        --frames 83 --out a.h5 --checkpoint a.ck --checkpoint-every "$((1 + steps / 97))"
        --overwrite --json)
    last="${command[*]}"
    (cd straight && "$riccatree" "${command[@]}" >../straight.json 2>../err)
    rm -f broken/*
    while ((left > 0)); do
        signal=$(cut -d' ' -f$((left % 8 + 1)) <<<'TERM KILL INT KILL HUP KILL USR1 XCPU')
        how=("${command[@]}")
        [[ ! -e broken/a.ck ]] || how=(resume a.ck --threads $((left % 3 + 1)) --json)
        before=$(steps_saved)
        live "$signal" "${how[@]}"
        if [[ $status == 0 ]]; then
            begin=$((begin * 7 / 8)) # the machine has become faster: stop sooner
            same "$left"
            rm -f broken/*
            continue
        fi
        [[ $signal == KILL || ! -e broken/a.ck ]] || told "$signal" 'after step [0-9]+ of [0-9]+, t = .*' \
            'a.h5 holds [0-9]+ frames?; continue from step [0-9]+: riccatree resume a.ck'
        expect "the checkpoint is gone, or older" test "$(steps_saved)" -ge "$before"
        left=$((left - 1))
        if ((before < $(steps_saved))); then
            stops=$((stops + 1))
        else
            begin=$((begin * 9 / 8)) # or slower: later
        fi
    done
    how=(resume a.ck --json)
    [[ -e broken/a.ck ]] || how=("${command[@]}")
    (cd broken && "$riccatree" "${how[@]}" >../out 2>../err)
    same "$1"
}
stops=0
disturbed 10 1.5 chain --bodies 60 --perturb 1 --segment 8
disturbed 3 1 "$examples/drill.json"
disturbed 3 1 "$examples/bricard.json" --closing multipliers
disturbed 4 1 branch --bodies 60 --hinge revolute --method riccati --perturb 0.3
expect "only $stops stops of 20 fell into the run" test "$stops" -ge 10
expect "$unheard stops, of 10 by signals that can be heard, were not" test "$unheard" -le 5
RICCATREE_PLUGINS=$emulated disturbed 3 1 fork --bodies 30 --perturb 1 --segment 4 --backend cuda

# ---- resumed twice, from another folder, with the recording moved
mkdir elsewhere
run=(run chain --bodies 9 --perturb 1 --t-end 0.2 --out a.h5 --checkpoint 'it'\''s.ck' --checkpoint-every 30)
(cd elsewhere && "$riccatree" "${run[@]}" >../straight.txt 2>&1)
cp elsewhere/a.h5 kept.h5
for time in first second; do
    works resume elsewhere/it\'s.ck
    expect "the recording changed the $time time" cmp elsewhere/a.h5 kept.h5
    for line in energy '  at the end' momentum 'angular momentum'; do
        expect "the numbers differ: $line" cmp <(grep "^$line " straight.txt) <(grep "^$line " out)
    done
done
mv elsewhere/a.h5 moved.h5
refuses 2 'elsewhere/a.h5: there is no such recording; if it was moved, give its present path \(--out\)$' resume elsewhere/it\'s.ck
works resume elsewhere/it\'s.ck --out moved.h5 --json
equals file moved.h5
equals steps 200
expect "the recording changed" cmp moved.h5 kept.h5
works resume elsewhere/it\'s.ck.previous --out moved.h5
works resume elsewhere/it\'s.ck.previous --threads 2 # it was written after the move, and names the new place

# ---- nothing recorded; time instead of steps
works run chain --bodies 9 --t-end 0.02 --checkpoint t.ck --checkpoint-every 0.001s --json
energy=$(get energy_final)
works resume t.ck --json
equals energy_final "$energy"
equals file null
refuses 2 '--out b.h5: this run records nothing; leave it out' resume t.ck --out b.h5

# ---- refused input
refuses 2 '--checkpoint t.ck: it exists; continue from it with resume, or add --overwrite' \
    run chain --checkpoint t.ck
works run chain --bodies 9 --t-end 0.02 --checkpoint t.ck --overwrite
refuses 2 '--checkpoint-every needs --checkpoint FILE' run chain --checkpoint-every 3
refuses 2 '--checkpoint x.h5: that is also the recording' run chain --out x.h5 --checkpoint x.h5
for every in 0 0s -1 1.5 s 3m 1e400s ''; do
    refuses 2 '--checkpoint-every "?.*"?: (give a number of steps|its )' \
        run chain --checkpoint y.ck --checkpoint-every "$every"
done
refuses 2 'nowhere/x.ck: cannot create the checkpoint: No such file or directory' \
    run chain --checkpoint nowhere/x.ck
refuses 2 'none.ck: there is no such checkpoint$' resume none.ck
echo '{ "riccatree": 1 }' >model.json
refuses 2 'model.json: is not a checkpoint' resume model.json
head -c 400 t.ck >short.ck
refuses 2 'short.ck: is cut short: it has 400 bytes, and its head says' resume short.ck
{ head -c 400 t.ck && printf x && tail -c +402 t.ck; } >damaged.ck
refuses 2 'damaged.ck: is damaged: its checksum is' resume damaged.ck
cp kept.h5 elsewhere/a.h5
works run chain --bodies 9 --perturb 1 --t-end 0.1 --out elsewhere/a.h5 --overwrite
refuses 2 'a.h5: is not the recording of this run: its attribute command_line differs' \
    resume elsewhere/it\'s.ck
echo text >elsewhere/a.h5
refuses 2 'a.h5: is not a recording: it does not begin like one' resume elsewhere/it\'s.ck

# ---- a full disk, replaced by a limit on the size of files
last="run chain --checkpoint, with a limit on the size of files"
status=0
(ulimit -f 4 && "$riccatree" run chain --bodies 100 --checkpoint full.ck) >out 2>err || status=$?
expect "exit status $status, not 2" test "$status" = 2
expect "stderr does not say why" \
    grep -qE '^riccatree: full.ck: cannot write the checkpoint: File too large; free space' err
expect "something is left" test ! -e full.ck -a ! -e full.ck.part

# ---- a second signal, of either kind, ends a run that does not stop
for pair in 'INT TERM' 'TERM INT'; do
    read -r first second <<<"$pair"
    last="run by dopri5 ($pair)"
    env --default-signal "$riccatree" run chain --bodies 50 --t-end 2000 --frames 2 --integrator dopri5 >out 2>err &
    process=$!
    sleep 1
    kill -s "$first" $process
    sleep 0.2
    kill -s "$second" $process 2>/dev/null # it may have ended before it listened
    for ((k = 0; k < 300; k++)); do
        kill -0 $process 2>/dev/null || break
        sleep 0.1
    done
    expect "it still runs" test $k -lt 300
    kill -s KILL $process 2>/dev/null
    wait $process 2>/dev/null
done

finish
