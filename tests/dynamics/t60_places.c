/* Places and motion of links, computed in lanes and threads, against the same steps one link after
 * the other, whatever else is computed. In strict builds lanes and threads change no bit. */
#include "tests/support/cmocka_all.h"

#include "dynamics/solver.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 4, TEAMS = 5 };

static const int64_t segments[SEGMENTS] = {RCT_SEGMENT_AUTO, RCT_SEGMENT_WHOLE, 0, 5};

static const struct {
    int32_t lanes, threads;
} teams[TEAMS] = {{1, 1}, {1, 3}, {2, 1}, {4, 2}, {8, 3}};

/* NULL if the machine has no such lanes. */
static rct_solver *solver_of(const rct_model *model, int64_t segment, int team)
{
    const rct_solver_options options = {.backend = "cpu",
                                        .segment = segment,
                                        .lanes = teams[team].lanes,
                                        .threads = teams[team].threads,
                                        .user_forces = 1};
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL && error.status != RCT_ERROR_UNSUPPORTED) {
        fail_msg("%s", error.text);
    }
    if (solver != NULL && rct_solver_step(solver, 1e-3, 2, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* Of all fields if the solver has an even number of links. */
static rct_poses room(const rct_solver *x)
{
    const int32_t links = x->plan->links.count;
    rct_poses poses = {.fields = links % 2 == 0 ? POSE_FIELDS : POSE_OPEN_FIELDS};
    poses.numbers = malloc((size_t)links * (size_t)poses.fields * sizeof *poses.numbers);
    assert_non_null(poses.numbers);
    for (int64_t i = 0; i < (int64_t)links * poses.fields; i++) {
        poses.numbers[i] = NAN;
    }
    return poses;
}

/* The same state without known poses: poses are kept only while they are requested in one array. */
static void write_again(rct_solver *x)
{
    x->backend->read_state(x->run, x->state);
    x->backend->write_state(x->run, x->state);
}

static rct_poses all_of(rct_solver *x)
{
    const rct_poses poses = room(x);
    write_again(x);
    x->backend->read_poses(x->run, 1, &x->ground, poses);
    return poses;
}

/* One after the other. */
static void expect_steps(rct_solver *x, rct_poses poses)
{
    const int32_t links = x->plan->links.count;
    const rct_poses one = room(x);
    double most = 0.0, scale = 1.0;
    x->backend->read_state(x->run, x->state);
    rct_link_poses(&x->plan->links, NULL, links, x->state, &x->ground, one);
    for (int64_t i = 0; i < (int64_t)links * poses.fields; i++) {
        const double own = poses.numbers[i], other = one.numbers[i];
        assert_true(isfinite(own));
        most = larger(most, fabs(own - other));
        scale = larger(scale, fabs(other));
    }
    if (!(most <= 1e-13 * scale)) {
        fail_msg("%.2e off, of %.2e", most, scale);
    }
    free(one.numbers);
}

/* Some links alone: the same bits; only computed data are read. */
static void expect_some(rct_solver *x, rct_poses all, uint64_t *random)
{
    const int32_t links = x->plan->links.count;
    int32_t *some = malloc((size_t)links * sizeof *some), count = 0;
    assert_non_null(some);
    const uint64_t share = 1 + draw_bits(random) % 40; /* of how many one */
    for (int32_t l = 0; l < links; l++) {
        if (draw_bits(random) % share == 0) {
            some[count++] = l;
        }
    }
    const rct_poses poses = room(x);
    write_again(x);
    x->backend->want_poses(x->run, some, count);
    x->backend->read_poses(x->run, 0, &x->ground, poses);
    for (int32_t k = 0; k < count; k++) {
        assert_memory_equal(rct_pose_at(poses, some[k]), rct_pose_at(all, some[k]),
                            (size_t)all.fields * sizeof *all.numbers);
    }
    free(poses.numbers);
    free(some);
}

static void check(const rct_model *model, int64_t segment, uint64_t *random)
{
    double *first = NULL;
    for (int team = 0; team < TEAMS; team++) {
        rct_solver *solver = solver_of(model, segment, team);
        if (solver == NULL) {
            continue;
        }
        rct_solver *x = solver;
        const rct_poses all = all_of(x);
        expect_steps(x, all);
        for (int k = 0; k < 6; k++) {
            expect_some(x, all, random);
        }
#ifdef RCT_STRICT
        if (first != NULL) {
            assert_memory_equal(all.numbers, first,
                                (size_t)x->plan->links.count * (size_t)all.fields * sizeof *first);
        }
#endif
        free(first);
        first = all.numbers;
        rct_solver_free(solver);
    }
    free(first);
}

static void check_all(int hinges, int floating)
{
    uint64_t random = 60;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = 40 + 30 * (int32_t)seed,
                                              .shuffled = seed % 3 == 0,
                                              .spin = 2.0,
                                              .seed = seed},
                                     .hinges = hinges,
                                     .floating = floating,
                                     .ground_moves = seed % 2};
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        for (int k = 0; k < SEGMENTS; k++) {
            check(model, segments[k], &random);
        }
        rct_model_free(model);
    }
}

static void test_balls(void **state)
{
    (void)state;
    check_all(1 << RCT_HINGE_BALL, 0);
    check_all(1 << RCT_HINGE_BALL, 1);
}

static void test_all_hinges(void **state)
{
    (void)state;
    check_all(ALL_HINGES, 0);
    check_all(ALL_HINGES & ~(1 << RCT_HINGE_BALL), 1);
}

static void test_balls_among_others(void **state)
{
    (void)state;
    check_all(1 << RCT_HINGE_BALL | 1 << RCT_HINGE_REVOLUTE, 0);
    check_all(1 << RCT_HINGE_REVOLUTE | 1 << RCT_HINGE_PLANAR, 0);
}

/* A step with a force that follows the tip: the poses computed for the force serve the sweep, and
 * no other state. */
/* NOLINTNEXTLINE(readability-function-size): as rct_force_function has it */
static void follow(void *context, double time, int32_t bodies, const double *orientation,
                   const double *angular_velocity, const double *position, const double *velocity,
                   double *force, double *moment)
{
    (void)context, (void)time, (void)orientation, (void)angular_velocity, (void)moment;
    for (int32_t i = 0; i < 3 * bodies; i++) {
        force[i] = -3.0 * position[i] - 0.1 * velocity[i];
    }
}

static double *motion(const rct_model *model, int64_t segment, int look)
{
    const int32_t bodies = rct_model_body_count(model), named[2] = {bodies / 2, bodies - 1};
    rct_error error;
    double *rows = calloc((size_t)bodies * 6, sizeof *rows);
    rct_solver *solver = solver_of(model, segment, 0);
    assert_true(rows != NULL && solver != NULL);
    assert_int_equal(rct_solver_set_body_forces(solver, named, 2, follow, NULL, &error), RCT_OK);
    for (int k = 0; k < 20; k++) {
        assert_int_equal(rct_solver_step(solver, 1e-3, 1, &error), RCT_OK);
        if (look) {
            rct_solver_get_state(solver, NULL, NULL, rows, NULL);
        }
    }
    rct_solver_get_state(solver, NULL, NULL, rows, rows + 3 * (int64_t)bodies);
    rct_solver_free(solver);
    return rows;
}

static void test_steps_with_a_force_that_follows(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const hinge_system system = {
            .tree = {.shape = seed % 2 ? SHAPE_CHAIN : SHAPE_TREE, .bodies = 90, .seed = seed},
            .hinges = seed < 3 ? ALL_HINGES : 1 << RCT_HINGE_BALL};
        rct_model *model = hinge_system_create(&system);
        double *serial = motion(model, 0, 0);
        for (int k = 0; k < SEGMENTS; k++) {
            double *own = motion(model, segments[k], 0), *seen = motion(model, segments[k], 1);
            double most = 0.0, scale = 1.0;
            assert_memory_equal(own, seen, 6 * 90 * sizeof *own);
            for (int i = 0; i < 6 * 90; i++) {
                most = larger(most, fabs(own[i] - serial[i]));
                scale = larger(scale, fabs(serial[i]));
            }
            assert_true(most <= 1e-10 * scale);
            free(own);
            free(seen);
        }
        free(serial);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_all_hinges),
        cmocka_unit_test(test_balls_among_others),
        cmocka_unit_test(test_steps_with_a_force_that_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
