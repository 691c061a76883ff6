#!/usr/bin/env bash
# Processes started by mpirun share the members of an ensemble: the results are those of one process, byte for byte, for any
# number of ranks, after ranks were killed at random, and after a job was told to end.
# usage: t95_ensemble_ranks.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"
# shellcheck source=tests/support/command_line/mpirun.sh
source "$here/../support/command_line/mpirun.sh"
# shellcheck source=tests/cli/disturbed.sh
source "$here/disturbed.sh"

have_mpirun || exit 77

# on RANKS ARGUMENT...: riccatree on RANKS ranks, in the folder broken; sets status.
on() {
    last="mpirun -np $1: ${*:2}"
    status=0
    (cd broken && ranks "$1" "$riccatree" "${@:2}" >../out 2>../err) || status=$?
}

# start RANKS ARGUMENT...: the same in the background; sets job.
start() {
    last="mpirun -np $1: ${*:2}"
    (cd broken && exec mpirun -np "$1" "$riccatree" "${@:2}" </dev/null >../out 2>../err) &
    job=$!
}

# ended: sets status, 137 if mpirun does not end by itself, as may happen if a process that it started is killed early.
ended() {
    local processes wait
    mapfile -t processes < <(pgrep -P "$job")
    for ((wait = 0; wait < 300; wait++)); do
        [[ $(ps -o stat= -p "$job") =~ ^[^Z] ]] || break
        sleep 0.1
    done
    ((wait < 300)) || kill -KILL "$job" "${processes[@]}" 2>/dev/null
    status=0
    wait "$job" 2>/dev/null || status=$?
}

# ---- any number of ranks and threads
every=50
chain=(chain --bodies 8 --hinge revolute --vary 'bodies.body2.mass=-0.2:1:4' --perturb 0.3
    --series 9 --track body3 --t-end 0.3)
for threads in 1 2 3; do
    undisturbed 1 "${chain[@]}" --threads $threads
    for ranks in 1 2 4; do
        rm -f broken/*
        on $ranks "${command[@]}" --json
        expect "exit status $status, not 3" test "$status" = 3
        equals ranks $ranks
        same "no, $ranks ranks, $threads threads,"
    done
done
expect "no member failed" test "$(get failed)" -gt 0

# ---- one rank, any rank, killed; resumed on any number of ranks
victim() {
    local processes
    mapfile -t processes < <(pgrep -P "$job" -x riccatree)
    ((${#processes[@]} == 0)) || kill -KILL "${processes[RANDOM % ${#processes[@]}]}" 2>/dev/null
}
killed=0 begun=0
undisturbed 1 "${chain[@]}" --threads 1
for ((trial = 0; trial < 6 || (trial < 30 && (killed < 4 || begun < 2)); trial++)); do
    rm -f broken/*
    for ((stops = 1 + trial % 2; stops > 0; stops--)); do
        start $((2 + RANDOM % 3)) "${command[@]}" --json
        while [[ ! -e broken/a.h5 ]] && kill -0 $job 2>/dev/null; do sleep 0.01; done
        ((stops == 1)) || sleep 0.3 # until the ranks have found one another
        a_while
        victim
        ended
        adapt $status
        [[ $status == 3 ]] || killed=$((killed + 1))
        [[ ! -e broken/a.h5.checkpoint-1 ]] || begun=$((begun + 1))
    done
    case $((trial % 3)) in
    0) on $((1 + trial % 4)) "${command[@]}" --json ;;
    *) on $((1 + trial % 4)) resume a.h5 --json ;;
    esac
    expect "exit status $status, not 3" test "$status" = 3
    same "$trial trials,"
done
expect "only $killed jobs were killed on their way" test "$killed" -ge 4
expect "only $begun jobs left checkpoints" test "$begun" -ge 2

# ---- a job ended by a signal
rm -f broken/*
start 2 "${command[@]}" --json
while [[ ! -e broken/a.h5 ]]; do sleep 0.01; done
kill -TERM $job
ended
on 2 resume a.h5 --json
same "one"

# ---- an error is printed once
on 3 ensemble chain --members 4 --perturb 1 --only 9
expect "exit status $status, not 2" test "$status" = 2
expect "it is not said once" test "$(grep -c '^riccatree: ' err)" = 1
on 3 ensemble nothing --members 4
expect "it is not said once" test "$(grep -c '^riccatree: ".*is neither a file nor a family' err)" = 1
on 2 ensemble chain --members
expect "it is not said once" test "$(grep -c '^riccatree: --members needs a value' err)" = 1
rm -f broken/*
on 2 ensemble chain --members 4 --perturb 1 --t-end 0.01 --out nowhere/a.h5
expect "it is not said once" test "$(grep -c '^riccatree: ' err)" = 1
on 2 ensemble chain --members 8 --perturb 1 --t-end 0.01
expect "exit status $status, not 0" test "$status" = 0
expect "not one report" test "$(grep -c '^members            8, 0 failed$' out)" = 1
on 2 run chain --bodies 3 --t-end 0.01 --checkpoint a.ck
expect "exit status $status, not 2" test "$status" = 2
expect "it is not said once" test "$(grep -c '^riccatree: a run is one process; start it without mpirun$' err)" = 1
expect "a checkpoint of a run that was refused" test ! -e broken/a.ck
on 1 run chain --bodies 3 --t-end 0.01 --checkpoint a.ck
expect "exit status $status, not 0" test "$status" = 0
on 2 resume a.ck
expect "exit status $status, not 2" test "$status" = 2
expect "it is not said once" test "$(grep -c 'a run continues in one process' err)" = 1

finish
