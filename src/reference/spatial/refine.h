/* Spatial operators in one state: accelerations and hinge forces from generalized accelerations,
 * and back. */
#ifndef RCT_REFERENCE_SPATIAL_REFINE_H
#define RCT_REFERENCE_SPATIAL_REFINE_H

#include "reference/quad.h"
#include "reference/spatial/spatial.h"

/* Long sums cancel in phi (M alpha + b), so vectors, and phi applied to them, are in quadruple
 * precision; rct_refinement reaches it with M^-1 in double precision. */
typedef struct rct_refinement {
    rct_spatial *s;
    quad *phi;           /* [6n][6n]                     */
    quad *alpha;         /* [6n] spatial accelerations   */
    quad *f;             /* [6n] hinge forces            */
    quad *sum;           /* [6n]                         */
    quad *beta;          /* [N] generalized accelerations */
    double *rest, *step; /* [N] H f - T, and the correction */
    rct_pool pool;
} rct_refinement;

/* The operators of a state of a checked model, and work space; end it whatever the status. */
rct_status rct_spatial_begin(rct_refinement *r, const rct_model *model, double time,
                             const double *coordinates, const double *rates, rct_error *error);
void rct_spatial_end(rct_refinement *r);

/* alpha = phi*(H* beta' + a), f = phi (M alpha + b), rest = H f - T, and what rotors take    (0.7) */
void rct_spatial_carry(rct_refinement *r);

/* beta' -= M^-1 (H f - T), repeated; returns the size of the last correction relative to the
 * largest of beta'. */
double rct_spatial_refine(rct_refinement *r);

/* Write the carried vectors to rows in body order. */
void rct_spatial_give(const rct_model *model, const rct_refinement *r,
                      rct_reference_result *result);

#endif
