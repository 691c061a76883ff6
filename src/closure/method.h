/* The linear problem that every method of closing loops solves, each in its own way. With M of the
 * open tree and rows J of the closures a method finds the least change of the rates in the metric
 * of M that cancels a gap,
 *
 *     M change = J* lambda          J change + gap = 0
 *
 * This is the acceleration of closures (gap = phi'' of the tree with closures open), the projection
 * of velocities (gap = phi') and a Newton step of positions (gap = phi), after Gauss's principle
 * (seed 004, eq. 39). Where rows depend on one another, lambda is that of least length. Where the
 * gap cannot be cancelled, as much of it as possible is cancelled, and the report gives the rest.
 * Only admittance takes rows that give way by themselves, as springs do (rct_closure_rows.give):
 *
 *     J change + give lambda + gap = 0 */
#ifndef RCT_CLOSURE_METHOD_H
#define RCT_CLOSURE_METHOD_H

#include "algebra/sparse_system.h"
#include "closure/mobility.h"
#include "core/pool.h"
#include "operators/tree.h"

/* The stages of a step that have left the closed state in which it began: nothing is known of that
 * state, or it was factored right before them. */
enum { RCT_STAGE_OPEN = 1, RCT_STAGE_FOLLOWS };

/* A state. All of it must stay until the next factor. */
typedef struct rct_closure_problem {
    const rct_operator_tree *tree;
    rct_operator *operators; /* of the tree, factored */
    const rct_closure_rows *rows;
    const rct_mobility *mobility; /* for admittance instead of operators, or NULL */
    int open; /* RCT_STAGE_OPEN and others: methods `by_values` keep to the rank of the last state
               * that was none; not the large aggregates of embedding, which are sparse */
} rct_closure_problem;

/* The findings of a factor or a solve. */
typedef struct rct_closure_report {
    int32_t rank;      /* of J: rows that do not depend on others; factor */
    int32_t dependent; /* a row that depends on others, as the method found it, or -1; factor */
    /* [rows] 1: the row has no pivot; NULL where a method does not tell; factor */
    const uint8_t *lost;
    double residual; /* largest |J change + gap| over the largest |gap|; solve */
    int32_t worst;   /* the row of it, or -1 */
    /* [rows] the part of the gap that is left; NULL where a method does not tell; solve */
    const double *left;
    int by_rows; /* asked for: whether `left` is enough, where a method tells it; solve */
} rct_closure_report;

/* The rank that counts of the one `found` in a state; `closed` is kept from state to state. */
static inline int32_t rct_closure_rank(int open, int32_t found, int32_t *closed)
{
    *closed = open ? *closed : found;
    return *closed < found ? *closed : found;
}

typedef struct rct_closure_method {
    const char *name;
    int by_values; /* whether rows are judged by singular values or pivots of J: where loops are
                    * open, dependent rows look independent by as much */

    /* Work of the method, for the tree and any active loops of `closures`, which must outlive it.
     * NULL: RCT_ERROR_MEMORY. */
    void *(*create)(const rct_closures *closures, rct_error *error);
    void (*destroy)(void *work); /* NULL does nothing */
    int64_t (*bytes)(const void *work);

    /* Prepare solves in one state. May allocate when rows->version is new, and where pivots of
     * sparse matrices are chosen. RCT_ERROR_MEMORY; RCT_ERROR_UNSUPPORTED, with the reason, where
     * the method does not cover the system; RCT_ERROR_SINGULAR, but never because rows depend on
     * one another; RCT_ERROR_LOOP where rounding hides which rows do. */
    rct_status (*factor)(void *work, const rct_closure_problem *problem, rct_closure_report *report,
                         rct_error *error);

    /* Whether `factor` will ask what hinges can give to rows (mobility->ready); NULL: it never
     * does. */
    int (*asks)(const void *work, const rct_closure_problem *problem);

    /* lambda [rows] and change [rates] for gap [rows], in the state of the last factor. The change
     * may be NULL for admittance. RCT_ERROR_LOOP as above, which leaves both unspecified. */
    rct_status (*solve)(void *work, const double *gap, double *lambda, double *change,
                        rct_closure_report *report, rct_error *error);
} rct_closure_method;

/* The beginning of the work of every method: its last problem, and what it has made for the rows of
 * one version. */
typedef struct rct_closure_work {
    const rct_closures *closures; /* for names of loops */
    int64_t size;                 /* bytes of the work */
    const void *options;          /* of the method, or NULL */
    void (*empty)(void *work);    /* frees what is neither here nor in the pool; NULL: nothing */
    int64_t version;              /* of the rows; 0: nothing is made yet */
    rct_closure_problem problem;
    rct_sparse_system *system; /* or NULL */
    rct_pool pool;
} rct_closure_work;

/* Empty work; NULL: RCT_ERROR_MEMORY. */
void *rct_closure_work_create(const rct_closures *closures, int64_t size, const char *what,
                              void (*empty)(void *work), rct_error *error);
void rct_closure_work_destroy(void *work);
int64_t rct_closure_work_bytes(const void *work);

/* Empty the work, as it was created. */
void rct_closure_work_empty(void *work);

/* Take a problem. For rows of a new version, `make` fills work that has only the problem; if that
 * fails the work is empty. */
rct_status rct_closure_work_take(void *work, const rct_closure_problem *problem,
                                 rct_status (*make)(void *work, rct_error *error),
                                 rct_error *error);

extern const rct_closure_method rct_closure_admittance;  /* admittance.c: seed 001, sparse */
extern const rct_closure_method rct_closure_embedding;   /* embedding.c: seed 002 */
extern const rct_closure_method rct_closure_multipliers; /* multipliers.c: seeds 003, 004 */
extern const rct_closure_method rct_closure_qr;          /* redundant.c: seed 004, appendix */
extern const rct_closure_method rct_closure_svd;         /* redundant.c */

/* partition.c: seed 003. It closes positions and velocities only: its change is that of dependent
 * coordinates and not the least one, and it gives no lambda. */
extern const rct_closure_method rct_closure_partition;

/* The next of a series of numbers in [-1, 1), the same on every machine. */
static inline double rct_closure_draw(uint64_t *series)
{
    *series = *series * 6364136223846793005u + 1442695040888963407u;
    return (double)(*series >> 40) * 0x1p-23 - 1.0;
}

#endif
