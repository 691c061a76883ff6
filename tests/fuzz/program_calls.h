/* The calls of random programs (t87_programs), and everything that can be read of a solver before
 * and after a call. */
#ifndef RCT_TESTS_PROGRAM_CALLS_H
#define RCT_TESTS_PROGRAM_CALLS_H

#include <riccatree/riccatree.h>

enum {
    BODIES = 8,
    NUMBERS = 13 * BODIES,
    COORDINATES = 7 * BODIES,
    LOOPS = 2,
    MODES = 2,
    ALL_CALLS = 19
};

/* The state of a solver, its accelerations, its time, and which loops are active. */
typedef struct reading {
    double state[NUMBERS], coordinates[COORDINATES], rates[COORDINATES], derivatives[COORDINATES],
        time;
    int32_t active[LOOPS];
} reading;

/* A running program: a solver that meets failures and its twin, which meets none; or one solver
 * alone. */
typedef struct program {
    uint64_t random;
    rct_model *model;
    rct_solver_options options;
    rct_solver *solver, *twin;
    int64_t coordinates, rates;
    reading now;         /* of both solvers, before a call */
    int short_of_memory; /* allocations of the next call fail at some point */
    int one_step;        /* a call makes one step: a later failing one leaves those before it */
} program;

void read_all(const rct_solver *solver, reading *all);

/* A call on one of the two solvers. Drawn numbers come from `random`, the same for both. `spoiled`:
 * one argument is to be invalid. */
typedef rct_status call(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                        rct_error *error);

/* What a failing call may change. */
typedef struct program_call {
    call *of;
    const char *name;
    int evaluates; /* accelerations become those of the state, or NaN */
    int sets;      /* the state becomes the given one, which is set before anything can fail */
    int steps;     /* of several steps, those before the failed one remain */
} program_call;

extern const program_call program_calls[ALL_CALLS];

#endif
