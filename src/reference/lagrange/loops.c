/* Closed loops in the Lagrangian system (seed 004, eqs. 63 to 73): a row and its transpose for every constraint. */
#include "core/error.h"
#include "model/model.h"
#include "reference/lagrange/lagrange.h"

#include <inttypes.h>
#include <math.h>

/* Upper bound of the entries of a row and its transpose, with two ends of r.. and w. each. */
enum { LOOP_ENTRIES = 2 * 2 * 6 };

/* For constraints that follow from others: the part of the largest terms that may be left. */
static const double contradiction = 1e-6;

/* Relative to gravity: where loops allow no motion, the remaining accelerations are rounding. */
static const double least_size = 1e-6;

rct_status rct_lagrangian_take_loops(rct_lagrangian *s, rct_error *error)
{
    s->row_count = rct_loop_row_count(s->model);
    if (s->row_count == 0) {
        return RCT_OK;
    }
    s->rows = rct_pool_take(&s->pool, s->row_count, sizeof *s->rows, error);
    if (s->rows == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_loop_row_write(s->model, &s->ground, s->pose, s->rows);
    return rct_loop_row_sort(s->model, s->pose, s->rows, s->row_count, &s->rank, error);
}

int64_t rct_lagrangian_loop_entries(const rct_lagrangian *s)
{
    int64_t entries = s->rank * LOOP_ENTRIES;
    for (int64_t i = 0; i < s->rank; i++) {
        entries += 2 * (int64_t)s->model->loops[s->rows[i].loop].term_count;
    }
    return entries;
}

void rct_lagrangian_add_loops(rct_lagrangian *s)
{
    for (int64_t i = 0; i < s->rank; i++) {
        const rct_loop_row *row = &s->rows[i];
        const rct_loop *loop = &s->model->loops[row->loop];
        const int64_t at = s->first[s->model->count] + i;
        for (int end = 0; end < row->ends; end++) {
            const int64_t body = s->first[row->body[end]];
            for (int a = 0; a < 3; a++) {
                rct_lagrangian_add(s, body + AT_R + a, at, -row->r[end].x[a]);
                rct_lagrangian_add(s, body + AT_W + a, at, -row->w[end].x[a]);
            }
        }
        for (int32_t k = 0; k < loop->term_count; k++) {
            const rct_loop_term *term = &loop->terms[k];
            rct_lagrangian_add(s, s->first[term->body] + AT_GAMMA + term->freedom, at,
                               -term->factor);
        }
        s->equations.right[at] = row->rest;
    }
}

/* The residual of phi'' of a constraint; `size` is at least that of its terms if nothing
 * cancelled. */
static double left_of(const rct_lagrangian *s, const rct_loop_row *row, double *size)
{
    const rct_loop *loop = &s->model->loops[row->loop];
    quad sum = row->rest;
    double own = fabs((double)sum);
    for (int end = 0; end < row->ends; end++) {
        const quad3 a = rct_lagrangian_unknown(s, s->first[row->body[end]] + AT_R);
        const quad3 alpha = rct_lagrangian_unknown(s, s->first[row->body[end]] + AT_W);
        sum += quad3_dot(row->r[end], a) + quad3_dot(row->w[end], alpha);
        own += rct_loop_row_length(row->r[end]) * rct_loop_row_length(a) +
               rct_loop_row_length(row->w[end]) * rct_loop_row_length(alpha);
    }
    for (int32_t k = 0; k < loop->term_count; k++) {
        const rct_loop_term *term = &loop->terms[k];
        const quad part = term->factor * s->x[s->first[term->body] + AT_GAMMA + term->freedom];
        sum += part;
        own += fabs((double)part);
    }
    *size = fmax(*size, own);
    return fabs((double)sum);
}

rct_status rct_lagrangian_expect_loops(const rct_lagrangian *s, rct_error *error)
{
    double gravity[3];
    rct_model_gravity(s->model, gravity);
    double size = least_size * (fabs(gravity[0]) + fabs(gravity[1]) + fabs(gravity[2]));
    for (int64_t i = 0; i < s->row_count; i++) {
        left_of(s, &s->rows[i], &size);
    }
    for (int64_t i = s->rank; i < s->row_count; i++) {
        if (!(left_of(s, &s->rows[i], &size) <= contradiction * size)) {
            char name[RCT_NAME_SIZE];
            rct_model_loop_name(s->model, s->rows[i].loop, name);
            return rct_fail(
                error, RCT_ERROR_LOOP,
                "loop %" PRId32
                " \"%s\" depends on other loops and contradicts them: no accelerations close both; "
                "give velocities that all loops allow, or leave this loop out",
                s->rows[i].loop, name);
        }
    }
    return RCT_OK;
}
