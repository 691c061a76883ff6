/* The augmented system (augmented.h): written as a list of entries in an order that the rows fix, so that a new state
 * puts new numbers to old places, and factored by UMFPACK. */
#include "closure/augmented.h"

#include "core/error.h"
#include "core/memory.h"
#include "operators/factor.h"

#include <math.h>
#include <string.h>
#include <umfpack.h>

struct rct_augmented {
    int64_t version; /* of the rows that it is laid out for; 0: none                             */
    int64_t n, rates, rows, size;
    double unit;
    int64_t count;         /* entries in the list                                                */
    int64_t *row, *column; /* [count] of the list; laying out only                               */
    int64_t *place;        /* [count] of each in `value`                                         */
    int64_t *start;        /* [size + 1] first of each column                                    */
    int64_t *index;        /* [count] rows, column after column                                  */
    double *value;         /* [count]                                                            */
    double *list;          /* [count] numbers of the list                                        */
    double *right, *solution; /* [size]                                                          */
    double *work;             /* [5 size] with which it refines                                  */
    int64_t *integers;        /* [size]                                                   */
    void *symbolic, *numeric;
    double control[UMFPACK_CONTROL];
    int64_t bytes, factors; /* bytes of the arrays, and UMFPACK's                                */
};

/* ---- entries ------------------------------------------------------------------------------ */

/* Where the next entry goes; row and column are written when laying out only. */
typedef struct pen {
    rct_augmented *s;
    int64_t at;
    int laying;
} pen;

static void put(pen *to, int64_t row, int64_t column, double value)
{
    rct_augmented *s = to->s;
    if (to->laying) {
        s->row[to->at] = row;
        s->column[to->at] = column;
    }
    s->list[to->at++] = value;
}

static void put_both(pen *to, int64_t row, int64_t column, double value)
{
    put(to, row, column, value);
    put(to, column, row, value);
}

/* First unknown of what a body has, and of rates and rows. */
static int64_t motion_of(int64_t body)
{
    return 12 * body;
}

static int64_t force_of(int64_t body)
{
    return 12 * body + 6;
}

static int64_t rate_at(const rct_augmented *s, int64_t rate)
{
    return 12 * s->n + rate;
}

static int64_t row_at(const rct_augmented *s, int64_t row)
{
    return 12 * s->n + s->rates + row;
}

/* M of the body, of which only the inertia and m c~ have entries off the diagonal. */
static void put_mass(pen *to, const rct_operator_tree *tree, int32_t body)
{
    const int64_t at = motion_of(body);
    double P[36] = {0.0};
    rct_operator_add_body(tree->mass[body], tree->com + 3 * (int64_t)body,
                          tree->inertia + 6 * (int64_t)body, P);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            const int angular = i < 3 && j < 3, linear = i >= 3 && j >= 3;
            if (angular || (linear ? i == j : i % 3 != j % 3)) {
                put(to, at + i, at + j, to->s->unit * P[6 * i + j]);
            }
        }
    }
}

/* V - A phi* V of the parent and its like of forces: phi* V = (w, v + w x l). */
static void put_carried(pen *to, const rct_operator_tree *tree, int32_t body)
{
    const int32_t up = tree->parent[body];
    const int64_t own = motion_of(body), force = force_of(body);
    for (int i = 0; i < 6; i++) {
        put_both(to, force + i, own + i, 1.0);
    }
    if (up == RCT_GROUND || tree->hinge[body] == RCT_HINGE_FREE) {
        return;
    }
    const double *p = tree->point + 3 * (int64_t)body, *q = tree->point + 3 * (int64_t)up;
    const int64_t on = motion_of(up);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (tree->hinge[body] != RCT_HINGE_BALL) {
            put_both(to, force + i, on + i, -1.0);
        }
        put_both(to, force + 3 + i, on + 3 + i, -1.0);
        put_both(to, force + 3 + i, on + j, q[k] - p[k]);
        put_both(to, force + 3 + i, on + k, p[j] - q[j]);
    }
}

static void put_hinge(pen *to, const rct_operator_tree *tree, int32_t body)
{
    const int plain = tree->hinge[body] == RCT_HINGE_BALL || tree->hinge[body] == RCT_HINGE_FREE;
    for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
        for (int i = 0; i < 6; i++) {
            if (!plain || i == r - tree->first[body]) {
                put_both(to, rate_at(to->s, r), force_of(body) + i, -tree->H[6 * r + i]);
            }
        }
    }
}

static void put_row(pen *to, const rct_closure_rows *rows, int32_t i, double eps)
{
    const int64_t at = row_at(to->s, i);
    for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
        for (int j = 0; j < 6; j++) {
            put_both(to, at, motion_of(rows->ends[k].body) + j, rows->ends[k].wrench[j]);
        }
    }
    for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
        put_both(to, at, rate_at(to->s, rows->rates[k].rate), rows->rates[k].factor);
    }
    put(to, at, at, -eps);
}

static void write(rct_augmented *s, const rct_closure_problem *problem, double eps, int laying)
{
    pen to = {.s = s, .laying = laying};
    for (int32_t b = 0; b < s->n; b++) {
        put_mass(&to, problem->tree, b);
        put_carried(&to, problem->tree, b);
        put_hinge(&to, problem->tree, b);
    }
    for (int32_t i = 0; i < s->rows; i++) {
        put_row(&to, problem->rows, i, eps);
    }
    s->count = to.at;
}

/* ---- room --------------------------------------------------------------------------------- */

rct_augmented *rct_augmented_create(rct_error *error)
{
    rct_augmented *s = rct_allocate(1, sizeof *s, "closures", error);
    if (s != NULL) {
        umfpack_dl_defaults(
            s->control); /* the symmetric ordering takes minutes on a ladder of 300 bodies */
        s->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
    }
    return s;
}

static void release_lists(rct_augmented *s)
{
    rct_release(s->row);
    rct_release(s->column);
    s->row = s->column = NULL;
}

static void release(rct_augmented *s)
{
    release_lists(s);
    rct_release(s->place);
    rct_release(s->start);
    rct_release(s->index);
    rct_release(s->value);
    rct_release(s->list);
    rct_release(s->right);
    rct_release(s->solution);
    rct_release(s->work);
    rct_release(s->integers);
    if (s->symbolic != NULL) {
        umfpack_dl_free_symbolic(&s->symbolic);
    }
    if (s->numeric != NULL) {
        umfpack_dl_free_numeric(&s->numeric);
    }
    s->place = s->start = s->index = s->integers = NULL;
    s->value = s->list = s->right = s->solution = s->work = NULL;
    s->version = s->bytes = s->factors = 0;
}

void rct_augmented_free(rct_augmented *s)
{
    if (s != NULL) {
        release(s);
        rct_release(s);
    }
}

int64_t rct_augmented_bytes(const rct_augmented *s)
{
    return (int64_t)sizeof *s + s->bytes + s->factors;
}

static void *numbers(rct_augmented *s, int64_t count, int *whole, rct_error *error)
{
    void *memory = *whole ? rct_allocate(count, 8, "the equations of loops", error) : NULL;
    s->bytes += 8 * count;
    *whole = memory != NULL;
    return memory;
}

/* Entries at most: those of the parts above, with 6 a rate. */
static int64_t most_entries(const rct_augmented *s, const rct_closure_rows *rows)
{
    return s->n * (24 + 12 + 24) + 12 * s->rates + 12 * (int64_t)rows->ends_at[rows->count] +
           2 * rows->rates_at[rows->count] + rows->count;
}

static int allocate(rct_augmented *s, const rct_closure_problem *problem, rct_error *error)
{
    const int64_t most = most_entries(s, problem->rows);
    int whole = 1;
    s->row = numbers(s, most, &whole, error);
    s->column = numbers(s, most, &whole, error);
    s->place = numbers(s, most, &whole, error);
    s->start = numbers(s, s->size + 1, &whole, error);
    s->index = numbers(s, most, &whole, error);
    s->value = numbers(s, most, &whole, error);
    s->list = numbers(s, most, &whole, error);
    s->right = numbers(s, s->size, &whole, error);
    s->solution = numbers(s, s->size, &whole, error);
    s->work = numbers(s, 5 * s->size, &whole, error);
    s->integers = numbers(s, s->size, &whole, error);
    s->bytes -= 2 * 8 * most; /* row and column go again */
    return whole;
}

/* ---- factors ------------------------------------------------------------------------------ */

static rct_status status_of(int64_t umfpack, rct_error *error)
{
    switch (umfpack) {
    case UMFPACK_OK: return RCT_OK;
    case UMFPACK_WARNING_singular_matrix:
        return rct_fail(error, RCT_ERROR_SINGULAR,
                        "the equations of the tree and its loops are singular: a hinge has a "
                        "motion that no inertia resists; give every body inertia about every axis "
                        "through its hinge point");
    default:
        return rct_fail(error, RCT_ERROR_MEMORY,
                        "out of memory: the sparse factorization (UMFPACK) returned %d; make the "
                        "model smaller, free memory, or close the loops by admittance",
                        (int)umfpack);
    }
}

static rct_status analyse(rct_augmented *s, rct_error *error)
{
    double info[UMFPACK_INFO];
    if (s->symbolic != NULL) {
        umfpack_dl_free_symbolic(&s->symbolic);
    }
    return status_of(umfpack_dl_symbolic(s->size, s->size, s->start, s->index, s->value,
                                         &s->symbolic, s->control, info),
                     error);
}

static rct_status lay_out(rct_augmented *s, const rct_closure_problem *problem, double eps,
                          rct_error *error)
{
    release(s);
    s->n = problem->tree->n;
    s->rates = problem->tree->first[s->n];
    s->rows = problem->rows->count;
    s->size = 12 * s->n + s->rates + s->rows;
    if (!allocate(s, problem, error)) {
        return RCT_ERROR_MEMORY;
    }
    write(s, problem, eps, 1);
    rct_status status =
        status_of(umfpack_dl_triplet_to_col(s->size, s->size, s->count, s->row, s->column, s->list,
                                            s->start, s->index, s->value, s->place),
                  error);
    release_lists(s);
    return status == RCT_OK ? analyse(s, error) : status;
}

/* Numbers in their places, of which some may add up. */
static void place(rct_augmented *s)
{
    memset(s->value, 0, (size_t)s->start[s->size] * sizeof *s->value);
    for (int64_t i = 0; i < s->count; i++) {
        s->value[s->place[i]] += s->list[i];
    }
}

static int64_t decompose(rct_augmented *s)
{
    double info[UMFPACK_INFO] = {0.0};
    if (s->numeric != NULL) {
        umfpack_dl_free_numeric(&s->numeric);
    }
    const int64_t result = umfpack_dl_numeric(s->start, s->index, s->value, s->symbolic,
                                              &s->numeric, s->control, info);
    s->factors = (int64_t)(info[UMFPACK_NUMERIC_SIZE] * info[UMFPACK_SIZE_OF_UNIT]);
    return result;
}

rct_status rct_augmented_factor(rct_augmented *s, const rct_closure_problem *problem, double unit,
                                double eps, rct_error *error)
{
    rct_status status = RCT_OK;
    s->unit = unit;
    if (s->version != problem->rows->version) {
        status = lay_out(s, problem, eps, error);
    }
    if (status == RCT_OK) {
        s->version = problem->rows->version;
        write(s, problem, eps, 0);
        place(s);
        int64_t result = decompose(s);
        if (result == UMFPACK_WARNING_singular_matrix) { /* analysed where other numbers were 0 */
            status = analyse(s, error);
            result = status == RCT_OK ? decompose(s) : result;
        }
        status = status == RCT_OK ? status_of(result, error) : status;
    }
    s->version = status == RCT_OK ? s->version : 0;
    return status;
}

void rct_augmented_solve(rct_augmented *s, const double *force, const double *x, double *change,
                         double *y)
{
    const int64_t rates = rate_at(s, 0), rows = row_at(s, 0);
    memset(s->right, 0, (size_t)rows * sizeof *s->right);
    for (int64_t r = 0; r < s->rates && force != NULL; r++) {
        s->right[rates + r] = s->unit * force[r];
    }
    for (int64_t i = 0; i < s->rows; i++) {
        s->right[rows + i] = -x[i];
    }
    umfpack_dl_wsolve(UMFPACK_A, s->start, s->index, s->value, s->solution, s->right, s->numeric,
                      s->control, NULL, s->integers, s->work);
    if (change != NULL) {
        memcpy(change, s->solution + rates, (size_t)s->rates * sizeof *change);
    }
    for (int64_t i = 0; i < s->rows; i++) {
        y[i] = s->solution[rows + i] / s->unit;
    }
}

double rct_augmented_determinant(const rct_augmented *s)
{
    double mantissa = 0.0, exponent = 0.0;
    umfpack_dl_get_determinant(&mantissa, &exponent, s->numeric, NULL);
    return log10(fabs(mantissa)) + exponent;
}
