/* Forward dynamics of closed chains (seed 001), steps (A) to (F), with all trees as the one
 * primary system and no secondary one: the points of closure C are the mass centres of the
 * bodies in loops, and the rows of A are the constraints on the spatial accelerations there,
 *
 *     A alpha^ = U        alpha^ = B* phi* (H* beta' + a) and turning terms,        J = B* phi* H*      (0.17), (0.18), (0.20)
 *
 * Steps (A) to (F) alone would leave the rounding of double precision. So (B), (D), (E) and (F)
 * are repeated for the remaining A alpha^ - U, and hinge forces are found with A* f^ on the
 * bodies. */
#include "core/error.h"
#include "model/model.h"
#include "reference/lagrange/lagrange.h"
#include "reference/spatial/refine.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { TIMES = 3 };

/* For constraints that follow from others: the part of the largest terms that may be left. */
static const double contradiction = 1e-6;

typedef struct closing {
    const rct_model *model;
    rct_refinement *r;
    rct_pose *pose;
    rct_loop_row *row; /* [count], the first `rank` independent          */
    int64_t count, rank;
    rct_matrix *BA;     /* [6n][rank] B A*                                */
    rct_matrix *reach;  /* [N][rank] H psi B A*                           */
    rct_matrix *inner;  /* [N][N] I - H psi K                             */
    rct_matrix *Lambda; /* [rank][rank] A Lambda A*                       */
    double size;        /* of the terms of A alpha^ - U                   */
} closing;

static rct_status refuse_relations(const rct_model *model, rct_error *error)
{
    for (int32_t i = 0; i < model->loop_count; i++) {
        if (model->loops[i].active && model->loops[i].type == RCT_LOOP_RELATION) {
            char name[RCT_NAME_SIZE];
            rct_model_loop_name(model, i, name);
            return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                            "loop %" PRId32
                            " \"%s\" is a relation among coordinates; reference closed-chain takes "
                            "only constraints on the velocities of points (seed 001, eq. 0.20); "
                            "use the lagrange reference",
                            i, name);
        }
    }
    return RCT_OK;
}

static rct_status take_rows(closing *c, double time, const double *coordinates, const double *rates,
                            rct_error *error)
{
    rct_pool *pool = &c->r->pool;
    c->count = rct_loop_row_count(c->model);
    c->pose = rct_pool_take(pool, c->model->count, sizeof *c->pose, error);
    c->row = rct_pool_take(pool, c->count, sizeof *c->row, error);
    if (pool->failed) {
        return RCT_ERROR_MEMORY;
    }
    const rct_ground ground = rct_pose_ground(c->model, time);
    rct_status status = rct_pose_all(c->model, time, coordinates, rates, c->pose, error);
    if (status == RCT_OK) {
        rct_loop_row_write(c->model, &ground, c->pose, c->row);
        status = rct_loop_row_sort(c->model, c->pose, c->row, c->count, &c->rank, error);
    }
    return status;
}

/* The arm from the origin of a body to its mass centre, and the accelerations of both. */
static quad3 arm_of(const closing *c, int32_t body)
{
    return quad33_apply(&c->pose[body].R, quad3_of(rct_bodies_at(c->model->bodies, body)->com));
}

/* B A*: force r and moment w at C are w + l x r and r at the origin. */
static void fill_BA(closing *c)
{
    for (int64_t i = 0; i < c->rank; i++) {
        const rct_loop_row *row = &c->row[i];
        for (int end = 0; end < row->ends; end++) {
            const quad3 l = arm_of(c, row->body[end]);
            const quad3 moment = quad3_add(row->w[end], quad3_cross(l, row->r[end]));
            const int64_t at = 6 * (int64_t)c->r->s->place[row->body[end]];
            for (int k = 0; k < 3; k++) {
                c->BA->x[(at + k) * c->rank + i] += (double)moment.x[k];
                c->BA->x[(at + 3 + k) * c->rank + i] += (double)row->r[end].x[k];
            }
        }
    }
}

/* Step (C): Lambda = B* Omega B, Omega = psi* H* D^-1 H psi (0.34), between A and A*. */
static rct_status condense(closing *c, rct_error *error)
{
    rct_spatial *s = c->r->s;
    rct_algebra *a = &s->algebra;
    a->error = error;
    c->BA = rct_algebra_zeros(a, 6 * (int64_t)s->n, c->rank);
    if (a->status == RCT_OK) {
        fill_BA(c);
    }
    const rct_matrix *Hpsi = rct_algebra_product(a, &s->H, &s->psi);
    c->reach = rct_algebra_product(a, Hpsi, c->BA);
    c->inner = rct_algebra_sum(a, 1.0, rct_algebra_unit(a, s->mass.rows), -1.0,
                               rct_algebra_product(a, Hpsi, &s->K));
    c->Lambda = rct_algebra_inner(a, c->reach, rct_algebra_product(a, &s->D_inverse, c->reach));
    return a->status;
}

/* A alpha^ - U of one constraint, by step (B). */
static quad gap_of(closing *c, const rct_loop_row *row)
{
    quad sum = row->rest;
    double size = fabs((double)sum);
    for (int end = 0; end < row->ends; end++) {
        const quad *alpha = c->r->alpha + 6 * c->r->s->place[row->body[end]];
        const quad3 w_dot = {{alpha[0], alpha[1], alpha[2]}}, a = {{alpha[3], alpha[4], alpha[5]}};
        const quad3 a_C =
            quad3_carried(a, w_dot, c->pose[row->body[end]].omega, arm_of(c, row->body[end]));
        sum += quad3_dot(row->r[end], a_C) + quad3_dot(row->w[end], w_dot);
        size += rct_loop_row_length(row->r[end]) * rct_loop_row_length(a_C) +
                rct_loop_row_length(row->w[end]) * rct_loop_row_length(w_dot);
    }
    c->size = fmax(c->size, size);
    return sum;
}

/* Steps (B), (D), (E), (F), and A* f^ added to the loads of the bodies; returns the largest gap
 * before. */
static double close_once(closing *c)
{
    rct_spatial *s = c->r->s;
    rct_algebra *a = &s->algebra;
    double largest = 0.0;
    rct_matrix *gap = rct_algebra_zeros(a, c->rank, 1);
    rct_spatial_carry(c->r);
    for (int64_t i = 0; i < gap->rows; i++) {
        gap->x[i] = (double)gap_of(c, &c->row[i]);
        largest = fmax(largest, fabs(gap->x[i]));
    }
    const rct_matrix *f = rct_algebra_solve(a, c->Lambda, gap);     /* (D) */
    const rct_matrix *inward = rct_algebra_product(a, c->reach, f); /* (E), 0.36 */
    const rct_matrix *change =
        rct_algebra_inner(a, c->inner, rct_algebra_product(a, &s->D_inverse, inward));
    const rct_matrix *load = rct_algebra_product(a, c->BA, f);
    for (int64_t i = 0; i < change->rows && a->status == RCT_OK; i++) {
        c->r->beta[i] -= change->x[i]; /* (F) */
    }
    for (int64_t i = 0; i < load->rows && a->status == RCT_OK; i++) {
        s->b[i] += load->x[i];
    }
    return largest;
}

static rct_status expect_closed(closing *c, rct_error *error)
{
    for (int64_t i = 0; i < c->count; i++) {
        if (!(fabs((double)gap_of(c, &c->row[i])) <= contradiction * c->size)) {
            char name[RCT_NAME_SIZE];
            rct_model_loop_name(c->model, c->row[i].loop, name);
            return rct_fail(
                error, RCT_ERROR_LOOP,
                "loop %" PRId32
                " \"%s\" depends on other loops and contradicts them: no accelerations close both; "
                "give velocities that all loops allow, or leave this loop out",
                c->row[i].loop, name);
        }
    }
    return RCT_OK;
}

rct_status rct_spatial_close_at(const rct_model *model, double time, const double *coordinates,
                                const double *rates, rct_reference_result *result, rct_error *error)
{
    rct_refinement r;
    closing c = {.model = model, .r = &r};
    rct_status status = rct_spatial_begin(&r, model, time, coordinates, rates, error);
    RCT_THEN(status, refuse_relations(model, error));
    RCT_THEN(status, take_rows(&c, time, coordinates, rates, error));
    RCT_THEN(status, condense(&c, error));
    if (status == RCT_OK) {
        double left = 0.0;
        rct_spatial_refine(&r); /* (A) */
        for (int k = 0; k < TIMES; k++) {
            left = close_once(&c);
        }
        status = r.s->algebra.status;
        if (status == RCT_OK) {
            rct_spatial_refine(&r); /* with A* f^ */
            status = expect_closed(&c, error);
            result->residual = c.size > 0.0 ? left / c.size : 0.0;
            rct_spatial_give(model, &r, result);
        }
    }
    rct_spatial_end(&r);
    return status;
}
