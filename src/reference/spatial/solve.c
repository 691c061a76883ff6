/* Accelerations and hinge forces by explicit spatial operators (spatial.h): seed 001, (0.7) and (0.31). */
#include "reference/spatial/refine.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/pool.h"
#include "model/model.h"
#include "reference/quad.h"

#include <math.h>
#include <string.h>

enum { MOST_CORRECTIONS = 8 };

static rct_status prepare(rct_refinement *r, rct_error *error)
{
    const rct_matrix *e = &r->s->E_phi;
    const int64_t w = e->rows, v = r->s->mass.rows, one = sizeof(quad);
    r->phi = rct_pool_take(&r->pool, w * w, one, error);
    r->alpha = rct_pool_take(&r->pool, w, one, error);
    r->f = rct_pool_take(&r->pool, w, one, error);
    r->sum = rct_pool_take(&r->pool, w, one, error);
    r->beta = rct_pool_take(&r->pool, v, one, error);
    r->rest = rct_pool_take(&r->pool, v, sizeof *r->rest, error);
    r->step = rct_pool_take(&r->pool, v, sizeof *r->step, error);
    if (r->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < w; i++) { /* phi = I + E_phi phi */
        r->phi[i * w + i] = 1;
        for (int64_t k = 0; k < i; k++) {
            for (int64_t j = 0; j <= k && e->x[i * w + k] != 0.0; j++) {
                r->phi[i * w + j] += e->x[i * w + k] * r->phi[k * w + j];
            }
        }
    }
    return RCT_OK;
}

void rct_spatial_carry(rct_refinement *r)
{
    const rct_spatial *s = r->s;
    const int64_t w = s->E_phi.rows, v = s->mass.rows;
    for (int64_t i = 0; i < w; i++) {
        r->sum[i] = s->a[i];
        r->alpha[i] = r->f[i] = 0;
    }
    for (int64_t i = 0; i < v * w; i++) {
        r->sum[i % w] += s->H.x[i] * r->beta[i / w];
    }
    for (int64_t i = 0; i < w * w; i++) {
        r->alpha[i % w] += r->phi[i] * r->sum[i / w];
    }
    for (int64_t i = 0; i < w; i++) {
        r->sum[i] = s->b[i];
        for (int64_t j = i / 6 * 6; j < i / 6 * 6 + 6; j++) {
            r->sum[i] += s->M.x[i * w + j] * r->alpha[j];
        }
    }
    for (int64_t i = 0; i < w * w; i++) {
        r->f[i / w] += r->phi[i] * r->sum[i % w];
    }
    for (int64_t i = 0; i < v; i++) {
        quad sum = s->armature[i] * r->beta[i] - s->T[i];
        for (int64_t j = 0; j < w; j++) {
            sum += s->H.x[i * w + j] * r->f[j];
        }
        r->rest[i] = (double)sum;
    }
}

double rct_spatial_refine(rct_refinement *r)
{
    const int64_t v = r->s->mass.rows;
    double last = 1.0;
    for (int k = 0; k < MOST_CORRECTIONS && last > 0.0; k++) {
        double most = 0.0, largest = 0.0;
        rct_spatial_carry(r);
        memset(r->step, 0, (size_t)v * sizeof *r->step);
        rct_matrix_apply(&r->s->inverse, 0, r->rest, r->step);
        for (int64_t i = 0; i < v; i++) {
            r->beta[i] -= r->step[i];
            most = fmax(most, fabs(r->step[i]));
            largest = fmax(largest, fabs((double)r->beta[i]));
        }
        last = largest > 0.0 ? most / largest : 0.0;
    }
    rct_spatial_carry(r);
    return last;
}

/* A spatial vector of every place, angular rows first, to rows in body order. */
static void give_back(const rct_spatial *s, const quad *x, double *angular, double *linear)
{
    for (int64_t i = 0; i < 6 * s->n; i++) {
        double *to = i % 6 < 3 ? angular : linear;
        if (to != NULL) {
            to[3 * s->body[i / 6] + i % 3] = (double)x[i];
        }
    }
}

/* Derivatives of the public rates: beta', or for a ball hinge the absolute angular acceleration. */
static void give_derivatives(const rct_model *model, const rct_refinement *r, double *derivatives)
{
    const rct_spatial *s = r->s;
    for (int32_t k = 0; k < s->n && derivatives != NULL; k++) {
        const int32_t body = s->body[k];
        const quad *from = rct_bodies_at(model->bodies, body)->hinge == RCT_HINGE_BALL
                               ? r->alpha + 6 * k
                               : r->beta + s->first[k];
        for (int64_t i = s->row[body]; i < s->row[body + 1]; i++) {
            derivatives[i] = (double)from[i - s->row[body]];
        }
    }
}

void rct_spatial_give(const rct_model *model, const rct_refinement *r, rct_reference_result *result)
{
    give_back(r->s, r->alpha, result->angular, result->linear);
    give_back(r->s, r->f, result->moment, result->force);
    give_derivatives(model, r, result->derivatives);
}

rct_status rct_spatial_begin(rct_refinement *r, const rct_model *model, double time,
                             const double *coordinates, const double *rates, rct_error *error)
{
    *r = (rct_refinement){.pool = {.what = "operators"}};
    const rct_status status = rct_model_check(model, error);
    if (status != RCT_OK) {
        return status;
    }
    rct_error own = {.status = RCT_OK};
    rct_spatial_pose *pose = rct_allocate(model->count, sizeof *pose, "the poses of bodies", &own);
    if (pose != NULL &&
        rct_spatial_pose_all(model, time, coordinates, rates, pose, &own) == RCT_OK) {
        r->s = rct_spatial_create(model, pose, &own);
    }
    rct_release(pose);
    if (r->s != NULL) {
        prepare(r, &own);
    }
    if (own.status != RCT_OK && error != NULL) {
        *error = own;
    }
    return own.status;
}

void rct_spatial_end(rct_refinement *r)
{
    rct_pool_empty(&r->pool);
    rct_spatial_free(r->s);
}

rct_status rct_spatial_evaluate_at(const rct_model *model, double time, const double *coordinates,
                                   const double *rates, rct_reference_result *result,
                                   rct_error *error)
{
    rct_refinement r;
    const rct_status status = rct_spatial_begin(&r, model, time, coordinates, rates, error);
    if (status == RCT_OK) {
        result->residual = rct_spatial_refine(&r);
        rct_spatial_give(model, &r, result);
    }
    rct_spatial_end(&r);
    return status;
}

/* ---- inverse dynamics -------------------------------------------------------------------------- */

/* beta' from the derivatives x of the public rates: C beta' = x less the terms that C leaves
 * out, the accelerations phi* a of ball hinges if beta' = 0. */
static rct_status relative_derivatives(const rct_model *model, rct_refinement *r, const double *x,
                                       rct_error *error)
{
    rct_spatial *s = r->s;
    rct_matrix from, to;
    const rct_status status = rct_spatial_absolute(model, s, &from, &to, error);
    if (status == RCT_OK) {
        rct_spatial_carry(r); /* with beta' = 0 */
        for (int32_t i = 0; i < s->n; i++) {
            const int ball = rct_bodies_at(model->bodies, i)->hinge == RCT_HINGE_BALL;
            for (int64_t k = s->row[i]; k < s->row[i + 1]; k++) {
                const quad *alone = r->alpha + 6 * s->place[i] + k - s->row[i];
                const quad rest = (quad)x[k] - (ball ? *alone : 0);
                for (int64_t j = 0; j < to.rows; j++) {
                    r->beta[j] += to.x[j * to.columns + k] * rest;
                }
            }
        }
    }
    return status;
}

/* NOLINTNEXTLINE(readability-function-size): one evaluation, and all it depends on */
rct_status rct_spatial_inverse_at(const rct_model *model, double time, const double *coordinates,
                                  const double *rates, const double *derivatives, double *force,
                                  double *moment, double *effort, rct_error *error)
{
    rct_refinement r;
    rct_status status = rct_spatial_begin(&r, model, time, coordinates, rates, error);
    RCT_THEN(status, relative_derivatives(model, &r, derivatives, error));
    if (status == RCT_OK) {
        rct_spatial_carry(&r);
        give_back(r.s, r.f, moment, force);
        for (int32_t k = 0; k < r.s->n && effort != NULL; k++) {
            double *to = effort + r.s->row[r.s->body[k]];
            for (int64_t i = r.s->first[k]; i < r.s->first[k + 1]; i++) {
                to[i - r.s->first[k]] = r.rest[i] + r.s->T[i];
            }
        }
    }
    rct_spatial_end(&r);
    return status;
}
