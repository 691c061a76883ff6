# shellcheck shell=bash
# Shared by the tests of the command line; sourced with the arguments RICCATREE JSON_GET. The tests work in a temporary folder,
# where `out` and `err` hold the output of the last command.
riccatree=$1
json_get=$2
failures=0
expectations=0
for program in "$riccatree" "$json_get"; do
    [[ -x $program ]] || { echo "$program is not there"; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# The last command, for the messages.
last=

fail() {
    failures=$((failures + 1))
    echo "FAILED: riccatree $last: $1"
    [[ ! -s out ]] || { echo "  stdout:"; head -c 600 out; }
    [[ ! -s err ]] || { echo "  stderr:"; head -c 600 err; }
    ((failures < 20)) || { echo "too many failures"; exit 1; }
}

# expect WHAT TEST...: the command TEST succeeds.
expect() {
    local what=$1
    shift
    expectations=$((expectations + 1))
    "$@" || fail "$what"
}

# run ARGUMENT...: sets status.
run() {
    last="$*"
    status=0
    "$riccatree" "$@" >out 2>err || status=$?
}

one_line() {
    [[ $(wc -l <err) == 1 && $(head -c 11 err) == "riccatree: " ]]
}

# works ARGUMENT...: exit status 0, nothing on stderr, something on stdout.
works() {
    run "$@"
    expect "exit status $status, not 0" test "$status" = 0
    expect "stderr is not empty" test ! -s err
    expect "stdout is empty" test -s out
}

# refuses STATUS PATTERN ARGUMENT...: exits with this status, and with one line on stderr that matches.
refuses() {
    local wanted=$1 pattern=$2
    shift 2
    run "$@"
    expect "exit status $status, not $wanted" test "$status" = "$wanted"
    expect "stderr is not one line" one_line
    expect "stderr does not match: $pattern" grep -qE -- "$pattern" err
}

# shows PATTERN: the last command printed a line that matches.
shows() {
    expect "stdout does not match: $1" grep -qE -- "$1" out
}

# get PATH: the value in the JSON that was printed last.
get() {
    "$json_get" "$1" <out
}

# equals PATH VALUE
equals() {
    local value
    value=$(get "$1" 2>&1) || true
    expect "$1 is $value, not $2" test "$value" = "$2"
}

# holds PATH CONDITION: an awk condition on x, the value at PATH.
holds() {
    local value
    value=$(get "$1" 2>&1) || true
    expect "$1 is $value: not $2" awk -v x="$value" "BEGIN { exit !(x == x + 0 && ($2)) }"
}

finish() {
    echo "$expectations expectations, $failures failures"
    ((failures == 0 && expectations > 0))
}
