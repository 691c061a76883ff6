/* Tiny and odd systems, with forced segments, against the Lagrangian reference: every tree of up to
 * six bodies, roots only, junctions only, stars, combs, bars without inertia, and masses down to a
 * ten-billionth of their neighbours'. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/solution.h"
#include "tests/support/draw.h"
#include "tests/support/systems/fault_tree.h"
#include "tests/support/systems/odd_tree.h"

#include <inttypes.h>
#include <stdlib.h>

static const int64_t segments[] = {0, 1, 2, 3, 5, 1000, RCT_SEGMENT_AUTO};
enum { SEGMENTS = sizeof segments / sizeof segments[0] };

/* Every method and segment length; lanes and threads in turn. */
static void check(const rct_model *model, double most, const char *what)
{
    solution truth = solution_by_reference(model);
    for (int k = 0; k < 2 * SEGMENTS; k++) {
        const rct_solver_options options = {.method = (rct_method)(k % 2),
                                            .backend = "cpu",
                                            .threads = k % 7 == 3 ? 2 + k / 7 : 1,
                                            .lanes = k % 4 == 0   ? 1
                                                     : k % 4 == 1 ? 2
                                                                  : 0,
                                            .segment = segments[k / 2]};
        rct_error error;
        rct_solver *solver = rct_solver_create(model, &options, &error);
        if (solver == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
            fail_msg("%s: %s", what, error.text);
        }
        solution own = solution_of(solver);
        const double apart = solution_difference(model, &own, &truth);
        if (!(apart < most)) {
            fail_msg("%s, %" PRId32 " bodies, %s, segments of %" PRId64 ": %g", what,
                     rct_model_body_count(model), rct_method_name(options.method), segments[k / 2],
                     apart);
        }
        solution_free(&own);
        rct_solver_free(solver);
    }
    solution_free(&truth);
}

/* ---- tiny --------------------------------------------------------------------------------- */

enum { ALL = 6, MOST = 10 };

/* The tree in the given order, or with reversed ids, so that parents come after their children; and
 * sometimes a body welded to its parent or to the ground. */
static void check_tiny(const int32_t *parent, int32_t n, uint64_t seed)
{
    int32_t turned[MOST];
    int welded[MOST];
    uint64_t random = seed;
    for (int32_t i = 0; i < n; i++) {
        const int32_t id = seed % 2 == 0 ? i : n - 1 - i;
        turned[id] = parent[i] < 0 || seed % 2 == 0 ? parent[i] : n - 1 - parent[i];
        welded[id] = seed % 3 == 0 && draw_bits(&random) >> 62 == 0;
    }
    rct_model *model = odd_tree_of(turned, welded, n, seed);
    check(model, 1e-12, "tiny");
    rct_model_free(model);
}

/* Parents before their children: n! arrays, which contain every shape. */
static void test_every_tree_of_up_to_six_bodies(void **state)
{
    (void)state;
    uint64_t seed = 0;
    for (int32_t n = 1; n <= ALL; n++) {
        int32_t parent[ALL] = {-1, -1, -1, -1, -1, -1};
        int32_t i = 0;
        while (i < n) { /* counts, the i-th digit from -1 to i - 1 */
            check_tiny(parent, n, seed++);
            for (i = 0; i < n && parent[i] == i - 1; i++) {
                parent[i] = -1;
            }
            if (i < n) {
                parent[i]++;
            }
        }
    }
    assert_int_equal(seed, 1 + 2 + 6 + 24 + 120 + 720);
}

static void test_trees_of_seven_to_ten_bodies(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int k = 0; k < 60; k++) {
        const int32_t n = 7 + k % 4;
        int32_t parent[MOST];
        for (int32_t i = 0; i < n; i++) {
            parent[i] = (int32_t)(draw_bits(&random) % (uint64_t)(i + 1)) - 1;
        }
        check_tiny(parent, n, (uint64_t)k);
    }
}

/* ---- odd ---------------------------------------------------------------------------------- */

static void check_parents(int32_t (*parent_of)(int32_t), int32_t n, double most, const char *what)
{
    int32_t *parent = malloc((size_t)n * sizeof *parent);
    assert_non_null(parent);
    for (int32_t i = 0; i < n; i++) {
        parent[i] = parent_of(i);
    }
    rct_model *model = odd_tree_of(parent, NULL, n, 12);
    check(model, most, what);
    rct_model_free(model);
    free(parent);
}

static int32_t root(int32_t i)
{
    (void)i;
    return RCT_GROUND;
}

static int32_t heap(int32_t i) /* all but the tips have two links on them */
{
    return i == 0 ? RCT_GROUND : (i - 1) / 2;
}

static int32_t star(int32_t i)
{
    return i == 0 ? RCT_GROUND : 0;
}

static int32_t comb(int32_t i) /* two teeth on each */
{
    return i % 3 == 0 ? i - 3 >= 0 ? i - 3 : RCT_GROUND : i - i % 3;
}

static int32_t broom(int32_t i) /* a handle and bristles */
{
    return i < 150 ? i - 1 : 149;
}

static void test_shapes_that_leave_no_segment(void **state)
{
    (void)state;
    check_parents(root, 300, 1e-12, "roots");
    check_parents(heap, 255, 1e-12, "junctions");
    check_parents(star, 300, 1e-12, "star");
    check_parents(comb, 300, 1e-12, "comb");
    check_parents(broom, 300, 1e-12, "broom");
    for (int kind = 0; kind < ODD_KINDS; kind++) {
        rct_model *model = odd_tree_create((odd_tree)kind, 120, 4);
        check(model, 1e-12, "odd tree");
        rct_model_free(model);
    }
}

/* Too large for a quick reference: the methods and the divisions against each other. */
static void check_large(const char *family, int64_t bodies)
{
    const rct_family large = {
        .family = family, .bodies = bodies, .hinge = RCT_HINGE_BALL, .seed = 2, .perturb = 1.0};
    rct_model *model = rct_model_generate(&large, NULL);
    assert_non_null(model);
    solution serial = solution_by(model, RCT_METHOD_ABI);
    for (int k = 0; k < 2 * SEGMENTS; k++) {
        const rct_solver_options options = {.method = (rct_method)(k % 2),
                                            .backend = "cpu",
                                            .threads = 1 + k % 3,
                                            .segment = segments[k / 2]};
        rct_solver *solver = rct_solver_create(model, &options, NULL);
        assert_non_null(solver);
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        solution own = solution_of(solver);
        assert_true(solution_difference(model, &own, &serial) < 1e-12);
        solution_free(&own);
        rct_solver_free(solver);
    }
    solution_free(&serial);
    rct_model_free(model);
}

static void test_large_star_and_deep_comb(void **state)
{
    (void)state;
    check_large("star", 5000);
    check_large("comb", 5000);
}

/* ---- next to nothing ---------------------------------------------------------------------- */

/* Lines without inertia about their axis and point masses on massless bars, in sound poses. */
static void test_links_without_inertia(void **state)
{
    (void)state;
    for (int period = 2; period <= 3; period++) {
        const fault_kind kind = {.period = period};
        fault_tree *trees[2] = {fault_tree_branched(kind), fault_tree_chain(kind, 200)};
        for (int t = 0; t < 2; t++) {
            check(trees[t]->model, 1e-11, "no inertia");
            fault_tree_free(trees[t]);
        }
    }
}

/* Rods in turn of 1 kg and of `light`, the latter odd or even. */
static rct_model *light_chain(double light, int odd)
{
    uint64_t random = 8;
    rct_model *model = rct_model_create(NULL, NULL);
    for (int32_t i = 0; i < 100; i++) {
        rct_body rod = rct_body_default();
        rod.parent = i - 1;
        rod.hinge_at[2] = -1.0;
        rod.mass = i % 2 == odd ? light : 1.0;
        rod.com[2] = -0.5;
        rod.inertia[0] = rod.inertia[1] = rod.mass / 12.0;
        rod.inertia[2] = rod.mass / 800.0;
        draw_numbers(&random, rod.orientation, 4, 1.0);
        draw_numbers(&random, rod.angular_velocity, 3, 1.0);
        assert_int_equal(rct_model_add_body(model, &rod, NULL, NULL), RCT_OK);
    }
    return model;
}

/* Refused with any division: less than 3.6e-15 of the inertia about the other axes. */
static void expect_refused(const rct_model *model, int odd)
{
    for (int k = 0; k < 2 * SEGMENTS; k++) {
        const rct_solver_options options = {
            .method = (rct_method)(k % 2), .backend = "cpu", .segment = segments[k / 2]};
        rct_error error = {.status = RCT_OK};
        rct_solver *solver = rct_solver_create(model, &options, NULL);
        assert_non_null(solver);
        assert_int_equal(rct_solver_evaluate(solver, &error), RCT_ERROR_SINGULAR);
        assert_int_equal(error.body % 2, odd);
        rct_solver_free(solver);
    }
}

/* No body is without mass, but the mass may be almost zero. */
static void test_masses_of_next_to_nothing(void **state)
{
    (void)state;
    static const double light[] = {1e-6, 1e-8, 1e-10};
    rct_body none = rct_body_default();
    rct_model *model = rct_model_create(NULL, NULL);
    none.inertia[0] = none.inertia[1] = none.inertia[2] = 1.0;
    assert_int_equal(rct_model_add_body(model, &none, NULL, NULL), RCT_ERROR_MODEL);
    rct_model_free(model);
    for (int odd = 0; odd < 2; odd++) {
        for (size_t k = 0; k < sizeof light / sizeof light[0]; k++) {
            model = light_chain(light[k], odd);
            check(model, 1e-13, "next to no mass");
            rct_model_free(model);
        }
        model = light_chain(1e-13, odd);
        expect_refused(model, odd);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_tree_of_up_to_six_bodies),
        cmocka_unit_test(test_trees_of_seven_to_ten_bodies),
        cmocka_unit_test(test_shapes_that_leave_no_segment),
        cmocka_unit_test(test_large_star_and_deep_comb),
        cmocka_unit_test(test_links_without_inertia),
        cmocka_unit_test(test_masses_of_next_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
