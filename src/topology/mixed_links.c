/* Links: axes that suit their hinges, records and where their states lie (kernels/mixed.h). */
#include "core/memory.h"
#include "core/rotation.h"
#include "topology/topology.h"

#include <math.h>
#include <string.h>

static void normalize(double *v, int count)
{
    double square = 0.0;
    for (int i = 0; i < count; i++) {
        square += v[i] * v[i];
    }
    const double length = sqrt(square);
    for (int i = 0; i < count; i++) {
        v[i] /= length;
    }
}

/* The shortest turn that brings unit vector a onto z. */
static void onto_z(const double a[3], double q[4])
{
    const double turn[4] = {1.0 + a[2], a[1], -a[0], 0.0}; /* 1 + a.z, a x z */
    const double around_x[4] = {0.0, 1.0, 0.0, 0.0};       /* a = -z */
    const double *from = a[2] > -0.9 ? turn : around_x;
    memcpy(q, from, 4 * sizeof *q);
    if (a[2] <= -0.9) { /* first half a turn about x, then the rest, which is short */
        const double turned[3] = {a[0], -a[1], -a[2]};
        const double rest[4] = {1.0 + turned[2], turned[1], -turned[0], 0.0};
        rct_quaternion_product(rest, around_x, q);
    }
    normalize(q, 4);
}

/* The turn about z that brings v, already in axes `q`, into the x z plane, x > 0; after q. Without angles: the bits must
 * not depend on a library of functions. */
static void then_into_xz(const double v[3], double q[4])
{
    double m[3][3], seen[3], both[4];
    rct_rotation(q, m);
    rct_rotate(m, v, seen);
    const double x = seen[0], y = seen[1], r = sqrt(x * x + y * y);
    double turn[4] = {r + x, 0.0, 0.0, -y}; /* tan(angle / 2) = y / (r + x) = (r - x) / y */
    if (x < 0.0) {
        turn[0] = y;
        turn[3] = x - r;
    }
    normalize(turn, 4);
    rct_quaternion_product(turn, q, both);
    memcpy(q, both, sizeof both);
}

void rct_link_axes(const rct_body *body, double quaternion[4])
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    memcpy(quaternion, none, sizeof none);
    if (body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE) {
        return;
    }
    if (body->hinge == RCT_HINGE_UNIVERSAL) {
        onto_z(body->hinge_axis2, quaternion);
        then_into_xz(body->hinge_axis, quaternion);
    } else {
        onto_z(body->hinge_axis, quaternion);
        if (body->hinge == RCT_HINGE_PLANAR) {
            then_into_xz(body->hinge_axis2, quaternion);
        }
    }
}

/* Whether all links hang on ball hinges, whose axes are those of their heads. */
static int all_balls(const rct_plan *plan)
{
    int32_t b = 0;
    while (b < plan->body_count &&
           (plan->bodies[b].hinge == RCT_HINGE_BALL || plan->bodies[b].hinge == RCT_HINGE_FIXED)) {
        b++;
    }
    return b == plan->body_count;
}

static rct_status allocate(rct_plan *plan, int64_t count, rct_error *error)
{
    const char *what = "the links of a plan";
    plan->kind = rct_allocate(count, sizeof *plan->kind, what, error);
    plan->turn_records =
        all_balls(plan)
            ? NULL
            : rct_allocate(count, MIXED_TURN_FIELDS * (int64_t)sizeof(double), what, error);
    plan->state_at = rct_allocate(count + 1, sizeof *plan->state_at, what, error);
    plan->rate_at = rct_allocate(count + 1, sizeof *plan->rate_at, what, error);
    const int whole = plan->kind != NULL && plan->state_at != NULL && plan->rate_at != NULL &&
                      (plan->turn_records != NULL || all_balls(plan));
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* The fields of a record from MIXED_FRAME on. */
static void write_turn(const rct_plan *plan, const rct_raw_link *link, double *record)
{
    const rct_body *head = &plan->bodies[link->head];
    double *parameter = record + MIXED_PARAMETER - MIXED_FRAME, m[3][3], axis[3];
    rct_rotation(link->frame, m);
    memcpy(record, m, sizeof m);
    parameter[0] = head->hinge_pitch;
    parameter[1] = 0.0;
    if (head->hinge == RCT_HINGE_UNIVERSAL) {
        rct_rotation(plan->placement[link->head].orientation, m);
        rct_rotate(m, head->hinge_axis, axis);
        parameter[0] = sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
        parameter[1] = axis[2];
    }
}

rct_status rct_write_mixed(rct_plan *plan, const rct_raw_link *links, int32_t count,
                           const int32_t *label, rct_error *error)
{
    if (plan->kind == NULL && allocate(plan, count, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        const rct_hinge_type type = plan->bodies[links[i].head].hinge;
        plan->kind[label[i]] = (int32_t)type;
        plan->state_at[label[i] + 1] = rct_hinge_coordinates(type) + rct_hinge_freedoms(type);
        plan->rate_at[label[i] + 1] = rct_hinge_freedoms(type);
        if (plan->turn_records != NULL) {
            write_turn(plan, &links[i], plan->turn_records + (int64_t)label[i] * MIXED_TURN_FIELDS);
        }
    }
    for (int32_t l = 0; l < count; l++) {
        plan->state_at[l + 1] += plan->state_at[l];
        plan->rate_at[l + 1] += plan->rate_at[l];
    }
    plan->mixed_links = (rct_mixed_links){.count = count,
                                          .parent = plan->parent,
                                          .kind = plan->kind,
                                          .sweep = plan->sweep_records,
                                          .turn = plan->turn_records,
                                          .state_at = plan->state_at};
    return RCT_OK;
}
