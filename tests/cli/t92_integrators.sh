#!/usr/bin/env bash
# The command line: integrators with error control, the report of their steps, how runs are resumed, and warnings about energy and
# stiffness.
# usage: t92_integrators.sh RICCATREE JSON_GET
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

rod='"mass": 1, "com": [0.05, 0, 0], "inertia": [1e-4, 8.4e-4, 8.4e-4, 0, 0, 0]'

# rope FILE STIFFNESS DAMPING
rope() {
    local pin="\"type\": \"revolute\", \"axis\": [0, 1, 0], \"stiffness\": $2, \"damping\": $3"
    echo "{\"riccatree\": 1, \"name\": \"rope\", \"bodies\": [
        {\"name\": \"first\", \"parent\": \"ground\", \"hinge\": {$pin}, $rod},
        {\"repeat\": 29, \"body\": {\"parent\": \"previous\", \"hinge\": {$pin, \"at\": [0.1, 0, 0]}, $rod}}]}" >"$1"
}
rope stiff.json 1e6 1e3
rope soft.json 1e3 0

# ---- the summary
for integrator in dopri5 implicit; do
    works run chain --bodies 5 --hinge revolute --perturb 0.5 --t-end 0.5 --frames 11 --integrator $integrator --tolerance 1e-8 --json
    equals integrator $integrator
    holds tolerance 'x == 1e-8'
    equals steps 10
    holds dt 'x == 0.05'
    equals frames 11
    holds steps_taken 'x > 10 && x < 300'
    holds steps_rejected 'x >= 0'
    holds evaluations "x >= 6 * $(get steps_taken) && x <= 7 * ($(get steps_taken) + $(get steps_rejected)) + 1"
    holds step_shortest 'x > 0'
    holds step_longest 'x < 0.05'
    holds energy_drift_share 'x < 1e-6'
    equals step_error null
    last_steps=$(get steps_taken)
    works run chain --bodies 5 --hinge revolute --perturb 0.5 --t-end 0.5 --frames 11 --integrator $integrator --tolerance 1e-4 --json
    holds steps_taken "x < $last_steps"
done
works run chain --bodies 5 --t-end 0.1 --dt 0.01 --json
equals integrator rk4
equals tolerance null
equals steps_taken 10
equals steps_rejected 0
holds step_longest 'x == 0.01'
works run chain --bodies 5 --t-end 0.5 --integrator dopri5
shows '^simulated +0.5 s in 100 steps of 0.005 s$'
shows '^  by error +dopri5, tolerance 1e-06: [0-9]+ steps, [0-9]+ rejected; '
works run stiff.json --integrator implicit --t-end 1 --json
holds evaluations 'x < 5000'
works run ladder --bodies 9 --perturb 0.5 --integrator implicit --t-end 0.3 --json
holds energy_drift_share 'x < 1e-5'
holds loops.position_violation_largest 'x < 1e-12'

refuses 2 '--tolerance needs steps with error control' run chain --tolerance 1e-3
refuses 2 '--tolerance 0: give a finite number above 0' run chain --integrator dopri5 --tolerance 0
refuses 2 'a tolerance of 2: give one above 0 and at most 1' run chain --integrator dopri5 --tolerance 2
refuses 2 '--integrator "euler": give one of rk4, dopri5, implicit' run chain --integrator euler
refuses 1 'stopped after step 0 of .*: the step came down to .* times the tolerance of 1e-30; give a larger tolerance' \
    run chain --bodies 3 --perturb 1 --integrator dopri5 --tolerance 1e-30

# ---- a run that is ended by a signal is resumed to the same numbers
plain() {
    sed -E 's/"(threads|bytes|wall_s|total_s|ns_per_body_evaluation|peak_memory_bytes|file)": [^,}]*//g' "$1"
}
for integrator in dopri5 implicit; do
    long=(run chain --bodies 300 --hinge revolute --perturb 0.1 --t-end 2 --frames 201 --integrator $integrator --tolerance 1e-9 --json)
    run "${long[@]}"
    cp out whole
    rm -f run.ck
    "$riccatree" "${long[@]}" --checkpoint run.ck --checkpoint-every 5 >out 2>err &
    process=$!
    for ((i = 0; i < 600; i++)); do
        [[ ! -e run.ck ]] || break
        sleep 0.05
    done
    sleep 0.2
    kill -s TERM $process
    wait $process
    run resume run.ck --json
    expect "the numbers differ" cmp <(plain whole) <(plain out)
done

# ---- a resumed run names its own integrator
works run stiff.json --integrator implicit --dt 0.1 --t-end 0.3 --checkpoint stiff.ck --checkpoint-every 2
works resume stiff.ck.previous --json # from before the first step
equals warnings 0
works run chain --bodies 5 --hinge revolute --integrator conserving --t-end 0.2 --checkpoint keeps.ck --json
evaluations=$(get evaluations)
works resume keeps.ck --json
equals evaluations "$evaluations"

# ---- the energy
run run chain --bodies 5 --t-end 1 --dt 0.5 --max-drift 1e-3
expect "exit status $status, not 1" test "$status" = 1
expect "it does not say why" grep -qE '^riccatree: the energy, .* more than the largest drift of 0.001; take shorter steps$' err
works run chain --bodies 5 --t-end 1 --dt 1e-3 --max-drift 1e-3
refuses 2 'the drift of energy cannot be bounded, because the energy is changed by dampers; leave the bound out' run stiff.json --max-drift 1e-3
run run chain --bodies 5 --t-end 5 --dt 5 --integrator dopri5 --tolerance 0.1 --json
expect "no tolerance is advised" grep -qE 'the tolerance of 0.1 is too large; try --tolerance [0-9.e-]+$' err
works run chain --bodies 3 --perturb 3 --t-end 10 --integrator dopri5 --tolerance 1e-7 --max-drift 1e-3

# ---- stiff hinges are named before the run
run run stiff.json --dt 1e-6 --t-end 1e-5
expect "the stiffest hinge is not named" grep -qE \
    '^riccatree: warning: steps of 1e-06 s are too long for springs and dampers, which are stiffest at body [0-9]+ "' err
allowed=$(sed -nE 's/.*they need less than ([0-9.e-]+) s; try --dt ([0-9.e-]+),.*/\1 \2/p' err)
expect "it names no step" test -n "$allowed"
works run stiff.json --dt "${allowed#* }" --t-end "${allowed#* }"
works run soft.json --dt 1e-4 --t-end 0.1 --json
holds energy_drift_share 'x < 1e-3'
run run soft.json --dt 2e-3 --t-end 0.1
expect "springs are not named" grep -qE 'steps of 0.002 s are too long for springs and dampers' err

finish
