/* Closed chains by spatial operators (seed 001, steps A-F): with the free change 0 and its gap
 * known (A, B),
 *
 *     Lambda = J M^-1 J*                    C  reduced_tree.h, admittance_matrix.c: sparse, linear in bodies and loops
 *     lambda = -Lambda^+ gap                D  sparse_system.h, admittance_proximal.c
 *     change = M^-1 J* lambda               E, F  by the operators of the tree
 *
 * The part of J change + gap that rounding leaves is closed once more in the same way. */
#include "closure/admittance.h"

#include "closure/admittance_small.h"

#include "closure/columns.h"
#include "closure/front/front.h"
#include "core/error.h"
#include "core/numbers.h"

#include <string.h>

static const char what[] = "the admittance of closures";

/* Columns of a tree without a front: beyond this number, pairs of columns cost more than a
 * front. */
static const int32_t usual = 96;

/* The gap is closed once more while lambda may be wrong by more than `enough`, or more than
 * `least_closed` of the gap is left; a part within rounding cannot be closed. */
static const double enough = 1e-12, least_closed = 1e-8, rounding = 4e-15;
enum { MOST_REPEATS = 2 };

/* ---- making ------------------------------------------------------------------------------- */

rct_admittance *rct_admittance_create(const int32_t *most, rct_error *error)
{
    rct_closure_work *a = rct_closure_work_create(NULL, sizeof(rct_admittance), what, NULL, error);
    if (a != NULL) {
        a->options = most;
    }
    return (rct_admittance *)a;
}

static void *create(const rct_closures *closures, rct_error *error)
{
    (void)closures;
    return rct_admittance_create(&usual, error);
}

/* List all numbers; those added to the diagonal are last. */
static int64_t list_places(const rct_admittance *a, int64_t *row, int64_t *column)
{
    const rct_mobility *mobility = rct_admittance_mobility(a);
    if (mobility->places == NULL) {
        return rct_admittance_places(a->reduced, row, column);
    }
    const int64_t count = mobility->places(mobility->context, row, column);
    for (int64_t i = 0; i < a->reduced->rows && row != NULL; i++) {
        row[count + i] = column[count + i] = i;
    }
    return count + a->reduced->rows;
}

static void list_diagonal(rct_admittance *a)
{
    a->diagonals = 0;
    for (int64_t k = 0; k < a->numbers - a->reduced->rows; k++) {
        if (a->number_row[k] == a->number_column[k] && a->number_row[k] < a->reduced->rows) {
            a->diagonal[a->diagonals++] = k;
        }
    }
}

/* Allocate vectors, and list the places of numbers. */
static rct_status make_room(rct_admittance *a, rct_error *error)
{
    const rct_reduced_tree *r = a->reduced;
    const int64_t one = sizeof(double);
    rct_pool *pool = &a->base.pool;
    double **const vectors[] = {&a->x,     &a->null, &a->next,  &a->right, &a->gap,
                                &a->more,  &a->left, &a->again, &a->taken, &a->rest,
                                &a->along, &a->part, &a->pivot, &a->ready};
    a->numbers = list_places(a, NULL, NULL);
    a->number_row = rct_pool_take(pool, a->numbers, sizeof *a->number_row, error);
    a->number_column = rct_pool_take(pool, a->numbers, sizeof *a->number_column, error);
    a->values = rct_pool_take(pool, a->numbers + 1, one, error); /* the last is 0 */
    a->diagonal = rct_pool_take(pool, a->numbers, sizeof *a->diagonal, error);
    a->shift = rct_pool_take(pool, r->rows, one, error);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = rct_pool_take(pool, r->rows, one, error);
    }
    a->pivots = rct_pool_take(pool, r->rows, sizeof *a->pivots, error);
    a->local = rct_pool_take(pool, r->rows, sizeof *a->local, error);
    if (!pool->failed) {
        list_places(a, a->number_row, a->number_column);
        list_diagonal(a);
    }
    return pool->failed ? RCT_ERROR_MEMORY : RCT_OK;
}

static rct_status make_system(rct_admittance *a, rct_error *error)
{
    const rct_sparse_places places = {.what = what,
                                      .size = a->reduced->rows,
                                      .count = a->numbers,
                                      .row = a->number_row,
                                      .column = a->number_column,
                                      .definite = 1,
                                      .pieces = 1};
    a->base.system = rct_sparse_system_create(&places, error);
    return a->base.system != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Make all that depends on which rows there are; nothing if there are none. */
static rct_status make(void *work, rct_error *error)
{
    rct_admittance *a = work;
    const rct_closure_problem *problem = &a->base.problem;
    if (problem->rows->count == 0) {
        return RCT_OK;
    }
    if (problem->mobility == NULL && rct_admittance_take_operators(a, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    a->reduced =
        rct_admittance_mobility(a)->places != NULL
            ? rct_reduced_tree_none(problem->rows, &a->base.pool, error)
            : rct_reduced_tree_create(rct_admittance_mobility(a), problem->tree, problem->rows,
                                      *(const int32_t *)a->base.options, &a->base.pool, error);
    if (a->reduced == NULL || make_room(a, error) != RCT_OK ||
        rct_admittance_split(a, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    const rct_status status = rct_admittance_small_create(a, error);
    return status != RCT_OK || a->small != NULL || a->reduced->front != NULL
               ? status
               : make_system(a, error);
}

/* ---- factor ------------------------------------------------------------------------------- */

/* Write the numbers of the state. */
static void write(rct_admittance *a, const rct_closure_problem *problem)
{
    const rct_mobility *mobility = rct_admittance_mobility(a);
    if (mobility->numbers != NULL) {
        mobility->numbers(mobility->context, a->values);
    } else {
        rct_reduced_tree_write(a->reduced, mobility, problem->tree, problem->rows);
        rct_admittance_write(a->reduced, mobility, a->values);
    }
}

static int is_finite(const rct_admittance *a)
{
    return rct_all_finite(a->values, a->numbers - a->reduced->rows) &&
           (a->reduced->front == NULL || rct_front_finite(a->reduced->front));
}

/* Factor with E added in doubted components. */
static rct_status factor_shifted(rct_admittance *a, rct_error *error)
{
    rct_admittance_shift(a, a->right);
    if (a->reduced->front != NULL) {
        return rct_front_factor(a->reduced->front, a->values,
                                a->values + a->numbers - a->reduced->rows, a->right, error);
    }
    const rct_status status = rct_sparse_system_factor(a->base.system, a->values, error);
    if (status == RCT_OK) {
        rct_sparse_system_pivots(a->base.system, a->pivot);
    }
    return status;
}

/* Factor Lambda, or Lambda + E where pivots leave the rank in doubt. A number that is not finite
 * makes a pivot invalid. */
static rct_status factor_surely(rct_admittance *a, rct_error *error)
{
    const int front = a->reduced->front != NULL;
    rct_admittance_scale(a);
    rct_status status = factor_shifted(a, NULL);
    if (status == RCT_OK && front) {
        (void)rct_admittance_raise(a);
    }
    a->plain = !rct_admittance_doubt(a, status == RCT_OK);
    if (!a->plain) {
        if (!is_finite(a)) {
            return rct_closure_not_finite(error);
        }
        status = factor_shifted(a, error);
        if (front && rct_admittance_raise(a)) {
            status = factor_shifted(a, error);
        }
    }
    return status;
}

static rct_status factor(void *work, const rct_closure_problem *problem, rct_closure_report *report,
                         rct_error *error)
{
    rct_admittance *a = work;
    *report = (rct_closure_report){.rank = 0, .dependent = -1, .worst = -1};
    if (a->base.problem.tree != problem->tree || a->base.problem.mobility != problem->mobility) {
        rct_closure_work_empty(work);
    }
    rct_status status = rct_closure_work_take(work, problem, make, error);
    if (status == RCT_OK && problem->rows->count > 0) {
        write(a, problem);
        if (a->small != NULL) {
            if (!is_finite(a)) {
                return rct_closure_not_finite(error);
            }
            if (!rct_admittance_known(a)) {
                rct_admittance_ready(a, a->ready);
                a->clear = 1; /* pivots are judged in every stage */
            }
            rct_admittance_small_factor(a, report);
            return RCT_OK;
        }
        status = factor_surely(a, error);
        RCT_THEN(status, rct_admittance_rank(a, report, error));
        a->rank = report->rank;
    }
    return status;
}

static int asks(const void *work, const rct_closure_problem *problem)
{
    const rct_admittance *a = work;
    return a->base.version != problem->rows->version || problem->open != RCT_STAGE_FOLLOWS ||
           !a->clear;
}

/* ---- solve -------------------------------------------------------------------------------- */

static rct_status close_gap(rct_admittance *a, const double *gap, double *lambda, double *change,
                            rct_closure_report *report, rct_error *error)
{
    const rct_mobility *mobility = rct_admittance_mobility(a);
    const int32_t rows = a->reduced->rows;
    const double size = rct_closure_largest(rows, gap);
    rct_status status = rct_admittance_proximal(a, gap, lambda, a->left, error);
    double doubt = a->doubt;
    for (int repeat = 0; status == RCT_OK; repeat++) {
        status = mobility->respond != NULL
                     ? rct_reduced_answer(a->reduced, mobility, lambda, a->again, error)
                     : mobility->answer(mobility->context, a->base.problem.rows, lambda, a->again,
                                        error);
        for (int32_t i = 0; i < rows; i++) {
            a->again[i] += gap[i] + rct_admittance_give(a, i) * lambda[i];
            a->more[i] = a->again[i] - a->left[i]; /* what can still be cancelled */
        }
        const double most = rct_closure_largest(rows, a->more);
        if (most <= rounding * size) {
            break;
        }
        if (a->plain && repeat == 0) {
            doubt = rct_admittance_error(a, a->more, lambda);
        }
        if ((most <= least_closed * size && doubt <= enough) || repeat == MOST_REPEATS) {
            break;
        }
        status = rct_admittance_proximal(a, a->more, a->more, a->taken, error);
        doubt *= doubt;
        for (int32_t i = 0; i < rows; i++) {
            lambda[i] += a->more[i];
        }
    }
    if (status == RCT_OK && change != NULL) {
        status = mobility->change(mobility->context, change, error);
    }
    rct_closure_report_left(rows, size, a->again, report);
    return status;
}

static rct_status solve(void *work, const double *gap, double *lambda, double *change,
                        rct_closure_report *report, rct_error *error)
{
    rct_admittance *a = work;
    if (a->small != NULL) {
        rct_admittance_small_solve(a, gap, lambda, a->again);
        report->left = a->again;
        if (!report->by_rows) {
            rct_closure_report_left(a->reduced->rows, rct_closure_largest(a->reduced->rows, gap),
                                    a->again, report);
        }
        return RCT_OK;
    }
    if (a->base.problem.rows->count > 0) {
        return close_gap(a, gap, lambda, change, report, error);
    }
    if (change != NULL) {
        const rct_operator_tree *tree = a->base.problem.tree;
        memset(change, 0, (size_t)tree->first[tree->n] * sizeof *change);
    }
    report->residual = 0.0;
    report->worst = -1;
    return RCT_OK;
}

const rct_closure_method rct_closure_admittance = {
    .name = "admittance",
    .create = create,
    .destroy = rct_closure_work_destroy,
    .bytes = rct_closure_work_bytes,
    .factor = factor,
    .asks = asks,
    .solve = solve,
};
