#!/usr/bin/env bash
# Ranks: one of many without a plugin that could join them, in every way; then jobs of one to four ranks under mpirun, over shared
# memory and over a network that leaves the work to rank 0; ranks that end without closing.
# usage: t14_ranks.sh RANKS_PROGRAM RANKS_MPI PLUGIN LIBRARY ODD_FOLDER
set -uo pipefail
# shellcheck source=tests/support/command_line/mpirun.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/command_line/mpirun.sh"
program=$1
with_mpi=$2
plugin=$3
library=$4
odd=$5
failures=0
work=$(mktemp -d /tmp/rct.XXXXXX)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# expect WHAT TEST...: the command TEST succeeds.
expect() {
    local what=$1
    shift
    if ! "$@"; then
        failures=$((failures + 1))
        echo "FAILED: $what"
        [[ ! -s out ]] || head -c 1000 out
    fi
}

# job STATUS COUNT PROGRAM ARGUMENT...: ends with this status; its output goes to `out`.
job() {
    local wanted=$1 status=0
    shift
    echo "ranks $*"
    ranks "$@" >out 2>&1 || status=$?
    if [[ $wanted == fails ]]; then
        expect "$*: exit status $status" test "$status" != 0 -a "$status" -lt 124
    else
        expect "$*: exit status $status" test "$status" = "$wanted"
    fi
}

# ---- no plugin, or none that can be used; then there is no MPI either
# refused WORDS: as the second of four.
refused() {
    local status=0
    OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4 RICCATREE_PLUGINS=$work/plugins "$program" count \
        >out 2>&1 || status=$?
    expect "refused as the second of four: $1" test "$status" = 2
    expect "the words: $1" grep -qxF "unsupported: this is process 2 of 4 that mpirun started, but MPI cannot \
join them: $1 or start one process" out
    alone
}

# alone: a single process, and the only process that mpirun has started, work without a plugin.
alone() {
    expect "alone" env RICCATREE_PLUGINS="$work/plugins" "$program" numbers >out 2>&1
    expect "as the only one of one" env RICCATREE_PLUGINS="$work/plugins" OMPI_COMM_WORLD_RANK=0 \
        OMPI_COMM_WORLD_SIZE=1 "$program" numbers >out 2>&1
}

mkdir plugins
refused 'it was not built, or its plugin is not beside the library; build with MPI (install libopenmpi-dev)'
size=$(stat -c %s "$plugin")
for ((k = 0; k < 12; k++)); do
    head -c "$((size * k / 12))" "$plugin" >plugins/libriccatree_mpi.so
    refused 'its plugin is damaged; build or install it again,'
done
for kind in version layout build; do
    cp "$odd/$kind/libriccatree_cuda.so" plugins/libriccatree_mpi.so
    refused 'its plugin is from another build; build it together with the library,'
done
for kind in symbol unresolved; do
    cp "$odd/$kind/libriccatree_cuda.so" plugins/libriccatree_mpi.so
    refused 'its plugin cannot be loaded; build it again on this machine,'
done
cp "$plugin" plugins/libriccatree_mpi.so
mkdir no_mpi
for needed in $(ldd "$plugin" | grep -oE '^[[:space:]]*libmpi[^ ]*'); do
    echo "no library" >"no_mpi/$needed"
done
LD_LIBRARY_PATH=$work/no_mpi refused 'its plugin cannot be loaded; build it again on this machine,'

# ---- the library itself does not use MPI
expect "the library needs MPI" test -z "$(ldd "$library" | grep -i 'mpi\|open-rte\|open-pal')"
expect "the library names MPI" test -z "$(nm -D --undefined-only "$library" | grep -w 'P\?MPI_.*')"

# ---- jobs
if ! have_mpirun; then
    ((failures == 0)) && exit 77
    exit 1
fi
export RICCATREE_PLUGINS=${plugin%/*}
for count in 1 2 3 4; do
    for what in count numbers agree gather compute; do
        job 0 "$count" "$program" "$what"
        for ((k = 0; k < count; k++)); do
            expect "$what: rank $k of $count is not done" grep -qx "rank $k of $count is done" out
        done
    done
done
OMPI_MCA_mpi_yield_when_idle=0 job 0 3 "$program" idle # spinning takes all processor time
# an operation waits until rank 0 gets the processor, which a busy machine gives late: only a few operations
OMPI_MCA_osc=pt2pt job 0 3 "$program" numbers 10
OMPI_MCA_osc=pt2pt job 0 3 "$program" compute
RICCATREE_PLUGINS=$work/nowhere job fails 2 "$program" count
expect "without a plugin" grep -q '^unsupported: this is process [12] of 2 that mpirun started' out
RICCATREE_PLUGINS=$work/nowhere job 0 1 "$program" numbers

# ---- ranks that do not close end the job, whatever they print
job 3 2 "$program" fail
job 3 1 "$program" fail
job fails 3 "$program" vanish

# ---- an mpirun that MPI does not know
status=0
PMI_RANK=1 PMI_SIZE=3 "$program" count >out 2>&1 || status=$?
expect "another mpirun: exit status $status" test "$status" = 2
expect "another mpirun: the words" grep -q '^unsupported: mpirun started 3 processes, but MPI joins 1 of them' out

# ---- programs that use MPI themselves, and MPI that fails
export OMPI_MCA_btl_vader_single_copy_mechanism=none # where we initialize MPI, the plugin says so
for what in own own_multiple own_single own_finalized calls; do
    job 0 2 "$with_mpi" "$what"
done
for function in Init_thread Comm_dup Win_allocate Win_lock_all Ibarrier; do
    job 0 2 "$with_mpi" join "$function"
done
((failures == 0)) && echo "all is as it should be"
