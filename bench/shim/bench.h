/* Google Benchmark for C: a benchmark is a C function that loops while rct_bench_keep_running.
 *
 * Each bench/bench_*.c defines rct_bench_setup, which adds its cases. The shim has main and takes
 * all flags of Google Benchmark (--benchmark_filter, --benchmark_repetitions, --benchmark_out, ...)
 * and
 *     --smoke           run every case once, at its first size or the one it names, as a test
 *     --backend NAME    cpu (default), cuda or auto, for the cases that choose one; reported as context
 *     --size N          run every case that has sizes at this one
 * Exit status 1 if a case failed or --benchmark_filter matches none, 2 for an unknown flag. */
#ifndef RCT_BENCH_SHIM_BENCH_H
#define RCT_BENCH_SHIM_BENCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rct_bench rct_bench; /* one case being run at one size */

typedef struct rct_bench_case {
    const char *name; /* reported as name/size/real_time */
    void (*run)(rct_bench *bench, void *context);
    void *context;        /* passed to `run`; valid until the end of main */
    const int64_t *sizes; /* run at each of these, smallest first; copied */
    int size_count;       /* 0: one run without a size                    */
    int linear;           /* 1: fit time = c size, and report c           */
    int64_t smoke_size;   /* the size under --smoke; 0: the first of them */
} rct_bench_case;

/* Defined by the benchmark: calls rct_bench_add for every case. */
void rct_bench_setup(void);

void rct_bench_add(const rct_bench_case *added);

/* The name given by --backend. A case that uses it puts the backend it got into its label. */
const char *rct_bench_backend(void);

/* In `run`: code before and after the loop is not timed. */
int64_t rct_bench_size(const rct_bench *bench);
int rct_bench_keep_running(rct_bench *bench);

/* In the loop: code between the two is not timed. Costs nearly a microsecond. */
void rct_bench_pause(rct_bench *bench);
void rct_bench_resume(rct_bench *bench);

/* Pretend that something reads the memory at `data`, so that it is not optimized away. */
void rct_bench_keep(const void *data);

/* After the loop. Items and bytes are totals over all iterations and reported per second. */
int64_t rct_bench_iterations(const rct_bench *bench);
void rct_bench_set_items(rct_bench *bench, int64_t items);
void rct_bench_set_bytes(rct_bench *bench, int64_t bytes);
void rct_bench_set_counter(rct_bench *bench, const char *name, double value);
/* Seconds per item, for `items` in all iterations together. */
void rct_bench_set_time_per_item(rct_bench *bench, const char *name, int64_t items);
void rct_bench_set_label(rct_bench *bench, const char *label);

/* Anywhere: the timed code does not work, so none of its results can be trusted. Print and exit
 * 1. */
void rct_bench_fail(const char *text) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
