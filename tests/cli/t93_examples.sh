#!/usr/bin/env bash
# Every model in examples/ runs, agrees with the Lagrangian reference and is listed in examples/README.md; some show the effect
# that they are made to show.
# usage: t93_examples.sh RICCATREE JSON_GET
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"

for file in "$examples"/*; do
    name=${file##*/}
    [[ $name == README.md ]] || expect "README.md does not list $name" grep -qF "[$name]($name)" "$examples/README.md"
done
for file in "$examples"/*.{json,urdf,xml}; do
    steps=20
    [[ $file != */two-rods.json ]] || steps=1
    dt=1e-3
    [[ $file != */andrews.json && $file != */figure17.xml ]] || dt=1e-4 # run warns of 1e-3
    works run "$file" --dt "$dt" --t-end "$(awk "BEGIN { print $steps * $dt }")" --json
    equals steps $steps
    holds kinetic_final 'x >= 0'
    holds potential_final 'x < 1e9'
    [[ $file != */two-rods.json ]] || continue
    works compare "$file" --reference lagrange --repeat 1 --json
    holds entries.0.largest 'x < 1e-11'
    holds entries.1.largest 'x < 1e-11'
done

# No outside force acts on the satellite, and its springs return the energy that they take.
works run "$examples/satellite.json" --t-end 0.5 --json
equals conservative true
holds kinetic_final 'x > 1'
holds energy_drift_relative 'x < 1e-9'
holds momentum_change 'x < 1e-10'
holds angular_momentum_change 'x < 1e-10'

# The pucks act only on each other: the momentum that one gains the other loses.
works run "$examples/pucks.json" --t-end 0.5 --json
holds energy_drift_relative 'x < 1e-6'
holds momentum_change 'x < 1e-12'
holds angular_momentum_change 'x < 1e-12'

# The screw rises by its pitch, and the platform with it.
works accel "$examples/screw-jack.json" --json
angle=$(get bodies.0.derivatives.0)
holds bodies.0.linear.2 "(x - 0.001 * $angle) ^ 2 < 1e-24 && x > 0"
holds bodies.1.linear.2 "(x - 0.001 * $angle) ^ 2 < 1e-24"

# (2.5 - 1.5) N m over 0.00201 kg m^2; -120 + 40 N and the weight of 3.2 kg over that mass
works accel "$examples/drill.json" --json
holds bodies.0.derivatives.0 'x > 497.5 && x < 497.6'
holds bodies.0.derivatives.1 '(x + 80 / 3.2 + 9.81) ^ 2 < 1e-20'

works run "$examples/shaking-table.json" --t-end 0.5 --json
equals conservative false
equals energy_changed_by 'dampers, a ground that moves'
equals energy_drift null

finish
