# shellcheck shell=bash
# What the tests of ensembles that are stopped share; sourced after command_line.sh. In the folder `straight` an ensemble is
# run that nobody disturbs, in `broken` the same one, which is stopped; both write a.h5 by the same command.
RANDOM=7
mkdir straight broken

# undisturbed SECONDS ARGUMENT...: the ensemble with so many members that it takes about so long; sets `command`, its words,
# and `begin`, the microseconds until it has begun.
undisturbed() {
    local seconds=$1 from=${EPOCHREALTIME/./} members
    run ensemble "${@:2}" --members 24 --json
    expect "exit status $status, not 0 or 3" test "$status" = 0 -o "$status" = 3
    begin=$((${EPOCHREALTIME/./} - from))
    members=$(awk -v total="$(get total_s)" -v seconds="$seconds" \
        'BEGIN { n = 24 * int(seconds / total); print (n < 24 ? 24 : n > 24000 ? 24000 : n) }')
    begin=$((begin / 2 + 1))
    command=(ensemble "${@:2}" --members "$members" --out a.h5 --resume --checkpoint-every "${every:-20}")
    last="${command[*]}"
    life=$(awk -v seconds="$seconds" 'BEGIN { print int(1e6 * seconds) }')
    rm -f straight/* broken/*
    (cd straight && "$riccatree" "${command[@]}" --json >../straight.json 2>../err)
    expect "no undisturbed run" test -s straight/a.h5
}

# a_while: waits for a random part of what is left of an ensemble.
a_while() {
    local wait=$((begin + RANDOM * (life / 4 + 1) / 32768))
    sleep "$(printf '%d.%06d' $((wait / 1000000)) $((wait % 1000000)))"
}

# rows_there: how many members the results have, -1: no file.
rows_there() {
    if [[ -e broken/a.h5 ]]; then
        "$riccatree" summary broken/a.h5 --json | "$json_get" pending | awk -v all="${members:-0}" '{ print all - $1 }'
    else
        echo -1
    fi
}

# plain FILE: what was printed, without what the clock, the ranks and the stops say.
plain() {
    sed -E 's/"(ranks|members_before|total_s|evaluations_per_second)": [^,}]*//g' "$1"
}

# same STOPS: what the run in the folder broken left is what the other did.
same() {
    expect "the results differ after $1 stops" cmp straight/a.h5 broken/a.h5
    expect "the report differs after $1 stops" cmp <(plain straight.json) <(plain out)
    expect "a checkpoint is left after $1 stops" test -z "$(find broken -name 'a.h5?*')"
}
