/* A solver in a state, and checks of the derivatives of its accelerations there. All functions fail
 * the test on errors. */
#ifndef RCT_TESTS_TANGENT_BENCH_H
#define RCT_TESTS_TANGENT_BENCH_H

#include <riccatree/solver.h>

typedef struct tangent_bench {
    rct_model *model;
    rct_solver *solver;
    int64_t rates, coordinates;
    double *q, *u, *tau; /* of the state; tau NULL: no efforts */
    uint64_t random;
} tangent_bench;

/* Takes ownership of the model. `pushed`: efforts are drawn and set. The state is that of the
 * solver; tangent_bench_stand reads it again. */
tangent_bench tangent_bench_begin(rct_model *model, const rct_solver_options *options,
                                  uint64_t seed, int pushed);
void tangent_bench_stand(tangent_bench *b);
void tangent_bench_end(tangent_bench *b);

/* Accelerations in a state. */
typedef void tangent_bench_law(tangent_bench *b, const double *q, const double *u,
                               const double *tau, double *a);

/* That of rct_solver_forward. */
tangent_bench_law tangent_bench_forward;

/* The change of the accelerations along d [3][rates] (dq, du, dtau), by differences of steps of h
 * and 2 h, to the fourth order. The solver is in its state afterwards. */
void tangent_bench_differences(tangent_bench *b, tangent_bench_law *law, double h, const double *d,
                               double *da);

/* Checks the tangent along `part` 0 to 2 of a drawn direction alone, with the others NULL, or 3:
 * along all, against differences, also in place. */
void tangent_bench_check(tangent_bench *b, tangent_bench_law *law, double h, int part,
                         double tolerance);

/* Checks the transpose, with two columns at once, the second in place, against the tangent. */
void tangent_bench_check_adjoint(tangent_bench *b, double tolerance);

/* Fails unless da [rates] is as expected. */
void tangent_bench_expect(const tangent_bench *b, const double *da, const double *expected,
                          double tolerance);

#endif
