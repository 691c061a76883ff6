/* From bodies and their state to the tree that the operators take. */
#ifndef RCT_OPERATORS_FILL_H
#define RCT_OPERATORS_FILL_H

#include "model/bodies.h"
#include "operators/tree.h"

/* The output of rct_solver_get_state and rct_solver_get_coordinates, inertial axes. */
typedef struct rct_operator_state {
    const double *orientation; /* [n][4] quaternions, body axes to inertial */
    const double *coordinates; /* of all bodies, in body order */
    const double *rates;       /* [rates], or NULL: no inverse dynamics */
    /* [n][6] moment about the hinge point and force on each body, except its weight; NULL: none */
    const double *load;
    const double *gravity; /* [systems][3] m/s^2, as in the tree; NULL: no inverse dynamics */
    int32_t systems;
    rct_base_motion ground;
} rct_operator_state;

/* NULL: RCT_ERROR_MEMORY. Takes 130 bytes per body and 60 per rate; rates, load and gravity are not
 * copied. */
rct_operator_tree *rct_operator_tree_create(const rct_bodies *bodies, int32_t n,
                                            const rct_operator_state *state, rct_error *error);

/* The same bodies in another state; allocates nothing. */
void rct_operator_tree_refill(rct_operator_tree *tree, const rct_bodies *bodies,
                              const rct_operator_state *state);

/* Rotors at all hinges, [rates], besides those of the bodies; for ball hinges about the axes of the
 * body. For free hinges they are 0. */
void rct_operator_tree_hold(rct_operator_tree *tree, const rct_bodies *bodies,
                            const double *rotors);

/* Refill one body alone, with its coordinates at q; of the state only its orientation and that of
 * its parent are read. */
void rct_operator_tree_refill_body(rct_operator_tree *tree, const rct_bodies *bodies,
                                   const rct_operator_state *state, int64_t body, const double *q);
void rct_operator_tree_free(rct_operator_tree *tree);

#endif
