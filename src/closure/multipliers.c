/* Closing of loops by multipliers (seed 003, eqs. 59 to 63; seed 004, eq. 73), on the sparse system
 * of augmented.h. Its cost is that of the factors: near O(n) for ladders and meshes, where J M^-1
 * J* is full.
 *
 * The factor is that of Lambda + eps, Lambda = J M^-1 J*, with eps so small that it affects only
 * rows that depend on others. One solve leaves eps / (sigma^2 + eps) of a gap along singular values
 * sigma of J in the metric of M. A second solve with the gap that is left leaves the square of
 * that: the proximal iteration. It continues while it gains, and refines M change = J* lambda on
 * the way. Its lambda stays in the range of Lambda, so it is the one of least length. Rounding
 * leaves the range; it is removed by
 *
 *     P = (eps (Lambda + eps)^-1)^4
 *
 * which is, to about (eps / sigma^2)^4, the projection on what J* takes to zero. If P leaves
 * nothing of a random vector, rows are independent. If it leaves something, the rank comes from
 * determinants at two eps: each row that depends on others makes them differ by the ratio of the
 * two. Values sigma^2 within a thousand of eps, that is sigma within 1e-4 of the largest, are in
 * between: their rows count as partly dependent, and the residual shows it. */
#include "closure/augmented.h"
#include "closure/columns.h"

#include <math.h>
#include <string.h>

/* eps relative to the unit; and the least unit, the mean of the diagonal of Lambda, relative to its
 * value if no hinge held anything. */
static const double least_square = 1e-12, rounding = 1e-2;

/* The most that P may leave of a vector of +1 and -1 in a row that does not depend on others. */
static const double traces = 1e-6;

/* The ratio of the two eps. */
static const double apart = 10.0;

enum { MOST_ROUNDS = 12, POWER = 4 };

typedef struct multipliers {
    rct_closure_work base;
    rct_closure_columns columns;
    rct_augmented equations; /* of the system of the base */
    int64_t rates;
    int32_t rows, rank;
    double unit, eps;                   /* of Lambda, and relative to the unit */
    double *gap, *left, *step, *before; /* [rows] */
    double *force, *shift, *kept;       /* [rates] */
} multipliers;

/* ---- room --------------------------------------------------------------------------------- */

static void *create(const rct_closures *closures, rct_error *error)
{
    return rct_closure_work_create(closures, sizeof(multipliers), "closures", NULL, error);
}

static rct_status make(void *work, rct_error *error)
{
    multipliers *m = work;
    const rct_closure_problem *problem = &m->base.problem;
    rct_pool *pool = &m->base.pool;
    const int64_t one = sizeof(double);
    m->rates = problem->tree->first[problem->tree->n];
    m->rows = problem->rows->count;
    double **const of_rows[] = {&m->gap, &m->left, &m->step, &m->before};
    double **const of_rates[] = {&m->force, &m->shift, &m->kept};
    for (int i = 0; i < 4; i++) {
        *of_rows[i] = rct_pool_take(pool, m->rows, one, error);
    }
    for (int i = 0; i < 3; i++) {
        *of_rates[i] = rct_pool_take(pool, m->rates, one, error);
    }
    rct_closure_columns_create(&m->columns, problem, pool, error);
    if (pool->failed || m->rows == 0) {
        return pool->failed ? RCT_ERROR_MEMORY : RCT_OK;
    }
    m->base.system = rct_augmented_lay_out(&m->equations, problem, pool, error);
    return m->base.system != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

/* ---- rank --------------------------------------------------------------------------------- */

/* +1 and -1, the same each time. */
static void draw_signs(double *x, int32_t count)
{
    uint32_t bits = 2463534242u;
    for (int32_t i = 0; i < count; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 17;
        bits ^= bits << 5;
        x[i] = bits & 1u ? 1.0 : -1.0;
    }
}

/* |N^-1 J* z|^2 = z . Lambda z of signs z, whose mean is the trace of Lambda; or a substitute if
 * hinges hold everything. */
static double choose_unit(multipliers *m)
{
    const double size = rct_closure_columns_size(&m->columns);
    double *y = m->columns.whole, trace = 0.0;
    draw_signs(m->step, m->rows);
    rct_closure_columns_turn(&m->columns, m->step, y);
    rct_operator_inward(m->base.problem.operators, 1, y, y);
    for (int64_t r = 0; r < m->rates; r++) {
        trace += y[r] * y[r];
    }
    const double mean = fmax(trace, rounding * size * size) / m->rows;
    return mean == 0.0 ? 1.0 : mean; /* nothing moves: any unit will do */
}

/* y = P x */
static void part_of_none(multipliers *m, const double *x, double *y)
{
    memcpy(y, x, (size_t)m->rows * sizeof *y);
    for (int k = 0; k < POWER; k++) {
        rct_augmented_solve(&m->equations, NULL, y, NULL, y);
        for (int32_t i = 0; i < m->rows; i++) {
            y[i] *= m->eps * m->unit;
        }
    }
}

/* The row of a vector of signs of which P leaves most, if that is more than traces; or -1. */
static int32_t find_dependent(multipliers *m)
{
    int32_t found = -1;
    double most = traces;
    draw_signs(m->step, m->rows);
    part_of_none(m, m->step, m->left);
    for (int32_t i = 0; i < m->rows; i++) {
        if (fabs(m->left[i]) > most) {
            most = fabs(m->left[i]);
            found = i;
        }
    }
    return found;
}

/* The rank where a row depends on others, at least one less than full; factors again with a larger
 * eps. */
static rct_status count_rank(multipliers *m, rct_error *error)
{
    const double before = rct_sparse_system_determinant(m->base.system);
    m->eps *= apart;
    const rct_status status = rct_augmented_factor(&m->equations, m->unit, m->eps, error);
    if (status == RCT_OK) {
        const double grown =
            (rct_sparse_system_determinant(m->base.system) - before) / log10(apart);
        m->rank = m->rows - (int32_t)fmin(fmax(round(grown), 1.0), m->rows);
    }
    return status;
}

static rct_status factor(void *work, const rct_closure_problem *problem, rct_closure_report *report,
                         rct_error *error)
{
    multipliers *m = work;
    rct_status status = rct_closure_work_take(work, problem, make, error);
    m->rank = m->rows;
    report->dependent = -1;
    if (status == RCT_OK && m->rows > 0) {
        m->unit = choose_unit(m);
        m->eps = least_square;
        if (!isfinite(m->unit)) {
            return rct_closure_not_finite(error);
        }
        status = rct_augmented_factor(&m->equations, m->unit, m->eps, error);
    }
    if (status == RCT_OK && m->rows > 0) {
        report->dependent = find_dependent(m);
        status = report->dependent >= 0 ? count_rank(m, error) : RCT_OK;
    }
    report->rank = m->rank;
    return status;
}

/* ---- solving ------------------------------------------------------------------------------ */

/* x -= P x, twice because of rounding. */
static void clean(multipliers *m, double *x)
{
    for (int k = 0; k < 2 && m->rank < m->rows; k++) {
        part_of_none(m, x, m->step);
        for (int32_t i = 0; i < m->rows; i++) {
            x[i] -= m->step[i];
        }
    }
}

/* force = J* lambda - M change and left = J change + gap; returns the largest of `left`. */
static double leave(multipliers *m, const double *lambda, const double *change)
{
    rct_closure_columns_turn(&m->columns, lambda, m->force);
    rct_operator_mass(m->base.problem.operators, 1, change, m->shift);
    for (int64_t r = 0; r < m->rates; r++) {
        m->force[r] -= m->shift[r];
    }
    return rct_closure_columns_left(&m->columns, m->gap, change, m->left);
}

/* One round; it can be taken back while `before` and `shift` are unchanged. */
static double advance(multipliers *m, double *lambda, double *change)
{
    memcpy(m->before, lambda, (size_t)m->rows * sizeof *lambda);
    rct_augmented_solve(&m->equations, m->force, m->left, m->shift, m->step);
    for (int32_t i = 0; i < m->rows; i++) {
        lambda[i] -= m->step[i];
    }
    for (int64_t r = 0; r < m->rates; r++) {
        change[r] += m->shift[r];
    }
    clean(m, lambda);
    memcpy(m->kept, m->shift, (size_t)m->rates * sizeof *change);
    return leave(m, lambda, change);
}

static rct_status solve(void *work, const double *gap, double *lambda, double *change,
                        rct_closure_report *report, rct_error *error)
{
    multipliers *m = work;
    double last = INFINITY, now;
    (void)error;
    memcpy(m->gap, gap, (size_t)m->rows * sizeof *gap);
    memset(lambda, 0, (size_t)m->rows * sizeof *lambda);
    memset(change, 0, (size_t)m->rates * sizeof *change);
    clean(m, m->gap);
    /* rank 0: hinges hold everything that rows would */
    now = m->rank > 0 ? leave(m, lambda, change) : 0.0;
    for (int round = 0; round < MOST_ROUNDS && now > 0.0 && now < 0.5 * last; round++) {
        last = now;
        now = advance(m, lambda, change);
    }
    if (!(now <= last)) {
        memcpy(lambda, m->before, (size_t)m->rows * sizeof *lambda);
        for (int64_t r = 0; r < m->rates; r++) {
            change[r] -= m->kept[r];
        }
    }
    rct_closure_columns_report(&m->columns, gap, change, report);
    return RCT_OK;
}

const rct_closure_method rct_closure_multipliers = {.name = "multipliers",
                                                    .create = create,
                                                    .destroy = rct_closure_work_destroy,
                                                    .bytes = rct_closure_work_bytes,
                                                    .factor = factor,
                                                    .solve = solve};
