# shellcheck shell=bash
# Shared by the tests of `riccatree verify`; sourced after command_line.sh.

# passes ARGUMENT...: the verdict is good, and all checks are counted.
passes() {
    works verify "$@" --json
    equals verdict passed
    equals failed 0
    holds passed 'x >= 13'
    equals checks.# "$(($(get passed) + $(get not_checked)))"
}

# fails ARGUMENT...: exit status 1, and one line on stderr.
fails() {
    refuses 1 ': [0-9]+ of [0-9]+ checks failed$' verify "$@" --json
    equals verdict failed
    holds failed 'x > 0'
}

# result CHECK: the result of a check.
result() {
    local i
    for ((i = 0; i < $(get checks.#); i++)); do
        if [[ $(get "checks.$i.check") == "$1" ]]; then
            get "checks.$i.result"
            return
        fi
    done
    echo none
}

# gives RESULT CHECK...
gives() {
    local wanted=$1 check
    shift
    for check in "$@"; do
        expect "$check is $(result "$check"), not $wanted" test "$(result "$check")" = "$wanted"
    done
}
