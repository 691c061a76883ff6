# shellcheck shell=bash
# Shared by the tests of stopped ensembles; sourced after command_line.sh. The folder `straight` has an undisturbed run of an
# ensemble, the folder `broken` a run of the same ensemble that is stopped; both write a.h5 by the same command.
# shellcheck source=tests/cli/stopped.sh
source "$(dirname "${BASH_SOURCE[0]}")/stopped.sh"
RANDOM=7
mkdir straight broken

# undisturbed SECONDS ARGUMENT...: the ensemble with enough members to take about SECONDS; sets `command`, its words,
# `begin`, the microseconds until it has begun, and `life`, the microseconds that it takes.
undisturbed() {
    local seconds=$1 members=12 from
    for ((life = 0, begin = 0; life < seconds * 500000; members *= 2)); do
        command=(ensemble "${@:2}" --members "$members" --out a.h5 --resume --checkpoint-every "${every:-20}")
        last="${command[*]}"
        rm -f straight/* broken/*
        from=${EPOCHREALTIME/./}
        (cd straight && "$riccatree" "${command[@]}" --json >../straight.json 2>../err)
        life=$((${EPOCHREALTIME/./} - from))
        ((begin > 0)) || begin=$((life / 2))
        [[ -s straight/a.h5 ]] || break
    done
    expect "no undisturbed run" test -s straight/a.h5
}

# a_while: waits for a random part of the remaining time of an ensemble.
a_while() {
    nap $((begin + RANDOM * (life / 2 + 1) / 32768))
}

# adapt STATUS: the speed of the machine may have changed: after a stop that came too late (exit status 0 or 3), or
# before anything was kept, the next stop comes sooner or later.
adapt() {
    if [[ $1 == 0 || $1 == 3 ]]; then
        begin=$((begin * 7 / 8)) life=$((life * 7 / 8))
    elif ! compgen -G 'broken/a.h5.checkpoint*' >/dev/null; then
        begin=$((begin * 9 / 8))
    fi
}

# plain FILE: the output, without what depends on the clock, the ranks and the stops.
plain() {
    sed -E 's/"(ranks|members_before|total_s|evaluations_per_second|moved_starts|largest_start_gap|largest_start_opening)": [^,}]*//g' "$1"
}

# same STOPS: the run in the folder broken left the same results as the undisturbed one.
same() {
    expect "the results differ after $1 stops" cmp straight/a.h5 broken/a.h5
    expect "the report differs after $1 stops" cmp <(plain straight.json) <(plain out)
    expect "a checkpoint is left after $1 stops" test -z "$(find broken -name 'a.h5.checkpoint*')"
}
