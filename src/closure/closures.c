/* Rows of all active loops (closures.h): storage, and rows.c for one closure after the other. */
#include "closure/closures.h"

#include "closure/rows.h"
#include "core/memory.h"
#include "core/pool.h"
#include "core/rotation.h"

#include <string.h>

struct rct_closures {
    const rct_model *model;
    int32_t loops;
    unsigned char *active;     /* [loops] */
    int64_t *first_coordinate; /* [n] of each body */
    int64_t *first_rate;       /* [n] */
    rct_pool pool;
    rct_closure_rows rows;
};

/* ---- making ------------------------------------------------------------------------------- */

typedef struct room {
    int64_t rows, ends, rates;
} room;

static room room_for(const rct_model *model, int32_t loops)
{
    room most = {0, 0, 0};
    for (int32_t i = 0; i < loops; i++) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        const int64_t rows = rct_loop_constraints(loop.type);
        most.rows += rows;
        most.ends += loop.type == RCT_LOOP_RELATION ? 0
                     : loop.other == RCT_GROUND     ? rows
                                                    : 2 * rows;
        most.rates += loop.term_count;
    }
    return most;
}

static int allocate(rct_closures *c, const room *most, int32_t n, rct_error *error)
{
    rct_pool *pool = &c->pool;
    rct_closure_rows *rows = &c->rows;
    c->active = rct_pool_take(pool, c->loops, sizeof *c->active, error);
    c->first_coordinate = rct_pool_take(pool, n, sizeof *c->first_coordinate, error);
    c->first_rate = rct_pool_take(pool, n, sizeof *c->first_rate, error);
    rows->loop = rct_pool_take(pool, most->rows, sizeof *rows->loop, error);
    rows->ends_at = rct_pool_take(pool, most->rows + 1, sizeof *rows->ends_at, error);
    rows->ends = rct_pool_take(pool, most->ends, sizeof *rows->ends, error);
    rows->rates_at = rct_pool_take(pool, most->rows + 1, sizeof *rows->rates_at, error);
    rows->rates = rct_pool_take(pool, most->rates, sizeof *rows->rates, error);
    rows->phi = rct_pool_take(pool, most->rows, sizeof *rows->phi, error);
    rows->speed = rct_pool_take(pool, most->rows, sizeof *rows->speed, error);
    rows->bias = rct_pool_take(pool, most->rows, sizeof *rows->bias, error);
    return !pool->failed;
}

rct_closures *rct_closures_create(const rct_model *model, const rct_hinge_type *hinges, int32_t n,
                                  rct_error *error)
{
    rct_closures *c = rct_allocate(1, sizeof *c, "closures", error);
    if (c == NULL) {
        return NULL;
    }
    c->pool.what = "closures";
    c->model = model;
    c->loops = rct_model_loop_count(model);
    const room most = room_for(model, c->loops);
    if (!allocate(c, &most, n, error)) {
        rct_closures_free(c);
        return NULL;
    }
    for (int32_t i = 0; i < c->loops; i++) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        c->active[i] = (unsigned char)loop.active;
    }
    for (int32_t b = 1; b < n; b++) {
        c->first_coordinate[b] = c->first_coordinate[b - 1] + rct_hinge_coordinates(hinges[b - 1]);
        c->first_rate[b] = c->first_rate[b - 1] + rct_hinge_freedoms(hinges[b - 1]);
    }
    c->rows.flipped = -1;
    c->rows.version = 1;
    return c;
}

void rct_closures_free(rct_closures *c)
{
    if (c != NULL) {
        rct_pool_empty(&c->pool);
        rct_release(c);
    }
}

int64_t rct_closures_bytes(const rct_closures *c)
{
    return (int64_t)sizeof *c + c->pool.bytes;
}

void rct_closures_name(const rct_closures *c, int32_t loop, char name[RCT_NAME_SIZE])
{
    rct_model_loop_name(c->model, loop, name);
}

void rct_closures_set_active(rct_closures *c, int32_t loop, int active)
{
    c->rows.version += c->active[loop] != (active != 0);
    c->active[loop] = active != 0;
}

int rct_closures_active(const rct_closures *c, int32_t loop)
{
    return c->active[loop];
}

const rct_closure_rows *rct_closures_rows(const rct_closures *c)
{
    return &c->rows;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* A body, or the ground, at a state. */
typedef struct rider {
    double m[3][3], position[3], velocity[3], w[3];
} rider;

static rider ride(const rct_closure_state *s, int32_t body)
{
    const int ground = body == RCT_GROUND;
    const int64_t b = ground ? 0 : body;
    rider r;
    rct_rotation(ground ? s->ground.orientation : s->orientation + 4 * b, r.m);
    memcpy(r.position, ground ? s->ground.position : s->position + 3 * b, sizeof r.position);
    memcpy(r.velocity, ground ? s->ground.velocity : s->velocity + 3 * b, sizeof r.velocity);
    memcpy(r.w, ground ? s->ground.angular_velocity : s->angular_velocity + 3 * b, sizeof r.w);
    return r;
}

static rct_closure_frame frame_on(rider *r, const double at[3], const double orientation[4],
                                  double triad[3][3])
{
    rct_closure_frame f;
    double own[3][3], turning[3];
    rct_rotate(r->m, at, f.arm);
    rct_rotation(orientation, own);
    for (int i = 0; i < 3; i++) {
        double in_body[3];
        rct_rotate(own, triad[i], in_body);
        rct_rotate(r->m, in_body, f.axes[i]);
    }
    memcpy(f.w, r->w, sizeof f.w);
    rct_cross(f.w, f.arm, turning);
    rct_cross(f.w, turning, f.centripetal);
    for (int i = 0; i < 3; i++) {
        f.point[i] = r->position[i] + f.arm[i];
        f.velocity[i] = r->velocity[i] + turning[i];
    }
    return f;
}

static double motion_along(const double wrench[6], const double *angular, const double *linear)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += wrench[i] * angular[i] + wrench[3 + i] * linear[i];
    }
    return sum;
}

/* Where the next row, end and rate go. */
typedef struct pen {
    int32_t row, end;
    int64_t rate;
} pen;

static void finish_row(rct_closures *c, pen *at, int32_t loop, double phi, double speed,
                       double bias)
{
    c->rows.loop[at->row] = loop;
    c->rows.phi[at->row] = phi;
    c->rows.speed[at->row] = speed;
    c->rows.bias[at->row] = bias;
    at->row++;
    c->rows.ends_at[at->row] = at->end;
    c->rows.rates_at[at->row] = at->rate;
}

static void write_relation(rct_closures *c, pen *at, int32_t number, const rct_loop *loop,
                           const rct_closure_state *s)
{
    const double t = s->time;
    double phi = -(loop->offset + t * (loop->rate + 0.5 * loop->acceleration * t));
    double speed = -(loop->rate + loop->acceleration * t);
    for (int32_t i = 0; i < loop->term_count; i++) {
        const rct_loop_term *term = &loop->terms[i];
        const int64_t rate = c->first_rate[term->body] + term->freedom;
        phi += term->factor * s->coordinates[c->first_coordinate[term->body] + term->freedom];
        speed += term->factor * s->rates[rate];
        c->rows.rates[at->rate++] = (rct_closure_rate){rate, term->factor};
    }
    finish_row(c, at, number, phi, speed, -loop->acceleration);
}

static void write_closure(rct_closures *c, pen *at, int32_t number, const rct_loop *loop,
                          const rct_closure_state *s)
{
    double triad[3][3];
    rct_constraint rows[RCT_LOOP_MOST_CONSTRAINTS];
    rider body = ride(s, loop->body), holder = ride(s, loop->other);
    rct_closure_triad(loop, triad);
    const rct_closure_frame own = frame_on(&body, loop->at, loop->orientation, triad);
    const rct_closure_frame other =
        frame_on(&holder, loop->other_at, loop->other_orientation, triad);
    const int count = rct_closure_constraints(loop->type, loop->length, &other, &own, rows);
    if (c->rows.flipped < 0 && rct_closure_is_flipped(loop->type, &other, &own)) {
        c->rows.flipped = number;
    }
    for (int i = 0; i < count; i++) {
        const rct_constraint *row = &rows[i];
        rct_closure_end *end = &c->rows.ends[at->end++];
        double bias = row->bias;
        end->body = loop->body;
        memcpy(end->wrench, row->own, sizeof end->wrench);
        if (loop->other == RCT_GROUND) {
            bias +=
                motion_along(row->other, s->ground.angular_acceleration, s->ground.acceleration);
        } else {
            end = &c->rows.ends[at->end++];
            end->body = loop->other;
            memcpy(end->wrench, row->other, sizeof end->wrench);
        }
        finish_row(c, at, number, row->phi,
                   motion_along(row->own, body.w, body.velocity) +
                       motion_along(row->other, holder.w, holder.velocity),
                   bias);
    }
}

const rct_closure_rows *rct_closures_write(rct_closures *c, const rct_closure_state *state)
{
    pen at = {0, 0, 0};
    c->rows.flipped = -1;
    for (int32_t i = 0; i < c->loops; i++) {
        rct_loop loop;
        if (!c->active[i]) {
            continue;
        }
        rct_model_loop(c->model, i, &loop, NULL);
        if (loop.type == RCT_LOOP_RELATION) {
            write_relation(c, &at, i, &loop, state);
        } else {
            write_closure(c, &at, i, &loop, state);
        }
    }
    c->rows.count = at.row;
    return &c->rows;
}

/* ---- J and J* ----------------------------------------------------------------------------- */

void rct_closure_take(const rct_closure_rows *rows, const double *angular, const double *linear,
                      const double *rates, double *y)
{
    for (int32_t i = 0; i < rows->count; i++) {
        double sum = 0.0;
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const int64_t body = rows->ends[k].body;
            sum += motion_along(rows->ends[k].wrench, angular + 3 * body, linear + 3 * body);
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            sum += rows->rates[k].factor * rates[rows->rates[k].rate];
        }
        y[i] = sum;
    }
}

void rct_closure_give(const rct_closure_rows *rows, const double *x, double *force, double *moment,
                      double *effort)
{
    for (int32_t i = 0; i < rows->count; i++) {
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const rct_closure_end *end = &rows->ends[k];
            for (int j = 0; j < 3; j++) {
                moment[3 * (int64_t)end->body + j] += end->wrench[j] * x[i];
                force[3 * (int64_t)end->body + j] += end->wrench[3 + j] * x[i];
            }
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            effort[rows->rates[k].rate] += rows->rates[k].factor * x[i];
        }
    }
}
