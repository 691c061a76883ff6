#!/usr/bin/env bash
# The commands of docs/ten-minutes.md, one after the other, each with a look at what it has made; t95_ten_minutes runs it and compares
# the two. Works in results/ten-minutes of the clone.
# usage: examples/ten_minutes.sh     (builds the command line if there is no `riccatree` in PATH)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf results/ten-minutes

# check WHAT COMMAND...: it succeeds.
check() { "${@:2}" >/dev/null || { echo "ten_minutes: not so: $1" >&2; exit 1; }; }
# last FILE QUANTITY: its value in the last frame.
last() { riccatree export "$1" "$2" --csv | tail -1 | cut -d, -f2; }
# less A B: numbers.
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

command -v riccatree >/dev/null || {
    scripts/install-dependencies.sh --run-only
    cmake --preset release -DRCT_TESTS=OFF -DRCT_BENCH=OFF
    cmake --build --preset release --target riccatree_cli
    export PATH=$PWD/build/release:$PATH
}
check "riccatree says its version" riccatree --version
mkdir -p results/ten-minutes
cd results/ten-minutes

riccatree info ../../examples/crane.json
riccatree run ../../examples/crane.json --t-end 20 --frames 201 --out crane.h5
check "the recording is whole" riccatree check crane.h5
check "the load has been carried along" less 100 "$(last crane.h5 position.x:load)"

riccatree view crane.h5
check "the page is whole" grep -q '^</html>$' crane.html

sed 's/"mass": 500/"mass": 1000/' ../../examples/crane.json >heavy.json
riccatree run heavy.json --t-end 20 --frames 201 --out heavy.h5
check "a heavier load comes less far" less "$(last heavy.h5 position.x:load)" "$(last crane.h5 position.x:load)"

riccatree ensemble ../../examples/crane.json --vary bodies.load.mass=250:1000:7 --t-end 20 --series 201 --track load --out sweep.h5
riccatree summary sweep.h5
check "all loads were simulated" grep -qE '^members +7 from 0 on, complete$' <(riccatree summary sweep.h5)
check "none failed" grep -qE '^  ok +7$' <(riccatree summary sweep.h5)

riccatree plot heavy.h5 position.x:trolley position.x:load --out heavy.svg
check "the plot is whole" grep -q '</svg>' heavy.svg
check "the plot has both bodies" test "$(grep -cE 'trolley|load' heavy.svg)" -ge 2
