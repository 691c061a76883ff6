/* Random models with hinges of every type (hinge_tree.h). */
#include "tests/support/systems/hinge_tree.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int has_axis(rct_hinge_type type)
{
    return type != RCT_HINGE_FIXED && type != RCT_HINGE_BALL && type != RCT_HINGE_FREE;
}

/* A ball of point masses: any inertia of three moments within the triangle inequality, turned. */
static void draw_mass(uint64_t *random, rct_body *body)
{
    double r[3][3], square[3];
    body->mass = exp(draw_between(random, -1.5, 1.5));
    draw_numbers(random, body->com, 3, 0.5);
    draw_rotation(random, r);
    for (int i = 0; i < 3; i++) { /* second moments along three axes */
        square[i] = body->mass * draw_between(random, 0.02, 0.2);
    }
    for (int k = 0; k < 6; k++) {
        static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        const int i = row[k], j = column[k];
        for (int a = 0; a < 3; a++) {
            body->inertia[k] += square[a] * ((i == j ? 1.0 : 0.0) - r[i][a] * r[j][a]);
        }
    }
}

/* Springs of ball hinges, and dampers that differ from axis to axis, drawn separately, so that the
 * rest stays the same as without. */
static void draw_bending(uint64_t random, rct_body *body)
{
    if (draw_between(&random, 0.0, 2.0) < 1.0) {
        draw_numbers(&random, body->hinge_orientation, 4, 1.0);
        for (int i = 0; i < 3; i++) {
            body->stiffness[i] = draw_between(&random, 0.0, 20.0);
            body->damping[i] = draw_between(&random, 0.0, 2.0);
        }
    }
}

static void draw_hinge(uint64_t *random, const hinge_tree *what, rct_body *body)
{
    const int32_t nv = rct_hinge_freedoms(body->hinge);
    const int absolute = body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
    if (body->hinge == RCT_HINGE_FREE) {
        draw_numbers(random, body->position, 3, 2.0);
        draw_numbers(random, body->rate, 3, 1.0);
    } else {
        draw_numbers(random, body->hinge_at, 3, 1.0);
    }
    if (absolute) {
        draw_numbers(random, body->orientation, 4, 1.0);
        draw_numbers(random, body->angular_velocity, 3, 1.5);
    } else {
        draw_numbers(random, body->hinge_orientation, 4, 1.0);
        draw_numbers(random, body->position, nv, 1.0);
        draw_numbers(random, body->rate, nv, 1.5);
    }
    if (has_axis(body->hinge)) {
        draw_numbers(random, body->hinge_axis, 3, 1.0);
    }
    if (body->hinge == RCT_HINGE_UNIVERSAL || body->hinge == RCT_HINGE_PLANAR) {
        draw_numbers(random, body->hinge_axis2, 3, 1.0);
    }
    if (body->hinge == RCT_HINGE_HELICAL) {
        body->hinge_pitch = draw_between(random, -0.3, 0.3);
    }
    for (int i = 0; i < nv && what->forces && !absolute; i++) {
        body->stiffness[i] = draw_between(random, 0.0, 20.0);
        body->rest[i] = draw_between(random, -1.0, 1.0);
        body->damping[i] = draw_between(random, 0.0, 2.0);
        body->applied[i] = draw_between(random, -3.0, 3.0);
    }
    if (what->forces && body->hinge == RCT_HINGE_BALL) {
        body->damping[0] = draw_between(random, 0.0, 2.0);
        draw_bending(*random ^ UINT64_C(0x62656e64), body);
    }
}

static rct_hinge_type draw_type(uint64_t *random, const hinge_tree *what, int root)
{
    if (root && what->floating) {
        return RCT_HINGE_FREE;
    }
    const int type = (int)(draw_bits(random) % RCT_HINGE_TYPES);
    if (what->hinge >= 0) {
        return (rct_hinge_type)what->hinge;
    }
    return type == RCT_HINGE_FREE && !root ? RCT_HINGE_REVOLUTE : (rct_hinge_type)type;
}

static int32_t draw_parent(uint64_t *random, const hinge_tree *what, int32_t i)
{
    const int root = i == 0 || what->hinge == RCT_HINGE_FREE ||
                     (!what->floating && draw_between(random, 0.0, 1.0) < 0.15);
    return root ? RCT_GROUND : (int32_t)(draw_bits(random) % (uint64_t)i);
}

static void add_forces(uint64_t *random, const hinge_tree *what, rct_model *model)
{
    for (int32_t k = 0; k < what->bodies; k++) {
        rct_force f = rct_force_default();
        f.body = (int32_t)(draw_bits(random) % (uint64_t)what->bodies);
        draw_numbers(random, f.at, 3, 0.7);
        f.other = what->floating || what->bodies > 1
                      ? (int32_t)(draw_bits(random) % (uint64_t)what->bodies)
                      : RCT_GROUND;
        if (k % 2 == 0 || f.other == f.body) {
            f.other = RCT_GROUND;
            f.in_body_axes = k % 4 == 0;
            draw_numbers(random, f.force, 3, 4.0);
            draw_numbers(random, f.moment, 3, 2.0);
        } else {
            f.type = RCT_FORCE_SPRING;
            f.other = k % 5 == 0 && !what->floating ? RCT_GROUND : f.other;
            draw_numbers(random, f.other_at, 3, 0.7);
            f.stiffness = draw_between(random, 0.0, 10.0);
            f.damping = draw_between(random, 0.0, 2.0);
            f.length = draw_between(random, 0.0, 1.0);
        }
        assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    }
}

static void move_ground(uint64_t *random, rct_model *model)
{
    rct_base base = rct_base_default();
    draw_numbers(random, base.velocity, 3, 1.0);
    draw_numbers(random, base.acceleration, 3, 2.0);
    draw_numbers(random, base.axis, 3, 1.0);
    base.rate = draw_between(random, -2.0, 2.0);
    base.angular_acceleration = draw_between(random, -2.0, 2.0);
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
}

/* Body i of the drawing gets number id[i]. */
static int32_t *draw_ids(uint64_t *random, int32_t count)
{
    int32_t *id = malloc((size_t)count * sizeof *id);
    assert_non_null(id);
    for (int32_t i = 0; i < count; i++) {
        const int32_t j = (int32_t)(draw_bits(random) % (uint64_t)(i + 1));
        id[i] = id[j];
        id[j] = i;
        if (j == i) {
            id[i] = i;
        }
    }
    return id;
}

rct_model *hinge_tree_create(const hinge_tree *what)
{
    uint64_t random = what->seed * 1000003 + 17;
    rct_model *model = rct_model_create("hinges", NULL);
    rct_body *bodies = calloc((size_t)what->bodies, sizeof *bodies);
    int32_t *id = draw_ids(&random, what->bodies);
    double gravity[3];
    assert_true(model != NULL && bodies != NULL);
    draw_numbers(&random, gravity, 3, 10.0);
    assert_int_equal(rct_model_set_gravity(model, gravity, NULL), RCT_OK);
    for (int32_t i = 0; i < what->bodies; i++) {
        rct_body body = rct_body_default();
        const int32_t parent = draw_parent(&random, what, i);
        body.parent = parent == RCT_GROUND ? RCT_GROUND : id[parent];
        body.hinge = draw_type(&random, what, parent == RCT_GROUND);
        draw_mass(&random, &body);
        draw_hinge(&random, what, &body);
        bodies[id[i]] = body;
    }
    for (int32_t i = 0; i < what->bodies; i++) {
        rct_error error;
        if (rct_model_add_body(model, &bodies[i], NULL, &error) != RCT_OK) {
            fail_msg("%s", error.text);
        }
    }
    if (what->forces) {
        add_forces(&random, what, model);
    }
    if (what->moving) {
        move_ground(&random, model);
    }
    free(bodies);
    free(id);
    return model;
}

/* ---- states ---------------------------------------------------------------------------------- */

static rct_body body_of(const rct_model *model, int32_t i)
{
    rct_body body;
    assert_int_equal(rct_model_body(model, i, &body, NULL), RCT_OK);
    return body;
}

int32_t hinge_tree_coordinates(const rct_model *model)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        sum += rct_hinge_coordinates(body_of(model, i).hinge);
    }
    return sum;
}

int32_t hinge_tree_freedoms(const rct_model *model)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        sum += rct_hinge_freedoms(body_of(model, i).hinge);
    }
    return sum;
}

void hinge_tree_state(const rct_model *model, uint64_t *random, double *coordinates, double *rates)
{
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        const rct_body body = body_of(model, i);
        const int32_t nq = rct_hinge_coordinates(body.hinge), nv = rct_hinge_freedoms(body.hinge);
        const int turning = body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE;
        for (int32_t k = 0; k < nq; k++) {
            coordinates[k] =
                turning && k < 4 ? body.orientation[k] : body.position[turning ? k - 4 : k];
        }
        for (int32_t k = 0; k < nv; k++) {
            rates[k] = turning && k < 3 ? body.angular_velocity[k] : body.rate[turning ? k - 3 : k];
        }
        if (random != NULL) {
            draw_numbers(random, coordinates, nq, 1.0);
            draw_numbers(random, rates, nv, 1.5);
        }
        coordinates += nq;
        rates += nv;
    }
}

/* q turned by the rotation vector v, inertial axes: exp(v / 2) q. */
static void turn(const double q[4], const double v[3], double out[4])
{
    const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double s = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5, c = cos(0.5 * angle);
    const double x = s * v[0], y = s * v[1], z = s * v[2];
    out[0] = c * q[0] - x * q[1] - y * q[2] - z * q[3];
    out[1] = c * q[1] + x * q[0] + y * q[3] - z * q[2];
    out[2] = c * q[2] - x * q[3] + y * q[0] + z * q[1];
    out[3] = c * q[3] + x * q[2] - y * q[1] + z * q[0];
}

void hinge_tree_advance(const rct_model *model, const double *q, const double *u, const double *du,
                        double h, double *q_after, double *u_after)
{
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        const rct_hinge_type hinge = body_of(model, i).hinge;
        const int32_t nq = rct_hinge_coordinates(hinge), nv = rct_hinge_freedoms(hinge);
        const int turning = hinge == RCT_HINGE_BALL || hinge == RCT_HINGE_FREE;
        double step[6];
        for (int32_t k = 0; k < nv; k++) {
            step[k] = h * (u[k] + 0.5 * h * du[k]);
            u_after[k] = u[k] + h * du[k];
        }
        if (turning) {
            turn(q, step, q_after);
        }
        for (int32_t k = turning ? 4 : 0; k < nq; k++) {
            q_after[k] = q[k] + step[turning ? k - 1 : k];
        }
        q += nq, q_after += nq;
        u += nv, u_after += nv, du += nv;
    }
}
