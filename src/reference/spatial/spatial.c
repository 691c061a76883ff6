/* Explicit spatial operators (spatial.h), in the symbols of seed 001. Every product is formed in
 * full: slow, but the code is the equations. */
#include "reference/spatial/spatial.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- E_phi, H, M, a and b -------------------------------------------------------------------- */

/* Tips before their ancestors. */
static void order_bodies(const rct_model *model, rct_spatial *s)
{
    rct_pose_order(model, s->body, s->place);
    for (int32_t i = 0; i < s->n; i++) {
        s->place[i] = s->n - 1 - s->place[i];
        s->body[s->place[i]] = i;
    }
    for (int32_t k = 0; k < s->n; k++) {
        s->first[k + 1] =
            s->first[k] + rct_hinge_freedoms(rct_bodies_at(model->bodies, s->body[k])->hinge);
        s->row[k + 1] = s->row[k] + rct_hinge_freedoms(rct_bodies_at(model->bodies, k)->hinge);
    }
}

/* Add f times v~ to the 3x3 block of m at (row, column). */
static void add_tilde(rct_matrix *m, int64_t row, int64_t column, double f, const double v[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        m->x[(row + i) * m->columns + column + j] -= f * v[k];
        m->x[(row + i) * m->columns + column + k] += f * v[j];
    }
}

/* The rows of H, the block phi(parent, body) of E_phi, and a of the body (0.2). */
static void write_hinge(const rct_model *model, const rct_spatial_pose *pose, rct_spatial *s,
                        int32_t k)
{
    const int32_t parent = model->bodies->parent[s->body[k]];
    const rct_spatial_pose *own = &pose[s->body[k]];
    const int64_t column = 6 * k;
    for (int i = 0; i < own->freedoms; i++) {
        memcpy(s->H.x + (s->first[k] + i) * s->H.columns + column, own->H[i], sizeof own->H[i]);
        s->T[s->first[k] + i] = own->T[i];
        s->armature[s->first[k] + i] = own->armature[i];
    }
    memcpy(s->a + column, own->a, sizeof own->a);
    if (parent == RCT_GROUND) {
        return;
    }
    const int64_t row = 6 * s->place[parent];
    for (int i = 0; i < 6; i++) {
        s->E_phi.x[(row + i) * s->E_phi.columns + column + i] = 1.0;
    }
    add_tilde(&s->E_phi, row, column + 3, 1.0, own->l);
}

/* The block M(k), and b of the body: gyroscopic terms about its hinge point, less weight and load. */
static void write_inertia(const rct_model *model, const rct_spatial_pose *pose, rct_spatial *s,
                          int32_t k)
{
    const rct_body *body = rct_bodies_at(model->bodies, s->body[k]);
    const rct_spatial_pose *own = &pose[s->body[k]];
    const int64_t at = 6 * k;
    double *b = s->b + at, p[3], momentum[3], turning[3], outward[3], lever[3];
    spatial_33 j = own->J;
    spatial_apply(&own->R, body->com, p);
    const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    for (int i = 0; i < 3; i++) {
        s->M.x[(at + 3 + i) * s->M.columns + at + 3 + i] = body->mass;
        for (int c = 0; c < 3; c++) { /* Huygens and Steiner */
            j.a[i][c] += body->mass * ((i == c ? square : 0.0) - p[i] * p[c]);
            s->M.x[(at + i) * s->M.columns + at + c] = j.a[i][c];
        }
    }
    add_tilde(&s->M, at, at + 3, body->mass, p);
    add_tilde(&s->M, at + 3, at, -body->mass, p);
    spatial_apply(&j, own->V, momentum);
    spatial_cross(own->V, momentum, b);
    spatial_cross(p, model->gravity, lever);
    spatial_cross(own->V, p, turning);
    spatial_cross(own->V, turning, outward);
    for (int i = 0; i < 3; i++) {
        b[i] -= body->mass * lever[i] + own->load[i];
        b[3 + i] = body->mass * (outward[i] - model->gravity[i]) - own->load[3 + i];
    }
}

/* ---- P, D, G ------------------------------------------------------------------------------- */

/* Smallest pivot of a block of D relative to its size if all axes were equal. */
static const double least_pivot = 1e-14;

/* The inverse of the symmetric positive block d [size][size] by Cholesky factors; 0 if a pivot
 * is not positive. */
static int invert_block(double d[6][6], const double scale[6], int size, double out[6][6])
{
    double l[6][6] = {{0.0}}, inverse[6][6] = {{0.0}}; /* of l */
    for (int j = 0; j < size; j++) {
        for (int i = j; i < size; i++) {
            l[i][j] = d[i][j];
            for (int k = 0; k < j; k++) {
                l[i][j] -= l[i][k] * l[j][k];
            }
            if (i == j && !(l[j][j] > least_pivot * scale[j])) {
                return 0;
            }
            l[i][j] = i == j ? sqrt(l[j][j]) : l[i][j] / l[j][j];
        }
    }
    for (int j = 0; j < size; j++) {
        for (int i = j; i < size; i++) {
            inverse[i][j] = i == j ? 1.0 : 0.0;
            for (int k = j; k < i; k++) {
                inverse[i][j] -= l[i][k] * inverse[k][j];
            }
            inverse[i][j] /= l[i][i];
        }
    }
    for (int i = 0; i < size * size; i++) {
        out[i / size][i % size] = 0.0;
        for (int k = 0; k < size; k++) {
            out[i / size][i % size] += inverse[k][i / size] * inverse[k][i % size];
        }
    }
    return 1;
}

/* The value of row h of H in p if p were the same about all axes. */
static double isotropic(const double *h, double p[6][6])
{
    return (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]) * (p[0][0] + p[1][1] + p[2][2]) +
           (h[3] * h[3] + h[4] * h[4] + h[5] * h[5]) * (p[3][3] + p[4][4] + p[5][5]);
}

/* The blocks D, D^-1 and G of place k, and passed = P - P H* D^-1 H P, which replaces its P. */
static int eliminate(rct_spatial *s, int32_t k, double passed[6][6])
{
    const int64_t first = s->first[k], at = 6 * k;
    const int size = (int)(s->first[k + 1] - first);
    const double *h = s->H.x + first * s->H.columns + at;
    double hp[6][6] = {{0.0}}, d[6][6] = {{0.0}}, inverse[6][6], scale[6] = {0.0};
    for (int i = 0; i < size; i++) {
        const double *row = h + i * s->H.columns;
        scale[i] = isotropic(row, passed);
        for (int c = 0; c < 36; c++) {
            hp[i][c % 6] += row[c / 6] * passed[c / 6][c % 6];
        }
        for (int c = 0; c < 6 * size; c++) {
            d[i][c / 6] += hp[i][c % 6] * h[c / 6 * s->H.columns + c % 6];
        }
        d[i][i] += s->armature[first + i];
    }
    if (!invert_block(d, scale, size, inverse)) {
        return 0;
    }
    for (int i = 0; i < size * size; i++) {
        const int64_t to = (first + i / size) * s->D.columns + first + i % size;
        s->D.x[to] = d[i / size][i % size];
        s->D_inverse.x[to] = inverse[i / size][i % size];
    }
    for (int i = 0; i < 6 * size; i++) {
        double *gain = s->G.x + (at + i / size) * s->G.columns + first + i % size;
        for (int c = 0; c < size; c++) {
            *gain += hp[c][i / size] * inverse[c][i % size];
        }
        for (int c = 0; c < 6; c++) {
            passed[i / size][c] -= *gain * hp[i % size][c];
        }
    }
    return 1;
}

/* P at place k is complete: (0.25), each body passes P - P H* D^-1 H P on to its parent. */
static int articulate(rct_spatial *s, int32_t k)
{
    const int64_t wide = s->P.columns, at = 6 * k;
    double passed[6][6];
    for (int i = 0; i < 6; i++) {
        memcpy(passed[i], s->P.x + (at + i) * wide + at, sizeof passed[i]);
    }
    if (!eliminate(s, k, passed)) {
        return 0;
    }
    /* E_phi [passed] E_phi* falls on the diagonal block of the parent */
    for (int64_t row = at + 6; row < wide; row++) {
        const double *left = s->E_phi.x + row * wide + at;
        const int64_t up = row / 6 * 6;
        for (int64_t column = up; column < up + 6; column++) {
            const double *right = s->E_phi.x + column * wide + at;
            for (int i = 0; i < 36; i++) {
                s->P.x[row * wide + column] += left[i / 6] * passed[i / 6][i % 6] * right[i % 6];
            }
        }
    }
    return 1;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static rct_matrix zeros(rct_spatial *s, int64_t rows, int64_t columns)
{
    return *rct_algebra_zeros(&s->algebra, rows, columns);
}

static void make_all(rct_spatial *s, rct_error *error)
{
    const int64_t w = 6 * s->n, v = s->first[s->n];
    s->a = rct_pool_take(&s->algebra.pool, w, sizeof *s->a, error);
    s->b = rct_pool_take(&s->algebra.pool, w, sizeof *s->b, error);
    s->T = rct_pool_take(&s->algebra.pool, v, sizeof *s->T, error);
    s->armature = rct_pool_take(&s->algebra.pool, v, sizeof *s->armature, error);
    s->E_phi = zeros(s, w, w);
    s->H = zeros(s, v, w);
    s->M = zeros(s, w, w);
    s->P = zeros(s, w, w);
    s->D = zeros(s, v, v);
    s->D_inverse = zeros(s, v, v);
    s->G = zeros(s, w, v);
}

/* phi, psi, K, and the two factorizations. */
static void multiply(rct_spatial *s)
{
    rct_algebra *a = &s->algebra;
    const int64_t v = s->first[s->n];
    s->phi = *rct_algebra_powers(a, &s->E_phi);
    s->K = *rct_algebra_product(a, &s->E_phi, &s->G);
    s->psi = *rct_algebra_powers(
        a, rct_algebra_sum(a, 1.0, &s->E_phi, -1.0, rct_algebra_product(a, &s->K, &s->H)));

    const rct_matrix *Hphi = rct_algebra_product(a, &s->H, &s->phi);
    const rct_matrix *HphiM = rct_algebra_product(a, Hphi, &s->M);
    s->mass = *rct_algebra_product(a, HphiM, rct_algebra_transposed(a, Hphi));
    for (int64_t i = 0; i < s->mass.rows; i++) {
        s->mass.x[i * v + i] += s->armature[i];
    }

    const rct_matrix *HpsiK = rct_algebra_product(a, rct_algebra_product(a, &s->H, &s->psi), &s->K);
    const rct_matrix *factor = rct_algebra_sum(a, 1.0, rct_algebra_unit(a, v), -1.0, HpsiK);
    s->inverse = *rct_algebra_inner(a, factor, rct_algebra_product(a, &s->D_inverse, factor));
}

static rct_status fill(const rct_model *model, const rct_spatial_pose *pose, rct_spatial *s,
                       rct_error *error)
{
    for (int32_t k = 0; k < s->n; k++) {
        write_hinge(model, pose, s, k);
        write_inertia(model, pose, s, k);
    }
    memcpy(s->P.x, s->M.x, (size_t)(s->P.rows * s->P.columns) * sizeof *s->P.x);
    for (int32_t k = 0; k < s->n; k++) {
        if (!articulate(s, k)) {
            return rct_model_fail_body(model, s->body[k], error, RCT_ERROR_SINGULAR,
                                       ": nothing resists a motion of its hinge; give it an "
                                       "inertia about every axis it may turn about");
        }
    }
    multiply(s);
    return s->algebra.status;
}

rct_spatial *rct_spatial_create(const rct_model *model, const rct_spatial_pose *pose,
                                rct_error *error)
{
    if (model->count > SPATIAL_MOST_BODIES) {
        rct_fail(error, RCT_ERROR_UNSUPPORTED,
                 "reference spatial forms full matrices: it takes up to %d bodies, and the model "
                 "has %" PRId32 "; use the lagrange reference",
                 SPATIAL_MOST_BODIES, model->count);
        return NULL;
    }
    const int64_t n = model->count;
    rct_spatial *s = rct_allocate(1, sizeof *s, "operators", error);
    if (s == NULL) {
        return NULL;
    }
    s->n = model->count;
    s->algebra = (rct_algebra){.error = error, .pool = {.what = "operators"}};
    s->body = rct_pool_take(&s->algebra.pool, n, sizeof *s->body, error);
    s->place = rct_pool_take(&s->algebra.pool, n, sizeof *s->place, error);
    s->first = rct_pool_take(&s->algebra.pool, n + 1, sizeof *s->first, error);
    s->row = rct_pool_take(&s->algebra.pool, n + 1, sizeof *s->row, error);
    if (!s->algebra.pool.failed) {
        order_bodies(model, s);
        make_all(s, error);
    }
    if (s->algebra.pool.failed || fill(model, pose, s, error) != RCT_OK) {
        rct_spatial_free(s);
        return NULL;
    }
    s->algebra.error = NULL; /* of the caller */
    return s;
}

void rct_spatial_free(rct_spatial *s)
{
    if (s != NULL) {
        rct_pool_empty(&s->algebra.pool);
        rct_release(s);
    }
}
