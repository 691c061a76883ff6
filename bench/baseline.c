/* Subchains condensed by cuBLAS (baseline.h). */
#include "bench/baseline.h"

#include "core/rotation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BODY = BASELINE_BODY,
    HELD = BASELINE_HELD,
    SPIN = 3, /* alpha, the first part of y */
    K_SIZE = BODY * BODY,
    T_SIZE = HELD * BODY,
    K_RR = SPIN + SPIN * BODY, /* in K, by columns */
    K_RA = SPIN,
    K_AR = SPIN * BODY,
    ROOMS = 12
};

struct baseline {
    const libraries *library;
    int64_t length, subchains;
    double *t, *b;            /* [length][subchains][T_SIZE], [..][K_SIZE]                    */
    double *k[2];             /* [subchains][K_SIZE] this link and the previous one           */
    double *open;             /* [subchains][K_SIZE] M of open ends                           */
    double *p, *x, *inverse;  /* [subchains] M T; K_aa^-1 K_ar; K_aa^-1                       */
    double **pivot_blocks[2]; /* [subchains] where K_aa is in k                               */
    double **inverses;        /* [subchains] where its inverse is                             */
    int *pivots, *info;       /* [subchains][SPIN], [subchains]                               */
    void *rooms[ROOMS];
    int room_count;
};

static void *room(baseline *b, const void *from, size_t bytes)
{
    void *made = NULL;
    if (b->room_count == ROOMS || b->library->allocate(&made, bytes) != 0) {
        return NULL;
    }
    b->rooms[b->room_count++] = made;
    if (from != NULL && b->library->copy(made, from, bytes, LIBRARY_TO_DEVICE) != 0) {
        return NULL;
    }
    return made;
}

/* ---- the matrices of a link ----------------------------------------------------------------- */

static void cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Columns from `column` on of rows from `row` on: `sign` v~ */
static void put_tilde(double *m, int ld, int row, int column, double sign, const double v[3])
{
    const double tilde[3][3] = {{0, -v[2], v[1]}, {v[2], 0, -v[0]}, {-v[1], v[0], 0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[row + i + (column + j) * ld] = sign * tilde[i][j];
        }
    }
}

/* J in inertial axes, R J R^T. */
static void put_inertia(double *k, double r[3][3], const double j[6])
{
    const double own[3][3] = {{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}};
    for (int a = 0; a < 3; a++) {
        for (int c = 0; c < 3; c++) {
            double sum = 0.0;
            for (int i = 0; i < 9; i++) {
                sum += r[a][i / 3] * own[i / 3][i % 3] * r[c][i % 3];
            }
            k[a + c * BODY] = sum;
        }
    }
}

/* B: the terms of the link itself. m d and w x J w are in column and row 6, that of 1. */
static void put_body(double *k, const double *record, double r[3][3], const double w[3])
{
    const double m = record[LINK_MASS];
    double c[3], mc[3], d[3], jw[3], h[3];
    rct_rotate(r, record + LINK_COM, c);
    put_inertia(k, r, record + LINK_INERTIA);
    for (int i = 0; i < 3; i++) {
        mc[i] = m * c[i];
        k[(SPIN + i) * (BODY + 1)] = m;
        jw[i] = k[i] * w[0] + k[i + BODY] * w[1] + k[i + 2 * BODY] * w[2];
    }
    put_tilde(k, BODY, 0, SPIN, 1.0, mc);
    put_tilde(k, BODY, SPIN, 0, -1.0, mc);
    cross(h, w, mc);
    cross(d, w, h);
    cross(h, w, jw);
    for (int i = 0; i < 3; i++) {
        k[i + 6 * BODY] = k[6 + i * BODY] = h[i];
        k[SPIN + i + 6 * BODY] = k[6 + (SPIN + i) * BODY] = d[i];
    }
}

/* T: (alpha, A, 1, l) to (A + alpha x r + v, 1, l). */
static void put_reach(double *t, const double r[3], const double w[3])
{
    double wr[3], v[3];
    cross(wr, w, r);
    cross(v, w, wr);
    put_tilde(t, HELD, 0, 0, -1.0, r);
    for (int i = 0; i < 3; i++) {
        t[i + (SPIN + i) * HELD] = 1.0;
        t[i + 6 * HELD] = v[i];
    }
    for (int i = SPIN; i < HELD; i++) {
        t[i + (SPIN + i) * HELD] = 1.0;
    }
}

/* Link i of the plan; after the last one, links that pass every handle unchanged. */
static void put_link(double *t, double *k, const rct_plan *plan, int64_t i)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    if (i >= plan->links.count) {
        put_reach(t, none, none);
        for (int a = 0; a < SPIN; a++) {
            k[a * (BODY + 1)] = 1.0;
        }
        return;
    }
    const rct_start *head = rct_bodies_start(plan->bodies, plan->places.head[i]);
    const double *next = rct_link_record(&plan->links, i + 1);
    double r[3][3], out[3];
    rct_rotation(head->orientation, r);
    rct_rotate(r, i + 1 < plan->links.count ? next + LINK_AT : none, out);
    put_reach(t, out, head->angular_velocity);
    put_body(k, rct_link_record(&plan->links, i), r, head->angular_velocity);
}

static int make_links(baseline *b, const rct_plan *plan)
{
    const int64_t n = b->length * b->subchains;
    double *t = calloc((size_t)n, T_SIZE * sizeof *t), *k = calloc((size_t)n, K_SIZE * sizeof *k);
    for (int64_t at = 0; t != NULL && k != NULL && at < n; at++) {
        const int64_t link = at % b->subchains * b->length + at / b->subchains;
        put_link(t + at * T_SIZE, k + at * K_SIZE, plan, link);
    }
    if (t != NULL && k != NULL) {
        b->t = room(b, t, (size_t)n * T_SIZE * sizeof *t);
        b->b = room(b, k, (size_t)n * K_SIZE * sizeof *k);
    }
    free(t);
    free(k);
    return b->t != NULL && b->b != NULL;
}

/* ---- memory of the recursion ---------------------------------------------------------------- */

static int make_open_ends(baseline *b)
{
    const size_t count = (size_t)b->subchains;
    double *open = calloc(count, K_SIZE * sizeof *open);
    for (size_t s = 0; open != NULL && s < count; s++) {
        for (int i = 0; i < 3; i++) { /* E = 1 */
            open[s * K_SIZE + K_RR + (size_t)(i + (i + 4) * BODY)] = 1.0;
            open[s * K_SIZE + K_RR + (size_t)(i + 4 + i * BODY)] = 1.0;
        }
    }
    b->open = open != NULL ? room(b, open, count * K_SIZE * sizeof *open) : NULL;
    free(open);
    return b->open != NULL;
}

/* The address of each item of a batch, on the device. */
static double **addresses(baseline *b, double *first, int64_t stride)
{
    const size_t count = (size_t)b->subchains;
    double **list = malloc(count * sizeof *list);
    for (size_t s = 0; list != NULL && s < count; s++) {
        list[s] = first + (int64_t)s * stride;
    }
    double **made = list != NULL && first != NULL ? room(b, list, count * sizeof *list) : NULL;
    free(list);
    return made;
}

static int make_rooms(baseline *b)
{
    const size_t count = (size_t)b->subchains, real = sizeof(double);
    b->p = room(b, NULL, count * T_SIZE * real);
    b->x = room(b, NULL, count * SPIN * HELD * real);
    b->inverse = room(b, NULL, count * SPIN * SPIN * real);
    b->inverses = addresses(b, b->inverse, SPIN * SPIN);
    b->pivots = room(b, NULL, count * (SPIN + 1) * sizeof(int));
    b->info = b->pivots != NULL ? b->pivots + count * SPIN : NULL;
    int whole = b->p != NULL && b->x != NULL && b->inverses != NULL && b->pivots != NULL;
    for (int i = 0; i < 2; i++) {
        b->k[i] = room(b, NULL, count * K_SIZE * real);
        b->pivot_blocks[i] = addresses(b, b->k[i], K_SIZE);
        whole = whole && b->pivot_blocks[i] != NULL;
    }
    return whole;
}

baseline *baseline_create(const libraries *library, const rct_plan *plan, int64_t length,
                          char *reason)
{
    if (plan->depth != plan->links.count) {
        snprintf(reason, 256, "the baseline is for single chains");
        return NULL;
    }
    baseline *b = calloc(1, sizeof *b);
    if (b != NULL) {
        b->library = library;
        b->length = length;
        b->subchains = (plan->links.count + length - 1) / length;
    }
    if (b == NULL || !make_links(b, plan) || !make_open_ends(b) || !make_rooms(b)) {
        snprintf(reason, 256, "no memory for the baseline of %d links on the device or the host",
                 (int)plan->links.count);
        baseline_free(b);
        return NULL;
    }
    return b;
}

void baseline_free(baseline *b)
{
    for (int i = 0; b != NULL && i < b->room_count; i++) {
        b->library->release(b->rooms[i]);
    }
    free(b);
}

int64_t baseline_subchains(const baseline *b)
{
    return b->subchains;
}

/* ---- the recursion -------------------------------------------------------------------------- */

/* K_aa^-1 of all subchains; `now` is where K is. */
static int invert(const baseline *b, int now, baseline_solve solve)
{
    const libraries *l = b->library;
    const int batch = (int)b->subchains;
    const double *const *k = (const double *const *)b->pivot_blocks[now];
    if (solve == BASELINE_INVERSE) {
        return l->invert(l->handle, SPIN, k, BODY, b->inverses, SPIN, b->info, batch) == 0;
    }
    return l->factor(l->handle, SPIN, b->pivot_blocks[now], BODY, b->pivots, b->info, batch) == 0 &&
           l->invert_factored(l->handle, SPIN, k, BODY, b->pivots, b->inverses, SPIN, b->info,
                              batch) == 0;
}

/* The links at one place of all subchains: from `before`, the M of the links outboard, to
 * k[now]. */
static int condense_place(const baseline *b, int64_t place, int now, const double *before,
                          baseline_solve solve)
{
    static const double zero = 0.0, one = 1.0, minus = -1.0;
    const libraries *l = b->library;
    const int batch = (int)b->subchains;
    const int plain = LIBRARY_PLAIN, turned = LIBRARY_TRANSPOSED;
    const double *t = b->t + place * b->subchains * T_SIZE;
    double *k = b->k[now];
    const size_t bytes = (size_t)b->subchains * K_SIZE * sizeof *k;
    return l->copy_later(k, b->b + place * b->subchains * K_SIZE, bytes, LIBRARY_ON_DEVICE, NULL) ==
               0 &&
           l->gemm(l->handle, plain, plain, HELD, BODY, HELD, &one, before + K_RR, BODY, K_SIZE, t,
                   HELD, T_SIZE, &zero, b->p, HELD, T_SIZE, batch) == 0 &&
           l->gemm(l->handle, turned, plain, BODY, BODY, HELD, &one, t, HELD, T_SIZE, b->p, HELD,
                   T_SIZE, &one, k, BODY, K_SIZE, batch) == 0 &&
           invert(b, now, solve) &&
           l->gemm(l->handle, plain, plain, SPIN, HELD, SPIN, &one, b->inverse, SPIN, SPIN * SPIN,
                   k + K_AR, BODY, K_SIZE, &zero, b->x, SPIN, SPIN * HELD, batch) == 0 &&
           l->gemm(l->handle, plain, plain, HELD, HELD, SPIN, &minus, k + K_RA, BODY, K_SIZE, b->x,
                   SPIN, SPIN * HELD, &one, k + K_RR, BODY, K_SIZE, batch) == 0;
}

int baseline_condense(baseline *b, baseline_solve solve)
{
    const double *before = b->open;
    int good = 1;
    for (int64_t place = b->length - 1; place >= 0 && good; place--) {
        const int now = (int)(place % 2);
        good = condense_place(b, place, now, before, solve);
        before = b->k[now];
    }
    return b->library->wait() == 0 && good;
}

int baseline_read(baseline *b, double *m)
{
    const size_t count = (size_t)b->subchains;
    double *k = malloc(count * K_SIZE * sizeof *k);
    int *info = malloc(count * sizeof *info);
    int good = k != NULL && info != NULL &&
               b->library->copy(k, b->k[0], count * K_SIZE * sizeof *k, LIBRARY_TO_HOST) == 0 &&
               b->library->copy(info, b->info, count * sizeof *info, LIBRARY_TO_HOST) == 0;
    for (size_t s = 0; s < count && good; s++) {
        for (int j = 0; j < HELD; j++) {
            memcpy(m + (s * HELD + (size_t)j) * HELD, k + s * K_SIZE + K_RR + (size_t)j * BODY,
                   HELD * sizeof *m);
        }
        good = info[s] == 0;
    }
    free(k);
    free(info);
    return good;
}
