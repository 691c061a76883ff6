#!/usr/bin/env bash
# Models with events on the command line: output of info, run, check and resume, the examples, recordings, conserved quantities,
# and refused input.
# usage: t93_events.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

works info "$examples/boom.json" --json
equals events 3
equals conservative false
works info "$examples/chain-breaks.json"
shows '^events +12$'
shows '^loops +12, 12 active: 60 constraints of rank 60, 0 redundant$'
works info chain --json
equals events 0
works run chain --t-end 0.01 --json
equals events null

# Three panels latch one after the other, and then nothing rotates any more: the satellite floats, so its momenta are still zero.
works run "$examples/boom.json" --t-end 3 --json
equals events.# 3
for k in 0 1 2; do equals events.$k.happened 1; done
equals events.2.name 'panel3 latches'
holds events.2.time 'x > 0.76 && x < 0.77'
holds events.0.time 'x > 1.82 && x < 1.83'
equals loops.active 3
holds kinetic_final 'x < 1e-12'
holds momentum_change 'x < 1e-6'
holds angular_momentum_change 'x < 1e-6'
equals energy_changed_by 'dampers, impacts'
equals energy_drift null

# Released at an angle, caught when the tether is taut, cut at a time; before and after, no energy is lost.
works run "$examples/sling.json" --t-end 2 --json
holds events.0.time 'x > 0.23 && x < 0.24'
holds events.1.time 'x > 0.52 && x < 0.53'
equals events.2.time 1.5
equals loops.active 0
holds energy_final "x < $(get energy_initial)"
works run "$examples/sling.json" --t-end 0.5 --json
equals events.1.happened 0
equals events.1.time null
holds energy_final 'x * x < 1e-12'
works run "$examples/sling.json" --t-end 2
shows '^events +3, of which 3 happened$'
shows '^  cut +1\.5 s$'

# A chain breaks in two places without losing energy: the run judges its drift. The time does not depend on the step.
works run "$examples/chain-breaks.json" --t-end 1.2 --json
equals conservative true
holds energy_drift_relative 'x < 1e-9'
equals events.0.happened 1
equals events.6.happened 1
equals events.11.happened 0
equals loops.active 10
first=$(get events.0.time) weak=$(get events.6.time)
works run "$examples/chain-breaks.json" --t-end 1.2 --dt 5e-4 --json
holds events.0.time "(x - $first) ^ 2 < 1e-14"
holds events.6.time "(x - $weak) ^ 2 < 1e-16"
for closing in multipliers qr; do
    works run "$examples/chain-breaks.json" --t-end 0.6 --closing $closing --json
    holds events.6.time "(x - $weak) ^ 2 < 1e-18"
done
works run "$examples/chain-breaks.json" --t-end 0.6 --method riccati --json
holds events.6.time "(x - $weak) ^ 2 < 1e-18"
works compare "$examples/chain-breaks.json" --reference lagrange --repeat 1 --json
holds entries.0.largest 'x < 1e-11'

# A recording has the events of every frame, is intact, and its model is that of the run.
works run "$examples/chain-breaks.json" --t-end 1.2 --frames 13 --out chain.h5 --json
equals events.0.time "$first"
works check chain.h5 --json
equals written 13
equals checked true
works run chain.h5 --t-end 0.6 --json
equals events.6.time "$weak"

# Stopped between two events and resumed: the same times to the bit, the same end.
works run "$examples/chain-breaks.json" --t-end 1.2 --frames 13 --out a.h5 --checkpoint a.ck --checkpoint-every 700 --json
momentum=$(get momentum_final.0)
cp a.h5 straight.h5
works resume a.ck.previous --json
equals events.0.time "$first"
equals events.6.time "$weak"
equals momentum_final.0 "$momentum"
expect "the recordings differ" cmp a.h5 straight.h5

# An impossible attachment ends the run; so does chatter.
sed 's/"name": "tether", "type": "distance", "active": false, "length": 4/"name": "tether", "type": "distance", "active": false, "length": 3/' \
    "$examples/sling.json" >wrong.json
refuses 1 'event "caught" at 0\.525[0-9]* s: loop "tether" of body 1 "payload": it cannot be attached, it is open by 1 m' \
    run wrong.json --t-end 2
sed 's/"stiffness": 2, /"stiffness": 2, "stiffnes": 2, /' "$examples/boom.json" >odd.json
refuses 2 'unknown key "stiffnes"' run odd.json --t-end 1
sed 's/"breaks": "link7"/"breaks": "link70"/' "$examples/chain-breaks.json" >odd.json
refuses 2 'event 6 "weak hinge 7 breaks": "link70" is not a body of this model; give the name of a body' run odd.json --t-end 1

# An attachment that is impossible is not blamed on the length of the step, however far the body has come.
cat >falls.json <<'EOF'
{ "riccatree": 1, "bodies": [ { "name": "ball", "parent": "ground", "hinge": { "type": "free" }, "mass": 1,
  "inertia": [0.1, 0.1, 0.1, 0, 0, 0], "initial": { "position": [0, 0, 10] } } ],
  "loops": [ { "name": "hold", "type": "ball", "body": "ball", "other": "ground", "other_at": [0, 0, 10], "active": false } ],
  "events": [ { "name": "hit", "type": "time", "value": 0.5, "loop": "hold", "becomes": "attached" } ] }
EOF
refuses 1 't = 0\.499 s: event "hit" at 0\.5 s: loop "hold" of body 0 "ball": it cannot be attached, it is open by 1\.23 m.*or attach it as "pulled"' \
    run falls.json --t-end 1

# Members of an ensemble have their own events: with another stiffness the arm releases at another time, and the payload is elsewhere.
works ensemble "$examples/sling.json" --members 3 --vary 'bodies.arm.hinge.stiffness=300:500:3' --t-end 0.4 --dt 1e-3 --out many.h5 --json
equals failed 0

finish
