/* Failures of plans: steps that diverge in each of their stages, and single links that are
 * singular, in every place of a tree. The error names the body and the step, the same ones for any
 * threads, lanes and segments. The step is undone completely, bit for bit, and the solver continues
 * unharmed. Without memory no solver is made, and nothing leaks. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/answers/motion.h"
#include "tests/support/answers/whole_state.h"
#include "tests/support/one_in.h"
#include "tests/support/systems/fault_tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lanes 1, 2, 4, 8 with 1, 2, 3 threads, and segments of several lengths. */
static const int64_t lengths[] = {0, 8, 3, 1, RCT_SEGMENT_AUTO};
enum { LENGTHS = sizeof lengths / sizeof lengths[0], DIVISIONS = 8 };

static rct_solver *divided(const rct_model *model, int length, int division)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.segment = lengths[length];
    options.lanes = 1 << (division % 4);
    options.threads = 1 + division % 3;
    options.user_forces = 1;
    return motion_solver(model, &options);
}

static void fail_divided(int length, int division, const rct_error *error, const char *instead)
{
    fail_msg("segments of %" PRId64 ", %d lanes, %d threads: body %" PRId32 " of step %" PRId64
             " is blamed%s: %s",
             lengths[length], 1 << (division % 4), 1 + division % 3, error->body, error->step,
             instead, error->text);
}

/* ---- singular links ----------------------------------------------------------------------- */

static int32_t expect_fault(rct_solver *solver, rct_status status, rct_error *first)
{
    whole_state before = whole_state_take(solver);
    rct_error error = {.status = RCT_OK};
    assert_int_equal(rct_solver_evaluate(solver, first), status);
    whole_state_expect(solver, &before);
    assert_int_equal(rct_solver_step(solver, 1e-3, 5, &error), status);
    assert_int_equal(error.body, first->body);
    assert_int_equal(error.step, 0);
    whole_state_expect(solver, &before);
    whole_state_free(&before);
    return first->body;
}

/* The tree of t65 as a plan: ball hinges, some on bodies that are singular in a certain pose. */
static void check_places(const fault_tree *tree, int length, int division)
{
    const size_t bytes = 4 * (size_t)tree->bodies * sizeof(double);
    double *pose = malloc(bytes);
    rct_solver *solver = divided(tree->model, length, division);
    assert_non_null(pose);
    for (int32_t i = 0; i < tree->bodies && solver != NULL; i++) {
        for (int deep = 0; deep < 2; deep++) {
            rct_error error = {.status = RCT_OK};
            if (tree->arm[i] < 0 || (deep && tree->second[i] < 0) ||
                (i + division) % (4 * ONE_IN) != 0) {
                continue;
            }
            memcpy(pose, tree->orientation, bytes);
            fault_tree_align(tree, i, deep, pose);
            assert_int_equal(rct_solver_set_state(solver, pose, tree->rate, NULL), RCT_OK);
            if (expect_fault(solver, RCT_ERROR_SINGULAR, &error) != i) {
                fail_divided(length, division, &error, ", not the singular one");
            }
            assert_int_equal(rct_solver_set_state(solver, tree->orientation, tree->rate, NULL),
                             RCT_OK);
            assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        }
    }
    rct_solver_free(solver);
    free(pose);
}

static void test_singular_links_of_every_place(void **state)
{
    (void)state;
    static const fault_kind kinds[] = {{.period = 2}, {.period = 3, .phase = 1, .side = 1}};
    for (int k = 0; k < 2; k++) {
        fault_tree *tree = fault_tree_branched(kinds[k]);
        for (int length = 0; length < LENGTHS; length++) {
            for (int d = 0; d < DIVISIONS; d++) {
                check_places(tree, length, d);
            }
        }
        fault_tree_free(tree);
    }
}

/* A slider of tiny mass somewhere in a tree of all hinges: the bodies on it slide in the same
 * direction. */
static rct_model *with_dust(uint64_t seed, int32_t *dust)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = 60, .spin = 1.0, .seed = seed},
        .hinges = ALL_HINGES,
        .joint_forces = 1};
    rct_model *model = motion_model(&system, STAY_ALL, NULL);
    rct_body slider = rct_body_default(), rider;
    slider.parent = (int32_t)(7 * seed % 60);
    slider.hinge = RCT_HINGE_PRISMATIC;
    slider.mass = 1e-25;
    slider.inertia[0] = slider.inertia[1] = slider.inertia[2] = 1e-25;
    assert_int_equal(rct_model_add_body(model, &slider, dust, NULL), RCT_OK);
    rider = slider;
    rider.parent = *dust;
    rider.hinge_at[0] = 0.3;
    rider.mass = 1.0;
    rider.inertia[0] = rider.inertia[1] = rider.inertia[2] = 1.0;
    assert_int_equal(rct_model_add_body(model, &rider, NULL, NULL), RCT_OK);
    return model;
}

static void test_singular_hinges_of_other_types(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        int32_t dust;
        rct_model *model = with_dust(seed, &dust);
        for (int length = 0; length < LENGTHS; length++) {
            for (int d = 0; d < DIVISIONS; d++) {
                rct_error error = {.status = RCT_OK};
                rct_solver *solver = divided(model, length, d);
                if (solver != NULL && expect_fault(solver, RCT_ERROR_SINGULAR, &error) != dust) {
                    fail_divided(length, d, &error, ", not the dust");
                }
                rct_solver_free(solver);
            }
        }
        rct_model_free(model);
    }
}

/* ---- motion beyond all numbers ------------------------------------------------------------ */

/* Overflowing numbers; or a body so far away that no inertia is visible beside the arms. */
static void expect_runaway(rct_status status, const rct_error *error)
{
    assert_true(status == RCT_ERROR_DIVERGED || status == RCT_ERROR_SINGULAR);
    assert_int_equal(error->status, status);
    assert_non_null(strstr(error->text, "smaller step"));
    assert_true(error->body >= 0);
}

static rct_model *tree_of(uint64_t seed)
{
    const hinge_system system = {.tree = {.shape = seed % 2 ? SHAPE_TREE : SHAPE_CHAIN,
                                          .bodies = 40,
                                          .shuffled = 1,
                                          .spin = 1.0,
                                          .seed = seed},
                                 .hinges = ALL_HINGES,
                                 .joint_forces = 1,
                                 .forces = 6,
                                 .ground_moves = (int)(seed % 3)};
    return motion_model(&system, STAY_ALL, NULL);
}

static void expect_sound(rct_solver *solver, const rct_model *model, int length, int division)
{
    rct_solver *fresh = divided(model, length, division);
    rct_solver_info info;
    rct_solver_get_info(fresh, &info);
    double *x = calloc((size_t)(info.coordinates + info.dof), sizeof *x);
    assert_non_null(x);
    rct_solver_get_coordinates(fresh, x, x + info.coordinates);
    rct_solver *both[2] = {solver, fresh};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rct_solver_set_coordinates(both[i], x, x + info.coordinates, NULL),
                         RCT_OK);
        rct_solver_set_time(both[i], 0.0);
        assert_int_equal(rct_solver_evaluate(both[i], NULL), RCT_OK);
        assert_int_equal(rct_solver_step(both[i], 1e-8, 3, NULL), RCT_OK);
    }
    whole_state should = whole_state_take(fresh);
    whole_state_expect(solver, &should);
    whole_state_free(&should);
    rct_solver_free(fresh);
    free(x);
}

/* The longer the step, the earlier the failing stage: each step is undone, with the ground and the
 * time. */
static void test_every_stage_is_taken_back(void **state)
{
    (void)state;
    static const double sizes[] = {1e15, 1e30, 1e60, 1e100, 1e160, 1e250};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rct_model *model = tree_of(seed);
        for (int k = 0; k < LENGTHS * DIVISIONS; k++) {
            const int length = k % LENGTHS, d = k / LENGTHS;
            rct_solver *solver = divided(model, length, d);
            for (int i = k % 2; i < SIZES && solver != NULL; i += 2) {
                rct_error error = {.status = RCT_OK};
                rct_solver_set_time(solver, 0.4);
                whole_state before = whole_state_take(solver);
                expect_runaway(rct_solver_step(solver, sizes[i], 2, &error), &error);
                assert_int_equal(error.step, 0);
                whole_state_expect(solver, &before);
                whole_state_free(&before);
            }
            if (solver != NULL) {
                expect_sound(solver, model, length, d);
            }
            rct_solver_free(solver);
        }
        rct_model_free(model);
    }
}

/* A spring that is far too stiff for the step, on the body called `stiff`, in a tree of one
 * root. */
static rct_model *absurd(uint64_t seed)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_BINARY, .bodies = 40, .spin = 0.1, .seed = seed},
        .hinges = 1 << RCT_HINGE_REVOLUTE | 1 << RCT_HINGE_PRISMATIC | 1 << RCT_HINGE_CYLINDRICAL,
        .joint_forces = 1};
    rct_model *model = motion_model(&system, STAY_ALL, NULL);
    rct_force spring = rct_force_default();
    spring.type = RCT_FORCE_SPRING;
    spring.body = 17;
    memcpy(spring.other_at, (double[]){1.0, 2.0, 3.0}, sizeof spring.other_at);
    spring.stiffness = 1e12;
    assert_int_equal(rct_model_add_force(model, &spring, NULL, NULL), RCT_OK);
    return model;
}

/* Step by step until one fails; then all at once: the same step, the same body, and the state of
 * the last complete step. The same with other threads. Other lanes or segments may fail elsewhere,
 * because motion this wild amplifies rounding. */
static void test_divergence_names_body_and_step(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        rct_model *model = absurd(seed);
        rct_error blamed[LENGTHS * 4];
        for (int k = 0; k < LENGTHS * DIVISIONS; k++) { /* lanes in turn, then with other threads */
            rct_solver *one = divided(model, k % LENGTHS, k / LENGTHS);
            rct_solver *many = divided(model, k % LENGTHS, k / LENGTHS);
            rct_error error = {.status = RCT_OK};
            int64_t steps = 0;
            if (one == NULL) {
                continue;
            }
            while (rct_solver_step(one, 0.05, 1, &error) == RCT_OK) {
                assert_true(++steps < 5000);
            }
            expect_runaway(error.status, &error);
            error.step = steps;
            if (k < LENGTHS * 4) {
                blamed[k] = error;
            } else if (error.body != blamed[k - LENGTHS * 4].body ||
                       error.step != blamed[k - LENGTHS * 4].step) {
                fail_divided(k % LENGTHS, k / LENGTHS, &error, ", not as before");
            }
            expect_runaway(rct_solver_step(many, 0.05, 5000, &error), &error);
            assert_int_equal(error.step, steps);
            assert_int_equal(error.body, blamed[k % (LENGTHS * 4)].body);
            whole_state whole = whole_state_take(one);
            whole_state_expect(many, &whole);
            whole_state_free(&whole);
            expect_sound(many, model, k % LENGTHS, k / LENGTHS);
            rct_solver_free(one);
            rct_solver_free(many);
        }
        rct_model_free(model);
    }
}

/* Rates whose squares overflow, in every link in turn except those on the ground, which tolerate
 * them: the error names the root of the tree. */
static void test_rates_beyond_all_numbers(void **state)
{
    (void)state;
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = 40, .spin = 1.0, .seed = 5}, .hinges = 0x16};
    rct_model *model = motion_model(&system, STAY_ALL, NULL);
    for (int k = 0; k < LENGTHS * DIVISIONS; k++) {
        rct_solver *solver = divided(model, k % LENGTHS, k / LENGTHS);
        double q[400], u[400];
        for (int32_t b = 0, at = 0; b < 40 && solver != NULL; b++) {
            rct_body body;
            int32_t root = b;
            rct_error error = {.status = RCT_OK};
            assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
            const int spins = body.hinge == RCT_HINGE_REVOLUTE || body.hinge == RCT_HINGE_BALL ||
                              body.hinge == RCT_HINGE_UNIVERSAL;
            if (spins && b % 7 == k % 7 && body.parent != RCT_GROUND) {
                for (rct_body up = body; up.parent != RCT_GROUND;
                     root = up.parent, rct_model_body(model, up.parent, &up, NULL)) {
                }
                rct_solver_get_coordinates(solver, q, u);
                const double was = u[at];
                u[at] = 1e200;
                assert_int_equal(rct_solver_set_coordinates(solver, q, u, NULL), RCT_OK);
                if (expect_fault(solver, RCT_ERROR_DIVERGED, &error) != root) {
                    fail_divided(k % LENGTHS, k / LENGTHS, &error, ", not the root");
                }
                u[at] = was;
                assert_int_equal(rct_solver_set_coordinates(solver, q, u, NULL), RCT_OK);
            }
            at += rct_hinge_freedoms(body.hinge);
        }
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* ---- no memory ---------------------------------------------------------------------------- */

static void check_memory(const rct_model *model, const rct_solver_options *options)
{
    rct_solver *solver = NULL;
    int64_t k = 0;
    while (solver == NULL) {
        rct_error error = {.status = RCT_OK};
        rct_allocate_fail_after(k++);
        solver = rct_solver_create(model, options, &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(error.status, solver == NULL ? RCT_ERROR_MEMORY : RCT_OK);
        assert_true(k < 1000);
    }
    assert_true(k > 50);
    rct_allocate_fail_after(0); /* nothing is allocated in a step */
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    assert_int_equal(rct_solver_step(solver, 1e-4, 2, NULL), RCT_OK);
    rct_allocate_fail_after(-1);
    rct_solver_free(solver);
    rct_allocate_fail_after(k / 2);
    assert_null(rct_solver_create(model, options, NULL));
    rct_allocate_fail_after(-1);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        rct_model *model = tree_of(seed);
        for (int k = 0; k < 4; k++) {
            const rct_solver_options options = {.backend = "cpu",
                                                .threads = 1 + k,
                                                .lanes = 1 + k % 2,
                                                .segment = lengths[k],
                                                .user_forces = k % 2};
            check_memory(model, &options);
        }
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_singular_links_of_every_place),
        cmocka_unit_test(test_singular_hinges_of_other_types),
        cmocka_unit_test(test_every_stage_is_taken_back),
        cmocka_unit_test(test_divergence_names_body_and_step),
        cmocka_unit_test(test_rates_beyond_all_numbers),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
