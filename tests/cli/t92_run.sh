#!/usr/bin/env bash
# The command line: `run`, its numbers, its file, its progress, and every way a run can end early.
# usage: t92_run.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

# ---- the summary, by both methods
for method in abi riccati; do
    works run branch --bodies 33 --dt 1e-3 --t-end 0.05 --method "$method" --json
    equals model branch
    equals bodies 33
    equals dof 99
    equals method "$method"
    equals backend cpu
    holds threads 'x >= 1'
    holds lanes 'x >= 1'
    equals segment_length 0
    equals segments 0
    equals steps 50
    equals evaluations 200
    holds dt 'x == 0.001'
    holds t_end 'x == 0.05'
    holds wall_s 'x > 0'
    holds total_s "x >= $(get wall_s)"
    holds ns_per_body_evaluation "(x * 33 * 200 / 1e9 - $(get wall_s)) ^ 2 < 1e-18"
    equals kinetic_initial 0
    equals potential_initial 0
    equals energy_initial 0
    holds kinetic_final 'x > 0.02254475 && x < 0.02254476'
    holds potential_final 'x < -0.02254475 && x > -0.02254476'
    holds energy_final 'x ^ 2 < 1e-20'
    holds exchange 'x > 0.0225 && x < 0.0226'
    holds energy_drift 'x < 1e-11'
    holds energy_drift_relative 'x < 1e-9'
    equals momentum_final.# 3
    equals momentum_initial '[0,0,0]'
    holds momentum_final.2 'x < 0'
    holds momentum_change 'x > 0'
    equals angular_momentum_final.# 3
    equals angular_momentum_initial '[0,0,0]'
    holds angular_momentum_change 'x > 0.245 && x < 0.246'
    equals frames 51
    equals file null
    equals file_bytes null
    holds bytes 'x > 3300'
    holds peak_memory_bytes 'x > 1e6'
done
works run chain --bodies 500 --perturb 1 --t-end 0.01 --segment 25 --threads 1 --lanes 2 --json
equals lanes 2
equals segment_length 25
holds segments 'x >= 20'
kinetic=$(get kinetic_final)
works run chain --bodies 500 --perturb 1 --t-end 0.01 --segment 25 --threads 3 --lanes 2 --json
equals threads 3
equals kinetic_final "$kinetic"
works run chain --bodies 500 --perturb 1 --t-end 0.01 --segment 0 --json
equals segments 0
holds kinetic_final "(x / $kinetic - 1) ^ 2 < 1e-18"
works run chain --bodies 3 --t-end 0.01
for line in 'model +chain: 3 bodies, 9 degrees' 'method +abi on cpu' 'simulated +0.01 s in 10 steps' \
    'time ' 'cost ' 'energy ' 'energy drift ' 'momentum ' 'angular momentum ' 'memory '; do
    shows "^$line"
done

# ---- frames: about 100, never more than there are states
works run chain --bodies 2 --t-end 0.25 --json
equals frames 101
works run chain --bodies 2 --t-end 0.007 --frames 2 --json
equals frames 2
refuses 2 '12 frames: there are no more than 11 states in 10 steps' run chain --t-end 0.01 --frames 12
refuses 2 '"1": give a whole number, 2 or more$' run chain --frames 1

# ---- the time must be a whole number of steps
refuses 2 'not a whole number of steps .* nearest are 0.9 s and 1.2 s$' \
    run chain --dt 0.3
refuses 2 'less than one step .* nearest is 3 s$' run chain --dt 3
refuses 2 'more than 1e\+15 steps' run chain --dt 1e-300
works run chain --bodies 2 --dt 0.1 --t-end 0.3 --json
equals steps 3

# ---- the file
# marked FILE COMPLETE: the marks of the file, if there is a tool to read them.
marked() {
    command -v h5dump >/dev/null || return 0
    expect "$1 is not marked complete = $2" \
        test "$(h5dump -y -d /complete -A 0 "$1" | grep -cE "^ +$2\$")" = 1
}
works run chain --bodies 5 --t-end 0.02 --frames 3 --out three.h5
expect "its size is not said first" grep -qE '^three.h5: 3 frames, at most [0-9.]+ k?M?B$' <(head -n 1 out)
shows '^recorded +3 frames in three.h5$'
marked three.h5 1
works run chain --bodies 5 --t-end 0.02 --out usual.h5
expect "not as many frames are said as there are" grep -qE '^usual.h5: 21 frames, at most' <(head -n 1 out)
refuses 2 'three.h5: it exists; add --overwrite' run chain --out three.h5
works run chain --bodies 5 --t-end 0.02 --frames 3 --out three.h5 --overwrite --json
equals file three.h5
equals frames 3
holds file_bytes "x >= $(stat -c %s three.h5)"
works run chain --bodies 300 --t-end 0.1 --out large.h5 --json
holds file_bytes "x >= $(stat -c %s large.h5)"
holds file_bytes "x < 1.1 * $(stat -c %s large.h5)"
refuses 2 '--overwrite needs --out FILE' run chain --overwrite
cat >massless.json <<'END'
{ "riccatree": 1, "bodies": [ { "name": "a", "parent": "ground", "hinge": { "type": "revolute", "axis": [0, 0, 1] }, "mass": 1, "inertia": [0, 0, 0, 0, 0, 0] } ] }
END
cp three.h5 kept.h5
run run massless.json --out three.h5 --overwrite
expect "what nothing resists moves" test "$status" = 1
expect "a run that cannot begin has replaced a recording" cmp -s three.h5 kept.h5
ln -sf massless.json linked.json
for path in massless.json linked.json; do
    refuses 2 "--checkpoint $path: that is also the file that is read; name another" \
        run massless.json --checkpoint "$path" --overwrite
done
run run chain --bodies 10000 --t-end 1e6 --frames 1e9 --out vast.h5
expect "exit status $status, not 2" test "$status" = 2
expect "no advice" grep -q 'are free: No space left on device; free space or choose another disk, or record fewer frames$' err
refuses 2 '--checkpoint -: checkpoints cannot go to standard output; name a file' run chain --checkpoint -
refuses 2 '--out -: frames cannot go to standard output' run chain --out -
refuses 2 '--out \.: it is a folder' run chain --out .
refuses 2 'nowhere/x.h5' run chain --out nowhere/x.h5
expect "a file is left that could not be made" test ! -e nowhere
works run chain --bodies 5 --t-end 0.01 --out $'odd \xff.h5' --json
expect "a path that is not UTF-8 spoils the JSON" test -n "$(get file)"

# ---- steps that are too long, of runs that reach the end: a warning, and the step to try

# warns PATTERN ARGUMENT...: exit status 0, JSON with one warning, and one line on stderr that matches.
warns() {
    local pattern=$1
    shift
    run "$@" --json
    expect "exit status $status, not 0" test "$status" = 0
    expect "stderr is not one line" one_line
    expect "stderr does not match: $pattern" grep -qE -- "$pattern" err
    equals warnings 1
    holds step_advised "x > 0 && x < $(get dt)"
}
warns '^riccatree: warning: steps of 0.5 s are too long: the energy, .* is off by 1.*e\+10 J, .*; try --dt 0.02$' \
    run chain --bodies 5 --dt 0.5
equals step_error null
works run chain --bodies 5 --dt "$(get step_advised)" --json # the advised step is good
equals warnings 0
equals step_error null
equals step_advised null
slide='"name": "slide", "parent": "ground", "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "initial": {"position": 0.1}'
for damping in 0 1; do
    echo "{\"riccatree\": 1, \"bodies\": [{$slide, \"hinge\":
        {\"type\": \"prismatic\", \"axis\": [1, 0, 0], \"stiffness\": 1e6, \"damping\": $damping}}]}" >slide$damping.json
done
warns 'the energy, which nothing in the model changes' run slide0.json --dt 1e-3
works run slide0.json --dt 1e-4
warns 'steps of 0.001 s are too long: velocities .* differ by 0.00[0-9]+ of their size; try --dt 0.0002$' \
    run slide1.json --dt 1e-3 # damped by its steps: at the end no trace of the error is left
holds step_error 'x > 1e-3 && x < 0.1'
run run slide1.json --dt 1e-2
expect "exit status $status, not 1" test "$status" = 1
expect "the step to try is not told" \

# Steps that are too long only in between are seen at frames.
warns 'steps of 0.001 s are too long: velocities .* differ by 0.00[0-9]+ of their size; try --dt 0.0002$' \
    run "$here/../../examples/quick-return-1.json" --t-end 2 --frames 21
    grep -qE 'the step of 0.01 s is too long; take a smaller step, [0-9.e-]+ s: the energy is no longer finite at t = 0' err
run run slide1.json --dt 1e-2 --t-end 0.2 --json # beyond the step that the spring allows, which is reported before
expect "two warnings are not told" test "$(get warnings)" = 2
expect "the spring is not named" grep -q 'too long for springs and dampers, which are stiffest at body 0 "slide"' err
expect "velocities are not told" grep -q 'velocities after one step and' err
works run slide1.json --dt "$(get step_advised)" --json
equals warnings 0
holds step_error 'x < 1e-4'
warns 'steps of 0.3 s are too long: velocities' run ladder --bodies 9 --perturb 1 --dt 0.3 --t-end 0.3 --drift none --as-given
rope='"mass": 0.1, "com": [0.05, 0, 0], "inertia": [1e-6, 8.4e-5, 8.4e-5, 0, 0, 0]'
pin='"type": "revolute", "axis": [0, 1, 0], "stiffness": 1e4, "damping": 10'
echo "{\"riccatree\": 1, \"name\": \"rope\", \"bodies\": [
    {\"parent\": \"ground\", \"hinge\": {$pin}, $rope},
    {\"repeat\": 99, \"body\": {\"parent\": \"previous\", \"hinge\": {$pin, \"at\": [0.1, 0, 0]}, $rope}}]}" >rope.json
run run rope.json --dt 8e-6 --t-end 0.02 --json
equals warnings 2
expect "velocities are not told" grep -qE 'steps of 8e-06 s are too long: velocities .* try --dt 5e-07$' err
run run rope.json --dt 1e-3
expect "exit status $status, not 1" test "$status" = 1
expect "the step to try is not told" grep -qE 's: the step of 0.001 s is too long; take a smaller step, 2e-06 s: body [0-9]+: its motion is no longer finite$' err
works run rope.json --dt 2e-6 --t-end 1e-3
works run chain --bodies 20000 --hinge revolute --perturb 0.1 --t-end 0.02 --json
holds energy_drift_relative 'x < 1e-5'

# ---- early ends: the step, the time, the contents of the file
refuses 1 'stopped after step [0-9]+ of 100, t = 0[0-9.e-]* s: the step of 0.001 s is too long; take a smaller step, [0-9.e-]+ s: body [0-9]+.*no longer finite' \
    run chain --perturb 1e6 --t-end 0.1
refuses 1 'no longer finite.*; lost.h5 holds [0-9]+ frames?$' \
    run chain --perturb 1e6 --t-end 0.1 --out lost.h5
expect "the file is gone" test -s lost.h5
marked lost.h5 0
expect "something was reported" test "$(wc -l <out)" = 1

# ends_by SIGNAL STATUS TEXT OPTION SENT...: a long run, started by `env OPTION`, gets signals once its file exists,
# and ends by SIGNAL.
ends_by() {
    local file=$1.h5 signal
    last="run chain --t-end 1e6 --out $file, SIG$1"
    rm -f "$file"
    env --default-signal "$4" "$riccatree" run chain --t-end 1e6 --out "$file" >out 2>err &
    local process=$!
    for ((i = 0; i < 600; i++)); do
        [[ ! -e $file ]] || break
        sleep 0.1
    done
    sleep 0.3
    for signal in "${@:5}"; do
        kill -s "$signal" $process
    done
    ended "$1" "$2" "$3"
}

# ended SIGNAL STATUS TEXT: the process ended in this way.
ended() {
    status=0
    wait $process || status=$?
    expect "exit status $status, not $2" test "$status" = "$2"
    expect "stderr is not one line" one_line
    expect "stderr does not say how far it got" \
        grep -qE "stopped after step [0-9]+ of 1000000000, t = [0-9.e+-]+ s: $3 \(SIG$1\).*; $file holds" err
    expect "the file is gone" test -s "$file"
    marked "$file" 0
}
any=--default-signal
ends_by INT 130 'interrupted' $any INT
ends_by TERM 143 'asked to end' $any TERM
ends_by HUP 129 'asked to end' $any HUP HUP HUP
ends_by USR1 138 'asked to end' $any USR1 USR1
ends_by XCPU 152 'asked to end' $any XCPU XCPU
ends_by TERM 143 'asked to end' --ignore-signal=HUP HUP TERM # as under nohup
ends_by TERM 143 'asked to end' --ignore-signal=USR1,XCPU USR1 XCPU TERM

# A limit on processor time, in a separate shell, which keeps it.
last="run chain --t-end 1e6 --out XCPU.h5, with a limit of 1 s"
file=XCPU.h5
(ulimit -S -t 1 && exec env --default-signal "$riccatree" run chain --t-end 1e6 --out "$file" --overwrite) >out 2>err &
process=$!
ended XCPU 152 'asked to end'

# ---- standard output that cannot be written
for arguments in '--json' '' '--out full.h5'; do
    last="run chain $arguments >/dev/full"
    status=0
    : >out
    # shellcheck disable=SC2086
    "$riccatree" run chain --bodies 3 --t-end 0.01 $arguments 2>err >/dev/full || status=$?
    expect "exit status $status, not 1" test "$status" = 1
    expect "stderr is not one line" one_line
done
expect "a file was made in vain" test ! -e full.h5

# ---- a full disk, replaced by a limit on the size of files
last="run chain --out limited.h5, with a limit on the size of files"
status=0
(ulimit -f 100 && "$riccatree" run chain --out limited.h5) >out 2>err || status=$?
expect "exit status $status, not 2" test "$status" = 2
expect "stderr is not one line" one_line
expect "a file is left" test ! -e limited.h5

# ---- progress: on a terminal only, and one line; some containers have no terminal
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    last="run chain --bodies 300 --t-end 0.5, on a terminal"
    TERM=dumb script -qec "'$riccatree' run chain --bodies 300 --t-end 0.5 >/dev/null" /dev/null \
        >out 2>err </dev/null
    shows '[0-9] % .* t = [0-9.e-]+ s .* ns per body and evaluation .* left'
    expect "more than one line" test "$(wc -l <out)" = 0
fi

finish
