/* The limits of any sweep on this machine: multiply-adds of one thread at each lane width (items
 * are flops, two for a multiply-add), and copying, far beyond the caches with one and two
 * threads, and within the second-level cache (bytes are those read plus those written; if a
 * store first reads what it overwrites, half as many again are moved). */
#include "bench/machine_lanes.h"
#include "bench/shim/bench.h"

#include "core/team.h"
#include "kernels/sweeps/lanes.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 19, ROUNDS = 1 << 16, THREADS = 2 }; /* numbers of a piece: 4 MiB */

static const machine_lanes *const widths[] = {&machine_lanes_w8, &machine_lanes_w4,
                                              &machine_lanes_w2, &machine_lanes_w1};

static const machine_lanes *lanes_of(int32_t count)
{
    size_t i = 0;
    while (widths[i]->lanes != count) {
        i++;
    }
    return widths[i];
}

static void run_multiply_add(rct_bench *bench, void *context)
{
    const machine_lanes *lanes = context;
    while (rct_bench_keep_running(bench)) {
        const double sum = lanes->multiply_add(ROUNDS);
        rct_bench_keep(&sum);
    }
    rct_bench_set_items(bench,
                        rct_bench_iterations(bench) * 2 * ROUNDS * MACHINE_SUMS * lanes->lanes);
}

typedef struct copy_work {
    const machine_lanes *lanes;
    double *to;
    const double *from;
    int64_t count;
    _Atomic int64_t next; /* first number not yet claimed */
} copy_work;

static void copy_pieces(void *context, int32_t member, int32_t members)
{
    copy_work *work = context;
    int64_t at;
    (void)member;
    (void)members;
    while ((at = atomic_fetch_add(&work->next, PIECE)) < work->count) {
        const int64_t left = work->count - at;
        work->lanes->copy(work->to + at, work->from + at, left < PIECE ? left : PIECE, 0.5);
    }
}

/* The size is the bytes of both arrays together; the context is the number of threads. */
static void run_copy(rct_bench *bench, void *context)
{
    const int32_t *threads = context;
    rct_error error = {.text = ""};
    const int64_t count = rct_bench_size(bench) / (2 * (int64_t)sizeof(double));
    double *to = malloc((size_t)count * sizeof *to);
    double *from = malloc((size_t)count * sizeof *from);
    rct_team *team = rct_team_create(*threads, &error);
    if (to == NULL || from == NULL || team == NULL) {
        rct_bench_fail("out of memory or threads");
    }
    memset(to, 0, (size_t)count * sizeof *to);      /* touch every page */
    memset(from, 64, (size_t)count * sizeof *from); /* 32.5 or so */
    copy_work work = {.lanes = lanes_of(rct_lane_kernels_list()[0]->lanes),
                      .to = to,
                      .from = from,
                      .count = count};
    while (rct_bench_keep_running(bench)) {
        atomic_store(&work.next, 0);
        rct_team_run(team, copy_pieces, &work);
        rct_bench_keep(to);
    }
    rct_bench_set_bytes(bench, rct_bench_iterations(bench) * 2 * count * (int64_t)sizeof *to);
    rct_team_free(team);
    free(to);
    free(from);
}

void rct_bench_setup(void)
{
    static const int64_t beyond = 1 << 29; /* bytes */
    static const int64_t inside = 1 << 19;
    static int32_t threads[THREADS] = {1, 2};
    static machine_lanes copies[4];
    const rct_lane_kernels *const *runnable = rct_lane_kernels_list();
    char name[64];
    for (int i = 0; runnable[i] != NULL; i++) {
        copies[i] = *lanes_of(runnable[i]->lanes);
        snprintf(name, sizeof name, "multiply_add/lanes%d", (int)copies[i].lanes);
        const rct_bench_case added = {.name = name, .run = run_multiply_add, .context = &copies[i]};
        rct_bench_add(&added);
    }
    for (int i = 0; i < THREADS; i++) {
        snprintf(name, sizeof name, "copy/threads%d", (int)threads[i]);
        const rct_bench_case added = {.name = name,
                                      .run = run_copy,
                                      .context = &threads[i],
                                      .sizes = &beyond,
                                      .size_count = 1,
                                      .smoke_size = inside};
        rct_bench_add(&added);
    }
    const rct_bench_case cached = {.name = "copy_cached/threads1",
                                   .run = run_copy,
                                   .context = &threads[0],
                                   .sizes = &inside,
                                   .size_count = 1};
    rct_bench_add(&cached);
}
