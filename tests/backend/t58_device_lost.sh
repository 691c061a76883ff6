#!/usr/bin/env bash
# The command line on a device that is lost at each call in turn: exit status 1, one line that says what failed and how far the
# run came, and a recording of the frames before.
# usage: t58_device_lost.sh RICCATREE JSON_GET EMULATED_FOLDER
set -uo pipefail
# shellcheck source=tests/support/command_line/command_line.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/command_line.sh"
export RICCATREE_PLUGINS=$3

why='backend cuda failed while [^;]*: uncorrectable ECC error encountered \(cudaErrorECCUncorrectable\)'
why+='; the frames recorded so far are valid, continue with another backend'
system=(fork --bodies 30 --perturb 1 --segment 3 --backend cuda --dt 1e-3 --t-end 0.02 --frames 11)

# frames FILE: the number of frames it claims to hold, whether it is marked complete, how many frames are numbers.
frames() {
    command -v h5dump >/dev/null || return 0
    local written complete whole
    written=$(h5dump -y -d /frames_written -A 0 "$1" 2>&1 | grep -oE '^ +[0-9]+$' | tr -d ' ')
    complete=$(h5dump -y -d /complete -A 0 "$1" 2>&1 | grep -oE '^ +[0-9]+$' | tr -d ' ')
    whole=$(h5dump -y -w 1 -d /frames/kinetic "$1" 2>&1 | grep -cE '^ +[0-9][0-9.e+-]*,?$')
    echo "$written $complete $whole"
}

# lost CALL: returns 1 once the run survives it; writes the number of frames of the file to `held`.
lost() {
    rm -f lost.h5
    RCT_EMULATION="lose_at_call=$1 lose_error=214" run run "${system[@]}" --out lost.h5
    [[ $status != 0 ]] || return 1
    expect "exit status $status, not 1" test "$status" = 1
    expect "stderr is not one line" one_line
    if [[ ! -e lost.h5 ]]; then # before the first step
        expect "stderr does not say why" grep -qE "^riccatree: ${why%;*}" err
        return 0
    fi
    expect "stderr does not say why and how far" grep -qE \
        "^riccatree: stopped after step [0-9]+ of 20, t = [0-9.e-]+ s: (lost.h5: frame [0-9]+ is not recorded: )?$why; lost.h5 holds [0-9]+ frames?$" err
    held=$(grep -oE 'holds [0-9]+' err | tr -dc 0-9)
    command -v h5dump >/dev/null &&
        expect "the file holds: $(frames lost.h5)" test "$(frames lost.h5)" = "$held 0 $held"
    return 0
}

works run "${system[@]}" --out sound.h5
expect "the file holds: $(frames sound.h5)" test "$(frames sound.h5)" = "11 1 11"
declare -A seen=()
for ((call = 2; call < 20000; call += 1 + call / 9)); do
    held=none
    lost "$call" || break
    seen[$held]=1
done
expect "no run outlived its device" test "$call" -lt 20000
expect "too few different ends: ${!seen[*]}" test "${#seen[@]}" -ge 5

# ---- nothing recorded: no output of NaN, and no exit status 0
for ((call = 2; call < 20000; call += 1 + call / 7)); do
    RCT_EMULATION="lose_at_call=$call lose_error=214" run run "${system[@]}" --json
    [[ $status != 0 ]] || break
    expect "exit status $status, not 1" test "$status" = 1
    expect "something was reported" test ! -s out
    expect "stderr does not say why" grep -qE "^riccatree: .*${why%;*}" err
done
for ((call = 2; call < 20000; call += 1 + call / 30)); do
    RCT_EMULATION="lose_at_call=$call lose_error=214" \
        run accel fork --bodies 30 --segment 3 --backend cuda --csv
    [[ $status != 0 ]] || break
    expect "exit status $status, not 1" test "$status" = 1
    expect "something was reported" test ! -s out
    expect "stderr does not say why" grep -qE "^riccatree: ${why%;*}" err
done

# ---- no memory
RCT_EMULATION="memory=100000" refuses 1 \
    'the device has too little memory for this system: .* use the cpu or a smaller system$' run "${system[@]}"
finish
