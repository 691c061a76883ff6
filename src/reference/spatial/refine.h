/* Spatial operators at work in one state: accelerations and hinge forces from generalized accelerations, and back. */
#ifndef RCT_REFERENCE_SPATIAL_REFINE_H
#define RCT_REFERENCE_SPATIAL_REFINE_H

#include "reference/quad.h"
#include "reference/spatial/spatial.h"

/* Long sums cancel in phi (M alpha + b), so vectors, and phi applied to them, are in quadruple precision; M^-1
 * in double precision brings them there by rct_refinement. */
typedef struct rct_refinement {
    rct_spatial *s;
    quad *phi;           /* [6n][6n]                     */
    quad *alpha;         /* [6n] spatial accelerations   */
    quad *f;             /* [6n] hinge forces            */
    quad *sum;           /* [6n]                         */
    quad *beta;          /* [N] generalized accelerations */
    double *rest, *step; /* [N] H f - T, and what it corrects */
    rct_pool pool;
} rct_refinement;

/* The operators of a state of a model, which is checked, and room to work; to be ended whatever comes back. */
rct_status rct_spatial_begin(rct_refinement *r, const rct_model *model, double time,
                             const double *coordinates, const double *rates, rct_error *error);
void rct_spatial_end(rct_refinement *r);

/* alpha = phi*(H* beta' + a), f = phi (M alpha + b), rest = H f - T, and what rotors take    (0.7) */
void rct_spatial_carry(rct_refinement *r);

/* beta' -= M^-1 (H f - T), again and again; the size of the last correction relative to the largest of beta'. */
double rct_spatial_refine(rct_refinement *r);

/* What is carried, to rows in body order. */
void rct_spatial_give(const rct_model *model, const rct_refinement *r,
                      rct_reference_result *result);

#endif
