#!/usr/bin/env bash
# A run told to end or killed at any moment, and gone on with as often as it takes, prints the numbers and leaves
# the recording of a run that nobody disturbed, byte for byte; what cannot be gone on with is an error.
# usage: t77_resume.sh RICCATREE JSON_GET EMULATED_FOLDER
set -uo pipefail
# shellcheck source=tests/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/command_line.sh"
emulated=$3
RANDOM=7
mkdir straight broken

# lasting SECONDS ARGUMENT...: how many steps of such a run take about so long.
lasting() {
    local seconds=$1
    shift
    "$riccatree" run "$@" --dt 1e-4 --t-end 1e-2 --json >out 2>err || return 1
    awk -v wall="$(get wall_s)" -v seconds="$seconds" \
        'BEGIN { n = int(100 * seconds / wall); print n < 200 ? 200 : n > 200000 ? 200000 : n }'
}

# plain FILE: what a run printed, without what the clock and the memory say.
plain() {
    sed -E 's/"(wall_s|total_s|ns_per_body_evaluation|peak_memory_bytes)": [^,}]*//g' "$1"
}

# same_recording: but for when it was created.
same_recording() {
    cmp -l straight/a.h5 broken/a.h5 2>&1 | awk '
        /EOF|differ|No such/ { exit 1 }
        { first = NR == 1 ? $1 : first; if ($1 - first >= 20) exit 1 }'
}

# steps_saved: those that the checkpoint is of; nothing if there is none.
steps_saved() {
    [[ ! -e a.ck ]] || od -An -j32 -N8 -td8 a.ck | tr -d ' '
}

# live SIGNAL COMMAND...: for a while, in the folder broken; sets status. Too short a life is no failure.
live() {
    local signal=$1 process
    shift
    set -m # without, a shell starts what is in the background with SIGINT ignored
    "$riccatree" "$@" >../out 2>../err &
    process=$!
    set +m
    sleep "0.$((RANDOM % 9 + 4))"
    kill -s "$signal" $process 2>/dev/null
    status=0
    wait $process 2>/dev/null || status=$?
}

# told_how_to_go_on SIGNAL: what was printed by a run told to end.
told_how_to_go_on() {
    local name=interrupted number=130
    [[ $1 == INT ]] || { name='asked to end' number=143; }
    expect "exit status $status, not $number" test "$status" = $number
    expect "stderr is not one line" one_line
    expect "it does not say how to go on" grep -qE "stopped after step [0-9]+ of [0-9]+, t = .*: \
$name .*; a.h5 holds [0-9]+ frames?; go on from step [0-9]+: riccatree resume a.ck$" err
}

# disturbed TIMES SECONDS ARGUMENT...: a run that takes about so long is stopped so often, and again from its
# start if it ends too early.
disturbed() {
    local times=$1 seconds=$2 stops=0 steps first
    shift 2
    steps=$(lasting "$seconds" "$@")
    local command=(run "$@" --dt 1e-4 --t-end "$(awk -v n="$steps" 'BEGIN { printf "%.10g", n * 1e-4 }')"
        --frames 83 --out a.h5 --checkpoint a.ck --checkpoint-every "$((1 + steps / 97))"
        --overwrite --json)
    last="${command[*]}"
    (cd straight && "$riccatree" "${command[@]}" >../straight.json 2>err)
    rm -f broken/*
    while ((stops < times)); do
        local signals=(TERM KILL INT KILL) signal how
        signal=${signals[stops % 4]}
        how=("${command[@]}")
        [[ ! -e broken/a.ck ]] || how=(resume a.ck --threads "$((1 + stops % 3))" --json)
        first=$(cd broken && steps_saved)
        cd broken && live "$signal" "${how[@]}" && cd .. || cd ..
        if [[ $status == 0 ]]; then
            same "$stops"
            rm -f broken/*
        elif [[ -e broken/a.ck && $signal != KILL ]]; then
            [[ ! -s err ]] || told_how_to_go_on "$signal"
        fi
        [[ $status == 0 ]] || stops=$((stops + 1))
        expect "the checkpoint goes back" test "$(cd broken && steps_saved || echo 0)" -ge "${first:-0}" \
            -o "$status" = 0
    done
    [[ -e broken/a.ck ]] || (cd broken && "$riccatree" "${command[@]}" >../out 2>../err)
    (cd broken && "$riccatree" resume a.ck --json >../out 2>../err)
    same "$stops"
}

# same STOPS: what the run in the folder broken left is what the other did.
same() {
    expect "the recordings differ after $1 stops" same_recording
    expect "the numbers differ after $1 stops" \
        cmp <(plain straight.json | sed 's/"threads": [0-9]*//') <(plain out | sed 's/"threads": [0-9]*//')
}
