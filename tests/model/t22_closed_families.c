/* Families with loops: their layout, loops closed at the start and open when perturbed; sizes and
 * hinges that they refuse. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/larger.h"
#include "tests/support/systems/closed_system.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int32_t smallest, step, bodies_a_loop; /* 0: one loop in all */
    rct_hinge_type hinges[2];
    rct_loop_type loops[2];
    int freedoms[2]; /* of the smallest */
} known[] = {
    {"fourbars",
     3,
     2,
     2,
     {RCT_HINGE_BALL, RCT_HINGE_REVOLUTE},
     {RCT_LOOP_PLANAR_REVOLUTE, RCT_LOOP_PLANAR_REVOLUTE},
     {1, 1}},
    {"ladder",
     3,
     3,
     3,
     {RCT_HINGE_BALL, RCT_HINGE_REVOLUTE},
     {RCT_LOOP_BALL, RCT_LOOP_PLANAR_REVOLUTE},
     {6, 1}},
    {"necklace", 3, 1, 0, {RCT_HINGE_BALL, RCT_HINGE_BALL}, {RCT_LOOP_BALL, RCT_LOOP_BALL}, {6, 6}},
    {"hub",
     3,
     2,
     2,
     {RCT_HINGE_BALL, RCT_HINGE_REVOLUTE},
     {RCT_LOOP_BALL, RCT_LOOP_PLANAR_REVOLUTE},
     {9, 3}},
};

enum { KNOWN = sizeof known / sizeof known[0] };

static rct_model *make(rct_family family)
{
    rct_error error;
    rct_model *model = rct_model_generate(&family, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(rct_model_check(model, NULL), RCT_OK);
    return model;
}

static rct_family family_of(int i, int variant, int64_t bodies)
{
    rct_family family = rct_family_default();
    family.family = known[i].name;
    family.bodies = bodies;
    family.hinge = known[i].hinges[variant];
    return family;
}

static rct_body get(const rct_model *model, int32_t id)
{
    rct_body body;
    assert_int_equal(rct_model_body(model, id, &body, NULL), RCT_OK);
    return body;
}

static rct_loop get_loop(const rct_model *model, int32_t number)
{
    rct_loop loop;
    assert_int_equal(rct_model_loop(model, number, &loop, NULL), RCT_OK);
    return loop;
}

/* The largest phi and phi'. */
static void measure(const rct_model *model, double *gap, double *speed)
{
    closed_system s = closed_system_create(model, 0.0);
    const rct_closure_rows *rows = s.problem.rows;
    assert_true(rows->count > 0);
    *gap = *speed = 0.0;
    for (int32_t r = 0; r < rows->count; r++) {
        *gap = larger(*gap, fabs(rows->phi[r]));
        *speed = larger(*speed, fabs(rows->speed[r]));
    }
    closed_system_free(&s);
}

static void test_closed_at_many_sizes(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * KNOWN; i++) {
        const int k = i / 2, variant = i % 2;
        for (int32_t n = known[k].smallest; n < 2000; n += known[k].step * (1 + n / 5)) {
            double gap, speed;
            rct_model *model = make(family_of(k, variant, n));
            const int32_t loops = known[k].bodies_a_loop > 0 ? n / known[k].bodies_a_loop : 1;
            assert_string_equal(rct_model_name(model), known[k].name);
            assert_int_equal(rct_model_body_count(model), n);
            assert_int_equal(rct_model_loop_count(model), loops);
            for (int32_t c = 0; c < loops; c++) {
                assert_int_equal(get_loop(model, c).type, known[k].loops[variant]);
            }
            measure(model, &gap, &speed);
            const double long_way = known[k].bodies_a_loop > 0 ? 1.0 : n * sqrt(n);
            if (!(gap < 1e-15 * long_way && speed < 2e-15)) {
                fail_msg("%s of %d: closed to %g, rates to %g", known[k].name, (int)n, gap, speed);
            }
            rct_model_free(model);
        }
    }
}

static void test_freedoms_of_the_smallest(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * KNOWN; i++) {
        const int k = i / 2, variant = i % 2;
        rct_model *model = make(family_of(k, variant, known[k].smallest));
        closed_system s = closed_system_create(model, 0.0);
        double *numbers = calloc((size_t)(2 * s.problem.rows->count + s.rates), sizeof *numbers);
        double *lambda = numbers + s.problem.rows->count, *change = lambda + s.problem.rows->count;
        const int32_t rank = closed_system_answer(&s, numbers, lambda, change);
        assert_int_equal(rank, s.problem.rows->count);
        assert_int_equal(s.rates - rank, known[k].freedoms[variant]);
        free(numbers);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* Bodies upright and horizontal in turn, unit rods, the tops at 1 m/s along x. */
static void test_fourbars(void **state)
{
    (void)state;
    rct_model *model = make(family_of(0, 0, 9));
    double gravity[3];
    closed_system s = closed_system_create(model, 0.0);
    rct_model_gravity(model, gravity);
    assert_true(gravity[0] == 0.0 && gravity[1] == -9.81 && gravity[2] == 0.0);
    for (int32_t i = 0; i < 9; i++) {
        const rct_body body = get(model, i);
        const int lies = i % 2, along = lies ? 0 : 1;
        assert_int_equal(body.hinge, RCT_HINGE_REVOLUTE);
        assert_int_equal(body.parent, lies ? i - 1 : RCT_GROUND);
        assert_true(body.mass == 1.0 && body.com[along] == 0.5 && body.com[1 - along] == 0.0);
        for (int k = 0; k < 3; k++) {
            assert_true(k == along ? body.inertia[k] > 0.0 && body.inertia[k] < 0.01
                                   : body.inertia[k] == 1.0 / 12.0);
        }
        const double *at = s.state.position + 3 * i, *v = s.state.velocity + 3 * i;
        assert_true(at[0] == i / 2 && at[1] == lies && at[2] == 0.0);
        assert_true(v[0] == lies && v[1] == 0.0 && v[2] == 0.0);
        assert_true(s.state.angular_velocity[3 * i + 2] == (lies ? 0.0 : -1.0));
    }
    for (int32_t c = 0; c < 4; c++) {
        const rct_loop loop = get_loop(model, c);
        assert_true(loop.body == 2 * c + 1 && loop.other == 2 * c + 2);
    }
    closed_system_free(&s);
    rct_model_free(model);
}

static void test_ladder(void **state)
{
    (void)state;
    for (int variant = 0; variant < 2; variant++) {
        rct_model *model = make(family_of(1, variant, 12));
        closed_system s = closed_system_create(model, 0.0);
        for (int32_t i = 0; i < 12; i++) {
            const int level = i / 3, rung = i % 3 == 2;
            const double *at = s.state.position + 3 * i, *v = s.state.velocity + 3 * i;
            assert_int_equal(get(model, i).hinge, known[1].hinges[variant]);
            assert_true(at[0] == (i % 3 == 1) && at[1] == 0.0 && at[2] == -(level + rung));
            assert_true(v[0] == -(level + rung) && v[1] == 0.0 && v[2] == 0.0);
            assert_true(s.state.angular_velocity[3 * i + 1] == (rung ? 0.0 : 1.0));
        }
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* Corners of a regular polygon of unit sides that hangs by one of them: its centre is below, at the
 * same distance from all. */
static void test_necklace(void **state)
{
    (void)state;
    for (int32_t n = 3; n < 40; n += 6) {
        rct_model *model = make(family_of(2, 0, n));
        closed_system s = closed_system_create(model, 0.0);
        const double radius = 0.5 / sin(acos(-1.0) / n);
        for (int32_t i = 0; i < n; i++) {
            const double *at = s.state.position + 3 * i;
            assert_true(fabs(hypot(at[0], at[2] + radius) - radius) < 1e-13 && at[1] == 0.0);
            assert_int_equal(get(model, i).parent, i - 1);
        }
        assert_int_equal(rct_model_find_loop(model, "clasp"), 0);
        closed_system_free(&s);
        rct_model_free(model);
    }
    double gap, speed;
    rct_model *model = make(family_of(2, 0, 10000));
    measure(model, &gap, &speed);
    assert_true(gap < 1e-9 && speed == 0.0);
    rct_model_free(model);
}

/* A disc, to whose rim arms lead from as many corners of a regular polygon, all of them on a circle
 * of 2 m on the ground. */
static void test_hub(void **state)
{
    (void)state;
    for (int variant = 0; variant < 2; variant++) {
        rct_model *model = make(family_of(3, variant, 15));
        closed_system s = closed_system_create(model, 0.0);
        assert_int_equal(rct_model_find_body(model, "hub"), 0);
        assert_int_equal(get(model, 0).hinge, variant == 0 ? RCT_HINGE_FREE : RCT_HINGE_PLANAR);
        assert_true(s.state.angular_velocity[1] == 1.0);
        for (int32_t i = 1; i < 15; i++) {
            const int first = i % 2;
            const double *at = s.state.position + 3 * i, *v = s.state.velocity + 3 * i;
            assert_int_equal(get(model, i).hinge, known[3].hinges[variant]);
            assert_int_equal(get(model, i).parent, first ? RCT_GROUND : i - 1);
            assert_true(fabs(hypot(at[0], at[2]) - (first ? 2.0 : sqrt(5.0))) < 1e-15);
            assert_true(fabs(at[1]) < 1e-15 && fabs(hypot(v[0], v[2]) - !first) < 2e-15);
            assert_true(fabs(s.state.angular_velocity[3 * i + 1] - (first ? 1.0 : -1.0)) < 1e-15);
        }
        for (int32_t i = 0; i < 7; i++) {
            const rct_loop loop = get_loop(model, i);
            assert_true(loop.other == 0 && loop.body == 2 * i + 2);
            assert_true(fabs(hypot(loop.other_at[0], loop.other_at[2]) - sqrt(2.0)) < 1e-15);
        }
        closed_system_free(&s);
        rct_model_free(model);
    }
}

static int same_start(const rct_body *a, const rct_body *b)
{
    return memcmp(a->orientation, b->orientation, sizeof a->orientation) == 0 &&
           memcmp(a->position, b->position, sizeof a->position) == 0 &&
           memcmp(a->rate, b->rate, sizeof a->rate) == 0 &&
           memcmp(a->angular_velocity, b->angular_velocity, sizeof a->angular_velocity) == 0;
}

/* System k is that of seed + k, with loops shifted with the bodies; a perturbation opens the loops
 * a little. */
static void test_systems_and_perturbation(void **state)
{
    (void)state;
    enum { SYSTEMS = 3, BODIES = 9, SEED = 5 };
    for (int i = 0; i < 2 * KNOWN; i++) {
        double gap, speed;
        rct_family family = family_of(i / 2, i % 2, BODIES);
        family.seed = SEED;
        family.perturb = 0.01;
        family.systems = SYSTEMS;
        rct_model *all = make(family);
        const int32_t loops = rct_model_loop_count(all) / SYSTEMS;
        assert_int_equal(rct_model_body_count(all), SYSTEMS * BODIES);
        for (int32_t k = 0; k < SYSTEMS; k++) {
            family.systems = 1;
            family.seed = SEED + (uint64_t)k;
            rct_model *one = make(family);
            for (int32_t b = 0; b < BODIES; b++) {
                const rct_body alone = get(one, b), among = get(all, k * BODIES + b);
                const int root = alone.parent == RCT_GROUND;
                assert_true(same_start(&alone, &among));
                assert_int_equal(among.parent, root ? RCT_GROUND : alone.parent + k * BODIES);
            }
            for (int32_t c = 0; c < loops; c++) {
                const rct_loop alone = get_loop(one, c), among = get_loop(all, k * loops + c);
                assert_int_equal(among.body, alone.body + k * BODIES);
                assert_int_equal(among.other, alone.other + k * BODIES);
                char name[32];
                snprintf(name, sizeof name, "system%d.clasp", (int)k);
                assert_true(alone.name == NULL ? among.name == NULL
                                               : strcmp(among.name, name) == 0);
            }
            measure(one, &gap, &speed);
            assert_true(gap > 1e-5 && gap < 0.1 && speed > 1e-5 && speed < 0.2);
            rct_model_free(one);
        }
        rct_model_free(all);
    }
}

static void expect_error(rct_family family, const char *says)
{
    rct_error error;
    assert_null(rct_model_generate(&family, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    if (strstr(error.text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
}

static void test_refused(void **state)
{
    (void)state;
    expect_error(family_of(0, 0, 2), "family fourbars: 2 bodies are too few; the smallest has 3");
    expect_error(
        family_of(0, 0, 4),
        "family fourbars: it cannot have 4 bodies; it has 3, 5, 7 and so on; give 5 bodies");
    expect_error(family_of(1, 0, 2), "2 bodies are too few; the smallest has 3");
    expect_error(
        family_of(1, 1, 10),
        "family ladder: it cannot have 10 bodies; it has 3, 6, 9 and so on; give 9 bodies");
    expect_error(family_of(2, 0, 2), "2 bodies are too few; the smallest has 3");
    for (int i = 0; i < KNOWN; i++) {
        for (int type = 0; type < RCT_HINGE_FREE; type++) {
            char says[96];
            rct_family family = family_of(i, 0, 9);
            family.hinge = (rct_hinge_type)type;
            snprintf(says, sizeof says, "its loops would not close with %s hinges; give %s",
                     rct_hinge_name(family.hinge), i < 2 ? "ball or revolute" : "ball");
            if (family.hinge != known[i].hinges[0] && family.hinge != known[i].hinges[1]) {
                expect_error(family, says);
            }
        }
    }
}

static void test_short_memory_is_an_error(void **state)
{
    (void)state;
    for (int i = 0; i < KNOWN; i++) {
        const rct_family family = family_of(i, 0, 63);
        rct_model *model = NULL;
        int failures = 0;
        for (int64_t k = 0; model == NULL; k++, failures++) {
            rct_error error = {.status = RCT_OK};
            rct_allocate_fail_after(k);
            model = rct_model_generate(&family, &error);
            rct_allocate_fail_after(-1);
            assert_int_equal(error.status, model == NULL ? RCT_ERROR_MEMORY : RCT_OK);
        }
        assert_true(failures > 5);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_at_many_sizes),
        cmocka_unit_test(test_freedoms_of_the_smallest),
        cmocka_unit_test(test_fourbars),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_necklace),
        cmocka_unit_test(test_hub),
        cmocka_unit_test(test_systems_and_perturbation),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
