/* The library baseline: subchains of a chain condensed to their two handles by batched calls of
 * cuBLAS, one set of calls for each place in a subchain, over all subchains at once.
 *
 * The handles F = S A + e + E l, A_out = E^T A + h - Psi l (kernels/laws/abi_span_step.h), inertial
 * axes, are the derivatives of a quadratic form in z = (A, 1, l), whose matrix is symmetric:
 *
 *         [ S    e  E    ]
 *     M = [ e^T  .  h^T  ]        open end: E = 1, all else 0
 *         [ E^T  h  -Psi ]
 *
 * A link with angular acceleration alpha, y = (alpha, A, 1, l), sees the end of its outboard
 * link at T y = (A + alpha x r + v, 1, l), v = w x (w x r), and adds its own matrix B of mass,
 * inertia and their forces. Its hinge transmits no moment, which eliminates alpha, the part a of
 * y:
 *
 *     K = T^T M T + B         M' = K_rr - K_ra K_aa^-1 K_ar
 *
 * The host makes T and B, 170 numbers for each link, beforehand; this is not timed. */
#ifndef RCT_BENCH_BASELINE_H
#define RCT_BENCH_BASELINE_H

#include "bench/libraries.h"
#include "topology/plan.h"

enum { BASELINE_BODY = 10, BASELINE_HELD = 7 };

/* How K_aa is inverted: directly, or by its LU factors. */
typedef enum baseline_solve { BASELINE_INVERSE, BASELINE_LU } baseline_solve;

typedef struct baseline baseline;

/* Subchains of `length` links of a plan that is one chain, in its initial state; the last may be
 * shorter. NULL on failure: `reason` [256] says why in one line. */
baseline *baseline_create(const libraries *library, const rct_plan *plan, int64_t length,
                          char *reason);
void baseline_free(baseline *b);

int64_t baseline_subchains(const baseline *b);

/* Condense all subchains, and wait. 1: done; 0: a call failed. */
int baseline_condense(baseline *b, baseline_solve solve);

/* The matrices M [subchains][BASELINE_HELD][BASELINE_HELD] of the last run, by columns. 0: a
 * call failed or a pivot vanished. */
int baseline_read(baseline *b, double *m);

#endif
