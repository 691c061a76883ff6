/* The augmented system (augmented.h): a list of entries in an order that the rows fix, so that a
 * new state writes new numbers to the same places. */
#include "closure/augmented.h"

#include "closure/aggregate.h"
#include "core/error.h"
#include "core/pool.h"
#include "operators/factor.h"
#include "operators/sweep.h"

#include <string.h>

static const char what[] = "the equations of the tree and its loops";

/* ---- entries ------------------------------------------------------------------------------ */

/* Where the next entry and its image go; row and column are written only when laying out. */
typedef struct pen {
    rct_augmented *s;
    int64_t at;
    int laying;
} pen;

static void put(pen *to, int64_t row, int64_t column, double value)
{
    rct_augmented *s = to->s;
    if (to->laying) {
        s->row[to->at] = row < column ? row : column;
        s->column[to->at] = row < column ? column : row;
    }
    s->list[to->at++] = value;
}

/* The first unknown of a body, and of rates and rows. */
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

/* M of the body; only the inertia and m c~ have entries off the diagonal. */
static void put_mass(pen *to, const rct_operator_tree *tree, int32_t body)
{
    const int64_t at = motion_of(body);
    double P[36] = {0.0};
    rct_operator_add_body(tree->mass[body], tree->com + 3 * (int64_t)body,
                          tree->inertia + 6 * (int64_t)body, P);
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            const int angular = i < 3 && j < 3, linear = i >= 3 && j >= 3;
            if (angular || (linear ? i == j : i % 3 != j % 3)) {
                put(to, at + i, at + j, to->s->unit * P[6 * i + j]);
            }
        }
    }
}

/* V - A phi* V of the parent, and the same for forces: phi* V = (w, v + w x l). */
static void put_carried(pen *to, const rct_operator_tree *tree, int32_t body)
{
    const int32_t up = tree->parent[body];
    const int64_t own = motion_of(body), force = force_of(body);
    for (int i = 0; i < 6; i++) {
        put(to, force + i, own + i, 1.0);
    }
    if (up == RCT_GROUND || tree->hinge[body] == RCT_HINGE_FREE) {
        return;
    }
    const double *l = tree->lever + 3 * (int64_t)body;
    const int64_t on = motion_of(up);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (tree->hinge[body] != RCT_HINGE_BALL) {
            put(to, force + i, on + i, -1.0);
        }
        put(to, force + 3 + i, on + 3 + i, -1.0);
        put(to, force + 3 + i, on + j, -l[k]);
        put(to, force + 3 + i, on + k, l[j]);
    }
}

static void put_hinge(pen *to, const rct_operator_tree *tree, int32_t body)
{
    const int plain = tree->hinge[body] == RCT_HINGE_BALL || tree->hinge[body] == RCT_HINGE_FREE;
    for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
        for (int i = 0; i < 6; i++) {
            if (!plain || i == r - tree->first[body]) {
                put(to, rate_at(to->s, r), force_of(body) + i, -tree->H[6 * r + i]);
            }
        }
        if (tree->armature != NULL) {
            put(to, rate_at(to->s, r), rate_at(to->s, r), to->s->unit * tree->armature[r]);
        }
    }
}

static void put_row(pen *to, const rct_closure_rows *rows, int32_t i, double eps)
{
    const int64_t at = row_at(to->s, i);
    for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
        for (int j = 0; j < 6; j++) {
            put(to, at, motion_of(rows->ends[k].body) + j, rows->ends[k].wrench[j]);
        }
    }
    for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
        put(to, at, rate_at(to->s, rows->rates[k].rate), rows->rates[k].factor);
    }
    put(to, at, at, -eps);
}

static void write(rct_augmented *s, double eps, int laying)
{
    const rct_closure_problem *problem = s->problem;
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

/* ---- factors ------------------------------------------------------------------------------ */

/* List bodies from the tips inward, by their distance from the ground; `order`: parents first. */
static void order_bodies(const rct_operator_tree *tree, const int32_t *order, int32_t *list,
                         int32_t *depth, int32_t *at)
{
    for (int32_t k = 0; k < tree->n; k++) {
        const int32_t up = tree->parent[order[k]];
        depth[order[k]] = up == RCT_GROUND ? 1 : depth[up] + 1;
    }
    for (int32_t b = 0; b < tree->n; b++) {
        at[tree->n - depth[b] + 1]++;
    }
    for (int32_t k = 0; k < tree->n; k++) {
        at[k + 1] += at[k];
    }
    for (int32_t b = 0; b < tree->n; b++) {
        list[at[tree->n - depth[b]]++] = b;
    }
}

/* Order the unknowns of a body: each motion by the equation in the row of a force, and the other
 * way round. */
static int64_t order_body(const rct_augmented *s, int32_t body, int64_t count, int64_t *order,
                          int64_t *equation)
{
    const rct_operator_tree *tree = s->problem->tree;
    for (int k = 0; k < 12; k++) {
        order[count++] = motion_of(body) + k;
        equation[motion_of(body) + k] = k < 6 ? force_of(body) + k : motion_of(body) + k - 6;
    }
    for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
        order[count++] = equation[rate_at(s, r)] = rate_at(s, r);
    }
    return count;
}

/* The last place among the bodies at which an unknown enters a row. */
static int32_t last_of(const rct_closure_problem *problem, int32_t i, const int32_t *place)
{
    const rct_closure_rows *rows = problem->rows;
    int32_t last = 0;
    for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
        last = place[rows->ends[k].body] > last ? place[rows->ends[k].body] : last;
    }
    for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
        const int32_t at = place[rct_aggregation_body_of(problem->tree, rows->rates[k].rate)];
        last = at > last ? at : last;
    }
    return last;
}

static void fill_order(const rct_augmented *s, int32_t *work, int64_t *order, int64_t *equation)
{
    const rct_operator_tree *tree = s->problem->tree;
    int32_t *list = work, *place = list + s->n, *head = place + s->n + 1, *next = head + s->n;
    int64_t count = 0;
    order_bodies(tree, s->problem->operators->order, list, head, place);
    for (int32_t k = 0; k < s->n; k++) {
        place[list[k]] = k;
        head[k] = -1;
    }
    for (int32_t i = 0; i < s->rows; i++) {
        const int32_t last = last_of(s->problem, i, place);
        next[i] = head[last];
        head[last] = i;
    }
    for (int32_t k = 0; k < s->n; k++) {
        count = order_body(s, list[k], count, order, equation);
        for (int32_t i = head[k]; i >= 0; i = next[i]) {
            order[count++] = equation[row_at(s, i)] = row_at(s, i);
        }
    }
}

rct_sparse_system *rct_augmented_lay_out(rct_augmented *s, const rct_closure_problem *problem,
                                         rct_pool *pool, rct_error *error)
{
    rct_pool places = {.what = what};
    s->problem = problem;
    s->n = problem->tree->n;
    s->rates = problem->tree->first[s->n];
    s->rows = problem->rows->count;
    s->size = 12 * s->n + s->rates + s->rows;
    const rct_closure_rows *rows = problem->rows;
    const int64_t most = s->n * (15 + 6 + 12) + 7 * s->rates + /* of the parts above, 7 per rate */
                         6 * (int64_t)rows->ends_at[s->rows] + rows->rates_at[s->rows] + s->rows;
    s->row = rct_pool_take(&places, most, sizeof *s->row, error);
    s->column = rct_pool_take(&places, most, sizeof *s->column, error);
    int64_t *order = rct_pool_take(&places, 2 * s->size, sizeof *order, error);
    int32_t *work = rct_pool_take(&places, 3 * s->n + 1 + s->rows, sizeof *work, error);
    s->list = rct_pool_take(pool, most, sizeof *s->list, error);
    s->solution = rct_pool_take(pool, s->size, sizeof *s->solution, error);
    if (!places.failed && !pool->failed) {
        write(s, 0.0, 1);
        fill_order(s, work, order, order + s->size);
        const rct_sparse_places all = {.what = what,
                                       .size = s->size,
                                       .count = s->count,
                                       .row = s->row,
                                       .column = s->column,
                                       .order = order,
                                       .equation = order + s->size};
        s->system = rct_sparse_system_create(&all, error);
    }
    rct_pool_empty(&places);
    return s->system;
}

rct_status rct_augmented_factor(rct_augmented *s, double unit, double eps, rct_error *error)
{
    s->unit = unit;
    write(s, eps, 0);
    const rct_status status = rct_sparse_system_factor(s->system, s->list, error);
    return status != RCT_ERROR_SINGULAR
               ? status
               : rct_fail(error, RCT_ERROR_SINGULAR,
                          "the equations of the tree and its loops are singular: a hinge has a "
                          "motion that no inertia resists; give every body inertia about every "
                          "axis through its hinge point");
}

void rct_augmented_solve(rct_augmented *s, const double *force, const double *x, double *change,
                         double *y)
{
    const int64_t rates = rate_at(s, 0), rows = row_at(s, 0);
    memset(s->solution, 0, (size_t)rows * sizeof *s->solution);
    for (int64_t r = 0; r < s->rates && force != NULL; r++) {
        s->solution[rates + r] = s->unit * force[r];
    }
    for (int64_t i = 0; i < s->rows; i++) {
        s->solution[rows + i] = -x[i];
    }
    rct_sparse_system_refine(s->system, s->solution);
    if (change != NULL) {
        memcpy(change, s->solution + rates, (size_t)s->rates * sizeof *change);
    }
    for (int64_t i = 0; i < s->rows; i++) {
        y[i] = s->solution[rows + i] / s->unit;
    }
}
