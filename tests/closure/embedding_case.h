/* Constraint embedding on a closed system, and the systems of its tests. */
#ifndef RCT_TESTS_EMBEDDING_CASE_H
#define RCT_TESTS_EMBEDDING_CASE_H

#include "closure/embedding.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/zeros.h"

#include <riccatree/loop.h>

/* The absolute value of the largest number. */
double largest(const double *x, int64_t count);

/* The largest difference, relative to the largest number of y. */
double differ(const double *x, const double *y, int64_t count);

/* A work with these limits; NULL: the default limits. */
extern const rct_embed_limits *embed_limits;
void *embed_create(const rct_closures *closures, rct_error *error);

/* Limits that make all aggregates sparse, and limits that make as many as possible dense. */
static const rct_embed_limits all_sparse = {
    .few = -1, .rates = -1, .free = 2048, .numbers = INT64_C(1) << 27, .fill = INT64_C(1) << 24};
static const rct_embed_limits all_dense = {.few = 2048, .rows = 8192};

/* The method on one system: its input and its answers. */
typedef struct solution {
    void *work;
    double *gap, *lambda, *change;
    rct_closure_report report;
} solution;

/* Factor in the state of the system, and again in another state; solve for the gap. Both fail the
 * test on errors. */
solution embed_begin(const closed_system *s);
void embed_again(const closed_system *s, solution *x);
void embed_solve(solution *x);
void embed_end(solution *x);

/* Solve for the gap: rank, change and multipliers must be those of the dense answer, and the
 * reported numbers must be right. */
void embed_compare(const closed_system *s, solution *x, uint64_t seed);

/* A model without bodies, with gravity along -y. */
rct_model *upright(void);

static const double rotor = 1e-4; /* kg m^2, of a rod about its axis, and of a rod of no length */

/* A rod along x on a revolute hinge about z, `at` along its parent. */
void add_rod(rct_model *model, int32_t parent, double at, double length, double mass, double angle,
             double rate);

/* A loop between points on the x axes of two bodies. */
void add_closure(rct_model *model, rct_loop_type type, int32_t body, double at, int32_t other,
                 double other_at);

#endif
