/* One rank of a job that t14_ranks.sh starts, in a program that uses MPI itself, or in which MPI
 * functions fail: ranks_mpi WHAT [FUNCTION]. Exit status 1, with a line on stderr, if a check
 * fails. */
#include "ranks/ranks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *failing =
    ""; /* the failing function of MPI; the program's functions come before those of the library */

static void check(int right, const char *what, int line)
{
    if (!right) {
        fprintf(stderr, "line %d: not so: %s\n", line, what);
        exit(1);
    }
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

/* FUNCTION(NAME, parameters, arguments): as the library has it, unless it fails. */
#define FUNCTION(name, parameters, arguments)                                                      \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        return strcmp(failing, #name) == 0 ? MPI_ERR_OTHER : PMPI_##name arguments;                \
    }
/* NOLINTBEGIN(readability-function-size): as MPI has them */
FUNCTION(Init_thread, (int *n, char ***words, int wanted, int *level), (n, words, wanted, level))
FUNCTION(Comm_dup, (MPI_Comm c, MPI_Comm *copy), (c, copy))
FUNCTION(Win_allocate, (MPI_Aint n, int u, MPI_Info i, MPI_Comm c, void *at, MPI_Win *w),
         (n, u, i, c, at, w))
FUNCTION(Win_lock_all, (int assert, MPI_Win w), (assert, w))
FUNCTION(Win_flush, (int rank, MPI_Win w), (rank, w))
FUNCTION(Fetch_and_op,
         (const void *from, void *to, MPI_Datatype t, int rank, MPI_Aint at, MPI_Op o, MPI_Win w),
         (from, to, t, rank, at, o, w))
FUNCTION(Iprobe, (int from, int tag, MPI_Comm c, int *flag, MPI_Status *s), (from, tag, c, flag, s))
FUNCTION(Test, (MPI_Request * r, int *flag, MPI_Status *s), (r, flag, s))
FUNCTION(Ibarrier, (MPI_Comm c, MPI_Request *r), (c, r))
FUNCTION(Iallreduce,
         (const void *from, void *to, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request *r),
         (from, to, n, t, o, c, r))
FUNCTION(Ibcast, (void *data, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request *r),
         (data, n, t, root, c, r))
FUNCTION(Igather,
         (const void *from, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u, int root,
          MPI_Comm c, MPI_Request *r),
         (from, n, t, to, m, u, root, c, r))
/* NOLINTEND(readability-function-size) */

static rct_ranks *opened(void)
{
    rct_error error;
    rct_ranks *ranks = rct_ranks_open(&error);
    if (ranks == NULL) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    CHECK(rct_ranks_begin(ranks, &error) == RCT_OK);
    return ranks;
}

/* RCT_ERROR_UNSUPPORTED, with these words in it. */
static void refused(const char *words)
{
    rct_error error;
    CHECK(rct_ranks_open(&error) == NULL);
    CHECK(error.status == RCT_ERROR_UNSUPPORTED);
    CHECK(strstr(error.text, words) != NULL);
}

/* MPI is the program's before and after. */
static void own(int level, int finalize_first)
{
    int given = 0, finalized = 1;
    CHECK(MPI_Init_thread(NULL, NULL, level, &given) == MPI_SUCCESS);
    if (level < MPI_THREAD_SERIALIZED) {
        refused("MPI was initialized without threads; initialize it by MPI_Init_thread with ");
    } else {
        rct_ranks_close(opened());
        MPI_Finalized(&finalized);
        CHECK(!finalized);
        CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
        rct_ranks *ranks = opened();
        if (!finalize_first) {
            rct_ranks_close(ranks);
        }
        CHECK(MPI_Finalize() == MPI_SUCCESS);
        if (finalize_first) {
            rct_ranks_close(ranks);
        }
        refused("MPI is already finalized: a process can join its job only once; ");
        return;
    }
    CHECK(MPI_Finalize() == MPI_SUCCESS);
}

static void join_fails(const char *function)
{
    rct_error error;
    failing = function;
    CHECK(rct_ranks_open(&error) == NULL);
    CHECK(error.status == RCT_ERROR_DEVICE);
    CHECK(strstr(error.text, "MPI failed: MPI_") != NULL);
    CHECK(strstr(error.text, function) != NULL);
    failing = "";
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    CHECK(initialized == finalized);
    if (initialized) {
        refused("MPI is already finalized: a process can join its job only once; ");
    } else {
        rct_ranks_close(opened());
    }
}

/* All ranks: the next agreement, and only that, reports the failure on the last rank. */
static void said(rct_ranks *ranks, const char *function)
{
    char words[100];
    rct_error error;
    const int32_t last = rct_ranks_count(ranks) - 1;
    snprintf(words, sizeof words, "rank %d: MPI failed: MPI_%s: ", last, function);
    CHECK(rct_ranks_agree(ranks, RCT_OK, &error) == RCT_ERROR_DEVICE);
    CHECK(error.status == RCT_ERROR_DEVICE);
    CHECK(strncmp(error.text, words, strlen(words)) == 0);
    CHECK(rct_ranks_agree(ranks, RCT_OK, NULL) == RCT_OK);
}

static void numbers_fail(rct_ranks *ranks)
{
    const int mine = rct_ranks_number(ranks) == rct_ranks_count(ranks) - 1;
    failing = mine ? "Fetch_and_op" : "";
    const int64_t before = rct_ranks_add(ranks, RCT_SHARED_NEXT, 1);
    CHECK((before == RCT_SHARED_LOST) == mine);
    CHECK((rct_ranks_read(ranks, RCT_SHARED_STOP) == RCT_SHARED_LOST) == mine);
    failing = mine ? "Iprobe" : ""; /* the first failure is the one that is told */
    rct_ranks_poll(ranks);
    failing = "";
    said(ranks, "Fetch_and_op");
    CHECK(rct_ranks_read(ranks, RCT_SHARED_NEXT) == rct_ranks_count(ranks) - 1);
    failing = mine ? "Win_flush" : "";
    rct_ranks_add(ranks, RCT_SHARED_STEPS, 0);
    failing = "";
    said(ranks, "Fetch_and_op");
    failing = mine ? "Iprobe" : "";
    rct_ranks_poll(ranks);
    failing = "";
    said(ranks, "Iprobe");
}

/* On all ranks at once, so that no rank waits for others. */
static void all_fail(rct_ranks *ranks, const char *function)
{
    rct_error error = {.status = RCT_ERROR_IO, .text = "own"};
    const rct_status own = strcmp(function, "Ibcast") == 0 ? RCT_ERROR_IO : RCT_OK;
    failing = function;
    CHECK(rct_ranks_agree(ranks, own, &error) == RCT_ERROR_DEVICE);
    CHECK(error.status == RCT_ERROR_DEVICE);
    CHECK(strstr(error.text, "MPI failed: MPI_") != NULL);
    CHECK(strstr(error.text, function) != NULL);
    CHECK(own != RCT_OK || rct_ranks_begin(ranks, NULL) == RCT_ERROR_DEVICE);
    failing = "";
    CHECK(rct_ranks_agree(ranks, RCT_OK, NULL) == RCT_OK);
}

static void calls_fail(void)
{
    rct_ranks *ranks = opened();
    char all[64];
    numbers_fail(ranks);
    all_fail(ranks, "Iallreduce");
    all_fail(ranks, "Ibcast");
    failing = "Igather";
    CHECK(rct_ranks_count(ranks) <= (int32_t)sizeof all);
    rct_ranks_gather(ranks, "x", 1, all);
    failing = "";
    rct_error error;
    CHECK(rct_ranks_agree(ranks, RCT_OK, &error) == RCT_ERROR_DEVICE);
    CHECK(strncmp(error.text, "rank 0: MPI failed: MPI_Igather: ", 33) == 0);
    rct_ranks_close(ranks);
}

int main(int words, char **word)
{
    const char *what = words > 1 ? word[1] : "";
    if (strcmp(what, "own") == 0) {
        own(MPI_THREAD_SERIALIZED, 0);
    } else if (strcmp(what, "own_multiple") == 0) {
        own(MPI_THREAD_MULTIPLE, 0);
    } else if (strcmp(what, "own_single") == 0) {
        own(MPI_THREAD_SINGLE, 0);
    } else if (strcmp(what, "own_finalized") == 0) {
        own(MPI_THREAD_SERIALIZED, 1);
    } else if (strcmp(what, "join") == 0 && words == 3) {
        join_fails(word[2]);
    } else if (strcmp(what, "calls") == 0) {
        calls_fail();
    } else {
        fprintf(stderr, "ranks_mpi: what is \"%s\"?\n", what);
        return 1;
    }
    puts("done");
    return 0;
}
