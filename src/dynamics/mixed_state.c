/* States: coordinates and rates in body order outside, in label order and link axes inside. */
#include "backend/ground.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "dynamics/mixed.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* ---- making ------------------------------------------------------------------------------- */

static rct_status allocate(rct_mixed *x, rct_error *error)
{
    const int64_t real = sizeof(double), links = x->plan->links.count;
    const char *what = "passing states";
    x->state = rct_allocate(x->plan->links.state_at[links], real, what, error);
    x->poses = rct_allocate(links, sizeof *x->poses, what, error);
    x->accelerations = rct_allocate(links, 6 * real, what, error);
    x->rates = rct_allocate(x->plan->freedoms, real, what, error);
    x->forces = rct_allocate(links, 3 * real, what, error);
    x->reference = rct_allocate(links, real, what, error);
    const int whole = x->state != NULL && x->poses != NULL && x->accelerations != NULL &&
                      x->rates != NULL && x->forces != NULL && x->reference != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

rct_mixed *rct_mixed_create(const rct_plan *plan, const rct_solver_options *options,
                            const rct_backend *backend, rct_error *error)
{
    rct_mixed *x = rct_allocate(1, sizeof *x, "a solver", error);
    if (x == NULL) {
        return NULL;
    }
    const int loads = rct_mixed_has_loads(plan, options);
    x->plan = plan;
    x->backend = backend;
    x->run = backend->create(plan, options, loads, error);
    rct_status status = x->run == NULL ? RCT_ERROR_MEMORY : allocate(x, error);
    if (status == RCT_OK && loads) {
        status = rct_mixed_create_loads(x, options, error);
    }
    if (status != RCT_OK) {
        rct_mixed_free(x);
        return NULL;
    }
    return x;
}

rct_status rct_mixed_renew(rct_mixed *x, rct_error *error)
{
    rct_status status = x->backend->renew(x->run, error);
    x->ground_rests = 0;
    if (status == RCT_OK && x->loads != NULL) {
        status = rct_mixed_set_function(x, NULL, 0, NULL, NULL, error);
    }
    return status;
}

void rct_mixed_free(rct_mixed *x)
{
    if (x != NULL) {
        if (x->run != NULL) {
            x->backend->destroy(x->run);
        }
        rct_release(x->state);
        rct_release(x->poses);
        rct_release(x->accelerations);
        rct_release(x->rates);
        rct_release(x->forces);
        rct_release(x->reference);
        rct_mixed_free_loads(x);
        rct_release(x);
    }
}

int64_t rct_mixed_bytes(const rct_mixed *x)
{
    const int64_t links = x->plan->links.count;
    return (int64_t)sizeof *x + links * (int64_t)sizeof *x->poses + rct_mixed_load_bytes(x) +
           (x->plan->links.state_at[links] + 10 * links + x->plan->freedoms) *
               (int64_t)sizeof(double);
}

/* ---- the ground --------------------------------------------------------------------------- */

void rct_mixed_set_time(rct_mixed *x, double time)
{
    rct_base_motion *b = &x->base;
    rct_ground ground;
    double m[3][3];
    if (x->ground_rests) {
        return;
    }
    x->ground_rests = !rct_model_has_base(x->plan->surroundings);
    rct_model_base_motion(x->plan->surroundings, time, b);
    memcpy(ground.orientation, b->orientation, sizeof ground.orientation);
    rct_rotation(b->orientation, m);
    memcpy(ground.rotation, m, sizeof m);
    memcpy(ground.acceleration, b->acceleration, sizeof ground.acceleration);
    rct_rotate_back(m, b->angular_velocity, ground.rate);
    rct_rotate_back(m, b->angular_acceleration, ground.angular);
    rct_ground_less(ground.linear, &ground, x->plan->gravity);
    memcpy(x->ground.rotation, m, sizeof m);
    memcpy(x->ground.rate, ground.rate, sizeof ground.rate);
    memcpy(x->ground.position, b->position, sizeof b->position);
    memcpy(x->ground.velocity, b->velocity, sizeof b->velocity);
    x->backend->set_ground(x->run, &ground);
}

/* Poses of `count` links, of all if `some` is NULL, from the state just read. */
static void find_poses(rct_mixed *x, const int32_t *some, int32_t count)
{
    const char *trouble = x->backend->trouble != NULL ? x->backend->trouble(x->run) : "";
    rct_mixed_poses(&x->plan->links, some, count, x->state, &x->ground, x->poses);
    if (trouble[0] !=
        '\0') { /* the ends of links on the ground are known even so: none could pass for a result */
        double *poses = (double *)x->poses;
        const int64_t numbers = (int64_t)(sizeof *x->poses / sizeof *poses) * x->plan->links.count;
        for (int64_t i = 0; i < numbers; i++) {
            poses[i] = NAN;
        }
    }
}

void rct_mixed_find(rct_mixed *x)
{
    find_poses(x, NULL, x->plan->links.count);
}

void rct_mixed_read(rct_mixed *x)
{
    x->backend->read_state(x->run, x->state);
    if (x->backend->read_poses != NULL) {
        x->backend->read_poses(x->run, 1, &x->ground, x->poses);
    } else {
        rct_mixed_find(x);
    }
}

void rct_mixed_read_posed(rct_mixed *x)
{
    const int32_t *links = x->acting.posed, count = x->acting.posed_count;
    x->backend->read_links(x->run, links, count, x->state);
    if (x->backend->read_poses != NULL) {
        x->backend->read_poses(x->run, count == x->plan->links.count, &x->ground, x->poses);
    } else {
        find_poses(x, links, count);
    }
}

/* ---- bodies ------------------------------------------------------------------------------- */

static const rct_pose_of_link *link_pose(const rct_mixed *x, int64_t body)
{
    const int32_t link = x->plan->placement[body].link;
    return link == RCT_GROUND ? &x->ground : &x->poses[link];
}

/* The pose of a body but its rotation; `m`: that of its link. */
static void move(const rct_mixed *x, int64_t body, double m[3][3], rct_body_pose *pose)
{
    const rct_pose_of_link *link = link_pose(x, body);
    double arm[3], turning[3];
    memcpy(m, link->rotation, sizeof link->rotation);
    rct_rotate(m, link->rate, pose->rate);
    if (!x->plan->placement[body].welded) { /* heads are where their links are */
        memcpy(pose->position, link->position, sizeof link->position);
        memcpy(pose->velocity, link->velocity, sizeof link->velocity);
        return;
    }
    rct_rotate(m, x->plan->placement[body].position, arm);
    rct_cross(pose->rate, arm, turning);
    for (int i = 0; i < 3; i++) {
        pose->position[i] = link->position[i] + arm[i];
        pose->velocity[i] = link->velocity[i] + turning[i];
    }
}

void rct_mixed_point(const rct_mixed *x, int64_t body, double position[3])
{
    const rct_pose_of_link *link = link_pose(x, body);
    double m[3][3], arm[3];
    memcpy(m, link->rotation, sizeof link->rotation);
    rct_rotate(m, x->plan->placement[body].position, arm);
    for (int i = 0; i < 3; i++) {
        position[i] = link->position[i] + arm[i];
    }
}

rct_body_pose rct_mixed_body(const rct_mixed *x, int64_t body)
{
    rct_body_pose pose;
    double m[3][3], own[3][3];
    move(x, body, m, &pose);
    rct_rotation(x->plan->placement[body].orientation, own);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            pose.rotation[i][j] = 0.0;
            for (int k = 0; k < 3; k++) {
                pose.rotation[i][j] += m[i][k] * own[k][j];
            }
        }
    }
    return pose;
}

/* The quaternion of a rotation matrix, from its largest component. */
static void quaternion_of(const double m[9], double q[4])
{
    const double trace = m[0] + m[4] + m[8];
    const double size[4] = {trace, 2.0 * m[0] - trace, 2.0 * m[4] - trace, 2.0 * m[8] - trace};
    int k = 0;
    for (int i = 1; i < 4; i++) {
        k = size[i] > size[k] ? i : k;
    }
    const double difference[3] = {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
    const double sum[3] = {m[5] + m[7], m[2] + m[6], m[1] + m[3]}; /* of yz, xz, xy */
    const double twice = sqrt(1.0 + size[k]);
    q[k] = 0.5 * twice;
    for (int i = 0; i < 3; i++) {
        if (k == 0) {
            q[1 + i] = 0.5 * difference[i] / twice;
        } else if (k != i + 1) {
            q[1 + i] = 0.5 * sum[3 - i - (k - 1)] / twice;
        }
    }
    if (k > 0) {
        q[0] = 0.5 * difference[k - 1] / twice;
    }
}

static int is_absolute(const rct_plan *plan, int32_t link)
{
    return plan->links.kind[link] == RCT_HINGE_BALL || plan->links.kind[link] == RCT_HINGE_FREE;
}

static void orientation_of(const rct_mixed *x, int64_t body, double quaternion[4])
{
    const rct_placement *at = &x->plan->placement[body];
    double own[4];
    if (at->link == RCT_GROUND) {
        memcpy(own, x->base.orientation, sizeof own);
    } else if (is_absolute(x->plan, at->link)) {
        memcpy(own, x->state + x->plan->links.state_at[at->link], sizeof own);
    } else {
        quaternion_of(x->poses[at->link].rotation, own);
    }
    rct_quaternion_product(own, at->orientation, quaternion);
}

static void copy_row(double *rows, int64_t row, int width, const double *values)
{
    if (rows != NULL) {
        memcpy(rows + row * width, values, (size_t)width * sizeof *values);
    }
}

typedef struct columns {
    double *orientation, *angular_velocity, *position, *velocity;
} columns;

/* Body b to row k. */
static void show_body(const rct_mixed *x, int64_t b, const columns *to, int64_t k)
{
    rct_body_pose pose;
    double m[3][3], q[4];
    move(x, b, m, &pose);
    orientation_of(x, b, q);
    copy_row(to->orientation, k, 4, q);
    copy_row(to->angular_velocity, k, 3, pose.rate);
    copy_row(to->position, k, 3, pose.position);
    copy_row(to->velocity, k, 3, pose.velocity);
}

void rct_mixed_show(const rct_mixed *x, double *orientation, double *angular_velocity,
                    double *position, double *velocity)
{
    const columns to = {orientation, angular_velocity, position, velocity};
    for (int64_t b = 0; b < x->plan->body_count; b++) {
        show_body(x, b, &to, b);
    }
}

void rct_mixed_show_some(const rct_mixed *x, const int32_t *bodies, int32_t count, double *rows)
{
    const int64_t n = count;
    const columns to = {rows, rows + 4 * n, rows + 7 * n, rows + 10 * n};
    for (int64_t k = 0; k < n; k++) {
        show_body(x, bodies[k], &to, k);
    }
}

void rct_mixed_get_state(rct_mixed *x, double *orientation, double *angular_velocity,
                         double *position, double *velocity)
{
    rct_mixed_read(x);
    rct_mixed_show(x, orientation, angular_velocity, position, velocity);
}
