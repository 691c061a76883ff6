#!/usr/bin/env bash
# riccatree doctor: its description of a machine, with plugins of all sorts, and a self-test that fails with a failing backend or
# without a folder for files. t90_doctor tests wrong answers.
# usage: t94_doctor.sh RICCATREE JSON_GET EMULATED_FOLDER ODD_FOLDER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/command_line/command_line.sh
source "$here/../support/command_line/command_line.sh"
# shellcheck source=tests/support/command_line/mpirun.sh
source "$here/../support/command_line/mpirun.sh"
emulated=$3
odd=$4
mkdir scratch empty
export TMPDIR=$work/scratch
cases=('chain on balls' 'branched system' 'tree on revolutes' 'loaded model' 'closed loops' 'imported arm'
    'recording read back' 'damage found' 'checkpoint continued')

# healthy: the verdict, and every test of the self-test.
healthy() {
    works doctor --json
    equals verdict passed
    equals passed ${#cases[@]}
    equals failed 0
    for ((i = 0; i < ${#cases[@]}; i++)); do
        equals "checks.$i.check" "${cases[i]}"
        equals "checks.$i.result" passed
    done
    expect "files are left" test -z "$(ls scratch)"
}

export RICCATREE_PLUGINS=$work/empty
healthy
"$riccatree" --version >version
expect "version" test "riccatree $(get version)" = "$(cat version)"
expect "build" grep -qE '^[0-9.]+, (GNU|Clang) [0-9.]+, .*sources [0-9a-f]+$' <(get build)
equals lanes.0 1
holds lanes.# 'x >= 1 && x <= 4'
holds threads "x >= 1 && x <= $(nproc --all)"
holds memory_bytes 'x > 1e8'
holds memory_free_bytes 'x > 0'
equals backends.0.name cuda
equals backends.0.available false
equals backends.1.name cpu
equals backends.1.available true
equals mpi.plugin false
equals mpi.path null
equals mpi.ranks 1
expect "HDF5" grep -qE '^[0-9]+\.[0-9]+\.[0-9]+$' <(get hdf5.version)
expect "HDF5 and threads" grep -qE '^(true|false)$' <(get hdf5.thread_safe)
expect "libxml2" grep -qE '^2\.[0-9]+\.[0-9]+$' <(get xml.version)

works doctor
for line in 'riccatree +[0-9.]+$' 'build +[0-9.]+, ' 'processor +.' 'lanes +1( |$)' 'threads +[0-9]+, of [0-9]+ processors' \
    'memory +[0-9.]+ .*free$' 'backend cpu +available$' 'backend cuda +not available: it was not built' \
    'GPU +.' 'MPI +no plugin: .*; 1 rank' 'files: HDF5 +[0-9]' 'importer: libxml2 +2\.' 'sparse: SuiteSparse +[0-9]'; do
    shows "^$line"
done
expect "the verdict is not last" grep -qx "verdict: passed: ${#cases[@]} passed, 0 failed, 0 not checked" <(tail -1 out)

# ---- refused plugins are reported, and not used
for kind in version layout build symbol unresolved; do
    RICCATREE_PLUGINS=$odd/$kind healthy
    equals backends.0.available false
    expect "no reason for $kind" grep -qE 'its plugin (is from another build|cannot be loaded)' <(get backends.0.reason)
done
touch empty/libriccatree_mpi.so
RICCATREE_PLUGINS=$work/empty healthy
equals mpi.plugin true
equals mpi.path "$work/empty/libriccatree_mpi.so"
rm empty/libriccatree_mpi.so

# ---- an accelerator that works, and one that is lost
RICCATREE_PLUGINS=$emulated healthy
equals backends.0.available true
RICCATREE_PLUGINS=$emulated RCT_EMULATION="lose_at_call=60" \
    refuses 1 '^riccatree: the self-test: [0-9]+ of [0-9]+ checks failed$' doctor --json
equals verdict failed
equals checks.0.check 'chain on balls'
equals checks.0.result failed
expect "not by what" grep -qE '^by (abi|riccati) on cuda \(lanes [0-9], threads [12], closing admittance\): ' <(get checks.0.note)

# ---- files that cannot be written
TMPDIR=$work/nowhere run doctor --json
expect "exit status $status, not 1" test "$status" = 1
equals verdict failed
equals failed 1
equals checks.6.check 'recording read back'
equals checks.6.result failed
expect "no advice" grep -q 'set TMPDIR' out

# ---- processes of a job: only one prints
if have_mpirun; then
    unset RICCATREE_PLUGINS
    export TMPDIR=$work/scratch
    last='doctor on 2 ranks'
    ranks 2 "$riccatree" doctor --json >out 2>err
    expect "exit status" test $? = 0
    equals mpi.ranks 2
    equals verdict passed
fi
refuses 2 'has no option --threads' doctor --threads 2
refuses 2 'unexpected argument "chain"' doctor chain
finish
