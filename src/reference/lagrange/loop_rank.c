/* Which constraints of loops follow from others (lagrange.h): their rows on the freedoms of the
 * tree, where a freedom moves everything outboard of its hinge, by QR with pivots in double. The
 * common path of both ends to the ground does not move a closure and is left out. A slide counts
 * by the unit of length (units.c), a turn by 1 rad. The size of a row is what its entries would
 * be if nothing in them cancelled, so that a row which the hinges satisfy already counts as
 * zero. */
#include "core/error.h"
#include "core/pool.h"
#include "model/hinge_types.h"
#include "model/model.h"
#include "reference/lagrange/lagrange.h"

#include <inttypes.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* A pivot below this, of a row of length 1, is rounding. */
static const double least_pivot = 1e-10;

static const int64_t most_bytes = INT64_C(1) << 30;

typedef struct ranking {
    const rct_model *model;
    const rct_pose *pose;
    const rct_loop_row *rows;
    int64_t count, freedoms;
    double length;  /* m */
    int64_t *first; /* [n] freedom of each body                                                 */
    int32_t *mark;  /* [n] last loop whose body is outboard of it                               */
    double *matrix; /* [count][freedoms]                                                        */
    double *tau;    /* [count]                                                                  */
    lapack_int *order; /* [count]                                                                */
    rct_loop_row *sorted; /* [count]                                                             */
    rct_pool pool;
} ranking;

/* rad, m: the size of freedom k in its column. */
static double unit_of(const ranking *s, int32_t body, int k)
{
    const rct_body *own = rct_bodies_at(s->model->bodies, body);
    const int turns = rct_pose_is_absolute(own) ? k < 3 : rct_hinge_turns(own->hinge, k);
    return turns ? 1.0 : s->length;
}

/* The turn and shift of everything outboard of the hinge by this much of freedom k, at the hinge
 * point. */
static void freedom(const ranking *s, int32_t body, int k, quad3 *turn, quad3 *shift)
{
    *turn = *shift = (quad3){{0, 0, 0}};
    if (rct_pose_is_absolute(rct_bodies_at(s->model->bodies, body))) {
        (k < 3 ? turn : shift)->x[k % 3] = unit_of(s, body, k);
    } else {
        *turn = quad3_scale(unit_of(s, body, k), s->pose[body].joint.p[k]);
        *shift = quad3_scale(unit_of(s, body, k), s->pose[body].joint.t[k]);
    }
}

/* Add the effect of the hinges from the end to body `above`, without it, on the row. Returns the
 * square of its size if nothing cancelled. */
static double add_path(const ranking *s, const rct_loop_row *row, int end, int32_t above,
                       double *entries)
{
    const int32_t body = row->body[end];
    const rct_pose *own = &s->pose[body];
    const quad3 centre = quad3_add(
        own->position, quad33_apply(&own->R, quad3_of(rct_bodies_at(s->model->bodies, body)->com)));
    double square = 0.0;
    for (int32_t at = body; at != above; at = s->model->bodies->parent[at]) {
        const quad3 arm = quad3_subtract(centre, s->pose[at].position);
        for (int k = 0; k < rct_hinge_freedoms(rct_bodies_at(s->model->bodies, at)->hinge); k++) {
            quad3 turn, shift;
            freedom(s, at, k, &turn, &shift);
            const quad3 moved = quad3_add(shift, quad3_cross(turn, arm));
            const double size = rct_loop_row_length(row->r[end]) *
                                    (rct_loop_row_length(shift) +
                                     rct_loop_row_length(turn) * rct_loop_row_length(arm)) +
                                rct_loop_row_length(row->w[end]) * rct_loop_row_length(turn);
            entries[s->first[at] + k] +=
                (double)(quad3_dot(row->r[end], moved) + quad3_dot(row->w[end], turn));
            square += size * size;
        }
    }
    return square;
}

/* The first body on the way from `other` to the ground that is also an ancestor of `body`, or
 * the ground. */
static int32_t junction(const ranking *s, int32_t number, int32_t body, int32_t other)
{
    for (int32_t at = body; at != RCT_GROUND; at = s->model->bodies->parent[at]) {
        s->mark[at] = number + 1;
    }
    while (other != RCT_GROUND && s->mark[other] != number + 1) {
        other = s->model->bodies->parent[other];
    }
    return other;
}

static void write_row(const ranking *s, int64_t i)
{
    const rct_loop_row *row = &s->rows[i];
    const rct_loop *loop = &s->model->loops[row->loop];
    double *entries = s->matrix + i * s->freedoms, square = 0.0;
    const int32_t above =
        row->ends == 2 ? junction(s, row->loop, row->body[0], row->body[1]) : RCT_GROUND;
    for (int end = 0; end < row->ends; end++) {
        square += add_path(s, row, end, above, entries);
    }
    for (int32_t k = 0; k < loop->term_count; k++) {
        const rct_loop_term *term = &loop->terms[k];
        const double entry = term->factor * unit_of(s, term->body, term->freedom);
        entries[s->first[term->body] + term->freedom] = entry;
        square += entry * entry;
    }
    for (int64_t j = 0; j < s->freedoms && square > 0.0; j++) {
        entries[j] /= sqrt(square);
    }
}

static rct_status allocate(ranking *s, rct_error *error)
{
    const int64_t n = s->model->count, one = sizeof(double);
    s->first = rct_pool_take(&s->pool, n + 1, sizeof *s->first, error);
    s->mark = rct_pool_take(&s->pool, n, sizeof *s->mark, error);
    s->tau = rct_pool_take(&s->pool, s->count, one, error);
    s->order = rct_pool_take(&s->pool, s->count, sizeof *s->order, error);
    s->sorted = rct_pool_take(&s->pool, s->count, sizeof *s->sorted, error);
    if (s->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t b = 0; b < n; b++) {
        s->first[b + 1] =
            s->first[b] + rct_hinge_freedoms(rct_bodies_at(s->model->bodies, b)->hinge);
    }
    s->freedoms = s->first[n];
    const double bytes = (double)s->count * (double)s->freedoms * (double)one;
    if (bytes > (double)most_bytes) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "the reference lagrange finds dependent constraints of loops on a dense "
                        "matrix of at most 1 GiB, and %" PRId64 " constraints on %" PRId64
                        " freedoms take %.1f GiB; use a smaller model",
                        s->count, s->freedoms, bytes / (double)most_bytes);
    }
    s->matrix = rct_pool_take(&s->pool, s->count * s->freedoms, one, error);
    return s->matrix != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Rows of large pivots first, in their old order, then the others. */
static int64_t reorder(const ranking *s, rct_loop_row *rows)
{
    const int64_t least = s->count < s->freedoms ? s->count : s->freedoms;
    int64_t rank = 0, to = 0;
    while (rank < least && fabs(s->matrix[rank * (s->freedoms + 1)]) > least_pivot) {
        s->tau[s->order[rank] - 1] = NAN; /* kept */
        rank++;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < s->count; i++) {
            if (isnan(s->tau[i]) == (pass == 0)) {
                s->sorted[to++] = rows[i];
            }
        }
    }
    memcpy(rows, s->sorted, (size_t)s->count * sizeof *rows);
    return rank;
}

rct_status rct_loop_row_sort(const rct_model *model, const rct_pose *pose, rct_loop_row *rows,
                             int64_t count, int64_t *rank, rct_error *error)
{
    ranking s = {.model = model,
                 .pose = pose,
                 .rows = rows,
                 .count = count,
                 .length = rct_lagrange_units_of(model).length,
                 .pool = {.what = "the rank of loops"}};
    rct_status status = allocate(&s, error);
    lapack_int result = 0;
    *rank = 0;
    if (status == RCT_OK && s.freedoms > 0) {
        for (int64_t i = 0; i < count; i++) {
            write_row(&s, i);
        }
        const lapack_int m = (lapack_int)s.freedoms;
        result =
            LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, (lapack_int)count, s.matrix, m, s.order, s.tau);
        memset(s.tau, 0, (size_t)count * sizeof *s.tau);
    }
    if (result != 0) {
        status =
            result == LAPACK_WORK_MEMORY_ERROR
                ? rct_fail_memory(error, count * 32 * (int64_t)sizeof(double), s.pool.what)
                : rct_fail(
                      error, RCT_ERROR_ARGUMENT,
                      "the constraints of loops are not finite; give a state with smaller numbers");
    }
    if (status == RCT_OK) {
        *rank = reorder(&s, rows);
    }
    rct_pool_empty(&s.pool);
    return status;
}
