/* Random models: draws depend only on the seed, random trees vary, perturbations are bounded. */
#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include "model/families/draw.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static rct_body get(const rct_model *model, int32_t id)
{
    rct_body body;
    assert_int_equal(rct_model_body(model, id, &body, NULL), RCT_OK);
    return body;
}

/* Body by body the same bits. */
static int same(const rct_model *a, const rct_model *b)
{
    int equal = a->count == b->count;
    for (int32_t i = 0; equal && i < a->count; i++) {
        const rct_body one = rct_bodies_get(a->bodies, i), other = rct_bodies_get(b->bodies, i);
        equal = a->bodies->parent[i] == b->bodies->parent[i] &&
                memcmp(one.hinge_at, other.hinge_at,
                       sizeof(rct_body) - offsetof(rct_body, hinge_at)) == 0;
    }
    return equal;
}

static void test_random_depends_on_the_seed_alone(void **state)
{
    (void)state;
    rct_family family = {.family = "random", .bodies = 300, .hinge = RCT_HINGE_BALL, .seed = 7};
    rct_model *one = rct_model_generate(&family, NULL);
    rct_model *two = rct_model_generate(&family, NULL);
    family.seed = 8;
    rct_model *other = rct_model_generate(&family, NULL);
    family.family = "comb";
    family.perturb = 0.1;
    rct_model *comb = rct_model_generate(&family, NULL);
    family.seed = 9;
    rct_model *comb_other = rct_model_generate(&family, NULL);
    assert_true(same(one, two));
    assert_false(same(one, other));
    assert_false(same(comb, comb_other));
    rct_model_free(one);
    rct_model_free(two);
    rct_model_free(other);
    rct_model_free(comb);
    rct_model_free(comb_other);
}

/* The properties that make a random tree a good test: several roots, forks, depth, masses over
 * decades. */
static void test_random_is_varied(void **state)
{
    (void)state;
    int deep = 0;
    int shallow = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rct_family family = {.family = "random", .bodies = 1000, .seed = seed};
        family.hinge = seed % 2 == 0 ? RCT_HINGE_BALL : RCT_HINGE_FIXED;
        rct_model *model = rct_model_generate(&family, NULL);
        int32_t depth[1000];
        int32_t deepest = 0;
        int32_t roots = 0;
        double lightest = INFINITY;
        double heaviest = 0.0;
        for (int32_t i = 0; i < 1000; i++) {
            const rct_body body = get(model, i);
            assert_true(body.parent < i);
            depth[i] = body.parent == RCT_GROUND ? 1 : depth[body.parent] + 1;
            deepest = depth[i] > deepest ? depth[i] : deepest;
            roots += body.parent == RCT_GROUND;
            lightest = fmin(lightest, body.mass);
            heaviest = larger(heaviest, body.mass);
        }
        assert_true(roots > 5 && roots < 100);
        assert_true(lightest > 0.03 && heaviest < 32.0 && heaviest / lightest > 500.0);
        deep += deepest > 60;
        shallow += deepest < 30;
        rct_model_free(model);
    }
    assert_true(deep > 0 && shallow > 0);
}

/* The perturbed start rotates no body by more than p and stays different from the plain one. */
static void test_perturb_is_bounded(void **state)
{
    (void)state;
    const double sizes[] = {1e-9, 0.1, 1.0, 3.0, 1e300};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        rct_family family = {.family = "comb", .bodies = 500, .hinge = RCT_HINGE_BALL, .seed = 3};
        family.perturb = sizes[k];
        rct_error error = {.text = ""};
        rct_model *model = rct_model_generate(&family, &error);
        assert_string_equal(error.text, "");
        double largest = 0.0;
        for (int32_t i = 0; i < 500; i++) {
            const rct_body body = get(model, i);
            const double *q = body.orientation;
            const double v = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            const double turn = 2.0 * atan2(v, fabs(q[0]));
            assert_true(turn > 0.0 && turn <= sizes[k]);
            const double *w = body.angular_velocity;
            const double rate = hypot(hypot(w[0], w[1]), w[2]);
            assert_true(rate > 0.0 && rate <= sizes[k] * (1.0 + 1e-12));
            largest = larger(largest, rate);
        }
        assert_true(largest > 0.9 * sizes[k]);
        rct_model_free(model);
    }
}

/* The generator itself: if these numbers change, every benchmark changes. */
static void test_draws_keep_their_values(void **state)
{
    (void)state;
    assert_true(rct_draw_mix(0x9e3779b97f4a7c15ULL) == 0xe220a8397b1dcdafULL); /* splitmix64(0) */
    rct_draw draw = rct_draw_start(1, 0);
    double sum = 0.0;
    for (int i = 0; i < 10000; i++) {
        const double u = rct_draw_unit(&draw);
        assert_true(u >= 0.0 && u < 1.0);
        sum += u;
        const int32_t k = rct_draw_index(&draw, 3);
        assert_true(k >= 0 && k < 3);
    }
    assert_true(fabs(sum / 10000.0 - 0.5) < 0.015);
    int octave[10] = {0};
    for (int i = 0; i < 10000; i++) {
        const double x = rct_draw_log(&draw, 10);
        octave[ilogb(x)]++;
    }
    for (int i = 0; i < 10; i++) {
        assert_true(octave[i] > 850 && octave[i] < 1150);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_depends_on_the_seed_alone),
        cmocka_unit_test(test_random_is_varied),
        cmocka_unit_test(test_perturb_is_bounded),
        cmocka_unit_test(test_draws_keep_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
