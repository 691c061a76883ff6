/* Checks that every method of closing loops must pass, applied to one method: against the dense
 * answer on random systems, and with loops that repeat one another, contradict one another, or hold
 * what hinges already hold. */
#ifndef RCT_TESTS_METHOD_TRIAL_H
#define RCT_TESTS_METHOD_TRIAL_H

#include "tests/support/systems/closed_system.h"

/* A method that solves a system, with memory for its answers. */
typedef struct method_trial {
    const rct_closure_method *method;
    void *work;
    rct_closure_report report;
    double *gap, *lambda, *change;
} method_trial;

method_trial trial_begin(const rct_closure_method *method, const closed_system *s);
void trial_end(method_trial *t);

/* These fail the test on errors. */
void trial_factor(method_trial *t, const closed_system *s);
void trial_solve(method_trial *t);

/* A gap that some rates close: J x. */
void trial_draw_gap(method_trial *t, closed_system *s, uint64_t seed);

/* Rank, change and, to ten times the tolerance, lambda must be those of the slow answer, relative
 * to the largest number: the condition of lambda is the square of that of change. */
void trial_check_answer(const method_trial *t, const closed_system *s, uint64_t seed,
                        double tolerance);

/* The largest difference, relative to the largest number of b. */
double trial_apart(const double *a, const double *b, int64_t count);

/* A random tree of 14 bodies on the hinges of `1 << type`. */
rct_model *trial_tree(uint64_t seed, int hinges);

/* Whole checks. */
void trial_check_random(const rct_closure_method *method, uint64_t seed, int32_t loops,
                        double consistent, double inconsistent);
void trial_check_repeated(const rct_closure_method *method);
void trial_check_contradiction(const rct_closure_method *method);
void trial_check_none(const rct_closure_method *method);
void trial_check_held(const rct_closure_method *method);
void trial_check_again(const rct_closure_method *method);
void trial_check_memory(const rct_closure_method *method);
void trial_check_not_finite(const rct_closure_method *method);

#endif
