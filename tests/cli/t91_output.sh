#!/usr/bin/env bash
# The command line, for every command: standard output that cannot be written is an error, a pipe whose reader has left is not.
# usage: t91_output.sh RICCATREE JSON_GET
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

works run chain --bodies 4 --t-end 0.01 --out r.h5 --checkpoint r.checkpoint
works ensemble chain --bodies 2 --perturb 0.1 --members 3 --t-end 0.01 --out e.h5

# Runs "$riccatree" with these words and this standard output: sets status.
with_output() {
    local target=$1
    shift
    last="$* >$target"
    status=0
    : >out
    if [[ $target == closed ]]; then
        "$riccatree" "$@" 2>err >&- || status=$?
    else
        "$riccatree" "$@" 2>err >"$target" || status=$?
    fi
}

# The same into a pipe whose reader has left before the command starts.
into_nothing() {
    last="$* | true"
    rm -f gone status
    : >out
    {
        while [[ ! -e gone ]]; do sleep 0.01; done
        "$riccatree" "$@" 2>err
        echo $? >status
    } | {
        exec 0<&-
        touch gone
    }
    status=$(cat status)
}

while read -ra words; do
    for target in /dev/full closed; do
        with_output $target "${words[@]}"
        expect "exit status $status, not 1" test "$status" = 1
        expect "stderr is not one line" one_line
        expect "stderr does not say why" grep -q 'cannot write to standard output: ' err
    done
    into_nothing "${words[@]}"
    expect "exit status $status, not 141" test "$status" = 141
    expect "stderr is not empty" test ! -s err
done <<'END'
--help
--version
-V
help
help run
completion bash
man
info --help
info chain
info chain --json
backends
accel chain --bodies 1000 --json
accel chain --bodies 3000 --csv
accel chain
compare chain --bodies 3 --reference none
compare chain --bodies 3 --reference none --json
generate chain
generate chain --bodies 1000 --perturb 1
generate chain --out g.json --overwrite
import r.h5
run chain --bodies 3 --t-end 0.01
run chain --bodies 3 --t-end 0.01 --json
run chain --bodies 3 --t-end 0.01 --out again.h5 --overwrite
resume r.checkpoint
ensemble chain --bodies 2 --perturb 0.1 --members 3 --t-end 0.01
ensemble chain --bodies 2 --perturb 0.1 --members 3 --t-end 0.01 --json
summary e.h5
summary e.h5 --json
check r.h5
check e.h5 --json
export r.h5 --csv
export r.h5 --npz --out r.npz --overwrite
plot r.h5 energy
view r.h5 --out r.html --overwrite
view chain --out r.html --overwrite --json
END

# A run whose reader leaves after the first line comes to its end
last="run chain --bodies 3 --out whole.h5 | head -n 1"
{ "$riccatree" run chain --bodies 3 --out whole.h5 2>err; echo $? >status; } | head -n 1 >out
expect "exit status $(cat status), not 0 or 141" grep -qxE '0|141' status
expect "stderr is not empty" test ! -s err
works check whole.h5 --json
equals complete true

# As shells and people use it
last="accel chain --bodies 20000 --json | head -n 1"
{ "$riccatree" accel chain --bodies 20000 --json 2>err; echo $? >status; } | head -n 1 >out
expect "exit status $(cat status), not 141" test "$(cat status)" = 141
expect "stderr is not empty" test ! -s err
expect "head got nothing" test -s out

# ---- a name with control characters does not reach a terminal unchanged; in JSON it is unchanged
printf '{"riccatree": 1, "name": "a\\u009bb\\u202ec\\u001bd", "bodies": [{"parent": "ground", "hinge": {"type": "ball"}, "mass": 1, "com": [0, 0, 1], "inertia": [1, 1, 1, 0, 0, 0]}]}' >named.json
works info named.json
shows '^model +a\?\?b\?\?\?c\?d$'
works info named.json --json
equals model $'a\xc2\x9bb\xe2\x80\xaec\x1bd'
expect "it is not escaped" grep -q '"model": "a\\u009bb\\u202ec\\u001bd"' out

# ---- nor do names of bodies, paths, command lines and texts of files, in tables and in CSV; into a file, CSV has them unchanged
steers=$'\x1b|\xc2\x9b|\xe2\x80\xae'
body=$'a\x1bb\xc2\x9bc\xe2\x80\xaed\nQ'
printf '{"riccatree": 1, "bodies": [{"name": "a\\u001bb\\u009bc\\u202ed\\u000aQ", "parent": "ground", "hinge": {"type": "ball"}, "mass": 1, "com": [0, 0, 1], "inertia": [1, 1, 1, 0, 0, 0]}]}' >bodies.json
works run bodies.json --t-end 0.01 --out $'r\x1bn.h5'
mv $'r\x1bn.h5' rn.h5
works ensemble bodies.json --vary "bodies.$body.mass=1:2:2" --t-end 0.01 --out en.h5
run ensemble bodies.json --vary "bodies.$body.mass=1:-1:2" --t-end 0.01 --out failed.h5
expect "exit status $status, not 3" test "$status" = 3
while read -r words; do
    last="$words, on a terminal"
    expect "it fails" script -qec "$riccatree $words" /dev/null </dev/null >out
    expect "it steers the terminal" test -z "$(LC_ALL=C grep -E "$steers" out)"
    expect "a line breaks" test -z "$(grep '^Q' out)"
done <<'END'
accel bodies.json
accel bodies.json --csv
derivatives bodies.json
info rn.h5
info en.h5
summary bodies.json
summary rn.h5
summary en.h5
summary failed.h5
export en.h5 --csv
export failed.h5 --csv
END
for words in 'accel bodies.json --csv' 'derivatives bodies.json' 'export en.h5 --csv'; do
    # shellcheck disable=SC2086
    works $words
    expect "a name is not as it is" grep -qF "${body%$'\n'Q}" out
done

finish
