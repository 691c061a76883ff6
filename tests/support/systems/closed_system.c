/* The tree of the operators in the state of a solver, the rows of closures there, and their dense
 * solution (closed_system.h). */
#include "tests/support/systems/closed_system.h"

#include "core/rotation.h"
#include "model/model.h"
#include "operators/fill.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/systems/loop_models.h"

#include <lapacke.h>
#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- random loops ------------------------------------------------------------------------- */

/* Bodies, gravity, forces and the ground of a model, no loops. */
static rct_model *without_loops(const rct_model *model)
{
    rct_model *open = rct_model_create(NULL, NULL);
    double gravity[3];
    rct_base base;
    assert_non_null(open);
    rct_model_gravity(model, gravity);
    rct_model_base(model, &base);
    assert_int_equal(rct_model_set_gravity(open, gravity, NULL), RCT_OK);
    assert_int_equal(rct_model_set_base(open, &base, NULL), RCT_OK);
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        body.name = NULL;
        assert_int_equal(rct_model_add_body(open, &body, NULL, NULL), RCT_OK);
    }
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        rct_force force;
        assert_int_equal(rct_model_force(model, i, &force, NULL), RCT_OK);
        assert_int_equal(rct_model_add_force(open, &force, NULL, NULL), RCT_OK);
    }
    return open;
}

static rct_solver *solver_of(const rct_model *model)
{
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.backend = "cpu";
    options.threads = 1;
    options.segment = 0;
    options.user_forces = 1; /* operators of plans, whatever the hinges */
    rct_model *open = without_loops(model);
    rct_solver *solver = rct_solver_create(open, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    rct_model_free(open);
    return solver;
}

static int32_t draw_id(uint64_t *random, int32_t count)
{
    return (int32_t)(draw_bits(random) % (uint64_t)count);
}

/* The place of a closure frame on the other body that closes the loop: all inertial. */
static void close_frame(const double *position, const double *orientation, rct_loop *loop,
                        const double *other_position, const double *other_orientation)
{
    double m[3][3], other[3][3], arm[3], point[3], frame[4], back[4];
    rct_rotation(orientation, m);
    rct_rotation(other_orientation, other);
    rct_rotate(m, loop->at, arm);
    for (int i = 0; i < 3; i++) {
        point[i] = position[i] + arm[i] - other_position[i];
    }
    rct_rotate_back(other, point, loop->other_at);
    rct_quaternion_product(orientation, loop->orientation, frame);
    memcpy(back, other_orientation, sizeof back);
    for (int i = 1; i < 4; i++) {
        back[i] = -back[i];
    }
    rct_quaternion_product(back, frame, loop->other_orientation);
}

/* A relation of two coordinates; 0 if the model has too few. */
static int draw_relation(const rct_model *model, uint64_t *random, rct_loop *loop,
                         rct_loop_term terms[2])
{
    double q[2];
    loop->type = RCT_LOOP_RELATION;
    loop->term_count = 2;
    loop->terms = terms;
    for (int k = 0, tries = 0; k < 2 && tries < 1000; tries++) {
        rct_body body;
        const int32_t b = draw_id(random, rct_model_body_count(model));
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        const int with_axes = body.hinge > RCT_HINGE_BALL && body.hinge < RCT_HINGE_FREE;
        if (with_axes && (k == 0 || terms[0].body != b)) {
            const int32_t freedom = draw_id(random, rct_hinge_freedoms(body.hinge));
            terms[k] = (rct_loop_term){b, freedom, draw_between(random, 0.5, 2.0)};
            q[k++] = body.position[freedom];
        }
        if (k == 2) {
            loop->offset = terms[0].factor * q[0] + terms[1].factor * q[1];
            loop->rate = draw_between(random, -0.3, 0.3);
            loop->acceleration = draw_between(random, -0.3, 0.3);
            return 1;
        }
    }
    return 0;
}

/* An outline, whose centre is moved on the other body, axes as units, so that the point lies on
 * it. */
static void draw_outline(uint64_t *random, rct_loop *loop)
{
    double all[3][3], axes[3][3], z = draw_between(random, -3.0, 3.0), s = 0.0;
    loop->radius = draw_between(random, 0.5, 1.5);
    draw_numbers(random, loop->cosine, RCT_LOOP_HARMONICS, 0.02);
    draw_numbers(random, loop->sine, RCT_LOOP_HARMONICS, 0.02);
    s = loop->radius;
    for (int k = 0; k < RCT_LOOP_HARMONICS; k++) {
        s += loop->cosine[k] * cos((k + 1) * z) + loop->sine[k] * sin((k + 1) * z);
    }
    rct_cross(loop->axis, loop->axis2, axes[1]);
    rct_cross(axes[1], loop->axis, axes[0]);
    rct_rotation(loop->other_orientation, all);
    for (int k = 0; k < 2; k++) {
        double along[3];
        rct_rotate(all, axes[k], along);
        const double part = s * (k == 0 ? cos(z) : sin(z)) / sqrt(rct_dot(axes[k], axes[k]));
        for (int i = 0; i < 3; i++) {
            loop->other_at[i] -= part * along[i];
        }
    }
}

static int draw_closure(const rct_model *model, uint64_t *random, const closed_system *at,
                        rct_loop *loop)
{
    static const double origin[3] = {0.0}, upright[4] = {1.0, 0.0, 0.0, 0.0};
    loop->body = draw_id(random, rct_model_body_count(model));
    loop->other = draw_id(random, rct_model_body_count(model) + 1) - 1;
    if (loop->other == loop->body) {
        return 0;
    }
    const int framed = loop->type != RCT_LOOP_BALL && loop->type != RCT_LOOP_DISTANCE;
    draw_numbers(random, loop->at, 3, 0.5);
    if (framed) {
        draw_numbers(random, loop->orientation, 4, 1.0);
    }
    if (framed && loop->type != RCT_LOOP_FIXED) {
        draw_numbers(random, loop->axis, 3, 1.0);
    }
    if (loop->type == RCT_LOOP_UNIVERSAL || loop->type == RCT_LOOP_SLOT ||
        loop->type == RCT_LOOP_PLANAR_PRISMATIC || loop->type == RCT_LOOP_CAM) {
        draw_numbers(random, loop->axis2, 3, 1.0);
    }
    if (loop->type == RCT_LOOP_UNIVERSAL) { /* closed if they are perpendicular */
        double across[3];
        rct_cross(loop->axis, loop->axis2, across);
        memcpy(loop->axis2, across, sizeof across);
    }
    const double *square = loop->orientation;
    const double length = sqrt(square[0] * square[0] + square[1] * square[1] +
                               square[2] * square[2] + square[3] * square[3]);
    for (int i = 0; i < 4; i++) {
        loop->orientation[i] /= length;
    }
    const int ground = loop->other == RCT_GROUND;
    close_frame(at->state.position + 3 * (int64_t)loop->body,
                at->state.orientation + 4 * (int64_t)loop->body, loop,
                ground ? origin : at->state.position + 3 * (int64_t)loop->other,
                ground ? upright : at->state.orientation + 4 * (int64_t)loop->other);
    if (!framed) {
        memcpy(loop->other_orientation, upright, sizeof upright);
    }
    if (loop->type == RCT_LOOP_DISTANCE) {
        loop->length = draw_between(random, 0.5, 1.5);
        loop->other_at[draw_id(random, 3)] += loop->length; /* axes turn lengths into themselves */
    }
    if (loop->type == RCT_LOOP_CAM) {
        draw_outline(random, loop);
    }
    return 1;
}

void closed_add_random(rct_model *model, int32_t count, int types, uint64_t seed)
{
    closed_system at = closed_system_create(model, 0.0);
    uint64_t random = seed;
    for (int32_t made = 0, tries = 0; made < count && tries < 100 * count; tries++) {
        rct_loop loop = rct_loop_default();
        rct_loop_term terms[2];
        rct_error error;
        do {
            loop.type = types == 1 << RCT_LOOP_CAM ? RCT_LOOP_CAM
                                                   : (rct_loop_type)draw_id(&random, RCT_LOOP_CAM);
        } while (!(types & (1 << loop.type)));
        const int drawn = loop.type == RCT_LOOP_RELATION
                              ? draw_relation(model, &random, &loop, terms)
                              : draw_closure(model, &random, &at, &loop);
        if (drawn) {
            if (rct_model_add_loop(model, &loop, NULL, &error) != RCT_OK) {
                fail_msg("%s", error.text);
            }
            made++;
        }
    }
    closed_system_free(&at);
}

/* ---- a state ------------------------------------------------------------------------------ */

void closed_system_renew(closed_system *s, double time)
{
    const int64_t n = s->n;
    double *x = s->numbers;
    rct_solver_info info;
    rct_solver_get_info(s->open, &info);
    double *coordinates = x + 13 * n, *rates = coordinates + info.coordinates;
    rct_solver_set_time(s->open, time);
    rct_solver_get_state(s->open, x, x + 4 * n, x + 7 * n, x + 10 * n);
    rct_solver_get_coordinates(s->open, coordinates, rates);
    s->state.orientation = x;
    s->state.angular_velocity = x + 4 * n;
    s->state.position = x + 7 * n;
    s->state.velocity = x + 10 * n;
    s->state.coordinates = coordinates;
    s->state.rates = rates;
    s->state.time = time;
    loop_poses(x, x + 4 * n, x + 7 * n, x + 10 * n, s->n, &s->state.ground, s->poses);
    const rct_closure_state all = {.poses = (const double *)s->poses,
                                   .ground_pose = (const double *)(s->poses + s->n),
                                   .apart = 1,
                                   .coordinates = coordinates,
                                   .rates = rates,
                                   .ground = s->state.ground,
                                   .time = time};
    rct_closures_write(s->closures, &all);
}

closed_system closed_system_create(const rct_model *model, double time)
{
    closed_system s = {.open = solver_of(model), .n = rct_model_body_count(model)};
    rct_solver_info info;
    rct_solver_get_info(s.open, &info);
    s.rates = info.dof;
    s.numbers = calloc((size_t)(13 * s.n + info.coordinates + info.dof), sizeof *s.numbers);
    rct_hinge_type *hinges = calloc((size_t)s.n, sizeof *hinges);
    assert_non_null(s.numbers);
    assert_non_null(hinges);
    for (int32_t b = 0; b < s.n; b++) {
        hinges[b] = rct_bodies_at(model->bodies, b)->hinge;
    }
    s.poses = calloc((size_t)s.n + 1, sizeof *s.poses);
    assert_non_null(s.poses);
    s.closures = rct_closures_create(model, hinges, NULL, s.n, NULL, NULL);
    assert_non_null(s.closures);
    rct_model_base_motion(model, time, &s.state.ground);
    closed_system_renew(&s, time);
    rct_operator_state at = {.orientation = s.state.orientation,
                             .coordinates = s.state.coordinates,
                             .ground = s.state.ground};
    rct_operator_tree *tree = rct_operator_tree_create(model->bodies, s.n, &at, NULL);
    assert_non_null(tree);
    rct_operator *operators = rct_operator_create(tree, 1, NULL);
    assert_non_null(operators);
    assert_int_equal(rct_operator_factor(operators, RCT_METHOD_ABI), -1);
    s.problem = (rct_closure_problem){
        .tree = tree, .operators = operators, .rows = rct_closures_rows(s.closures)};
    free(hinges);
    return s;
}

void closed_system_free(closed_system *s)
{
    rct_operator_free(s->problem.operators);
    rct_operator_tree_free((rct_operator_tree *)(uintptr_t)s->problem.tree);
    rct_closures_free(s->closures);
    rct_solver_free(s->open);
    free(s->numbers);
    free(s->poses);
}

/* ---- the dense answer --------------------------------------------------------------------- */

static double *identity(int64_t n)
{
    double *x = calloc((size_t)(n * n), sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++) {
        x[i * n + i] = 1.0;
    }
    return x;
}

void closed_system_accelerate(const closed_system *system, double *linear, double *angular,
                              double *derivatives, double *gap)
{
    const rct_closure_rows *rows = system->problem.rows;
    rct_error error;
    if (rct_solver_evaluate(system->open, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_accelerations(system->open, linear, angular);
    rct_solver_get_rate_derivatives(system->open, derivatives);
    rct_closure_take(rows, angular, linear, derivatives, gap);
    for (int32_t i = 0; i < rows->count; i++) {
        gap[i] += rows->bias[i];
    }
}

double *closed_system_jacobian(const closed_system *s)
{
    const int64_t v = s->rates, rows = s->problem.rows->count;
    double *unit = identity(v), *angular = calloc((size_t)(3 * s->n), sizeof *angular);
    double *linear = calloc((size_t)(3 * s->n), sizeof *linear);
    double *column = calloc((size_t)rows + 1, sizeof *column);
    double *J = calloc((size_t)(rows * v) + 1, sizeof *J);
    for (int64_t j = 0; j < v; j++) {
        rct_operator_velocities(s->problem.operators, 1, unit + j * v, linear, angular);
        rct_closure_take(s->problem.rows, angular, linear, unit + j * v, column);
        for (int64_t i = 0; i < rows; i++) {
            J[i * v + j] = column[i];
        }
    }
    free(unit);
    free(angular);
    free(linear);
    free(column);
    return J;
}

double *closed_system_mass(const closed_system *s)
{
    double *M = identity(s->rates);
    rct_operator_mass(s->problem.operators, (int32_t)s->rates, M, M);
    return M;
}

int32_t closed_system_answer(const closed_system *s, const double *gap, double *lambda,
                             double *change)
{
    const int v = (int)s->rates, rows = s->problem.rows->count;
    double *M = closed_system_mass(s), *J = closed_system_jacobian(s);
    double *values = calloc((size_t)(rows < v ? rows : v) + 1, sizeof *values);
    double *U = calloc((size_t)(rows * rows) + 1, sizeof *U);
    double *W = calloc((size_t)(v * v) + 1, sizeof *W);
    int32_t rank = 0;
    assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', v, M, v), 0);
    /* A = J L^-T = U S W: rows of A^T by forward substitution */
    double *A = calloc((size_t)(rows * v) + 1, sizeof *A);
    memcpy(A, J, (size_t)(rows * v) * sizeof *A);
    for (int i = 0; i < rows; i++) {
        assert_int_equal(LAPACKE_dtrtrs(LAPACK_ROW_MAJOR, 'L', 'N', 'N', v, 1, M, v, A + i * v, 1),
                         0);
    }
    if (rows > 0) {
        assert_int_equal(
            LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'A', rows, v, A, v, values, U, rows, W, v), 0);
    }
    memset(lambda, 0, (size_t)rows * sizeof *lambda);
    memset(change, 0, (size_t)v * sizeof *change);
    for (int k = 0; k < (rows < v ? rows : v) && values[k] > 1e-9 * values[0]; k++, rank++) {
        double along = 0.0; /* of -gap on the k-th direction */
        for (int i = 0; i < rows; i++) {
            along -= U[i * rows + k] * gap[i];
        }
        for (int i = 0; i < rows; i++) {
            lambda[i] += U[i * rows + k] * along / (values[k] * values[k]);
        }
        for (int j = 0; j < v; j++) {
            change[j] += W[k * v + j] * along / values[k];
        }
    }
    assert_int_equal(LAPACKE_dtrtrs(LAPACK_ROW_MAJOR, 'L', 'T', 'N', v, 1, M, v, change, 1), 0);
    free(A);
    free(M);
    free(J);
    free(values);
    free(U);
    free(W);
    return rank;
}
