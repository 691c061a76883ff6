#!/usr/bin/env bash
# The command line: ensembles, their files, their sweep files, failing members, interruption; summaries.
# usage: t95_ensemble.sh RICCATREE JSON_GET
set -uo pipefail
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../examples" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"

# column FILE NAME KEY: a number of a column in the summary of FILE.
column() {
    local k=0
    "$riccatree" summary "$1" --json >out 2>err || return 1
    while [[ $(get "columns.$k.name" 2>/dev/null) != "$2" ]]; do
        ((++k < 20)) || return 1
    done
    get "columns.$k.$3"
}

# is FILE NAME KEY VALUE
is() {
    local value
    last="summary $1"
    value=$(column "$1" "$2" "$3")
    expect "$3 of $2 is $value, not $4" awk -v x="$value" -v y="$4" 'BEGIN { exit !(x - y <= 1e-12 && y - x <= 1e-12) }'
}

# ---- a grid and draws, with all output and results
grid=(chain --bodies 6 --hinge revolute --t-end 0.05 --seed 4 --perturb 0.3
    --vary 'bodies.body2.hinge.damping=0:2:3' --vary 'bodies.*.mass=uniform:1:2')
works ensemble "${grid[@]}" --members 12 --series 6 --track body5 --track body0 --out a.h5 --json
equals model chain
equals members 12
equals first_member 0
equals failed 0
equals steps 50
equals file a.h5
holds evaluations_per_second 'x > 0'
equals failures.# 0
works summary a.h5 --json
equals members 12
equals ok 12
equals failed 0
equals pending 0
equals complete true
equals columns.# 5
holds dt 'x == 0.001'
is a.h5 bodies.body2.hinge.damping median 1
is a.h5 bodies.body2.hinge.damping min 0
is a.h5 bodies.body2.hinge.damping max 2
is a.h5 time max 0.05
works summary a.h5
shows '^members            12 from 0 on, complete$'
shows '^bodies.body2.hinge.damping +1 +0 '
shows '^command +riccatree ensemble chain .*--vary .bodies.\*.mass=uniform:1:2.'
works ensemble "${grid[@]}" --members 12 --threads 3 --batch 5 --out b.h5
shows '^members            12, 0 failed$'
expect "threads and batches change the energies" test \
    "$(column a.h5 energy q75)" = "$(column b.h5 energy q75)"
works ensemble "${grid[@]}" --members 12 --only 7 --out c.h5 --json
equals members 1
equals first_member 7
works summary c.h5 --json
equals first_member 7
equals ok 1

# ---- the same from a sweep file
cat >sweep.json <<'END'
{ "riccatree_sweep": 1, "members": 12, "seed": 4, "perturb": 0.3, "t_end": 0.05, "series": 6, "track": ["body5"],
  "vary": [ { "path": "bodies.body2.hinge.damping", "from": 0, "to": 2, "count": 3 },
            { "path": "bodies.*.mass", "uniform": [1, 2] } ] }
END
cp sweep.json plan
refuses 2 '--out plan: that is also the file that is read' ensemble chain --bodies 6 --sweep plan --out plan --overwrite
works ensemble chain --bodies 6 --hinge revolute --sweep sweep.json --out d.h5
for key in mean min q05 max; do
    expect "the sweep file gives other energies" test \
        "$(column a.h5 energy $key)" = "$(column d.h5 energy $key)"
done
refuses 2 '^riccatree: --members: the sweep file' ensemble chain --sweep sweep.json --members 3
sed 's/"t_end"/"dt": 1e-3, "t_end"/' sweep.json >with.json
refuses 2 '^riccatree: --dt: the sweep file' ensemble chain --bodies 6 --sweep with.json --dt 1
sed -i s/body5/body9/ sweep.json
refuses 2 'track body9: no body' ensemble chain --bodies 6 --hinge revolute --sweep sweep.json
echo '{ "riccatree_sweep": 1, "dt": -1 }' >sweep.json
refuses 2 '"dt": give a positive number of seconds' ensemble chain --sweep sweep.json
echo '{ "riccatree_sweep": 1, "t_end": -1 }' >sweep.json
refuses 2 't_end must be positive' ensemble chain --sweep sweep.json

# ---- a sweep file without "dt" takes the step of the options
echo '{ "riccatree_sweep": 1, "members": 2, "perturb": 0.1, "t_end": 0.4, "series": 5 }' >sweep.json
run ensemble chain --bodies 5 --hinge revolute --sweep sweep.json --integrator dopri5
shows '^simulated +4 steps of 0\.1 s'
run ensemble chain --bodies 5 --hinge revolute --sweep sweep.json --dt 0.002
shows '^simulated +200 steps of 0\.002 s'
run ensemble chain --bodies 5 --hinge revolute --members 2 --perturb 0.1 --t-end 0.4 --series 5 --integrator dopri5
shows '^simulated +4 steps of 0\.1 s'
echo '{ "riccatree_sweep": 1, ' >sweep.json
refuses 2 'sweep.json: line' ensemble chain --sweep sweep.json

# ---- members that fail: the others reach the end, the exit status reports it
run ensemble chain --bodies 5 --hinge revolute --members 9 --perturb 0.2 --t-end 0.02 \
    --vary bodies.body2.mass=-1:1:3 --out failed.h5
expect "exit status $status, not 3" test "$status" = 3
expect "stderr is not empty" test ! -s err
shows '^members            9, 6 failed$'
shows '^  member 0 +model at 0 s: body 2 "body2": '
works summary failed.h5
shows '^  ok +3$'
shows '^  model +6$'
shows '^  member 7 +model at 0 s: body 2 "body2": '
works export failed.h5 --csv
expect "not a line a member" test "$(wc -l <out)" = $(($("$riccatree" summary failed.h5 --json | "$json_get" members) + 1))
expect "other names" grep -qE '^member,status,.*,time,energy,energy_drift,text$' out
expect "failures have no reason" awk -F, 'NR > 1 && ($2 == "ok") != ($7 == "") { exit 1 }' out
cp out failed.txt
run export failed.h5 --csv --out failed.csv
expect "another table" cmp failed.txt failed.csv
refuses 2 '"energy": the members of an ensemble are exported whole; leave quantities out' export failed.h5 energy --csv
refuses 2 'failed.h5: is not a recording; .*; of an ensemble, summary, view and export --csv read the results' \
    export failed.h5 --npz --out failed.npz
works summary failed.h5 --json
equals failed 6
equals failures.# 6
equals failures.5.member 7
equals failures.5.status model
run ensemble chain --bodies 5 --hinge revolute --members 60 --perturb 0.2 --t-end 0.02 \
    --vary bodies.body2.hinge.stiffness=1e9:1e9:1
expect "exit status $status, not 3" test "$status" = 3
shows '^members            60, 60 failed$'
shows '^  and 50 more$'

# ---- members whose energy runs away reach the end: their number is reported, also with those of the file before
long=(chain --bodies 5 --members 6 --perturb 0.2 --t-end 1)
run ensemble "${long[@]}" --dt 0.5 --out away.h5 --json
expect "exit status $status, not 0" test "$status" = 0
expect "stderr is not one line" one_line
expect "stderr does not tell" grep -qE '^riccatree: warning: 6 of 6 members ran away: .* shorter than 0.5$' err
equals runaway 6
run ensemble "${long[@]}" --dt 0.5 --out away.h5 --resume --json
expect "stderr does not tell" grep -qE 'warning: 6 of 6 members ran away' err
equals runaway 6
works ensemble "${long[@]}" --dt 0.01 --json
equals runaway 0
works ensemble "${long[@]}" --dt 1e-3 --vary bodies.body2.hinge.damping=0.1:0.2:2 --json # energy that dampers take is no fault
equals runaway 0
for v in 'bodies.*.hinge.damping=0.1:0:2' 'gravity[2]=0:-9.81:2' bodies.body2.mass=-1:1:2; do # each by its own numbers
    run ensemble "${long[@]}" --dt 0.5 --vary "$v" --json
    equals runaway 3
done

# ---- long series: fewer members side by side, because a batch needs the memory; the sanitizers do not work with a limit
if [[ -z ${SANITIZED:-} ]]; then
    last="ensemble, 60 paths of 502 frames, 2 GB"
    tracked=()
    for _ in {1..60}; do tracked+=(--track body0); done
    (ulimit -v 2000000 && "$riccatree" ensemble chain --bodies 1 --hinge revolute --members 4096 --perturb 0.1 \
        --t-end 0.501 --dt 1e-3 --series 502 "${tracked[@]}" --threads 1) >out 2>err
    expect "exit status $?, not 0" test "$?" = 0
fi

# ---- no member reached the end: no numbers; one did: the summary gives the number of members
run ensemble chain --bodies 5 --t-end 0.02 --vary bodies.body2.mass=-1:-2:2 --out none.h5 --json
expect "exit status $status, not 3" test "$status" = 3
equals largest_energy_drift null
run ensemble chain --bodies 5 --t-end 0.02 --vary bodies.body2.mass=-1:-2:2
shows '^energy +no member came to the end$'
works summary none.h5
shows '^  ok +0$'
shows '^no member came to the end$'
expect "there are quantiles of nothing" test -z "$(grep -E 'nan|median' out)"
works summary none.h5 --json
equals columns.0.median null
run ensemble chain --bodies 5 --t-end 0.02 --vary bodies.body2.mass=-1:2:2 --out one.h5
works summary one.h5
shows '^of 1 member that came to the end +mean +min +q05'
shows '^bodies.body2.mass +2 +2 '

# ---- loops that cannot be closed concern only their member
run ensemble "$examples/four-bar.json" --vary 'bodies.*.hinge.at[0]=-30:1:4' --t-end 0.01 --out loops.h5
expect "exit status $status, not 3" test "$status" = 3
shows '^members            4, 3 failed$'
shows '^  member 0 +loop at 0 s: loop "pivot" of body 2 "rocker": it cannot be closed'
works summary loops.h5
shows '^  loop +3$'

# ---- a member equals its model alone, swept whole, to the last bit
for hinge in ball revolute; do
    for method in abi riccati; do
        model=(branch --bodies 23 --hinge $hinge --method $method --t-end 0.1)
        works ensemble "${model[@]}" --vary 'gravity[0]=0:1:9' --only 0 --out whole.h5 --overwrite
        energy=$(column whole.h5 energy median)
        works run "${model[@]}" --segment whole --json
        equals energy_final "$energy"
    done
done

# ---- what users would not see otherwise: starts that were closed, energies that drift
works ensemble "$examples/four-bar.json" --vary bodies.crank.initial.position=1:1.2:3 --t-end 0.01 --json
equals moved_starts 3
holds largest_start_gap 'x > 0.05 && x < 0.5'
works ensemble "$examples/four-bar.json" --vary bodies.crank.initial.position=1:1.2:3 --t-end 0.01
shows '^starts +the loops of 3 of 3 members were open by up to 0\.[0-9]+ m or rad and opening by [0-9.e-]+ m/s or rad/s, and were closed: positions'
works ensemble "$examples/four-bar.json" --vary bodies.crank.initial.rate=1:2:3 --t-end 0.01 --json
equals moved_starts 3
holds largest_start_gap 'x < 1e-9'
holds largest_start_opening 'x > 0.01'
works ensemble "$examples/four-bar.json" --vary bodies.crank.mass=1:1.2:3 --t-end 0.01 --json
equals moved_starts 0
run ensemble chain --bodies 3 --members 10 --perturb 0.5 --t-end 20 --dt 0.02 --json
equals drifting 10
expect "no word of the drift" grep -qE 'warning: 10 of 10 members drifted: .*; try a --dt shorter than 0\.02$' err

# ---- with the chosen way of closing: a member ends as its model does alone, up to rounding (side by side loops are closed
# in another way); five of the ways differ by more than that
sed -E 's/"mass": [0-9.]+/"mass": 1.5/; s/"position": 1.0471975511965976/"position": 1.05/' \
    "$examples/four-bar.json" >open.json
declare -A ends=()
for way in "--closing "{admittance,embedding,multipliers,qr,svd} '--drift none' '--drift partition' '--drift baumgarte' \
    '--drift baumgarte --baumgarte 20,30' '--as-given --drift none'; do
    read -ra words <<<"$way"
    works ensemble open.json --vary 'bodies.*.mass=1:2:3' --only 1 --t-end 0.1 "${words[@]}" --out closed.h5 --overwrite
    energy=$(column closed.h5 energy median)
    works run open.json --t-end 0.1 "${words[@]}" --json
    holds energy_final "(x - $energy) ^ 2 <= 1e-26 * x ^ 2"
    ends[$energy]=$way
done
expect "the ways end alike: ${ends[*]}" test ${#ends[@]} -ge 6
run ensemble "$examples/six-bodies.json" --members 1 --closing qr --drift none --dt 0.25 --t-end 150
expect "exit status $status, not 3" test "$status" = 3
shows '^  member 0 +loop at 150 s: loop 0 "hinge15" is open by 1\.[0-9]+ at the end, and the motion is no longer'
works ensemble "$examples/six-bodies.json" --members 1 --closing qr --drift none --as-given --dt 0.25 --t-end 150
refuses 2 '^riccatree: --closing is for models with loops, and this model has none' ensemble chain --closing qr
refuses 2 '^riccatree: --as-given is for models with loops' ensemble chain --as-given
refuses 2 '--baumgarte needs --drift baumgarte' ensemble open.json --baumgarte 1,2

# ---- models with loads, lanes and methods of all kinds; families of all kinds
works generate branch --bodies 12 --hinge universal --out branch.json
works ensemble branch.json --members 5 --perturb 0.1 --t-end 0.01 --method riccati --lanes 2
works ensemble star --bodies 9 --members 3 --perturb 0.1 --t-end 0.01 --backend cpu

# ---- bad input
refuses 2 'needs a MODEL\|FAMILY' ensemble
refuses 2 'give 2 members, or let' ensemble chain --vary 'gravity[0]=0:1:2' --members 4
refuses 2 '--vary "gravity": give PATH=FROM:TO:COUNT' ensemble chain --vary gravity
refuses 2 '"bodies.x.mass": no body has that name' ensemble chain --vary bodies.x.mass=1:2:2
refuses 2 'is not a whole number of steps' ensemble chain --t-end 0.0015
refuses 2 '--track nobody: no body' ensemble chain --track nobody --series 3
refuses 2 '^riccatree: --track body0 needs the frames of --series N; give --series too$' ensemble chain --track body0
refuses 2 '^riccatree: 2 members, but only 1 would differ: .*; give 1 member, or let something be drawn$' \
    ensemble chain --members 2

# ---- options that would have no effect
small=(ensemble chain --bodies 4 --vary 'gravity[0]=0:1:2' --t-end 0.01)
refuses 2 '^riccatree: --seed 9: nothing is drawn; leave --seed out, or add --perturb or a --vary that is normal or uniform$' \
    "${small[@]}" --seed 9
works "${small[@]}" --seed 9 --perturb 0
works "${small[@]}" --seed 9 --vary 'gravity[1]=uniform:0:1'
refuses 2 '^riccatree: --segment 50: members of 4 bodies are swept whole; leave --segment out$' "${small[@]}" --segment 50
refuses 2 '^riccatree: --segment 0: members of 4 bodies are swept whole; leave --segment out$' "${small[@]}" --segment 0
works "${small[@]}" --segment auto
works ensemble chain --bodies 1025 --t-end 0.001 --segment 50
refuses 2 '12 frames of 10 steps: give none, or from 2 to 11$' ensemble chain --t-end 0.01 --series 12
refuses 2 '--out a.h5: it exists; add --resume to continue it, or --overwrite' ensemble chain --out a.h5
refuses 2 'cannot go to standard output' ensemble chain --out -
refuses 2 'are free: No space left on device; free space or choose another disk, or store fewer members or frames$' \
    ensemble chain --bodies 10 --members 1e6 --perturb 0.1 --t-end 1e5 --series 1e8 --out large.h5
refuses 2 '--overwrite needs --out' ensemble chain --overwrite
refuses 2 'absent' ensemble chain --sweep absent.json
refuses 2 'absent.h5: ' summary absent.h5
cp branch.json other.file
refuses 2 '^riccatree: other.file: is not a file of an ensemble: it' ensemble chain --out other.file --resume
refuses 2 '"forces.0.force": the model has no forces$' ensemble chain --vary forces.0.force=0:1:2
refuses 2 'summary needs a FILE;' summary

# ---- through a link to a file that does not exist yet, and then does
mkdir disk
ln -s disk/r.h5 link.h5
linked=(ensemble chain --bodies 4 --members 3 --perturb 0.1 --t-end 0.01 --out link.h5)
works "${linked[@]}"
expect "the link is gone" test -L link.h5
expect "the results are not where it leads" test -f disk/r.h5
works "${linked[@]}" --resume
refuses 2 '--out link.h5: it exists; add --resume' "${linked[@]}"
ln -s nowhere/r.h5 lost.h5
refuses 2 '^riccatree: lost.h5: cannot create the file nowhere/r.h5, to which it is a link: No such file' \
    ensemble chain --bodies 4 --t-end 0.01 --out lost.h5

# ---- ended by a signal: the file has the finished members
for signal in HUP USR1 XCPU TERM; do
    rm -f cut.h5*
    env --default-signal "$riccatree" ensemble chain --bodies 32 --members 100000 --perturb 0.2 --t-end 0.1 --threads 1 --out cut.h5 >out 2>err &
    child=$!
    for ((k = 0; k < 600; k++)); do
        sleep 0.1
        [[ -f cut.h5 ]] && (($("$riccatree" summary cut.h5 --json 2>/dev/null | "$json_get" ok 2>/dev/null || echo 0) > 0)) && break
    done
    kill -s $signal "$child"
    status=0
    wait "$child" || status=$?
    last="ensemble, told to end by SIG$signal"
    expect "exit status $status" test "$status" = $((128 + $(kill -l $signal)))
    expect "stderr does not say how far it got" grep -qE '^riccatree: stopped with [0-9]+ of 100000 members done: asked to end \(SIG'$signal'\); they are in cut.h5; continue with: riccatree resume cut.h5$' err
done
done=$(sed -n 's/.*stopped with \([0-9]*\) of.*/\1/p' err)
works summary cut.h5 --json
equals complete false
equals ok "$done"
holds pending "x == 100000 - $done"
shows '"complete": false'

# ---- members whose rows cannot be written: no message claims that they are in the file
last="ensemble, rows that cannot be written"
status=0
(ulimit -f 100 && "$riccatree" resume cut.h5) >out 2>err || status=$?
expect "exit status $status, not 1" test "$status" = 1
expect "stderr does not say what is in the file" grep -qE '^riccatree: stopped with [0-9]+ of 100000 members done: cut.h5: cannot write numbers: File too large; free space or choose another disk; what could be written is in cut.h5; continue with: riccatree resume cut.h5$' err
works summary cut.h5 --json
equals ok "$done"

finish
