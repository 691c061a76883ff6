# shellcheck shell=bash
# Shared by the tests of stopped commands; sourced after command_line.sh by tests that have a folder `broken` and a function
# a_while, which waits for some time.

# nap MICROSECONDS
nap() {
    sleep "$(printf '%d.%06d' $(($1 / 1000000)) $(($1 % 1000000)))"
}

# live SIGNAL ARGUMENT...: runs riccatree for a while, in the folder broken; sets status, its exit status if it came to its end.
live() {
    local signal=$1 process
    shift
    last="$* (SIG$signal)"
    (cd broken && exec env --default-signal "$riccatree" "$@" >../out 2>../err) & # a shell may have set some signals to be ignored
    process=$!
    a_while
    kill -s "$signal" $process 2>/dev/null
    status=0
    wait $process 2>/dev/null || status=$?
}

# told SIGNAL DONE THEN: the signal ended it, with one line that says what was done, why it stopped, and how to continue. On a
# busy machine a signal may arrive before the program listens, which then dies silently: these are counted in unheard.
unheard=0
told() {
    local name='asked to end' number=$((128 + $(kill -l "$1")))
    [[ $1 != INT ]] || name=interrupted
    if [[ $status == "$number" && ! -s err ]]; then
        unheard=$((unheard + 1))
        return
    fi
    expect "exit status $status, not $number" test "$status" = $number
    expect "stderr is not one line" one_line
    expect "it does not say how to go on" grep -qE "stopped $2: $name \\(SIG$1\\).*; $3$" err
}
