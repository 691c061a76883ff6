/* Eigenvalues of a pencil by a library that a plugin has (core/plugin.h): a table of functions, so that the library needs none of the
 * software below it. */
#ifndef RCT_ANALYSIS_EIGENSOLVER_H
#define RCT_ANALYSIS_EIGENSOLVER_H

#include "core/plugin.h"

#include <riccatree/status.h>

/* K x = lambda M x of n rows, M positive definite, both symmetric, by what can be done with them at a shift. */
typedef struct rct_pencil {
    int64_t n;
    void *context;
    void (*solve)(void *context, const double *x, double *y); /* y = (K - shift M)^-1 x */
    void (*mass)(void *context, const double *x, double *y);  /* y = M x                */
} rct_pencil;

/* Of a plugin whose table is an rct_eigensolver. */
#define RCT_EIGENSOLVER_IDENTITY RCT_PLUGIN_IDENTITY(sizeof(rct_pencil), sizeof(rct_eigensolver))

typedef struct rct_eigensolver {
    /* Eigenvectors of the `wanted` lambda next above the shift, at least as many there are, in any order, [wanted][n] and
     * orthonormal by M. RCT_ERROR_MEMORY, RCT_ERROR_DIVERGED. One call at a time is at work in the library below. */
    rct_status (*next_above)(const rct_pencil *pencil, int32_t wanted, double *vectors,
                             rct_error *error);
} rct_eigensolver;

#endif
