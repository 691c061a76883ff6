/* Kinematics of every hinge type (pose.h). A relative hinge turns by Q and moves by s in its frame, whose
 * axes are R_h = R_parent R_hinge:
 *
 *     R = R_h Q    l = R_parent hinge_at + R_h s    w = w_p + w_r    v = v_p + w_p x l + v_r
 *     a = (w_p x w_r + H'* u,  w_p x (w_p x l) + 2 w_p x v_r)
 *
 * with (w_r, v_r) = H* u; of the hinges here only the second axis of the universal one turns in the hinge frame,
 * so H'* u = u1 axis x (u2 axis2). */
#include "reference/spatial/pose.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"
#include "reference/spatial/loads.h"
#include "reference/spatial/vector.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What a body hangs on. */
typedef struct carrier {
    spatial_33 R;
    double x[3], V[6];
    double alpha[6]; /* of the ground; of a parent zero, for it comes by phi* */
} carrier;

/* The rotation of w x y z, of any length but zero. */
static spatial_33 rotation_of(const double quaternion[4])
{
    spatial_33 m;
    double q[4], most = 0.0, square = 0.0;
    for (int i = 0; i < 4; i++) {
        most = fmax(most, fabs(quaternion[i]));
    }
    for (int i = 0; i < 4; i++) {
        q[i] = quaternion[i] / most;
        square += q[i] * q[i];
    }
    const double *v = q + 1;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        m.a[i][i] = (q[0] * q[0] + v[i] * v[i] - v[j] * v[j] - v[k] * v[k]) / square;
        m.a[i][j] = 2.0 * (v[i] * v[j] - q[0] * v[k]) / square;
        m.a[j][i] = 2.0 * (v[i] * v[j] + q[0] * v[k]) / square;
    }
    return m;
}

/* Rodrigues: 1 + sin a~ + (1 - cos) a~ a~ about the unit vector a. */
static spatial_33 turn_about(const double a[3], double angle)
{
    spatial_33 m;
    const double s = sin(angle), half = sin(0.5 * angle), c = 2.0 * half * half;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        m.a[i][i] = 1.0 - c * (a[j] * a[j] + a[k] * a[k]);
        m.a[i][j] = c * a[i] * a[j] - s * a[k];
        m.a[j][i] = c * a[i] * a[j] + s * a[k];
    }
    return m;
}

/* ---- hinges in their frames ------------------------------------------------------------------ */

typedef struct hinge_frame {
    spatial_33 Q;
    double s[3], H[6][6];
} hinge_frame;

/* Freedom i turns about `axis`, through the hinge point. */
static void turns(hinge_frame *f, int i, const double axis[3])
{
    spatial_add(f->H[i], 1.0, axis);
}

/* Freedom i moves along `axis`, by `pitch` times its rate; it stands at q. */
static void moves(hinge_frame *f, int i, double pitch, const double axis[3], double q)
{
    spatial_add(f->H[i] + 3, pitch, axis);
    spatial_add(f->s, pitch * q, axis);
}

static hinge_frame frame_of(const rct_body *body, const double *q)
{
    const double *axis = body->hinge_axis, *axis2 = body->hinge_axis2;
    hinge_frame f = {.Q = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};
    spatial_33 first, second;
    double across[3];
    switch (body->hinge) {
    case RCT_HINGE_REVOLUTE:
    case RCT_HINGE_HELICAL:
        f.Q = turn_about(axis, q[0]);
        turns(&f, 0, axis);
        moves(&f, 0, body->hinge_pitch, axis, q[0]);
        break;
    case RCT_HINGE_PRISMATIC: moves(&f, 0, 1.0, axis, q[0]); break;
    case RCT_HINGE_UNIVERSAL:
        first = turn_about(axis, q[0]);
        second = turn_about(axis2, q[1]);
        f.Q = spatial_product(&first, &second);
        spatial_apply(&first, axis2, across);
        turns(&f, 0, axis);
        turns(&f, 1, across);
        break;
    case RCT_HINGE_CYLINDRICAL:
        f.Q = turn_about(axis, q[0]);
        turns(&f, 0, axis);
        moves(&f, 1, 1.0, axis, q[1]);
        break;
    case RCT_HINGE_PLANAR:
        spatial_cross(axis, axis2, across);
        f.Q = turn_about(axis, q[2]);
        moves(&f, 0, 1.0, axis2, q[0]);
        moves(&f, 1, 1.0, across, q[1]);
        turns(&f, 2, axis);
        break;
    case RCT_HINGE_FIXED:
    case RCT_HINGE_BALL:
    case RCT_HINGE_FREE: break;
    }
    return f;
}

/* ---- bodies on what carries them ------------------------------------------------------------- */

/* V, and a but for the turning of H, from the relative velocity H* u. */
static void move(const carrier *on, rct_spatial_pose *pose)
{
    double relative[6] = {0.0}, carried[3], centripetal[3], coriolis[3], turning[3], swept[3];
    for (int i = 0; i < pose->freedoms; i++) {
        spatial_add(relative, pose->u[i], pose->H[i]);
        spatial_add(relative + 3, pose->u[i], pose->H[i] + 3);
    }
    spatial_cross(on->V, pose->l, carried);
    spatial_cross(on->V, carried, centripetal);
    spatial_cross(on->V, relative + 3, coriolis);
    spatial_cross(on->V, relative, turning);
    spatial_cross(on->alpha, pose->l, swept);
    for (int i = 0; i < 3; i++) {
        pose->x[i] = on->x[i] + pose->l[i];
        pose->V[i] = on->V[i] + relative[i];
        pose->V[3 + i] = on->V[3 + i] + carried[i] + relative[3 + i];
        pose->a[i] = on->alpha[i] + turning[i];
        pose->a[3 + i] = on->alpha[3 + i] + swept[i] + centripetal[i] + 2.0 * coriolis[i];
    }
}

static void place_relative(const rct_body *body, const double *q, const double *u,
                           const carrier *on, rct_spatial_pose *pose)
{
    const hinge_frame f = frame_of(body, q);
    const spatial_33 own = rotation_of(body->hinge_orientation);
    const spatial_33 axes = spatial_product(&on->R, &own);
    double at[3], shift[3], turning[3];
    pose->R = spatial_product(&axes, &f.Q);
    spatial_apply(&on->R, body->hinge_at, at);
    spatial_apply(&axes, f.s, shift);
    for (int i = 0; i < 3; i++) {
        pose->l[i] = at[i] + shift[i];
    }
    for (int i = 0; i < pose->freedoms; i++) {
        spatial_apply(&axes, f.H[i], pose->H[i]);
        spatial_apply(&axes, f.H[i] + 3, pose->H[i] + 3);
        pose->u[i] = u[i];
        pose->T[i] = body->applied[i] - body->stiffness[i] * (q[i] - body->rest[i]) -
                     body->damping[i] * u[i];
        pose->armature[i] = body->armature[i];
    }
    move(on, pose);
    if (body->hinge == RCT_HINGE_UNIVERSAL) {
        spatial_cross(pose->H[0], pose->H[1], turning);
        spatial_add(pose->a, u[0] * u[1], turning);
    }
}

/* Rates are relative to the parent, in inertial axes, so that u' = w' - w'_p leaves nothing in a. */
static void place_ball(const rct_body *body, const double *q, const double *u, const carrier *on,
                       rct_spatial_pose *pose)
{
    pose->R = rotation_of(q);
    spatial_apply(&on->R, body->hinge_at, pose->l);
    move(on, pose); /* with u = 0 */
    for (int i = 0; i < 3; i++) {
        pose->H[i][i] = 1.0;
        pose->u[i] = u[i] - on->V[i];
        pose->V[i] = u[i];
        pose->T[i] = -body->damping[0] * pose->u[i];
    }
}

static void place_free(const double *q, const double *u, rct_spatial_pose *pose)
{
    pose->R = rotation_of(q);
    memcpy(pose->x, q + 4, sizeof pose->x);
    memcpy(pose->l, q + 4, sizeof pose->l);
    for (int i = 0; i < 6; i++) {
        pose->H[i][i] = 1.0;
        pose->u[i] = pose->V[i] = u[i];
    }
}

static carrier ground_at(const rct_model *model, double time)
{
    rct_base_motion motion;
    carrier on;
    rct_model_base_motion(model, time, &motion);
    on.R = rotation_of(motion.orientation);
    for (int i = 0; i < 3; i++) {
        on.x[i] = motion.position[i];
        on.V[i] = motion.angular_velocity[i];
        on.V[3 + i] = motion.velocity[i];
        on.alpha[i] = motion.angular_acceleration[i];
        on.alpha[3 + i] = motion.acceleration[i];
    }
    return on;
}

/* ---- states ---------------------------------------------------------------------------------- */

/* The state of a body: given, or that of the model. */
typedef struct body_state {
    double q[7], u[6];
} body_state;

static body_state initial_state(const rct_body *body)
{
    const int absolute = body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
    body_state s = {{0.0}, {0.0}};
    if (absolute) {
        memcpy(s.q, body->orientation, sizeof body->orientation);
        memcpy(s.u, body->angular_velocity, sizeof body->angular_velocity);
    }
    memcpy(s.q + (absolute ? 4 : 0), body->position, sizeof body->position);
    memcpy(s.u + (absolute ? 3 : 0), body->rate, sizeof body->rate);
    return s;
}

static rct_status check_state(const rct_model *model, int32_t id, const body_state *s,
                              rct_error *error)
{
    const rct_hinge_type hinge = model->bodies[id].hinge;
    char name[RCT_NAME_SIZE];
    int finite = 1;
    for (int i = 0; i < rct_hinge_coordinates(hinge); i++) {
        finite = finite && isfinite(s->q[i]);
    }
    for (int i = 0; i < rct_hinge_freedoms(hinge); i++) {
        finite = finite && isfinite(s->u[i]);
    }
    const char *trouble = finite ? NULL : "a coordinate or rate is not finite; give finite numbers";
    if (finite && (hinge == RCT_HINGE_BALL || hinge == RCT_HINGE_FREE) && s->q[0] == 0.0 &&
        s->q[1] == 0.0 && s->q[2] == 0.0 && s->q[3] == 0.0) {
        trouble =
            "its orientation is a quaternion of zero length; give w x y z, as 1 0 0 0 for none";
    }
    if (trouble != NULL) {
        rct_model_body_name(model, id, name);
        return rct_fail_body(error, RCT_ERROR_ARGUMENT, id, "body %" PRId32 " \"%s\": %s", id, name,
                             trouble);
    }
    return RCT_OK;
}

static rct_status read_states(const rct_model *model, const double *coordinates,
                              const double *rates, body_state *states, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < model->count && status == RCT_OK; i++) {
        const int32_t nq = rct_hinge_coordinates(model->bodies[i].hinge);
        const int32_t nv = rct_hinge_freedoms(model->bodies[i].hinge);
        states[i] = initial_state(&model->bodies[i]);
        if (coordinates != NULL) {
            memcpy(states[i].q, coordinates, (size_t)nq * sizeof *coordinates);
            coordinates += nq;
        }
        if (rates != NULL) {
            memcpy(states[i].u, rates, (size_t)nv * sizeof *rates);
            rates += nv;
        }
        status = check_state(model, i, &states[i], error);
    }
    return status;
}

/* ---- all bodies ------------------------------------------------------------------------------ */

static void place(const rct_body *body, const body_state *s, const carrier *ground,
                  rct_spatial_pose *all, rct_spatial_pose *pose)
{
    carrier on = *ground;
    if (body->parent != RCT_GROUND) {
        const rct_spatial_pose *up = &all[body->parent];
        on.R = up->R;
        memcpy(on.x, up->x, sizeof on.x);
        memcpy(on.V, up->V, sizeof on.V);
        memset(on.alpha, 0, sizeof on.alpha);
    }
    memset(pose, 0, sizeof *pose);
    pose->freedoms = rct_hinge_freedoms(body->hinge);
    switch (body->hinge) {
    case RCT_HINGE_BALL: place_ball(body, s->q, s->u, &on, pose); break;
    case RCT_HINGE_FREE: place_free(s->q, s->u, pose); break;
    default: place_relative(body, s->q, s->u, &on, pose); break;
    }
}

/* Rounds over all bodies, in each those whose parent stands: parents may come after what hangs on them. */
static void place_all(const rct_model *model, double time, const body_state *states, char *stands,
                      rct_spatial_pose *pose)
{
    const carrier ground = ground_at(model, time);
    for (int32_t left = model->count; left > 0;) {
        for (int32_t i = 0; i < model->count; i++) {
            const rct_body *body = &model->bodies[i];
            if (!stands[i] && (body->parent == RCT_GROUND || stands[body->parent])) {
                place(body, &states[i], &ground, pose, &pose[i]);
                stands[i] = 1;
                left--;
            }
        }
    }
}

rct_status rct_spatial_pose_all(const rct_model *model, double time, const double *coordinates,
                                const double *rates, rct_spatial_pose *pose, rct_error *error)
{
    rct_status status = RCT_ERROR_MEMORY;
    body_state *states = rct_allocate(model->count, sizeof *states, "the poses of bodies", error);
    char *stands = rct_allocate(model->count, sizeof *stands, "the poses of bodies", error);
    if (states != NULL && stands != NULL) {
        status = read_states(model, coordinates, rates, states, error);
    }
    if (status == RCT_OK) {
        place_all(model, time, states, stands, pose);
        rct_spatial_loads(model, pose);
    }
    rct_release(stands);
    rct_release(states);
    return status;
}
