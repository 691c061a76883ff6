# shellcheck shell=bash
# Settings of mpirun for tests; sourced: root, more ranks than processors, and folders with names short enough for sockets. Other
# settings are those of users. `ranks COUNT COMMAND...` starts a job.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_orte_tmpdir_base=/tmp TMPDIR=/tmp
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # those of MPI

# have_mpirun: whether jobs can be started here; prints a line if not.
have_mpirun() {
    if ! command -v mpirun >/dev/null; then
        echo "skipped: no mpirun; scripts/install-dependencies.sh gets it"
        return 1
    fi
}

# ranks COUNT COMMAND...: a job, ended after two minutes, without standard input.
ranks() {
    local count=$1
    shift
    timeout --kill-after=5 120 mpirun -np "$count" "$@" </dev/null
}
