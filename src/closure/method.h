/* What every method of closing loops does: the same linear problem, each in its own way. With M of the open tree and
 * rows J of the closures it finds the least change of the rates in the metric of M that cancels a gap,
 *
 *     M change = J* lambda          J change + gap = 0
 *
 * which is the acceleration of closures (gap = phi'' of the tree with closures open), the projection of velocities (gap
 * = phi') and a Newton step of positions (gap = phi), after Gauss's principle (seed 004, eq. 39). Where rows depend on
 * one another, lambda is that of least length; where the gap cannot be cancelled, as much of it as can be is, and the
 * report says what is left. Rows that give way by themselves, as springs do (rct_closure_rows.give), are for admittance:
 *
 *     J change + give lambda + gap = 0
 */
#ifndef RCT_CLOSURE_METHOD_H
#define RCT_CLOSURE_METHOD_H

#include "algebra/sparse_system.h"
#include "closure/mobility.h"
#include "core/pool.h"
#include "operators/tree.h"

/* A state. All of it must stay until the next factor. */
typedef struct rct_closure_problem {
    const rct_operator_tree *tree;
    rct_operator *operators; /* of the tree, factored                                            */
    const rct_closure_rows *rows;
    const rct_mobility *mobility; /* for admittance in place of operators, or NULL               */
} rct_closure_problem;

/* What a factor or a solve found. */
typedef struct rct_closure_report {
    int32_t rank;      /* of J: rows that do not follow from others; factor                      */
    int32_t dependent; /* a row that does, as the method found it, or -1; factor                 */
    const uint8_t *lost; /* [rows] 1: it has no pivot; NULL where a method does not tell; factor  */
    double residual; /* largest |J change + gap| over the largest |gap|; solve                 */
    int32_t worst;   /* the row of it, or -1                                                   */
    const double
        *left; /* [rows] what is left of the gap; NULL where a method does not tell; solve */
} rct_closure_report;

typedef struct rct_closure_method {
    const char *name;

    /* Work of the method, for the tree and any active loops of `closures`, which must outlive it. NULL:
     * RCT_ERROR_MEMORY. */
    void *(*create)(const rct_closures *closures, rct_error *error);
    void (*destroy)(void *work); /* NULL does nothing */
    int64_t (*bytes)(const void *work);

    /* Make ready for solves in one state. It may allocate when rows->version is new, and where pivots of sparse matrices are
     * chosen. RCT_ERROR_MEMORY;
     * RCT_ERROR_UNSUPPORTED where the method does not cover the system, and why; RCT_ERROR_SINGULAR never for rows
     * that merely depend on one another; RCT_ERROR_LOOP where rounding hides which do. */
    rct_status (*factor)(void *work, const rct_closure_problem *problem, rct_closure_report *report,
                         rct_error *error);

    /* lambda [rows] and change [rates] for gap [rows]; in the state of the last factor. Admittance need not be asked for
     * the change (NULL). RCT_ERROR_LOOP as above, which leaves both unspecified. */
    rct_status (*solve)(void *work, const double *gap, double *lambda, double *change,
                        rct_closure_report *report, rct_error *error);
} rct_closure_method;

/* What the work of every method begins with: its last problem, and what it has made for the rows of one version. */
typedef struct rct_closure_work {
    const rct_closures *closures; /* for names of loops */
    int64_t size;                 /* bytes of the work */
    const void *options;          /* of the method's own, or NULL */
    void (*empty)(
        void *
            work); /* gives back what is neither here nor in the pool; NULL: there is no such thing */
    int64_t version; /* of the rows; 0: nothing is made yet */
    rct_closure_problem problem;
    rct_sparse_system *system; /* or NULL */
    rct_pool pool;
} rct_closure_work;

/* An empty one; NULL: RCT_ERROR_MEMORY. */
void *rct_closure_work_create(const rct_closures *closures, int64_t size, const char *what,
                              void (*empty)(void *work), rct_error *error);
void rct_closure_work_destroy(void *work);
int64_t rct_closure_work_bytes(const void *work);

/* As it was created. */
void rct_closure_work_empty(void *work);

/* Take a problem. What rows of a new version ask for is made by `make`, in a work with nothing but the problem; if that
 * fails it is empty. */
rct_status rct_closure_work_take(void *work, const rct_closure_problem *problem,
                                 rct_status (*make)(void *work, rct_error *error),
                                 rct_error *error);

extern const rct_closure_method rct_closure_admittance;  /* admittance.c: seed 001, sparse     */
extern const rct_closure_method rct_closure_embedding;   /* embedding.c: seed 002              */
extern const rct_closure_method rct_closure_multipliers; /* multipliers.c: seeds 003, 004      */
extern const rct_closure_method rct_closure_qr;          /* redundant.c: seed 004, appendix    */
extern const rct_closure_method rct_closure_svd;         /* redundant.c                        */

/* partition.c: seed 003. It closes positions and velocities alone: its change is that of dependent coordinates and not the
 * least one, and no lambda goes with it. */
extern const rct_closure_method rct_closure_partition;

/* The next of a series of numbers in [-1, 1), the same on every machine. */
static inline double rct_closure_draw(uint64_t *series)
{
    *series = *series * 6364136223846793005u + 1442695040888963407u;
    return (double)(*series >> 40) * 0x1p-23 - 1.0;
}

#endif
