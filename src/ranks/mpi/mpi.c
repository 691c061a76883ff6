/* Ranks joined by MPI, in a plugin. Shared numbers are a window of rank 0 that the others access
 * one-sidedly, so that no rank serves them. Waiting for others polls and sleeps, because MPI
 * itself waits by spinning, and a rank that is ready must not take time from one that still
 * computes. */
#include "core/error.h"
#include "core/memory.h"
#include "ranks/transport.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Sleeps, in nanoseconds. Rank 0 sleeps shortly, because over some networks it executes the
 * accesses of the others. */
enum { SHORTEST = 50000, LONGEST = 3000000, LONGEST_OF_0 = 500000 };
enum { PIECE = 1 << 20 }; /* bytes of every rank that are gathered at once */

struct rct_link {
    int own_mpi; /* initialized here, so finalized here */
    int number;
    MPI_Comm ranks;
    MPI_Win window; /* MPI_WIN_NULL until all have locked it */
};

/* MPI gives texts for its errors only while it is initialized. */
static rct_status failed(const char *call, int code, rct_error *error)
{
    char words[MPI_MAX_ERROR_STRING];
    int length = 0, initialized = 0;
    snprintf(words, sizeof words, "error %d", code);
    MPI_Initialized(&initialized);
    if (initialized) {
        MPI_Error_string(code, words, &length);
    }
    return rct_fail(
        error, RCT_ERROR_DEVICE,
        "MPI failed: %s: %s; check the network and the machines, and start the job again", call,
        words);
}

static rct_status told(const char *call, int code, rct_error *error)
{
    return code == MPI_SUCCESS ? RCT_OK : failed(call, code, error);
}

/* Wait for the request that was begun with result `code`. */
static int finish(const rct_link *link, int code, MPI_Request *request)
{
    const long longest = link->number == 0 ? LONGEST_OF_0 : LONGEST;
    struct timespec pause = {0, SHORTEST};
    int done = 0;
    while (code == MPI_SUCCESS && !done) {
        code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS && !done) {
            nanosleep(&pause, NULL);
            pause.tv_nsec = pause.tv_nsec < longest / 2 ? 2 * pause.tv_nsec : longest;
        }
    }
    return code;
}

/* ---- joining and leaving */

static rct_status check_level(int level, rct_error *error)
{
    if (level >= MPI_THREAD_SERIALIZED) {
        return RCT_OK;
    }
    return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                    "MPI was initialized without threads; initialize it by MPI_Init_thread with "
                    "MPI_THREAD_SERIALIZED, or let rct_ranks_open initialize it");
}

/* Open MPI copies large messages from the memory of the other process, which containers may
 * forbid; then they may not arrive. Our messages are few, so they go through shared memory,
 * unless the user sets it otherwise. */
static rct_status initialize(rct_link *link, rct_error *error)
{
    int initialized = 0, finalized = 0, level = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (finalized) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "MPI is already finalized: a process can join its job only once; keep its "
                        "ranks open until the end");
    }
    int code = MPI_SUCCESS;
    if (initialized) {
        code = MPI_Query_thread(&level);
    } else {
        setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
        code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
        link->own_mpi = code == MPI_SUCCESS;
    }
    if (link->own_mpi) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    return code == MPI_SUCCESS ? check_level(level, error) : failed("MPI_Init_thread", code, error);
}

/* To this MPI, each process started by the mpirun of another MPI is a job of its own. */
static rct_status check_count(int32_t expected, rct_error *error)
{
    int count = 0;
    const int code = MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (code == MPI_SUCCESS && count != expected) {
        return rct_fail(
            error, RCT_ERROR_UNSUPPORTED,
            "mpirun started %d processes, but MPI joins %d of them: mpirun belongs to another MPI "
            "than the library was built with; use the mpirun of that MPI, or build with this one",
            expected, count);
    }
    return told("MPI_Comm_size", code, error);
}

/* Open the window of shared numbers, all of it on rank 0, to all ranks until it is freed. */
static rct_status open_window(rct_link *link, rct_error *error)
{
    const MPI_Aint bytes = link->number == 0 ? RCT_SHARED_COUNT * (MPI_Aint)sizeof(int64_t) : 0;
    int64_t *shared = NULL;
    MPI_Win window = MPI_WIN_NULL;
    int code =
        MPI_Win_allocate(bytes, sizeof(int64_t), MPI_INFO_NULL, link->ranks, &shared, &window);
    if (code != MPI_SUCCESS) {
        return failed("MPI_Win_allocate", code, error);
    }
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    code = MPI_Win_lock_all(0, window);
    if (code != MPI_SUCCESS) {
        MPI_Win_free(&window);
        return failed("MPI_Win_lock_all", code, error);
    }
    link->window = window;
    for (int i = 0; i < RCT_SHARED_COUNT && link->number == 0; i++) {
        shared[i] = 0;
    }
    MPI_Win_sync(window);
    MPI_Request request = MPI_REQUEST_NULL;
    code = finish(link, MPI_Ibarrier(link->ranks, &request), &request);
    return told("MPI_Ibarrier", code, error);
}

/* Free everything. MPI waits for the other ranks here by spinning, so this is called when all
 * have arrived. */
static void part(rct_link *link)
{
    if (link->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(link->window);
        MPI_Win_free(&link->window);
    }
    if (link->ranks != MPI_COMM_NULL) {
        MPI_Comm_free(&link->ranks);
    }
    if (link->own_mpi) {
        MPI_Finalize();
    }
}

static void leave(rct_link *link)
{
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized) { /* not yet by the caller who initialized MPI */
        MPI_Request request = MPI_REQUEST_NULL;
        finish(link, MPI_Ibarrier(link->ranks, &request), &request);
        part(link);
    }
    rct_release(link);
}

static rct_link *join(int32_t count, int32_t *number, rct_error *error)
{
    rct_link *link = rct_allocate(1, sizeof *link, "a job of ranks", error);
    if (link == NULL) {
        return NULL;
    }
    link->ranks = MPI_COMM_NULL;
    link->window = MPI_WIN_NULL;
    rct_status status = initialize(link, error);
    RCT_THEN(status, check_count(count, error));
    RCT_THEN(status, told("MPI_Comm_dup", MPI_Comm_dup(MPI_COMM_WORLD, &link->ranks), error));
    if (status == RCT_OK) {
        MPI_Comm_set_errhandler(link->ranks, MPI_ERRORS_RETURN);
        MPI_Comm_rank(link->ranks, &link->number);
        *number = link->number;
        status = open_window(link, error);
    }
    if (status != RCT_OK) {
        part(link);
        rct_release(link);
        link = NULL;
    }
    return link;
}

/* ---- all together */

static rct_status least(rct_link *link, int32_t own, int32_t *of_all, rct_error *error)
{
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Iallreduce(&own, of_all, 1, MPI_INT32_T, MPI_MIN, link->ranks, &request);
    return told("MPI_Iallreduce", finish(link, code, &request), error);
}

static rct_status spread(rct_link *link, int32_t from, void *data, int32_t bytes, rct_error *error)
{
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Ibcast(data, bytes, MPI_BYTE, from, link->ranks, &request);
    return told("MPI_Ibcast", finish(link, code, &request), error);
}

/* Gather `bytes` bytes of every rank to places `apart` bytes apart. */
static int gather_piece(rct_link *link, const char *own, int bytes, char *all, int64_t apart)
{
    MPI_Datatype piece = MPI_DATATYPE_NULL, spaced = MPI_DATATYPE_NULL;
    int code = MPI_Type_contiguous(bytes, MPI_BYTE, &piece);
    if (code == MPI_SUCCESS) {
        code = MPI_Type_create_resized(piece, 0, (MPI_Aint)apart, &spaced);
        MPI_Type_free(&piece);
    }
    if (code == MPI_SUCCESS) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Type_commit(&spaced);
        code = finish(link,
                      MPI_Igather(own, bytes, MPI_BYTE, all, 1, spaced, 0, link->ranks, &request),
                      &request);
        MPI_Type_free(&spaced);
    }
    return code;
}

static rct_status gather(rct_link *link, const void *own, int64_t bytes, void *all,
                         rct_error *error)
{
    int code = MPI_SUCCESS;
    for (int64_t at = 0; at < bytes && code == MPI_SUCCESS; at += PIECE) {
        const int64_t size = bytes - at < PIECE ? bytes - at : PIECE;
        char *to = link->number == 0 ? (char *)all + at : NULL;
        code = gather_piece(link, (const char *)own + at, (int)size, to, bytes);
    }
    return told("MPI_Igather", code, error);
}

/* ---- shared numbers */

static rct_status add(rct_link *link, int32_t which, int64_t amount, int64_t *before,
                      rct_error *error)
{
    const MPI_Op operation = amount == 0 ? MPI_NO_OP : MPI_SUM;
    int code = MPI_Fetch_and_op(&amount, before, MPI_INT64_T, 0, which, operation, link->window);
    if (code == MPI_SUCCESS) {
        code = MPI_Win_flush(0, link->window);
    }
    return told("MPI_Fetch_and_op", code, error);
}

/* MPI makes progress while one of its functions runs; there is never a message. */
static rct_status look_after_others(rct_link *link, rct_error *error)
{
    int there = 0;
    const int code =
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, link->ranks, &there, MPI_STATUS_IGNORE);
    return told("MPI_Iprobe", code, error);
}

static const rct_transport transport = {
    .join = join,
    .leave = leave,
    .least = least,
    .spread = spread,
    .gather = gather,
    .add = add,
    .poll = look_after_others,
};

__attribute__((visibility("default"))) extern const rct_plugin rct_plugin_exported;
const rct_plugin rct_plugin_exported = {
    .identity = RCT_TRANSPORT_IDENTITY, .build = rct_build, .table = &transport};
