/* Rows of all active loops (closures.h): storage, relations, and closures in lanes
 * (closure_lanes.h). */
#include "closure/closures.h"

#include "closure/closure_lanes.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

struct rct_closures {
    const rct_model *model;
    int32_t loops;
    unsigned char *active;     /* [loops] */
    int64_t *first_coordinate; /* [n] of each body */
    int64_t *first_rate;       /* [n] */
    rct_hinge_type *hinge;     /* [n] */
    int64_t laid;              /* version of the rows below, 0: none */
    int32_t *row, *end;        /* [loops] the first of each active loop */
    int32_t *relations;        /* [relation_count] the active ones */
    int32_t relation_count;
    rct_closure_layout layout;
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

static int allocate(rct_closures *c, const room *most, const rct_closure_seat *seats, int32_t n,
                    rct_error *error)
{
    rct_pool *pool = &c->pool;
    rct_closure_rows *rows = &c->rows;
    c->active = rct_pool_take(pool, c->loops, sizeof *c->active, error);
    c->first_coordinate = rct_pool_take(pool, n, sizeof *c->first_coordinate, error);
    c->first_rate = rct_pool_take(pool, n, sizeof *c->first_rate, error);
    c->hinge = rct_pool_take(pool, n, sizeof *c->hinge, error);
    rows->loop = rct_pool_take(pool, most->rows, sizeof *rows->loop, error);
    rows->ends_at = rct_pool_take(pool, most->rows + 1, sizeof *rows->ends_at, error);
    rows->ends = rct_pool_take(pool, most->ends, sizeof *rows->ends, error);
    rows->rates_at = rct_pool_take(pool, most->rows + 1, sizeof *rows->rates_at, error);
    rows->rates = rct_pool_take(pool, most->rates, sizeof *rows->rates, error);
    rows->phi = rct_pool_take(pool, most->rows, sizeof *rows->phi, error);
    rows->speed = rct_pool_take(pool, most->rows, sizeof *rows->speed, error);
    rows->bias = rct_pool_take(pool, most->rows, sizeof *rows->bias, error);
    rows->known = rct_pool_take(pool, most->rows, sizeof *rows->known, error);
    rows->terms = rct_pool_take(pool, most->rows, sizeof *rows->terms, error);
    rows->reach = rct_pool_take(pool, most->rows, sizeof *rows->reach, error);
    rows->near = rct_pool_take(pool, most->rows, sizeof *rows->near, error);
    rows->unit = rct_pool_take(pool, most->rows, sizeof *rows->unit, error);
    c->row = rct_pool_take(pool, c->loops, sizeof *c->row, error);
    c->end = rct_pool_take(pool, c->loops, sizeof *c->end, error);
    c->relations = rct_pool_take(pool, c->loops, sizeof *c->relations, error);
    return !pool->failed &&
           rct_closure_layout_create(&c->layout, c->model, seats, pool, error) == RCT_OK;
}

rct_closures *rct_closures_create(const rct_model *model, const rct_hinge_type *hinges,
                                  const rct_closure_seat *seats, int32_t n,
                                  const rct_closure_lengths *lengths, rct_error *error)
{
    static const double metre = 1.0;
    rct_closures *c = rct_allocate(1, sizeof *c, "closures", error);
    if (c == NULL) {
        return NULL;
    }
    c->pool.what = "closures";
    c->model = model;
    c->loops = rct_model_loop_count(model);
    const room most = room_for(model, c->loops);
    if (!allocate(c, &most, seats, n, error)) {
        rct_closures_free(c);
        return NULL;
    }
    for (int32_t i = 0; i < c->loops; i++) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        c->active[i] = (unsigned char)loop.active;
    }
    c->layout.length = lengths != NULL ? lengths->length : &metre;
    c->layout.systems = lengths != NULL ? lengths->systems : 1;
    c->rows.length = c->layout.length[0];
    memcpy(c->hinge, hinges, (size_t)n * sizeof *hinges);
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

/* ---- laying ------------------------------------------------------------------------------- */

/* Where the next row, end and rate go. */
typedef struct pen {
    int32_t row, end;
    int64_t rate;
} pen;

static double length_of(const rct_closures *c, int32_t loop)
{
    return c->layout.length[loop % c->layout.systems];
}

/* Lay the rows of a closure, those of positions first. */
static void lay_closure(rct_closures *c, pen *at, int32_t number, const rct_loop *loop)
{
    const int32_t count = rct_loop_constraints(loop->type);
    const int32_t places = rct_closure_places_held(loop->type);
    for (int32_t i = 0; i < count; i++) {
        c->rows.loop[at->row] = number;
        c->rows.unit[at->row] = i < places ? 1.0 : length_of(c, number);
        c->rows.ends[at->end++].body = loop->body;
        if (loop->other != RCT_GROUND) {
            c->rows.ends[at->end++].body = loop->other;
        }
        at->row++;
        c->rows.ends_at[at->row] = at->end;
        c->rows.rates_at[at->row] = at->rate;
    }
}

static void lay_relation(rct_closures *c, pen *at, int32_t number, const rct_loop *loop)
{
    const double unit = c->rows.unit[at->row] =
        rct_closure_relation_unit(loop, c->hinge, length_of(c, number));
    c->relations[c->relation_count++] = number;
    c->rows.loop[at->row] = number;
    for (int32_t i = 0; i < loop->term_count; i++) {
        const rct_loop_term *term = &loop->terms[i];
        c->rows.rates[at->rate++] =
            (rct_closure_rate){c->first_rate[term->body] + term->freedom, unit * term->factor};
    }
    at->row++;
    c->rows.ends_at[at->row] = at->end;
    c->rows.rates_at[at->row] = at->rate;
}

/* Lay rows, ends and rates of active loops, without their numbers. */
static void lay(rct_closures *c)
{
    pen at = {0, 0, 0};
    c->relation_count = 0;
    for (int32_t i = 0; i < c->loops; i++) {
        rct_loop loop;
        c->row[i] = at.row;
        c->end[i] = at.end;
        if (!c->active[i]) {
            continue;
        }
        rct_model_loop(c->model, i, &loop, NULL);
        if (loop.type == RCT_LOOP_RELATION) {
            lay_relation(c, &at, i, &loop);
        } else {
            lay_closure(c, &at, i, &loop);
        }
    }
    c->rows.count = at.row;
    c->laid = c->rows.version;
    rct_closure_layout_fill(&c->layout, c->model, c->active, c->row, c->end);
    c->layout.at.phi = c->rows.phi;
    c->layout.at.speed = c->rows.speed;
    c->layout.at.bias = c->rows.bias;
    c->layout.at.known = c->rows.known;
    c->layout.at.terms = c->rows.terms;
    c->layout.at.reach = c->rows.reach;
    c->layout.at.near = c->rows.near;
    c->layout.at.wrench = c->rows.ends[0].wrench;
    c->layout.at.apart = (int32_t)(sizeof *c->rows.ends / sizeof(double));
    rct_closure_layout_pose(&c->layout);
}

void rct_closures_come_in(rct_closures *c, const int64_t *place, double *in, int32_t apart,
                          const int64_t *pose_at)
{
    rct_closure_layout_sort(&c->layout, c->model, pose_at);
    rct_closure_layout_fill(&c->layout, c->model, c->active, c->row, c->end);
    rct_closure_layout_come_in(&c->layout, place, in, apart, pose_at);
}

/* ---- writing ------------------------------------------------------------------------------ */

static void write_relation(rct_closures *c, int32_t number, const rct_closure_state *s)
{
    const int32_t row = c->row[number];
    const double unit = c->rows.unit[row];
    double motion[3] = {0.0};
    rct_loop loop;
    rct_model_loop(c->model, number, &loop, NULL);
    rct_model_loop_motion(c->model, number, s->time, motion, NULL);
    double phi = -motion[0], speed = -motion[1], terms = 0.0;
    for (int32_t i = 0; i < loop.term_count; i++) {
        const rct_loop_term *term = &loop.terms[i];
        phi += term->factor * s->coordinates[c->first_coordinate[term->body] + term->freedom];
        const double own = term->factor * s->rates[c->first_rate[term->body] + term->freedom];
        speed += own;
        terms += fabs(own);
    }
    c->rows.phi[row] = unit * phi;
    c->rows.speed[row] = unit * speed;
    c->rows.bias[row] = -unit * motion[2];
    c->rows.known[row] = 0.0;
    c->rows.terms[row] = unit * terms;
    c->rows.reach[row] = c->rows.near[row] = 0.0;
}

/* Whether all systems have the same gravity. */
static int one_gravity(const rct_closure_state *state)
{
    const size_t others = (size_t)(state->systems - 1) * 3 * sizeof(double);
    return state->systems > 0 && memcmp(state->gravity, state->gravity + 3, others) == 0;
}

static rct_closure_places places_of(const rct_closure_state *state)
{
    rct_closure_places places = {.poses = state->poses,
                                 .ground = state->ground_pose,
                                 .apart = state->apart,
                                 .gravity = state->gravity,
                                 .systems = one_gravity(state) ? 0 : state->systems};
    memcpy(places.ground_acceleration, state->ground.angular_acceleration, 3 * sizeof(double));
    memcpy(places.ground_acceleration + 3, state->ground.acceleration, 3 * sizeof(double));
    return places;
}

const rct_closure_rows *rct_closures_write(rct_closures *c, const rct_closure_state *state)
{
    const rct_closure_places places = places_of(state);
    if (c->laid != c->rows.version) {
        lay(c);
    }
    c->layout.at.only_bias = state->only_bias;
    rct_closure_layout_write(&c->layout, &places, state->sharing);
    c->rows.flipped = rct_closure_layout_flipped(&c->layout);
    for (int32_t k = 0; k < c->relation_count; k++) {
        write_relation(c, c->relations[k], state);
    }
    return &c->rows;
}

void rct_closures_bend(const rct_closures *c, const rct_closure_state *state, double *bend)
{
    const rct_closure_places places = places_of(state);
    memset(bend, 0, (size_t)c->rows.count * CLOSURE_BEND * sizeof *bend);
    c->layout.bend(&c->layout.at, &places, bend);
}

void rct_closures_find_slopes(const rct_closures *c, const rct_closure_state *state,
                              rct_closure_slopes *slopes)
{
    const rct_closure_places places = places_of(state);
    const size_t size = (size_t)c->rows.count * CLOSURE_MOTION * sizeof(double);
    memset(slopes->place, 0, size);
    memset(slopes->rate, 0, size);
    slopes->loop = c->layout.loop;
    rct_closure_find_slopes(&c->layout.at, &places, slopes);
}

const rct_closure_rows *rct_closures_write_ends(rct_closures *c, const rct_closure_state *state)
{
    const int apart = c->layout.at.place != NULL;
    c->layout.at.ends = 1;
    rct_closures_write(c, state);
    c->layout.at.ends = !apart || c->layout.at.place == NULL;
    return &c->rows;
}

const rct_closure_rows *rct_closures_copy(rct_closures *c, const rct_closures *from)
{
    const size_t size = (size_t)from->rows.count * sizeof(double);
    if (c->laid != c->rows.version) {
        lay(c);
    }
    if (!from->layout.at.only_bias) {
        memcpy(c->rows.phi, from->rows.phi, size);
        memcpy(c->rows.speed, from->rows.speed, size);
    }
    memcpy(c->rows.bias, from->rows.bias, size);
    memcpy(c->rows.known, from->rows.known, size);
    if (from->layout.at.ends) {
        memcpy(c->rows.ends, from->rows.ends,
               (size_t)from->rows.ends_at[from->rows.count] * sizeof *c->rows.ends);
    }
    c->rows.flipped = from->rows.flipped;
    return &c->rows;
}

void rct_closures_copy_some(rct_closures *c, const rct_closures *from, const int32_t *rows,
                            int32_t count)
{
    if (c->laid != c->rows.version) {
        rct_closures_copy(c, from);
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t i = rows[k], first = c->rows.ends_at[i];
        c->rows.phi[i] = from->rows.phi[i];
        c->rows.speed[i] = from->rows.speed[i];
        c->rows.bias[i] = from->rows.bias[i];
        c->rows.known[i] = from->rows.known[i];
        if (from->layout.at.ends) {
            memcpy(c->rows.ends + first, from->rows.ends + first,
                   (size_t)(c->rows.ends_at[i + 1] - first) * sizeof *c->rows.ends);
        }
    }
}
