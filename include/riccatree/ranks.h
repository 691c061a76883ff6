/* Ranks: the processes of one job on one or more machines, as mpirun starts them; a process started
 * alone is a job of one rank. MPI is in a plugin, libriccatree_mpi.so, which is opened only in a
 * process that mpirun has started; the library itself needs no MPI. Functions marked "all" must be
 * called by all ranks in the same order; they sleep while they wait for each other. Every function
 * is called by one thread at a time.
 *
 * If a rank ends without rct_ranks_close, whatever its exit status, mpirun ends the others, so that
 * they do not wait forever. A process that cannot continue, or whose rct_ranks_open fails, should
 * therefore exit with a status other than 0.
 *
 * mpirun (Open MPI) binds each of two processes to one core, and each of more processes to one
 * socket, and this limits their threads. --bind-to none changes this, and --map-by slot:PE=8 gives
 * each process eight cores.
 */
#ifndef RICCATREE_RANKS_H
#define RICCATREE_RANKS_H

#include <riccatree/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The processes of a job. */
typedef struct rct_ranks rct_ranks;

/* All. Join the job that this process was started in; once in the life of the process. NULL on
 * failure: RCT_ERROR_UNSUPPORTED if the process is one of many but there is no plugin to
 * communicate with the others, or the plugin is for another MPI than mpirun; RCT_ERROR_DEVICE if
 * MPI fails; RCT_ERROR_MEMORY. MPI is initialized here and finalized on closing, unless the caller
 * has initialized it, with support for threads, at least one at a time. */
RCT_API rct_ranks *rct_ranks_open(rct_error *error);
RCT_API void rct_ranks_close(rct_ranks *ranks); /* all; NULL does nothing */

RCT_API int32_t rct_ranks_number(const rct_ranks *ranks); /* number of this process, 0 to count -
                                                           * 1 */
/* The number of processes. */
RCT_API int32_t rct_ranks_count(const rct_ranks *ranks);

/* All. RCT_OK if `own` is RCT_OK on every rank; else the status of the first rank where it is not,
 * and its text, with "rank 2: ..." if there are many ranks. `error` passes in the error of this
 * rank and may be NULL. RCT_ERROR_DEVICE: MPI failed, here or in an earlier call. */
RCT_API rct_status rct_ranks_agree(rct_ranks *ranks, rct_status own, rct_error *error);

/* All. Send `bytes` bytes of every rank to rank 0, which receives [count][bytes] in `all`; the
 * other ranks ignore `all`. If this fails, the next rct_ranks_agree reports it. */
RCT_API void rct_ranks_gather(rct_ranks *ranks, const void *own, int64_t bytes, void *all);

#ifdef __cplusplus
}
#endif
#endif
