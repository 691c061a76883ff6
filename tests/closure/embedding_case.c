/* Constraint embedding on a closed system (embedding_case.h). */
#include "tests/closure/embedding_case.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include <lapacke.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rct_closure_method *const method = &rct_closure_embedding;

const rct_embed_limits *embed_limits;

void *embed_create(const rct_closures *closures, rct_error *error)
{
    return embed_limits == NULL ? method->create(closures, error)
                                : rct_embedding_create(closures, embed_limits, error);
}

double largest(const double *x, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(x[i]));
    }
    return most;
}

double differ(const double *x, const double *y, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(x[i] - y[i]));
    }
    const double size = largest(y, count);
    return size > 0.0 ? most / size : most;
}

solution embed_begin(const closed_system *s)
{
    solution x = {.gap = zeros(s->problem.rows->count),
                  .lambda = zeros(s->problem.rows->count),
                  .change = zeros(s->rates)};
    rct_error error;
    x.work = embed_create(s->closures, &error);
    assert_non_null(x.work);
    if (method->factor(x.work, &s->problem, &x.report, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return x;
}

void embed_solve(solution *x)
{
    assert_int_equal(method->solve(x->work, x->gap, x->lambda, x->change, &x->report, NULL),
                     RCT_OK);
}

void embed_end(solution *x)
{
    method->destroy(x->work);
    free(x->gap);
    free(x->lambda);
    free(x->change);
}

/* |J change + gap| by the dense J. */
static double residual_of(const closed_system *s, const solution *x)
{
    const int64_t rows = s->problem.rows->count;
    double *J = closed_system_jacobian(s), most = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        double sum = x->gap[i];
        for (int64_t j = 0; j < s->rates; j++) {
            sum += J[i * s->rates + j] * x->change[j];
        }
        most = larger(most, fabs(sum));
    }
    free(J);
    const double size = largest(x->gap, rows);
    return size > 0.0 ? most / size : 0.0;
}

/* Whether the other rows span the row of J: the residue of least squares by singular values. */
static int follows(const closed_system *s, int32_t row)
{
    const int v = (int)s->rates, others = s->problem.rows->count - 1;
    const int longer = v > others ? v : others;
    double *J = closed_system_jacobian(s), *wanted = zeros(longer), *values = zeros(longer);
    double *left = zeros(v), *columns = zeros((int64_t)v * others);
    int32_t rank = 0;
    memcpy(wanted, J + (int64_t)row * v, (size_t)v * sizeof *wanted);
    memcpy(left, wanted, (size_t)v * sizeof *left);
    memmove(J + (int64_t)row * v, J + (int64_t)(row + 1) * v,
            (size_t)(others - row) * (size_t)v * sizeof *J);
    memcpy(columns, J, (size_t)others * (size_t)v * sizeof *J);
    const double size = fmax(largest(left, v), largest(J, (int64_t)others * v));
    if (others > 0) {
        assert_int_equal(LAPACKE_dgelsd(LAPACK_COL_MAJOR, v, others, 1, columns, v, wanted, longer,
                                        values, 1e-9, &rank),
                         0);
        for (int32_t i = 0; i < others; i++) {
            for (int32_t j = 0; j < v; j++) {
                left[j] -= J[(int64_t)i * v + j] * wanted[i];
            }
        }
    }
    const int spanned = largest(left, v) <= 1e-8 * size;
    free(J);
    free(wanted);
    free(values);
    free(left);
    free(columns);
    return spanned;
}

void embed_compare(const closed_system *s, solution *x, uint64_t seed)
{
    const int32_t rows = s->problem.rows->count;
    double *lambda = zeros(rows), *change = zeros(s->rates);
    const int32_t rank = closed_system_answer(s, x->gap, lambda, change);
    embed_solve(x);
    const double off = differ(x->change, change, s->rates);
    const double off_lambda = differ(x->lambda, lambda, rows);
    if (x->report.rank != rank || !(off <= 1e-10) || !(off_lambda <= 1e-10)) {
        fail_msg("seed %d: rank %d of %d, change off by %g, lambda by %g", (int)seed,
                 x->report.rank, rank, off, off_lambda);
    }
    assert_true(fabs(x->report.residual - residual_of(s, x)) <= 1e-10);
    assert_true((x->report.dependent >= 0) == (rank < rows));
    assert_true(rank == rows || follows(s, x->report.dependent));
    free(lambda);
    free(change);
}

void add_rod(rct_model *model, int32_t parent, double at, double length, double mass, double angle,
             double rate)
{
    rct_body body = rct_body_default();
    rct_error error;
    body.parent = parent;
    body.hinge = RCT_HINGE_REVOLUTE;
    body.hinge_at[0] = at;
    body.hinge_axis[0] = body.hinge_axis[1] = 0.0;
    body.hinge_axis[2] = 1.0;
    body.position[0] = angle;
    body.rate[0] = rate;
    body.mass = mass;
    body.com[0] = 0.5 * length;
    memset(body.inertia, 0, sizeof body.inertia);
    body.inertia[0] = rotor;
    body.inertia[1] = body.inertia[2] = length > 0.0 ? mass * length * length / 12.0 : rotor;
    if (rct_model_add_body(model, &body, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

void add_closure(rct_model *model, rct_loop_type type, int32_t body, double at, int32_t other,
                 double other_at)
{
    rct_loop loop = rct_loop_default();
    rct_error error;
    loop.type = type;
    loop.body = body;
    loop.other = other;
    loop.at[0] = at;
    loop.other_at[0] = other_at;
    if (rct_model_add_loop(model, &loop, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

rct_model *upright(void)
{
    static const double gravity[3] = {0.0, -9.81, 0.0};
    rct_model *model = rct_model_create(NULL, NULL);
    assert_non_null(model);
    assert_int_equal(rct_model_set_gravity(model, gravity, NULL), RCT_OK);
    return model;
}

void embed_again(const closed_system *s, solution *x)
{
    rct_error error;
    if (method->factor(x->work, &s->problem, &x->report, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}
