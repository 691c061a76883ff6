/* How the rows of closures change with the places and velocities of their bodies
 * (kernels/records/closures.h). The rows are computed with complex numbers: one argument gets
 * an imaginary part so small that its square vanishes, and imaginary parts of results are
 * derivatives. */
#define LANE_COMPLEX

#include "kernels/laws/closure_step.h"

#include <stddef.h>
#include <string.h>

static const double small = 0x1p-400;

enum { SIDE = CLOSURE_MOTION / 2 };

/* The number of a pose at which a field begins. */
#define POSE(field) (int64_t)(offsetof(rct_pose_of_link, field) / sizeof(double))

/* A side as the state has it: the link, the hinge point of the body, and its acceleration. */
typedef struct closure_seat {
    mat3 turn;
    vec3 seat, reach, axes[3]; /* link axes */
    vec3 root, rest, w, origin, angular, linear;
} closure_seat;

static vec3 load(const double *from, int64_t apart)
{
    return (vec3){lane_set(from[0]), lane_set(from[apart]), lane_set(from[2 * apart])};
}

/* Of lane `l` of bundle b. */
static closure_seat find(const rct_closure_lanes *c, const rct_closure_places *at,
                         const double *acceleration, int64_t b, int l, int side)
{
    const int64_t lanes = c->lanes, k = (2 * b + side) * lanes + l;
    const double *own =
        c->constant + ((int64_t)c->block[b] * CLOSURE_FIELDS + side * CLOSURE_SIDE) * lanes + l;
    const double *pose = c->pose[k] < 0 ? at->ground : at->poses + c->pose[k];
    const double *a =
        c->body[k] < 0 ? at->ground_acceleration : acceleration + 6 * (int64_t)c->body[k];
    const int64_t apart = at->apart;
    closure_seat s = {.seat = load(own + CLOSURE_SEAT * lanes, lanes),
                      .reach = load(own + CLOSURE_REACH * lanes, lanes),
                      .root = load(pose + POSE(position) * apart, apart),
                      .rest = load(pose + POSE(rest) * apart, apart),
                      .angular = load(a, 1),
                      .linear = load(a + 3, 1)};
    for (int i = 0; i < 3; i++) {
        s.axes[i] = load(own + (CLOSURE_AXES + 3 * i) * lanes, lanes);
    }
    const vec3 x = load(pose, apart), y = load(pose + 3 * apart, apart),
               z = load(pose + 6 * apart, apart);
    s.turn = (mat3){x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
    s.w = mat3_apply(s.turn, load(pose + POSE(rate) * apart, apart));
    s.origin = vec3_add(load(pose + POSE(velocity) * apart, apart),
                        vec3_cross(s.w, mat3_apply(s.turn, s.seat)));
    return s;
}

/* The side in inertial axes, turned by `turn` and moved by `way` at its hinge point, its velocities
 * changed by dw and dv. */
static closure_side moved(const closure_seat *s, vec3 turn, vec3 way, vec3 dw, vec3 dv)
{
    closure_side side = {.rest = s->rest, .angular = s->angular, .linear = s->linear};
    const vec3 before = mat3_apply(s->turn, s->seat);
    const vec3 seat = vec3_add(before, vec3_cross(turn, before));
    const vec3 arm = mat3_apply(s->turn, vec3_sub(s->reach, s->seat));
    side.arm = vec3_add(arm, vec3_cross(turn, arm));
    for (int i = 0; i < 3; i++) {
        const vec3 axis = mat3_apply(s->turn, s->axes[i]);
        side.axes[i] = vec3_add(axis, vec3_cross(turn, axis));
    }
    side.root = vec3_add(s->root, vec3_sub(way, vec3_cross(turn, before)));
    side.reach = vec3_add(seat, side.arm);
    side.w = vec3_add(s->w, dw);
    side.origin = vec3_add(s->origin, dv);
    closure_move(&side);
    return side;
}

/* The side where number `d` of turn, way, dw and dv is small and imaginary; with `size` 0, none
 * is. */
static closure_side moved_along(const closure_seat *s, int d, double size)
{
    real x[12] = {0.0};
    x[d] = size * I;
    return moved(s, (vec3){x[0], x[1], x[2]}, (vec3){x[3], x[4], x[5]}, (vec3){x[6], x[7], x[8]},
                 (vec3){x[9], x[10], x[11]});
}

/* phi'' with the parts of phi' and phi that the slopes have besides. */
static double slope_of(const closure_row *row, const closure_side *other, const closure_side *own,
                       const rct_closure_slopes *slopes)
{
    const real speed = closure_slide(row, own->origin, other->origin) +
                       closure_turn(row, own, other, own->w, other->w);
    const real all = row->bias + closure_slide(row, own->linear, other->linear) +
                     closure_turn(row, own, other, own->angular, other->angular) +
                     slopes->of_speed * speed + slopes->of_place * row->phi;
    return cimag(all) / small;
}

/* Add the change of a wrench on both bodies. */
static void add_hold(const closure_row *row, const closure_side *other, const closure_side *own,
                     double multiplier, int d, double *hold)
{
    const vec3 parts[] = {closure_moment(row, own->lever), closure_force(row),
                          closure_moment(row, other->lever), closure_force(row)};
    for (int k = 0; k < 4; k++) {
        const real of[] = {parts[k].x, parts[k].y, parts[k].z};
        const double given = k < 2 ? multiplier : -multiplier;
        for (int i = 0; i < 3; i++) {
            hold[CLOSURE_MOTION * (3 * k + i) + d] += given * cimag(of[i]) / small;
        }
    }
}

/* Slopes along number d of the motions of both bodies; velocities stand behind places. */
static void write_slopes(const rct_closure_lanes *c, closure_side own, closure_side other,
                         int64_t b, int l, int d, const rct_closure_slopes *slopes)
{
    closure_meet(&other, &own);
    const int64_t lane = b * c->lanes + l, first = c->row[lane];
    const double *length =
        c->constant + ((int64_t)c->block[b] * CLOSURE_FIELDS + CLOSURE_LENGTH) * c->lanes + l;
    double waves[2 * CLOSURE_HARMONICS];
    closure_row rows[MOST_CLOSURE_ROWS];
    for (int k = 0; k < 2 * CLOSURE_HARMONICS; k++) {
        waves[k] = length[(1 + k) * (int64_t)c->lanes];
    }
    const int count = closure_rows(c->holds[b], lane_set(*length), waves, &other, &own, rows);
    const int of_rates = d >= CLOSURE_MOTION, number = d % CLOSURE_MOTION;
    double *to = of_rates ? slopes->rate : slopes->place;
    for (int i = 0; i < count; i++) {
        to[CLOSURE_MOTION * (first + i) + number] = slope_of(&rows[i], &other, &own, slopes);
        if (!of_rates) {
            add_hold(&rows[i], &other, &own, slopes->multiplier[first + i], number,
                     slopes->hold + CLOSURE_BEND * (int64_t)slopes->loop[lane]);
        }
    }
}

void rct_closure_find_slopes(const rct_closure_lanes *c, const rct_closure_places *at,
                             const rct_closure_slopes *slopes)
{
    for (int64_t k = 0; k < (int64_t)c->bundles * c->lanes; k++) {
        const int64_t b = k / c->lanes;
        const int l = (int)(k % c->lanes);
        if (l > 0 && slopes->loop[k] == slopes->loop[k - 1]) {
            continue; /* lanes behind the last closure */
        }
        const closure_seat seat[2] = {find(c, at, slopes->acceleration, b, l, 0),
                                      find(c, at, slopes->acceleration, b, l, 1)};
        const int sides = c->body[(2 * b + 1) * c->lanes + l] < 0 ? 1 : 2;
        memset(slopes->hold + CLOSURE_BEND * (int64_t)slopes->loop[k], 0,
               CLOSURE_BEND * sizeof *slopes->hold);
        const closure_side own = moved_along(&seat[0], 0, 0.0);
        const closure_side other = moved_along(&seat[1], 0, 0.0);
        for (int d = 0; d < 2 * CLOSURE_MOTION; d++) {
            const int side = d % CLOSURE_MOTION / SIDE,
                      number = d % SIDE + SIDE * (d >= CLOSURE_MOTION);
            if (side < sides) {
                const closure_side moves = moved_along(&seat[side], number, small);
                write_slopes(c, side == 0 ? moves : own, side == 0 ? other : moves, b, l, d,
                             slopes);
            }
        }
    }
}
