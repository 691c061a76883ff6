/* Accelerations and hinge forces by explicit spatial operators (spatial.h): seed 001, (0.7) and (0.31). */
#include "reference/spatial.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { MOST_CORRECTIONS = 8 };

/* Long sums cancel in phi (M alpha + b), so vectors, and phi applied to them, are in quadruple precision; M^-1
 * in double precision brings them there by refinement. */
typedef struct refinement {
    const rct_spatial *s;
    quad *phi;           /* [6n][6n]                     */
    quad *alpha;         /* [6n] spatial accelerations   */
    quad *f;             /* [6n] hinge forces            */
    quad *sum;           /* [6n]                         */
    quad *beta;          /* [N] generalized accelerations */
    double *rest, *step; /* [N] H f, and what it corrects */
} refinement;

static void release(refinement *r)
{
    rct_release(r->phi);
    rct_release(r->alpha);
    rct_release(r->beta);
    rct_release(r->rest);
}

static rct_status prepare(refinement *r, rct_error *error)
{
    const rct_matrix *e = &r->s->E_phi;
    const int64_t w = e->rows, v = r->s->mass.rows, one = sizeof(quad);
    r->phi = rct_allocate(w * w, one, "operators", error);
    r->alpha = rct_allocate(3 * w, one, "operators", error);
    r->beta = rct_allocate(v, one, "operators", error);
    r->rest = rct_allocate(2 * v, sizeof *r->rest, "operators", error);
    if (r->phi == NULL || r->alpha == NULL || r->beta == NULL || r->rest == NULL) {
        return RCT_ERROR_MEMORY;
    }
    r->f = r->alpha + w;
    r->sum = r->f + w;
    r->step = r->rest + v;
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

/* alpha = phi*(H* beta' + a), f = phi (M alpha + b), rest = H f                            (0.7) */
static void evaluate(refinement *r)
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
        quad sum = 0;
        for (int64_t j = 0; j < w; j++) {
            sum += s->H.x[i * w + j] * r->f[j];
        }
        r->rest[i] = (double)sum;
    }
}

/* beta' -= M^-1 (H f); the size of the last correction relative to the largest of beta'. */
static double refine(refinement *r)
{
    const int64_t v = r->s->mass.rows;
    double last = 1.0;
    for (int k = 0; k < MOST_CORRECTIONS && last > 0.0; k++) {
        double most = 0.0, largest = 0.0;
        evaluate(r);
        memset(r->step, 0, (size_t)v * sizeof *r->step);
        rct_matrix_apply(&r->s->inverse, 0, r->rest, r->step);
        for (int64_t i = 0; i < v; i++) {
            r->beta[i] -= r->step[i];
            most = fmax(most, fabs(r->step[i]));
            largest = fmax(largest, fabs((double)r->beta[i]));
        }
        last = largest > 0.0 ? most / largest : 0.0;
    }
    evaluate(r);
    return last;
}

/* A spatial vector of every place, angular rows first, to rows in body order. */
static void give_back(const rct_spatial *s, const quad *x, double *angular, double *linear)
{
    for (int64_t i = 0; i < 6 * (int64_t)s->n; i++) {
        double *to = i % 6 < 3 ? angular : linear;
        if (to != NULL) {
            to[3 * (int64_t)s->body[i / 6] + i % 3] = (double)x[i];
        }
    }
}

rct_status rct_spatial_evaluate(const rct_model *model, const rct_pose *pose,
                                rct_reference_result *result, rct_error *error)
{
    rct_error own = {.status = RCT_OK};
    refinement r = {.s = rct_spatial_create(model, pose, &own)};
    rct_status status = own.status;
    if (r.s != NULL) {
        status = prepare(&r, &own);
    }
    if (status == RCT_OK) {
        result->residual = refine(&r);
        give_back(r.s, r.alpha, result->angular, result->linear);
        give_back(r.s, r.f, result->moment, result->force);
    } else if (error != NULL) {
        *error = own;
    }
    release(&r);
    rct_spatial_free((rct_spatial *)r.s);
    return status;
}
