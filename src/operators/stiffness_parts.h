/* Shared by the files of the tangent stiffness. */
#ifndef RCT_OPERATORS_STIFFNESS_PARTS_H
#define RCT_OPERATORS_STIFFNESS_PARTS_H

#include "operators/stiffness.h"
#include "operators/sweep.h"

struct rct_stiffness {
    rct_operator *op;
    double length;  /* m, the length that stands for a turn by 1 rad */
    double *own;    /* [n][36] form in the motion (angular, linear) of a body alone, symmetric */
    double *couple; /* [rates][3] c, with the turn of the parent */
    double *twist;  /* [n] coupling of the two angles of a universal hinge */
    double *slope;  /* [rates] of springs */

    /* Factored: for the hinge of each body, eigenvectors of D instead of its freedoms. The roots of
     * the operators hold their numbers, the gains hold g along them, */
    double *pivot; /* [rates] and here are their eigenvalues, 0: rounding */
};

#endif
