/* The scale of each component of the matrix of admittance, and its rank (admittance.h). */
#include "closure/admittance.h"

#include "algebra/dense.h"
#include "closure/front/front.h"

#include <math.h>
#include <string.h>

/* E over the largest diagonal number of the component. Rounding is about 1e-16 of that number. */
static const double shift_of_scale = 1e-12;

/* Pivots up to this belong to rows that other rows already hold: a few E, and more where many rows
 * hold together. */
static const double least_pivot = 1e-9;

/* The least scale, as a fraction of how far ends could move if no hinge held them: E is then some
 * hundred times the rounding there. */
static const double held = 1e-1;

/* How much more than their scale ends may give way: the common motion of both ends cancels except
 * for rounding. */
static const double beyond = 16.0;

/* Smaller pivots leave the rank in doubt, and so do smaller eigenvalues, over the scale: those are
 * rounding, which need not show in a pivot. */
static const double plain_pivot = 1e-8, hidden = 1e-15;

/* Larger eigenvalues, over the scale, are far from rounding. */
static const double clear = 1e-9;

/* ---- scale -------------------------------------------------------------------------------- */

void rct_admittance_ready(const rct_admittance *a, double *own)
{
    const rct_mobility *mobility = rct_admittance_mobility(a);
    memset(own, 0, (size_t)a->reduced->rows * sizeof *own);
    if (mobility->ready != NULL) {
        mobility->ready(mobility->context, own);
        for (int32_t i = 0; i < a->reduced->rows; i++) {
            own[i] *= held;
        }
    }
}

/* The diagonal of Lambda; with a front, from the paths of ends. */
static void find_diagonal(const rct_admittance *a, double *own)
{
    const rct_reduced_tree *r = a->reduced;
    rct_admittance_ready(a, own);
    for (int64_t k = 0; k < a->diagonals; k++) {
        own[a->number_row[a->diagonal[k]]] += a->values[a->diagonal[k]];
    }
    for (int32_t i = 0; i < r->rows; i++) {
        own[i] += rct_admittance_give(a, i);
    }
    for (int32_t e = 0; e < r->ends; e++) {
        const rct_reduced_node *node = &r->node[r->end[e].node];
        double *sum = &own[r->end[e].row];
        for (int j = 0; j < 6; j++) {
            const double square = r->end[e].wrench[j] * r->end[e].wrench[j];
            *sum += square * (held * node->ready[j] + (r->end[e].entry < 0 ? node->gives[j] : 0.0));
        }
    }
}

void rct_admittance_scale(rct_admittance *a)
{
    rct_admittance_components *c = &a->components;
    memset(c->doubted, 0, (size_t)c->count * sizeof *c->doubted);
    if (rct_admittance_known(a)) {
        return;
    }
    find_diagonal(a, a->right);
    for (int32_t i = 0; i < c->count; i++) {
        double most = 0.0;
        for (int32_t k = c->first[i]; k < c->first[i + 1]; k++) {
            const double own = a->right[c->row[k]];
            most = own > most ? own : most;
        }
        c->scale[i] = most > 0.0 ? most : 1.0; /* bodies that are welded to the ground */
    }
}

int rct_admittance_raise(rct_admittance *a)
{
    rct_admittance_components *c = &a->components;
    const double *moves = a->reduced->front->moves;
    int any = 0;
    for (int32_t i = 0; i < a->reduced->rows; i++) {
        any |= moves[i] > beyond * c->scale[c->of_row[i]];
    }
    for (int32_t i = 0; i < a->reduced->rows && any; i++) {
        double *scale = &c->scale[c->of_row[i]];
        *scale = fmax(*scale, moves[i]);
    }
    return any;
}

void rct_admittance_shift(rct_admittance *a, double *least)
{
    const rct_admittance_components *c = &a->components;
    const int32_t rows = a->reduced->rows;
    for (int32_t i = 0; i < rows; i++) {
        const int32_t component = c->of_row[i];
        const double scale = c->scale[component];
        a->shift[i] = c->doubted[component] ? shift_of_scale * scale : 0.0;
        least[i] = c->doubted[component] ? 0.0 : plain_pivot * scale;
        a->values[a->numbers - rows + i] = a->shift[i] + rct_admittance_give(a, i);
    }
}

static double pivot_of(const rct_admittance *a, int32_t row)
{
    return a->reduced->front != NULL ? a->reduced->front->pivot[row] : a->pivot[row];
}

/* Find components with an eigenvalue that is rounding although no pivot is small, such as where a
 * null vector dies away from row to row. For a random b, x = Lambda^-1 b lies along the
 * eigenvector, and x* b / x* x is the eigenvalue. */
static int doubt_hidden(rct_admittance *a)
{
    rct_admittance_components *c = &a->components;
    double *b = a->next, *x = a->x;
    uint64_t random = 1;
    int any = 0;
    if (rct_admittance_known(a)) {
        return 0;
    }
    a->clear = 1;
    for (int32_t i = 0; i < a->reduced->rows; i++) {
        const double drawn = rct_closure_draw(&random);
        b[i] = c->doubted[c->of_row[i]] ? 0.0 : drawn;
    }
    rct_admittance_respond(a, b, x);
    for (int32_t i = 0; i < c->count; i++) {
        double square = 0.0, along = 0.0;
        for (int32_t k = c->first[i]; k < c->first[i + 1]; k++) {
            square += x[c->row[k]] * x[c->row[k]];
            along += x[c->row[k]] * b[c->row[k]];
        }
        c->least[i] = c->doubted[i] ? 0.0 : along / square;
        a->clear = a->clear && c->least[i] > clear * c->scale[i];
        if (!c->doubted[i] && !(c->least[i] > hidden * c->scale[i])) {
            c->doubted[i] = 1;
            any = 1;
        }
    }
    return any;
}

double rct_admittance_error(const rct_admittance *a, const double *rest, const double *lambda)
{
    const rct_admittance_components *c = &a->components;
    double wrong = 0.0, whole = 0.0;
    for (int32_t i = 0; i < c->count; i++) {
        double square = 0.0;
        for (int32_t k = c->first[i]; k < c->first[i + 1]; k++) {
            square += rest[c->row[k]] * rest[c->row[k]];
            whole += lambda[c->row[k]] * lambda[c->row[k]];
        }
        wrong += square / (c->least[i] * c->least[i]);
    }
    return sqrt(wrong / whole);
}

int rct_admittance_doubt(rct_admittance *a, int whole)
{
    rct_admittance_components *c = &a->components;
    const double *pivot = a->reduced->front != NULL ? a->reduced->front->pivot : a->pivot;
    int any = 0;
    for (int32_t i = 0; i < c->count; i++) {
        const double bound = plain_pivot * c->scale[i];
        int low = !whole;
        for (int32_t k = c->first[i]; k < c->first[i + 1]; k++) {
            low |= !(pivot[c->row[k]] > bound);
        }
        c->doubted[i] = (unsigned char)(c->doubted[i] | low);
        any |= low;
    }
    return (whole && doubt_hidden(a)) || any;
}

/* ---- rank --------------------------------------------------------------------------------- */

/* Fill in Lambda of a component, its lower triangle by columns. */
static void fill_dense(rct_admittance *a, int32_t component)
{
    const rct_admittance_components *c = &a->components;
    const int32_t *row = c->row + c->first[component];
    const int32_t m = c->first[component + 1] - c->first[component];
    memset(a->dense, 0, (size_t)m * (size_t)m * sizeof *a->dense);
    for (int32_t i = 0; i < m; i++) {
        a->local[row[i]] = i;
        a->dense[(int64_t)m * i + i] = rct_admittance_give(a, row[i]);
    }
    for (int64_t k = c->first_at[component]; k < c->first_at[component + 1]; k++) {
        const int32_t i = a->local[a->number_row[c->number[k]]];
        const int32_t j = a->local[a->number_column[c->number[k]]];
        a->dense[(int64_t)m * (i < j ? i : j) + (i < j ? j : i)] += a->values[c->number[k]];
    }
}

/* The rank of one component, by pivoted Cholesky of its Lambda. */
static int32_t dense_rank(rct_admittance *a, int32_t component, int32_t *dependent)
{
    const rct_admittance_components *c = &a->components;
    const int32_t *row = c->row + c->first[component];
    const int32_t m = c->first[component + 1] - c->first[component];
    fill_dense(a, component);
    const int32_t rank = rct_dense_cholesky_rank(rct_dense_columns(a->dense, m, m, m),
                                                 shift_of_scale * c->scale[component], a->pivots);
    *dependent = rank < m ? row[a->pivots[rank]] : *dependent;
    return rank;
}

/* The rank by pivots of Lambda + E. */
static int32_t sparse_rank(const rct_admittance *a, int32_t component, int32_t *dependent)
{
    const rct_admittance_components *c = &a->components;
    int32_t rank = 0;
    for (int32_t k = c->first[component]; k < c->first[component + 1]; k++) {
        const int independent = pivot_of(a, c->row[k]) > least_pivot * c->scale[component];
        rank += independent;
        *dependent = independent ? *dependent : c->row[k];
    }
    return rank;
}

/* The number of small pivots in doubted components with a front. */
static int64_t small_pivots(const rct_admittance *a)
{
    const rct_admittance_components *c = &a->components;
    int64_t count = 0;
    for (int32_t i = 0; i < c->count; i++) {
        int32_t dependent = -1;
        if (c->doubted[i]) {
            count += c->first[i + 1] - c->first[i] - sparse_rank(a, i, &dependent);
        }
    }
    return count;
}

/* Find the next vector of the null space, of length 1: the null part of a random vector, less the
 * vectors before. `any`: whether there is one. */
static rct_status find_null(rct_admittance *a, int32_t before, uint64_t *random, int *any,
                            rct_error *error)
{
    const int32_t rows = a->reduced->rows;
    double *v = a->x, *found = a->basis + (int64_t)before * rows, whole = 0.0, size = 0.0;
    for (int32_t i = 0; i < rows; i++) {
        const double drawn = rct_closure_draw(random);
        v[i] = a->components.doubted[a->components.of_row[i]] ? drawn : 0.0;
        whole += v[i] * v[i];
    }
    const rct_status status = rct_admittance_null_part(a, v, found, error);
    for (int32_t k = 0; k < 2 * before; k++) { /* twice is enough */
        const double *other = a->basis + (int64_t)(k % before) * rows;
        double along = 0.0;
        for (int32_t i = 0; i < rows; i++) {
            along += other[i] * found[i];
        }
        for (int32_t i = 0; i < rows; i++) {
            found[i] -= along * other[i];
        }
    }
    for (int32_t i = 0; i < rows; i++) {
        size += found[i] * found[i];
    }
    for (int32_t i = 0; i < rows && size > 0.0; i++) {
        found[i] /= sqrt(size);
    }
    *any = size > 1e-12 * whole;
    return status;
}

/* How many rows of a front depend on others, to `deficiency`: the dimension of the null space. */
static rct_status estimate(rct_admittance *a, int32_t *deficiency, int32_t *dependent,
                           rct_error *error)
{
    const int32_t rows = a->reduced->rows;
    uint64_t random = 1;
    int32_t count = 0;
    for (int any = 1; count < RCT_ADMITTANCE_BASIS; count++) {
        const rct_status status = find_null(a, count, &random, &any, error);
        if (status != RCT_OK || !any) {
            *deficiency = count;
            return status;
        }
        const double *found = a->basis + (int64_t)count * rows;
        double most = 0.0;
        for (int32_t i = 0; i < rows; i++) { /* any row with a part in it depends on the others */
            *dependent = fabs(found[i]) > most ? i : *dependent;
            most = fmax(most, fabs(found[i]));
        }
    }
    const int64_t pivots = small_pivots(a);
    *deficiency = pivots > count ? (int32_t)pivots : count;
    return RCT_OK;
}

rct_status rct_admittance_rank(rct_admittance *a, rct_closure_report *report, rct_error *error)
{
    const rct_admittance_components *c = &a->components;
    int32_t deficiency = 0;
    int any_doubted = 0;
    report->rank = 0;
    report->dependent = -1;
    for (int32_t i = 0; i < c->count; i++) {
        const int32_t rows = c->first[i + 1] - c->first[i];
        if (!c->doubted[i] || a->reduced->front != NULL) {
            report->rank += rows;
            any_doubted = any_doubted || c->doubted[i];
        } else {
            report->rank += rows <= RCT_ADMITTANCE_DENSE ? dense_rank(a, i, &report->dependent)
                                                         : sparse_rank(a, i, &report->dependent);
        }
    }
    const rct_status status =
        any_doubted ? estimate(a, &deficiency, &report->dependent, error) : RCT_OK;
    report->rank -= deficiency;
    return status;
}
