/* Ranks: the processes of one job on one machine or many, as mpirun starts them; a process started alone is a job of one
 * rank. MPI is a plugin, libriccatree_mpi.so, opened only in a process that mpirun has started: the library itself needs no
 * MPI. Functions marked "all" are called by all ranks in the same order, and wait for each other, asleep; all functions by
 * one thread at a time.
 *
 * A rank that ends without rct_ranks_close, whatever its exit status, does not leave the others waiting: mpirun ends them. So
 * a process that cannot go on, or whose rct_ranks_open fails, just ends, with an exit status other than 0.
 *
 * mpirun (Open MPI) binds each process of two to one core, and of more to one socket, which is all that they then have for
 * threads; --bind-to none, or --map-by slot:PE=8 for eight cores each, says otherwise.
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

/* All. Join the job that this process was started in, once in its life. NULL on failure: RCT_ERROR_UNSUPPORTED if it was
 * started as one of many but there is no plugin that could speak to the others, or it is of another MPI than mpirun;
 * RCT_ERROR_DEVICE if MPI fails; RCT_ERROR_MEMORY. MPI is initialized and, on closing, finalized unless the caller has
 * done so, with support for threads, one at a time at least. */
RCT_API rct_ranks *rct_ranks_open(rct_error *error);
RCT_API void rct_ranks_close(rct_ranks *ranks); /* all; NULL does nothing */

RCT_API int32_t rct_ranks_number(const rct_ranks *ranks); /* of this process, 0 to count - 1 */
/* How many processes there are. */
RCT_API int32_t rct_ranks_count(const rct_ranks *ranks);

/* All. RCT_OK if `own` is so on every rank; else the status of the first rank where it is not, and its words, "rank 2:
 * ..." where there are many. `error` brings those of this rank and may be NULL. RCT_ERROR_DEVICE: MPI failed, here or in
 * what was called before. */
RCT_API rct_status rct_ranks_agree(rct_ranks *ranks, rct_status own, rct_error *error);

/* All. `bytes` bytes of every rank to rank 0, [count][bytes] in `all`, which others do not look at. If
 * that fails, the next rct_ranks_agree says so. */
RCT_API void rct_ranks_gather(rct_ranks *ranks, const void *own, int64_t bytes, void *all);

#ifdef __cplusplus
}
#endif
#endif
