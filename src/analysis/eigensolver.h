/* Eigenvalues of a pencil by the library of a plugin (core/plugin.h): a table of functions, so that
 * Riccatree itself does not depend on that library. */
#ifndef RCT_ANALYSIS_EIGENSOLVER_H
#define RCT_ANALYSIS_EIGENSOLVER_H

#include "core/plugin.h"

#include <riccatree/status.h>

/* K x = lambda M x of n rows, M positive definite, both symmetric, given by products and solves at
 * a shift. */
typedef struct rct_pencil {
    int64_t n;
    void *context;
    void (*solve)(void *context, const double *x, double *y); /* y = (K - shift M)^-1 x */
    void (*mass)(void *context, const double *x, double *y);  /* y = M x */
} rct_pencil;

/* The identity of a plugin whose table is an rct_eigensolver. */
#define RCT_EIGENSOLVER_IDENTITY RCT_PLUGIN_IDENTITY(sizeof(rct_pencil), sizeof(rct_eigensolver))

typedef struct rct_eigensolver {
    /* Eigenvectors of the `wanted` lambda next above the shift, if there are so many, in any order,
     * [wanted][n], orthonormal by M. RCT_ERROR_MEMORY, RCT_ERROR_DIVERGED. The library of the
     * plugin runs one call at a time. */
    rct_status (*next_above)(const rct_pencil *pencil, int32_t wanted, double *vectors,
                             rct_error *error);
} rct_eigensolver;

#endif
