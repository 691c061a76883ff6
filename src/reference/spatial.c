/* Explicit spatial operators (spatial.h), in the symbols of seed 001. Every product is formed in full: slow,
 * and nothing to understand but the equations. */
#include "reference/spatial.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- E_phi, H, M, a and b -------------------------------------------------------------------- */

/* Tips before what they hang on: by decreasing depth. */
static void order_bodies(const rct_model *model, rct_spatial *s)
{
    int32_t at = 0;
    for (int32_t depth = s->n; depth > 0; depth--) {
        for (int32_t i = 0; i < s->n; i++) {
            int32_t own = 0;
            for (int32_t up = i; up != RCT_GROUND; up = model->bodies[up].parent) {
                own++;
            }
            if (own == depth) {
                s->body[at] = i;
                s->place[i] = at++;
            }
        }
    }
    for (int32_t k = 0; k < s->n; k++) {
        const int ball = model->bodies[s->body[k]].hinge == RCT_HINGE_BALL;
        s->first[k + 1] = s->first[k] + (ball ? 3 : 0);
    }
}

static void to_doubles(quad3 v, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = (double)v.x[i];
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

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* The block phi(parent, body) of E_phi, and a of the body (0.2): w x (w x l) of the parent. */
static void write_hinge(const rct_model *model, const rct_pose *pose, rct_spatial *s, int32_t k,
                        double *a)
{
    const rct_body *body = &model->bodies[s->body[k]];
    for (int64_t i = s->first[k]; i < s->first[k + 1]; i++) {
        s->H.x[i * s->H.columns + 6 * (int64_t)k + (i - s->first[k])] = 1.0;
    }
    if (body->parent == RCT_GROUND) {
        return;
    }
    const int64_t row = 6 * (int64_t)s->place[body->parent], column = 6 * (int64_t)k;
    const rct_pose *up = &pose[body->parent];
    double l[3], w[3], turning[3];
    to_doubles(quad33_apply(&up->R, quad3_of(body->hinge_at)), l);
    to_doubles(up->omega, w);
    for (int i = 0; i < 6; i++) {
        s->E_phi.x[(row + i) * s->E_phi.columns + column + i] = 1.0;
    }
    add_tilde(&s->E_phi, row, column + 3, 1.0, l);
    cross(w, l, turning);
    cross(w, turning, a + column + 3);
}

/* The block M(k), and b of the body: gyroscopic terms about its hinge point, less its weight. */
static void write_inertia(const rct_model *model, const rct_pose *pose, rct_spatial *s, int32_t k,
                          double *b)
{
    const rct_body *body = &model->bodies[s->body[k]];
    const rct_pose *own = &pose[s->body[k]];
    const quad33 j = rct_pose_inertia(own, body);
    const int64_t at = 6 * (int64_t)k;
    double p[3], w[3], momentum[3], turning[3], outward[3], weight[3], lever[3];
    to_doubles(quad33_apply(&own->R, quad3_of(body->com)), p);
    to_doubles(own->omega, w);
    const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    for (int i = 0; i < 3; i++) {
        s->M.x[(at + 3 + i) * s->M.columns + at + 3 + i] = body->mass;
        for (int c = 0; c < 3; c++) { /* Huygens and Steiner */
            s->M.x[(at + i) * s->M.columns + at + c] =
                (double)j.a[i][c] + body->mass * ((i == c ? square : 0.0) - p[i] * p[c]);
        }
    }
    add_tilde(&s->M, at, at + 3, body->mass, p);
    add_tilde(&s->M, at + 3, at, -body->mass, p);
    for (int i = 0; i < 3; i++) {
        momentum[i] = 0.0;
        for (int c = 0; c < 3; c++) {
            momentum[i] += s->M.x[(at + i) * s->M.columns + at + c] * w[c];
        }
        weight[i] = body->mass * model->gravity[i];
    }
    cross(w, momentum, b + at);
    cross(p, weight, lever);
    cross(w, p, turning);
    cross(w, turning, outward);
    for (int i = 0; i < 3; i++) {
        b[at + i] -= lever[i];
        b[at + 3 + i] = body->mass * outward[i] - weight[i];
    }
}

/* ---- P, D, G ------------------------------------------------------------------------------- */

/* The inverse of a symmetric positive 3x3 block of D; 0 if it is none. */
static int invert_block(const double d[3][3], double out[3][3])
{
    double c[3][3], determinant = 0.0, size = d[0][0] + d[1][1] + d[2][2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = d[i1][j1] * d[i2][j2] - d[i1][j2] * d[i2][j1];
        }
    }
    for (int i = 0; i < 3; i++) {
        determinant += d[0][i] * c[0][i];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] = c[j][i] / determinant;
        }
    }
    return determinant > 1e-15 * size * size * size;
}

/* Columns `at` to `at` + 5 of P at place k from those outboard, (0.25): each body passes
 * P - P H* D^-1 H P on to the one it hangs on. */
static int articulate(rct_spatial *s, int32_t k)
{
    const int64_t wide = s->P.columns, at = 6 * (int64_t)k, first = s->first[k];
    double d[3][3], inverse[3][3], passed[6][6];
    for (int i = 0; i < 6; i++) {
        memcpy(passed[i], s->P.x + (at + i) * wide + at, sizeof passed[i]);
    }
    if (s->first[k + 1] > first) {
        for (int i = 0; i < 3; i++) {
            memcpy(d[i], passed[i], sizeof d[i]); /* H takes the angular rows */
        }
        if (!invert_block((const double(*)[3])d, inverse)) {
            return 0;
        }
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 3; j++) {
                double sum = 0.0;
                for (int c = 0; c < 3; c++) {
                    sum += s->P.x[(at + i) * wide + at + c] * inverse[c][j];
                }
                s->G.x[(at + i) * s->G.columns + first + j] = sum;
                for (int c = 0; c < 6; c++) {
                    passed[i][c] -= sum * s->P.x[(at + j) * wide + at + c];
                }
            }
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                s->D.x[(first + i) * s->D.columns + first + j] = d[i][j];
                s->D_inverse.x[(first + i) * s->D.columns + first + j] = inverse[i][j];
            }
        }
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

static int make_all(rct_spatial *s, rct_error *error)
{
    const int64_t w = 6 * (int64_t)s->n, v = s->first[s->n];
    s->a = rct_allocate(w, sizeof *s->a, "operators", error);
    s->b = rct_allocate(w, sizeof *s->b, "operators", error);
    return s->a != NULL && s->b != NULL && rct_matrix_make(&s->E_phi, w, w, error) &&
           rct_matrix_make(&s->phi, w, w, error) && rct_matrix_make(&s->H, v, w, error) &&
           rct_matrix_make(&s->M, w, w, error) && rct_matrix_make(&s->P, w, w, error) &&
           rct_matrix_make(&s->D, v, v, error) && rct_matrix_make(&s->D_inverse, v, v, error) &&
           rct_matrix_make(&s->G, w, v, error) && rct_matrix_make(&s->K, w, v, error) &&
           rct_matrix_make(&s->psi, w, w, error) && rct_matrix_make(&s->mass, v, v, error) &&
           rct_matrix_make(&s->inverse, v, v, error);
}

/* phi, psi, K, and the two factorizations. */
static rct_status multiply(rct_spatial *s, rct_error *error)
{
    const int64_t w = 6 * (int64_t)s->n, v = s->first[s->n];
    rct_matrix wide = {0, 0, NULL}, e_psi = {0, 0, NULL}, tall = {0, 0, NULL},
               factor = {0, 0, NULL};
    rct_matrix scaled = {0, 0, NULL};
    const int room = rct_matrix_make(&wide, w, w, error) && rct_matrix_make(&e_psi, w, w, error) &&
                     rct_matrix_make(&tall, v, w, error) && rct_matrix_make(&factor, v, v, error) &&
                     rct_matrix_make(&scaled, v, v, error);
    if (room) {
        rct_matrix_sum_of_powers(&s->E_phi, &s->phi);
        rct_matrix_product(&s->E_phi, 0, &s->G, 0, &s->K);
        rct_matrix_product(&s->K, 0, &s->H, 0, &wide); /* E_phi tau */
        for (int64_t i = 0; i < w * w; i++) {
            e_psi.x[i] = s->E_phi.x[i] - wide.x[i];
        }
        rct_matrix_sum_of_powers(&e_psi, &s->psi);

        rct_matrix_product(&s->H, 0, &s->phi, 0, &tall); /* H phi M phi* H* */
        rct_matrix_product(&s->phi, 0, &s->M, 0, &wide);
        rct_matrix_product(&wide, 0, &s->phi, 1, &e_psi);
        rct_matrix_product(&s->H, 0, &e_psi, 0, &tall);
        rct_matrix_product(&tall, 0, &s->H, 1, &s->mass);

        rct_matrix_product(&s->H, 0, &s->psi, 0, &tall); /* I - H psi K */
        rct_matrix_product(&tall, 0, &s->K, 0, &factor);
        for (int64_t i = 0; i < v * v; i++) {
            factor.x[i] = (i / v == i % v ? 1.0 : 0.0) - factor.x[i];
        }
        rct_matrix_product(&s->D_inverse, 0, &factor, 0, &scaled);
        rct_matrix_product(&factor, 1, &scaled, 0, &s->inverse);
    }
    rct_release(wide.x);
    rct_release(e_psi.x);
    rct_release(tall.x);
    rct_release(factor.x);
    rct_release(scaled.x);
    return room ? RCT_OK : RCT_ERROR_MEMORY;
}

static rct_status fill(const rct_model *model, const rct_pose *pose, rct_spatial *s,
                       rct_error *error)
{
    for (int32_t k = 0; k < s->n; k++) {
        write_hinge(model, pose, s, k, s->a);
        write_inertia(model, pose, s, k, s->b);
    }
    memcpy(s->P.x, s->M.x, (size_t)(s->P.rows * s->P.columns) * sizeof *s->P.x);
    for (int32_t k = 0; k < s->n; k++) {
        if (!articulate(s, k)) {
            return rct_fail_body(error, RCT_ERROR_SINGULAR, s->body[k],
                                 "body %" PRId32 ": nothing resists its rotation about one axis",
                                 s->body[k]);
        }
    }
    return multiply(s, error);
}

rct_spatial *rct_spatial_create(const rct_model *model, const rct_pose *pose, rct_error *error)
{
    if (model->count > SPATIAL_MOST_BODIES) {
        rct_fail(error, RCT_ERROR_UNSUPPORTED,
                 "reference spatial forms matrices in full: up to %d bodies, the model has %" PRId32
                 "; use the lagrange reference",
                 SPATIAL_MOST_BODIES, model->count);
        return NULL;
    }
    const int64_t n = model->count;
    rct_spatial *s = rct_allocate(1, sizeof *s, "operators", error);
    if (s == NULL) {
        return NULL;
    }
    s->n = model->count;
    s->body = rct_allocate(n, sizeof *s->body, "operators", error);
    s->place = rct_allocate(n, sizeof *s->place, "operators", error);
    s->first = rct_allocate(n + 1, sizeof *s->first, "operators", error);
    int whole = s->body != NULL && s->place != NULL && s->first != NULL;
    if (whole) {
        order_bodies(model, s);
        whole = make_all(s, error) && fill(model, pose, s, error) == RCT_OK;
    }
    if (!whole) {
        rct_spatial_free(s);
        s = NULL;
    }
    return s;
}

void rct_spatial_free(rct_spatial *s)
{
    if (s != NULL) {
        rct_matrix *const all[] = {&s->E_phi,     &s->phi, &s->H, &s->M,   &s->P,    &s->D,
                                   &s->D_inverse, &s->G,   &s->K, &s->psi, &s->mass, &s->inverse};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            rct_release(all[i]->x);
        }
        rct_release(s->body);
        rct_release(s->place);
        rct_release(s->first);
        rct_release(s->a);
        rct_release(s->b);
        rct_release(s);
    }
}
