/* Laying closures into lanes (closure_lanes.h). */
#include "closure/closure_lanes.h"

#include "core/rotation.h"
#include "model/hinge_types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int32_t held[RCT_LOOP_TYPES] = {
    [RCT_LOOP_FIXED] = CLOSURE_X | CLOSURE_Y | CLOSURE_Z | CLOSURE_LINE | CLOSURE_TURN,
    [RCT_LOOP_BALL] = CLOSURE_X | CLOSURE_Y | CLOSURE_Z,
    [RCT_LOOP_UNIVERSAL] = CLOSURE_X | CLOSURE_Y | CLOSURE_Z | CLOSURE_CROSS,
    [RCT_LOOP_REVOLUTE] = CLOSURE_X | CLOSURE_Y | CLOSURE_Z | CLOSURE_LINE,
    [RCT_LOOP_PRISMATIC] = CLOSURE_X | CLOSURE_Y | CLOSURE_LINE | CLOSURE_TURN,
    [RCT_LOOP_CYLINDRICAL] = CLOSURE_X | CLOSURE_Y | CLOSURE_LINE,
    [RCT_LOOP_PLANAR] = CLOSURE_Z | CLOSURE_LINE,
    [RCT_LOOP_DISTANCE] = CLOSURE_DISTANCE,
    [RCT_LOOP_PLANAR_REVOLUTE] = CLOSURE_X | CLOSURE_Y,
    [RCT_LOOP_PLANAR_PRISMATIC] = CLOSURE_Y | CLOSURE_TURN,
    [RCT_LOOP_PLANAR_FIXED] = CLOSURE_X | CLOSURE_Y | CLOSURE_TURN,
    [RCT_LOOP_SLOT] = CLOSURE_Y,
    [RCT_LOOP_CAM] = CLOSURE_OUTLINE,
};

/* How many rows of J a type has. */
static int32_t rows_of(int32_t holds)
{
    int32_t count = (holds & CLOSURE_LINE) != 0; /* which holds two */
    for (int bit = CLOSURE_X; bit <= CLOSURE_OUTLINE; bit <<= 1) {
        count += (holds & bit) != 0;
    }
    return count;
}

int32_t rct_closure_places_held(rct_loop_type type)
{
    int32_t count = 0;
    for (int bit = CLOSURE_X; bit <= CLOSURE_OUTLINE; bit <<= 1) {
        const int turns = bit == CLOSURE_LINE || bit == CLOSURE_TURN || bit == CLOSURE_CROSS;
        count += (held[type] & bit) != 0 && !turns;
    }
    return count;
}

double rct_closure_relation_unit(const rct_loop *loop, const rct_hinge_type *hinge, double length)
{
    int slides = 0, exponent;
    double most = 0.0;
    for (int32_t i = 0; i < loop->term_count; i++) {
        const rct_loop_term *term = &loop->terms[i];
        const int angle = rct_hinge_turns(hinge[term->body], term->freedom);
        slides += !angle;
        most = fmax(most, fabs(term->factor) * (angle ? 1.0 / length : 1.0));
    }
    const double one = slides > 0 ? 1.0 : length; /* where all factors are 1 */
    frexp(most * one, &exponent);
    return ldexp(one, 1 - exponent);
}

/* The axes of the closure frame in itself, as rows. */
static void triad_of(const rct_loop *loop, double axes[3][3])
{
    memcpy(axes[2], loop->axis, sizeof axes[2]);
    memcpy(axes[0], loop->axis2, sizeof axes[0]);
    const int has_second = loop->type == RCT_LOOP_PLANAR_PRISMATIC || loop->type == RCT_LOOP_SLOT ||
                           loop->type == RCT_LOOP_CAM;
    if (!has_second && loop->type != RCT_LOOP_UNIVERSAL) { /* any X across Z */
        int k = 0;
        for (int i = 1; i < 3; i++) {
            k = fabs(axes[2][i]) < fabs(axes[2][k]) ? i : k;
        }
        double across[3] = {0.0, 0.0, 0.0}, length;
        across[k] = 1.0;
        rct_cross(across, axes[2], axes[0]);
        length = sqrt(rct_dot(axes[0], axes[0]));
        for (int i = 0; i < 3; i++) {
            axes[0][i] /= length;
        }
    }
    rct_cross(axes[2], axes[0], axes[1]);
}

rct_status rct_closure_layout_create(rct_closure_layout *layout, const rct_model *model,
                                     const rct_closure_seat *seats, rct_pool *pool,
                                     rct_error *error)
{
    const rct_lane_kernels *kernels = rct_lane_kernels_list()[0];
    const int64_t lanes = kernels->lanes;
    const int64_t bundles = rct_model_loop_count(model) / lanes + RCT_LOOP_TYPES;
    layout->write = kernels->closures;
    layout->bend = kernels->bends;
    layout->seats = seats;
    layout->holds = rct_pool_take(pool, bundles, sizeof *layout->holds, error);
    layout->own = rct_pool_take(pool, bundles, sizeof *layout->own, error);
    layout->block = rct_pool_take(pool, bundles, sizeof *layout->block, error);
    layout->body = rct_pool_take(pool, 2 * bundles * lanes, sizeof *layout->body, error);
    layout->link = rct_pool_take(pool, 2 * bundles * lanes, sizeof *layout->link, error);
    layout->pose = rct_pool_take(pool, 2 * bundles * lanes, sizeof *layout->pose, error);
    layout->side = rct_pool_take(pool, 2 * bundles, sizeof *layout->side, error);
    layout->into =
        rct_pool_take(pool, 2 * bundles * MOST_CLOSURE_ROWS, sizeof *layout->into, error);
    layout->row = rct_pool_take(pool, bundles * lanes, sizeof *layout->row, error);
    layout->end = rct_pool_take(pool, bundles * lanes, sizeof *layout->end, error);
    layout->loop = rct_pool_take(pool, bundles * lanes, sizeof *layout->loop, error);
    layout->constant =
        rct_pool_take(pool, bundles * CLOSURE_FIELDS * lanes, sizeof *layout->constant, error);
    layout->at.flipped = rct_pool_take(pool, bundles, sizeof *layout->at.flipped, error);
    layout->turn = rct_pool_take(pool, rct_model_loop_count(model), sizeof *layout->turn, error);
    for (int32_t i = 0; i < rct_model_loop_count(model) && layout->turn != NULL; i++) {
        layout->turn[i].loop = i;
    }
    layout->at.lanes = (int32_t)lanes;
    layout->at.holds = layout->holds;
    layout->at.own = layout->own;
    layout->at.block = layout->block;
    layout->at.body = layout->body;
    layout->at.pose = layout->pose;
    layout->at.side = layout->side;
    layout->at.into = layout->into;
    layout->at.row = layout->row;
    layout->at.end = layout->end;
    layout->at.constant = layout->constant;
    return pool->failed ? RCT_ERROR_MEMORY : RCT_OK;
}

/* Write the frame of a side on a body, or on the ground, to its constants, lanes apart; returns its
 * link. */
static int32_t write_frame(const rct_closure_layout *layout, int32_t body, const double at[3],
                           const double orientation[4], double triad[3][3], double *constant)
{
    static const rct_closure_seat ground = {
        -1, {0.0}, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    const int64_t lanes = layout->at.lanes;
    const int on_seat = body != RCT_GROUND && layout->seats != NULL;
    const rct_closure_seat *seat = on_seat ? &layout->seats[body] : &ground;
    double own[3][3], turn[3][3], frame[4][3];
    rct_rotation(orientation, own);
    memcpy(turn, seat->rotation, sizeof turn);
    memcpy(frame[0], at, sizeof frame[0]);
    for (int i = 0; i < 3; i++) {
        rct_rotate(own, triad[i], frame[1 + i]);
    }
    for (int k = 0; k < 4; k++) {
        double turned[3];
        rct_rotate(turn, frame[k], turned);
        for (int j = 0; j < 3; j++) {
            constant[(3 * k + j) * lanes] = turned[j] + (k == 0 ? seat->position[j] : 0.0);
        }
    }
    for (int j = 0; j < 3; j++) {
        constant[(CLOSURE_SEAT + j) * lanes] = seat->position[j];
    }
    return on_seat ? seat->link : body;
}

static void write_lane(const rct_closure_layout *layout, int64_t bundle, int32_t lane,
                       int32_t number, const rct_loop *loop, int32_t row, int32_t end)
{
    const int32_t lanes = layout->at.lanes;
    const int64_t own = 2 * bundle * lanes + lane, other = own + lanes;
    double *constant = layout->constant + bundle * CLOSURE_FIELDS * lanes + lane;
    double triad[3][3];
    triad_of(loop, triad);
    layout->body[own] = loop->body;
    layout->body[other] = loop->other;
    layout->link[own] =
        write_frame(layout, loop->body, loop->at, loop->orientation, triad, constant);
    layout->link[other] = write_frame(layout, loop->other, loop->other_at, loop->other_orientation,
                                      triad, constant + (int64_t)CLOSURE_SIDE * lanes);
    constant[(int64_t)CLOSURE_LENGTH * lanes] = loop->type == RCT_LOOP_DISTANCE ? loop->length
                                                : loop->type == RCT_LOOP_CAM
                                                    ? loop->radius
                                                    : layout->length[number % layout->systems];
    for (int k = 0; k < CLOSURE_HARMONICS; k++) {
        double *wave = constant + (int64_t)(CLOSURE_WAVES + 2 * k) * lanes;
        wave[0] = loop->cosine[k];
        wave[lanes] = loop->sine[k];
    }
    layout->row[bundle * lanes + lane] = row;
    layout->end[bundle * lanes + lane] = end;
    layout->loop[bundle * lanes + lane] = number;
}

/* Fill in the active closures of a type, from bundle `at` on; returns the bundle behind them. */
static int32_t fill_type(rct_closure_layout *layout, const rct_model *model,
                         const unsigned char *active, rct_loop_type type, int32_t at,
                         const int32_t *row, const int32_t *end)
{
    const int32_t lanes = layout->at.lanes, loops = rct_model_loop_count(model);
    int32_t lane = 0, last = -1;
    rct_loop loop;
    for (int32_t k = 0; k < loops; k++) {
        const int32_t i = layout->turn[k].loop;
        rct_model_loop(model, i, &loop, NULL);
        if (active[i] && loop.type == type) {
            layout->holds[at] = held[type];
            layout->own[at] = lane + 1;
            write_lane(layout, at, lane, i, &loop, row[i], end[i]);
            last = i;
            at += lane == lanes - 1;
            lane = lane == lanes - 1 ? 0 : lane + 1;
        }
    }
    for (int32_t k = lane; k > 0 && k < lanes; k++) {
        rct_model_loop(model, last, &loop, NULL);
        write_lane(layout, at, k, last, &loop, row[last], end[last]);
    }
    return at + (lane > 0);
}

static int by_place(const void *a, const void *b)
{
    const rct_closure_turn *x = a, *y = b;
    return x->place != y->place ? (x->place < y->place ? -1 : 1) : x->loop - y->loop;
}

void rct_closure_layout_sort(const rct_closure_layout *layout, const rct_model *model,
                             const int64_t *pose_at)
{
    const int32_t loops = rct_model_loop_count(model);
    for (int32_t k = 0; k < loops; k++) {
        rct_loop loop;
        rct_model_loop(model, layout->turn[k].loop, &loop, NULL);
        const int32_t body = loop.type == RCT_LOOP_RELATION ? -1 : loop.body;
        const int32_t link = body < 0 || layout->seats == NULL ? body : layout->seats[body].link;
        layout->turn[k].place = link < 0 ? -1 : pose_at[link];
    }
    qsort(layout->turn, (size_t)loops, sizeof *layout->turn, by_place);
}

/* Bundles with the same constants as the bundle before share them, so that they stay in the
 * cache. */
static void share_blocks(rct_closure_layout *layout)
{
    const int64_t size = CLOSURE_FIELDS * layout->at.lanes;
    for (int32_t b = 0; b < layout->at.bundles; b++) {
        const double *own = layout->constant + b * size;
        layout->block[b] = b;
        if (b > 0 && memcmp(own, layout->constant + layout->block[b - 1] * size,
                            (size_t)size * sizeof *own) == 0) {
            layout->block[b] = layout->block[b - 1];
        }
    }
}

void rct_closure_layout_fill(rct_closure_layout *layout, const rct_model *model,
                             const unsigned char *active, const int32_t *row, const int32_t *end)
{
    int there[RCT_LOOP_TYPES] = {0};
    layout->at.bundles = 0;
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        there[loop.type] |= active[i] && loop.type != RCT_LOOP_RELATION;
    }
    for (int32_t type = 0; type < RCT_LOOP_TYPES; type++) {
        if (there[type]) {
            layout->at.bundles =
                fill_type(layout, model, active, (rct_loop_type)type, layout->at.bundles, row, end);
        }
    }
    share_blocks(layout);
}

/* Whether places stand side by side. */
static int are_straight(const int64_t *place, int32_t lanes)
{
    int straight = place[0] >= 0;
    for (int32_t l = 1; l < lanes; l++) {
        straight = straight && place[l] == place[0] + l;
    }
    return straight;
}

/* Set the places of the poses of links. `enters`: whether ends enter columns. */
static void set_poses(const rct_closure_layout *layout, const int64_t *pose_at, int enters)
{
    const int32_t lanes = layout->at.lanes;
    for (int64_t k = 0; k < 2 * (int64_t)layout->at.bundles; k++) {
        rct_closure_side_lanes *side = &layout->side[k];
        side->grounded = 0;
        for (int64_t at = k * lanes; at < (k + 1) * lanes; at++) {
            const int64_t link = layout->link[at];
            const int ground = enters ? link < 0 : layout->body[at] < 0;
            layout->pose[at] = link < 0 ? -1 : pose_at != NULL ? pose_at[link] : link * POSE_FIELDS;
            side->grounded |= ground ? (int32_t)(1u << (at - k * lanes)) : 0;
        }
        side->straight = are_straight(layout->pose + k * lanes, lanes);
    }
}

void rct_closure_layout_pose(rct_closure_layout *layout)
{
    set_poses(layout, NULL, 0);
    layout->at.place = NULL;
    layout->at.ends = 1;
}

/* Where row `row` of bundle b enters columns with the end of side `which`. */
static int64_t entry_of(const rct_closure_layout *layout, int64_t b, int32_t row, int32_t which)
{
    const int32_t lanes = layout->at.lanes;
    int64_t first = CLOSURE_NOWHERE;
    for (int32_t l = 0; l < lanes; l++) {
        const int32_t ends = layout->body[(2 * b + 1) * lanes + l] < 0 ? 1 : 2;
        const int32_t end = layout->end[b * lanes + l] + row * ends + which;
        const int64_t place = which < ends ? layout->at.place[end] : -1;
        first = l == 0 ? place : first;
        if (place != (first < 0 ? CLOSURE_NOWHERE : first + l)) {
            return CLOSURE_SCATTERED;
        }
    }
    return first < 0 ? CLOSURE_NOWHERE : first;
}

void rct_closure_layout_come_in(rct_closure_layout *layout, const int64_t *place, double *in,
                                int32_t apart, const int64_t *pose_at)
{
    set_poses(layout, pose_at, 1);
    layout->at.place = place;
    layout->at.in = in;
    layout->at.in_apart = apart;
    layout->at.ends = 0;
    for (int64_t b = 0; b < layout->at.bundles; b++) {
        const int32_t rows = rows_of(layout->holds[b]);
        for (int32_t k = 0; k < 2 * rows; k++) {
            layout->into[2 * b * MOST_CLOSURE_ROWS + k] = entry_of(layout, b, k / 2, k % 2);
        }
    }
}

typedef struct writing {
    const rct_closure_layout *layout;
    const rct_closure_places *places;
} writing;

static void write_bundles(void *context, int64_t begin, int64_t end)
{
    const writing *w = context;
    w->layout->write(&w->layout->at, w->places, begin, end);
}

void rct_closure_layout_write(const rct_closure_layout *layout, const rct_closure_places *places,
                              rct_sharing sharing)
{
    enum { AT_ONCE = 16 }; /* takes some microseconds */
    writing all = {layout, places};
    rct_share_out(sharing, AT_ONCE, layout->at.bundles, write_bundles, &all);
}

int32_t rct_closure_layout_flipped(const rct_closure_layout *layout)
{
    const int32_t lanes = layout->at.lanes;
    int32_t first = -1;
    for (int32_t b = 0; b < layout->at.bundles; b++) {
        for (int32_t l = 0; l < lanes && layout->at.flipped[b] != 0; l++) {
            const int32_t loop = layout->loop[b * lanes + l];
            if ((layout->at.flipped[b] >> l & 1) != 0 && (first < 0 || loop < first)) {
                first = loop;
            }
        }
    }
    return first;
}
