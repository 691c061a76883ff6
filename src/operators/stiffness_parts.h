/* What files of the tangent stiffness share. */
#ifndef RCT_OPERATORS_STIFFNESS_PARTS_H
#define RCT_OPERATORS_STIFFNESS_PARTS_H

#include "operators/stiffness.h"
#include "operators/sweep.h"

struct rct_stiffness {
    rct_operator *op;
    double length;  /* m, of a turn by 1 rad                                                */
    double *own;    /* [n][36] of the motion of a body alone, (angular, linear), symmetric */
    double *couple; /* [rates][3] c, with the turn of what the body hangs on               */
    double *twist;  /* [n] between the two angles of a universal hinge                     */
    double *slope;  /* [rates] of springs                                                  */

    /* Factored, of the hinge of each body in place of its freedoms the eigenvectors of D: their numbers in the roots of the operators, g along
     * them in the gains, */
    double *pivot; /* [rates] and their eigenvalues, 0: rounding                                */
};

#endif
