/* Families of trees: many systems, and on hinges of every type. */
#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include "tests/model/known_families.h"

#include <riccatree/model.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Numbers of a body, without its name and parent. */
static int same_numbers(rct_body a, rct_body b)
{
    return a.hinge == b.hinge && a.mass == b.mass &&
           memcmp(a.hinge_at, b.hinge_at, sizeof a.hinge_at) == 0 &&
           memcmp(a.hinge_orientation, b.hinge_orientation, sizeof a.hinge_orientation) == 0 &&
           memcmp(a.com, b.com, sizeof a.com) == 0 &&
           memcmp(a.inertia, b.inertia, sizeof a.inertia) == 0 &&
           memcmp(a.orientation, b.orientation, sizeof a.orientation) == 0 &&
           memcmp(a.angular_velocity, b.angular_velocity, sizeof a.angular_velocity) == 0 &&
           memcmp(a.hinge_axis, b.hinge_axis, sizeof a.hinge_axis) == 0 &&
           memcmp(a.position, b.position, sizeof a.position) == 0 &&
           memcmp(a.rate, b.rate, sizeof a.rate) == 0;
}

static void test_system_k_is_the_one_of_seed_plus_k(void **state)
{
    (void)state;
    enum { SYSTEMS = 5, BODIES = 9, SEED = 3 };
    for (int i = 0; i < 2 * KNOWN; i++) {
        const rct_hinge_type hinge = i < KNOWN ? RCT_HINGE_BALL : RCT_HINGE_PLANAR;
        rct_family family = {.family = known[i % KNOWN].name,
                             .bodies = BODIES,
                             .hinge = hinge,
                             .seed = SEED,
                             .perturb = 0.5,
                             .systems = SYSTEMS};
        rct_model *all = rct_model_generate(&family, NULL);
        assert_non_null(all);
        assert_int_equal(rct_model_body_count(all), SYSTEMS * BODIES);
        assert_int_equal(rct_model_check(all, NULL), RCT_OK);
        for (int32_t k = 0; k < SYSTEMS; k++) {
            family.systems = k % 2; /* none counts as one */
            family.seed = SEED + (uint64_t)k;
            rct_model *one = rct_model_generate(&family, NULL);
            for (int32_t b = 0; b < BODIES; b++) {
                const rct_body alone = must_get(one, b), among = must_get(all, k * BODIES + b);
                assert_true(same_numbers(alone, among));
                assert_int_equal(among.parent, alone.parent == RCT_GROUND
                                                   ? RCT_GROUND
                                                   : alone.parent + k * BODIES);
                char name[RCT_NAME_SIZE];
                if (alone.name != NULL) {
                    snprintf(name, sizeof name, "system%d.%s", (int)k, alone.name);
                    assert_string_equal(among.name, name);
                } else {
                    assert_null(among.name);
                }
            }
            rct_model_free(one);
        }
        rct_model_free(all);
    }
}

static int is_length(rct_hinge_type type, int k)
{
    return type == RCT_HINGE_PRISMATIC || (type == RCT_HINGE_CYLINDRICAL && k == 1) ||
           (type == RCT_HINGE_PLANAR && k < 2);
}

static void assert_axes(const rct_body *body, int32_t id)
{
    const int odd = id % 2;
    const int two = body->hinge == RCT_HINGE_UNIVERSAL || body->hinge == RCT_HINGE_PLANAR;
    const double axis[3] = {odd, 1 - odd, 0.0}, axis2[3] = {1 - odd, odd, 0.0};
    for (int k = 0; k < 3; k++) {
        assert_true(body->hinge_axis[k] == axis[k]);
        assert_true(body->hinge_axis2[k] == (two ? axis2[k] : k == 0));
        assert_true(body->stiffness[k] == 0.0 && body->damping[k] == 0.0);
    }
    assert_true(body->hinge_pitch == (body->hinge == RCT_HINGE_HELICAL ? 0.1 : 0.0));
}

/* The largest coordinate and rate of all bodies, angles and lengths separately. */
typedef struct extent {
    double angle, length, rate;
} extent;

static extent extent_of(const rct_model *model)
{
    extent most = {0.0, 0.0, 0.0};
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        const rct_body body = must_get(model, b);
        for (int k = 0; k < rct_hinge_freedoms(body.hinge); k++) {
            double *largest = is_length(body.hinge, k) ? &most.length : &most.angle;
            *largest = larger(*largest, fabs(body.position[k]));
            most.rate = larger(most.rate, fabs(body.rate[k]));
        }
    }
    return most;
}

static void test_hinges_with_axes(void **state)
{
    (void)state;
    for (int i = 0; i < KNOWN; i++) {
        for (int type = RCT_HINGE_REVOLUTE; type <= RCT_HINGE_HELICAL; type++) {
            const int random = strcmp(known[i].name, "random") == 0;
            const double turn = type == RCT_HINGE_PRISMATIC ? 0.0 : 0.5;
            rct_family family = {.family = known[i].name,
                                 .bodies = 301,
                                 .hinge = (rct_hinge_type)type,
                                 .seed = (uint64_t)type,
                                 .perturb = 0.0,
                                 .systems = 2};
            rct_model *plain = rct_model_generate(&family, NULL);
            family.perturb = 0.5;
            rct_model *perturbed = rct_model_generate(&family, NULL);
            assert_non_null(perturbed);
            assert_int_equal(rct_model_check(perturbed, NULL), RCT_OK);
            for (int32_t b = 0; b < 602; b++) {
                const rct_body body = must_get(perturbed, b), start = must_get(plain, b);
                assert_int_equal(body.hinge, type);
                assert_axes(&body, b % 301);
                assert_axes(&start, b % 301);
                assert_true(body.orientation[0] == 1.0 && body.angular_velocity[0] == 0.0);
                assert_memory_equal(body.hinge_orientation, start.hinge_orientation,
                                    sizeof body.hinge_orientation);
            }
            const extent still = extent_of(plain), most = extent_of(perturbed);
            assert_true(still.angle == 0.0 && still.length == 0.0);
            assert_true(random ? still.rate > 0.9 && still.rate <= 1.0 : still.rate == 0.0);
            assert_true(most.angle <= turn && most.angle >= 0.9 * turn);
            assert_true(most.length <= 0.05);
            assert_true(most.length >
                        (is_length(family.hinge, type == RCT_HINGE_CYLINDRICAL) ? 0.045 : -1.0));
            assert_true(most.rate > 0.45 && most.rate <= (random ? 3.0 : 2.0));
            rct_model_free(plain);
            rct_model_free(perturbed);
        }
    }
}

/* Hinges with axes start where ball hinges do: the frame of the first hinge has the rotation of the
 * body. */
static void test_a_chain_of_revolute_hinges_starts_as_one_of_balls(void **state)
{
    (void)state;
    rct_family family = {.family = "chain", .bodies = 3, .hinge = RCT_HINGE_BALL};
    rct_model *balls = rct_model_generate(&family, NULL);
    family.hinge = RCT_HINGE_REVOLUTE;
    rct_model *chain = rct_model_generate(&family, NULL);
    const rct_body ball = must_get(balls, 0), root = must_get(chain, 0);
    assert_memory_equal(root.hinge_orientation, ball.orientation, sizeof ball.orientation);
    for (int32_t b = 1; b < 3; b++) {
        assert_true(must_get(chain, b).hinge_orientation[0] == 1.0);
    }
    rct_model_free(balls);
    rct_model_free(chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_system_k_is_the_one_of_seed_plus_k),
        cmocka_unit_test(test_hinges_with_axes),
        cmocka_unit_test(test_a_chain_of_revolute_hinges_starts_as_one_of_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
