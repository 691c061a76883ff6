/* The members of an ensemble: draws that depend only on seed and member, grids, paths and their
 * errors. */
#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include "ensemble/random.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <string.h>

/* A slider, a ball and a helical hinge, a free body; a wrench and a spring. */
static rct_model *base_model(void)
{
    static const rct_hinge_type types[] = {RCT_HINGE_PLANAR, RCT_HINGE_BALL, RCT_HINGE_HELICAL,
                                           RCT_HINGE_FREE};
    static const char *const names[] = {"slider", "arm.left", NULL, "free"};
    rct_error error;
    rct_model *model = rct_model_create("base", &error);
    for (int32_t b = 0; b < 4; b++) {
        rct_body body = rct_body_default();
        body.name = names[b];
        body.parent = b == 0 || b == 3 ? RCT_GROUND : b - 1;
        body.hinge = types[b];
        body.mass = 1.0 + b;
        for (int i = 0; i < 3; i++) {
            body.inertia[i] = 1.0;
        }
        assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
    }
    rct_force wrench = rct_force_default(), spring = rct_force_default();
    spring.type = RCT_FORCE_SPRING;
    spring.body = 3;
    spring.stiffness = 2.0;
    assert_int_equal(rct_model_add_force(model, &wrench, NULL, &error), RCT_OK);
    assert_int_equal(rct_model_add_force(model, &spring, NULL, &error), RCT_OK);
    return model;
}

static rct_ensemble *make(const rct_ensemble_options *options, rct_error *error)
{
    rct_model *model = base_model();
    rct_ensemble *ensemble = rct_ensemble_create(model, options, error);
    rct_model_free(model);
    return ensemble;
}

static rct_ensemble *made(const rct_ensemble_options *options)
{
    rct_error error;
    rct_ensemble *ensemble = make(options, &error);
    if (ensemble == NULL) {
        fail_msg("%s", error.text);
    }
    return ensemble;
}

/* Known answers of the authors of Philox4x32-10 (Random123, tests/kat_vectors). */
static void test_random_bits_are_those_of_philox(void **state)
{
    (void)state;
    uint64_t bits[2];
    rct_random_bits(0, 0, 0, 0, bits);
    assert_true(bits[0] == UINT64_C(0x6627e8d5e169c58d) && bits[1] == UINT64_C(0xbc57ac4c9b00dbd8));
    rct_random_bits(UINT64_MAX, -1, UINT32_MAX, UINT32_MAX, bits);
    assert_true(bits[0] == UINT64_C(0x408f276d41c83b0e) && bits[1] == UINT64_C(0xa20bc7c66d5451fd));
}

static void test_draws_have_their_distributions(void **state)
{
    (void)state;
    enum { DRAWS = 40000 };
    double sum[2] = {0.0}, square[2] = {0.0}, cube = 0.0;
    for (int64_t k = 0; k < DRAWS; k++) {
        const double x[2] = {rct_random_uniform(9, k, 3), rct_random_normal(9, k, 4)};
        assert_true(x[0] >= 0.0 && x[0] < 1.0);
        for (int i = 0; i < 2; i++) {
            sum[i] += x[i];
            square[i] += x[i] * x[i];
        }
        cube += fabs(x[1]) < 1.0;
    }
    assert_true(fabs(sum[0] / DRAWS - 0.5) < 0.01 && fabs(square[0] / DRAWS - 1.0 / 3.0) < 0.01);
    assert_true(fabs(sum[1] / DRAWS) < 0.03 && fabs(square[1] / DRAWS - 1.0) < 0.04);
    assert_true(fabs(cube / DRAWS - 0.6827) < 0.01);
}

/* Member 5 is the same among 6 and among 60 members, and with another variation after; another seed
 * changes it. */
static void test_a_draw_depends_on_seed_and_member(void **state)
{
    (void)state;
    const rct_variation v[] = {{"bodies.slider.mass", RCT_VARY_NORMAL, 5.0, 0.5, 0},
                               {"bodies.*.com[1]", RCT_VARY_UNIFORM, -1.0, 1.0, 0},
                               {"gravity[2]", RCT_VARY_UNIFORM, -10.0, -9.0, 0}};
    double a[3], b[3], c[3], d[3];
    rct_ensemble_options options = {6, 7, 2, v, 0.5};
    rct_ensemble *few = made(&options);
    options.members = 60;
    options.variation_count = 3;
    rct_ensemble *many = made(&options);
    options.seed = 8;
    rct_ensemble *others = made(&options);
    assert_int_equal(rct_ensemble_parameters(few, 5, a, NULL), RCT_OK);
    assert_int_equal(rct_ensemble_parameters(many, 5, b, NULL), RCT_OK);
    assert_int_equal(rct_ensemble_parameters(others, 5, c, NULL), RCT_OK);
    assert_int_equal(rct_ensemble_parameters(many, 6, d, NULL), RCT_OK);
    assert_memory_equal(a, b, 2 * sizeof *a);
    for (int i = 0; i < 3; i++) {
        assert_true(b[i] != c[i] && b[i] != d[i]);
    }
    rct_model *one = rct_ensemble_model(few, 5, NULL), *same = rct_ensemble_model(many, 5, NULL);
    rct_model *other = rct_ensemble_model(others, 5, NULL);
    rct_body x, y, z;
    for (int32_t id = 0; id < 4; id++) {
        rct_model_body(one, id, &x, NULL);
        rct_model_body(same, id, &y, NULL);
        rct_model_body(other, id, &z, NULL);
        assert_memory_equal(x.orientation, y.orientation, sizeof x.orientation);
        assert_memory_equal(x.rate, y.rate, sizeof x.rate);
        assert_memory_equal(x.com, y.com, sizeof x.com);
        assert_true(x.com[1] == a[1] && (id > 0 || x.mass == a[0]));
        assert_true(memcmp(x.orientation, z.orientation, sizeof x.orientation) != 0 ||
                    memcmp(x.rate, z.rate, sizeof x.rate) != 0);
    }
    assert_string_equal(x.name, "free");
    rct_model_free(one);
    rct_model_free(same);
    rct_model_free(other);
    rct_ensemble_free(few);
    rct_ensemble_free(many);
    rct_ensemble_free(others);
}

/* The last grid varies fastest; both ends are exact; draws continue where grid points repeat. */
static void test_grids_combine(void **state)
{
    (void)state;
    const rct_variation v[] = {{"bodies.slider.mass", RCT_VARY_GRID, 0.1, 0.7, 3},
                               {"bodies.free.initial.velocity[2]", RCT_VARY_NORMAL, 0.0, 1.0, 0},
                               {"forces.1.stiffness", RCT_VARY_GRID, 3.0, 5.0, 2}};
    const rct_ensemble_options options = {12, 1, 3, v, 0.0};
    rct_ensemble *ensemble = made(&options);
    const double masses[] = {0.1, 0.1 + 0.6 * 0.5, 0.7};
    double p[3], before = NAN;
    for (int64_t k = 0; k < 12; k++) {
        assert_int_equal(rct_ensemble_parameters(ensemble, k, p, NULL), RCT_OK);
        assert_true(fabs(p[0] - masses[k % 6 / 2]) < 1e-15 && p[2] == (k % 2 != 0 ? 5.0 : 3.0));
        assert_true(k % 6 < 4 || p[0] == 0.7);
        assert_true(p[1] != before);
        before = p[1];
    }
    rct_ensemble_free(ensemble);
    rct_ensemble_options grids = {0, 1, 1, v, 0.0};
    ensemble = made(&grids);
    assert_int_equal(rct_ensemble_members(ensemble), 3);
    rct_ensemble_free(ensemble);
    const rct_variation single = {"gravity[0]", RCT_VARY_GRID, 4.0, 9.0, 1};
    grids.variations = &single;
    ensemble = made(&grids);
    rct_ensemble_parameters(ensemble, 0, p, NULL);
    assert_true(rct_ensemble_members(ensemble) == 1 && p[0] == 4.0);
    rct_ensemble_free(ensemble);
}

/* Sets one value by one path, and finds it in the model. */
static void test_paths_name_numbers(void **state)
{
    (void)state;
    const struct {
        const char *path;
        int32_t body;
        size_t at;
        int count;
    } cases[] = {
        {"bodies.slider.mass", 0, offsetof(rct_body, mass), 1},
        {"bodies.arm.left.com[2]", 1, offsetof(rct_body, com) + 2 * sizeof(double), 1},
        {"bodies.body2.hinge.pitch", 2, offsetof(rct_body, hinge_pitch), 1},
        {"bodies.slider.hinge.damping", 0, offsetof(rct_body, damping), 3},
        {"bodies.arm.left.hinge.damping", 1, offsetof(rct_body, damping), 3},
        {"bodies.arm.left.hinge.stiffness", 1, offsetof(rct_body, stiffness), 3},
        {"bodies.arm.left.initial.angular_velocity", 1, offsetof(rct_body, angular_velocity), 3},
        {"bodies.slider.initial.rate[1]", 0, offsetof(rct_body, rate) + sizeof(double), 1},
        {"bodies.free.initial.position", 3, offsetof(rct_body, position), 3},
        {"bodies.free.initial.velocity[0]", 3, offsetof(rct_body, rate), 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rct_variation v = {cases[i].path, RCT_VARY_GRID, 0.25, 0.25, 1};
        const rct_ensemble_options options = {1, 1, 1, &v, 0.0};
        rct_ensemble *ensemble = made(&options);
        rct_model *model = rct_ensemble_model(ensemble, 0, NULL), *base = base_model();
        rct_body own, plain, wanted;
        rct_model_body(model, cases[i].body, &own, NULL);
        rct_model_body(base, cases[i].body, &plain, NULL);
        wanted = plain;
        for (int k = 0; k < cases[i].count; k++) {
            *((double *)((char *)&wanted + cases[i].at) + k) = 0.25;
        }
        wanted.name = own.name;
        assert_memory_equal(&own, &wanted, sizeof own);
        rct_model_free(model);
        rct_model_free(base);
        rct_ensemble_free(ensemble);
    }
}

static void refused(const char *path, double a, double b, int64_t count, rct_variation_type type,
                    const char *says)
{
    rct_error error = {.text = ""};
    const rct_variation v = {path, type, a, b, count};
    const rct_ensemble_options options = {0, 1, 1, &v, 0.0};
    assert_null(make(&options, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    if (strstr(error.text, says) == NULL || strchr(error.text, '\n') != NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
}

static void test_wrong_paths_are_named(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"mass", "names nothing"},
        {"gravity[3]", "[0] to [2]"},
        {"gravity[x]", "names nothing"},
        {"bodies.slider", "mass, com, inertia"},
        {"bodies.slider.mas", "mass, com, inertia"},
        {"bodies.slider.mass[1]", "this is a single number; leave the index out"},
        {"bodies.nobody.mass", "the 4 bodies are called slider, arm.left, body2"},
        {"bodies.body1.mass", "no body has that name"},
        {"bodies.slider.hinge.pitch", "a planar hinge does not use hinge.pitch"},
        {"bodies.*.hinge.stiffness[3]", "[0] to [2]"},
        {"bodies.arm.left.initial.rate", "a ball hinge does not use"},
        {"forces.2.stiffness", "give forces.K.FIELD, K from 0 to 1"},
        {"forces.x.stiffness", "give forces.K.FIELD, K from 0 to 1"},
        {"forces.0.stiffness", "this wrench has the fields at, force, moment"},
        {"forces.1.force", "this spring has the fields at, other_at, stiffness, damping, length"},
        {"forces.1.length[1]", "this is a single number;"},
        {"bodies.arm.left.hinge.damping[3]", "[0] to [2]"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        refused(wrong[i][0], 1.0, 2.0, 2, RCT_VARY_GRID, wrong[i][1]);
        refused(wrong[i][0], 1.0, 2.0, 2, RCT_VARY_GRID, wrong[i][0]);
    }
    refused("gravity[0]", 0.0, INFINITY, 2, RCT_VARY_GRID, "must be finite");
    refused("gravity[0]", -1e308, 1e308, 2, RCT_VARY_GRID, "must be finite");
    refused("gravity[0]", 0.0, 1.0, 0, RCT_VARY_GRID, "at least 1 value");
    refused("gravity[0]", 0.0, -1.0, 0, RCT_VARY_NORMAL, "deviation");
    refused("gravity[0]", 1.0, 0.0, 0, RCT_VARY_UNIFORM, "lower bound first");
    refused("gravity[0]", 0.0, 1.0, 1, (rct_variation_type)7, "type is unknown");
    refused(NULL, 0.0, 1.0, 1, RCT_VARY_GRID, "no path");
}

static void expect(const rct_ensemble_options *options, rct_status status, const char *says)
{
    rct_error error = {.text = ""};
    assert_null(make(options, &error));
    assert_int_equal(error.status, status);
    if (strstr(error.text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
}

static void test_wrong_members_are_refused(void **state)
{
    (void)state;
    const rct_variation v[] = {{"gravity[0]", RCT_VARY_GRID, 0.0, 1.0, INT64_C(1) << 40},
                               {"gravity[1]", RCT_VARY_GRID, 0.0, 1.0, INT64_C(1) << 40},
                               {"gravity[2]", RCT_VARY_GRID, 0.0, 1.0, 4}};
    expect(&(rct_ensemble_options){0, 1, 2, v, 0.0}, RCT_ERROR_ARGUMENT, "than can be counted");
    expect(&(rct_ensemble_options){6, 1, 1, v + 2, 0.0}, RCT_ERROR_ARGUMENT, "have 4 points");
    expect(&(rct_ensemble_options){-4, 1, 1, v + 2, 0.0}, RCT_ERROR_ARGUMENT, "multiple");
    expect(&(rct_ensemble_options){8, 1, 1, v + 2, 0.0}, RCT_ERROR_ARGUMENT, "would differ");
    expect(&(rct_ensemble_options){8, 1, 1, v + 2, -0.5}, RCT_ERROR_ARGUMENT, "perturb is -0.5");
    expect(&(rct_ensemble_options){8, 1, 1, v + 2, NAN}, RCT_ERROR_ARGUMENT, "perturb is");
    const rct_ensemble_options four = {0, 1, 1, v + 2, 0.0};
    rct_ensemble *ensemble = made(&four);
    rct_error error;
    rct_variation copy;
    double value;
    assert_int_equal(rct_ensemble_parameters(ensemble, 4, &value, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "members 0 to 3"));
    assert_null(rct_ensemble_model(ensemble, -1, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_ensemble_variation(ensemble, 1, &copy, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_ensemble_variation(ensemble, 0, &copy, &error), RCT_OK);
    assert_true(strcmp(copy.path, "gravity[2]") == 0 && copy.count == 4);
    assert_int_equal(rct_ensemble_variations(ensemble), 1);
    rct_ensemble_free(ensemble);
    rct_ensemble_free(NULL);
    rct_model *empty = rct_model_create(NULL, NULL);
    assert_null(rct_ensemble_create(empty, NULL, &error));
    assert_int_equal(error.status, RCT_ERROR_MODEL);
    rct_model_free(empty);
}

/* Perturbed starts of a family are those of the family except for the draws, with the requested
 * size. */
static void test_perturbed_starts(void **state)
{
    (void)state;
    rct_ensemble_options options = {50, 3, 0, NULL, 0.25};
    rct_ensemble *ensemble = made(&options);
    double turned = 0.0, shifted = 0.0, spun = 0.0;
    for (int64_t k = 0; k < 50; k++) {
        rct_model *model = rct_ensemble_model(ensemble, k, NULL);
        rct_body slider, ball;
        rct_model_body(model, 0, &slider, NULL);
        rct_model_body(model, 1, &ball, NULL);
        turned = larger(turned, 2.0 * acos(fmin(1.0, fabs(ball.orientation[0]))));
        shifted = larger(shifted, fabs(slider.position[0]));
        spun = larger(spun, fabs(slider.rate[2]));
        rct_model_free(model);
    }
    assert_true(turned > 0.2 && turned <= 0.25);
    assert_true(shifted > 0.02 && shifted <= 0.025);
    assert_true(spun > 0.2 && spun <= 0.25);
    rct_ensemble_free(ensemble);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_bits_are_those_of_philox),
        cmocka_unit_test(test_draws_have_their_distributions),
        cmocka_unit_test(test_a_draw_depends_on_seed_and_member),
        cmocka_unit_test(test_grids_combine),
        cmocka_unit_test(test_paths_name_numbers),
        cmocka_unit_test(test_wrong_paths_are_named),
        cmocka_unit_test(test_wrong_members_are_refused),
        cmocka_unit_test(test_perturbed_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
