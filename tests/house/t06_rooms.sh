#!/usr/bin/env bash
# The rooms of the house are in order, and rooms_check.sh finds the errors in seeded wrong rooms.
# usage: t06_rooms.sh
set -uo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/rooms_check.sh
bash "$check" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{bench,src/{core,topology,backend/{cpu,cuda},record/file},kernels/{lane,records,cuda},tests/{support,topology,attic}}
touch "$work"/{src/core/error.h,src/topology/plan.h,src/backend/{backend,dense}.h,src/backend/cuda/run.h} \
    "$work"/{src/record/record.h,src/record/file/h5.h,kernels/records/links.h,kernels/lane/lane.h,kernels/cuda/span.h,tests/support/draw.h}
failures=0

# finds WORDS FILE HEADER: in a house in which FILE includes HEADER the check prints WORDS for that line; without WORDS it passes.
finds() {
    local words=$1 file=$2 status=0
    printf '/* A file. */\n#include "%s"\n' "$3" >"$work/$file"
    bash "$check" "$work" >"$work/said" || status=$?
    if [[ -n $words ]]; then
        grep -qF "$file:2: $words" "$work/said" && ((status == 1)) || status=2
    fi
    if ((status != ${words:+1} + 0)); then
        failures=$((failures + 1))
        echo "FAILED: $file with $3: $(cat "$work/said")"
    fi
    rm "$work/$file"
}

finds '' src/topology/plan.c topology/plan.h
finds '' src/topology/plan.c plan.h
finds '' src/topology/plan.c core/error.h
finds '' src/topology/plan.c kernels/records/links.h
finds '' src/backend/cpu/backend.c kernels/records/links.h
finds '' tests/support/own.c record/file/h5.h
finds '' tests/topology/t.c tests/support/draw.h
finds 'src/topology may not include kernels/lane/lane.h; it may include src/core ' src/topology/plan.c kernels/lane/lane.h
finds 'src/topology may not include src/backend/backend.h' src/topology/plan.c backend/backend.h
finds 'src/core may not include src/topology/plan.h' src/core/error.c topology/plan.h
finds 'there is no file ../topology/plan.h' src/core/error.c ../topology/plan.h
finds 'kernels/lane may not include src/core/error.h' kernels/lane/lane.c core/error.h
finds 'src/backend may not include src/backend/cuda/run.h' src/backend/cpu/backend.c cuda/run.h
finds 'src/backend may not include kernels/cuda/span.h' src/backend/cpu/backend.c kernels/cuda/span.h
finds 'tests/support may not include src/record/record.h' tests/support/own.c record/record.h
finds 'tests/topology may not include src/backend/dense.h' tests/topology/t.c backend/dense.h
finds 'there is no file core/errors.h' src/topology/plan.c core/errors.h
finds 'a file of no room' tests/attic/t.c core/error.h
((failures == 0)) && echo "rooms check finds what is wrong"
