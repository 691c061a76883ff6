/* Systems in which elimination can lose digits: chains of 2,000 rods, straight and crumpled, fast,
 * thin, and of very unequal masses, against the refined Lagrangian system. The limits are the
 * reached errors with a margin of a small factor. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/solution.h"

#include <math.h>

enum { RODS = 2000 };

/* How the rods lie and turn. */
typedef enum pose {
    STRAIGHT, /* along x, turning about z  */
    HANGING,  /* down, turning about z     */
    LEANING,  /* all one way, turning      */
    SWINGING, /* a little apart, turning   */
    CRUMPLED, /* every which way, turning  */
} pose;

typedef enum masses {
    EQUAL,
    ALTERNATING, /* 1 kg, 1 mg          */
    HEAVY_THIRD, /* 1000 kg, 1 g, 1 g   */
    HEAVY_TIP,   /* 1 kg, the last 1 Gg */
} masses;

static double mass_of(masses kind, int32_t i)
{
    switch (kind) {
    case ALTERNATING: return i % 2 == 0 ? 1.0 : 1e-6;
    case HEAVY_THIRD: return i % 3 == 0 ? 1e3 : 1e-3;
    case HEAVY_TIP: return i == RODS - 1 ? 1e6 : 1.0;
    case EQUAL: break;
    }
    return 1.0;
}

static void lay(rct_body *body, pose kind, int32_t i)
{
    const double x = i + 1.0;
    double *q = body->orientation;
    double *w = body->angular_velocity;
    if (kind == STRAIGHT) {
        q[0] = sqrt(0.5), q[2] = -sqrt(0.5), w[2] = 10.0;
    } else if (kind == HANGING) {
        w[0] = 1.0, w[2] = 10.0;
    } else if (kind == LEANING) {
        q[1] = 0.1, w[0] = 1.0;
    } else if (kind == SWINGING) {
        q[1] = 0.1 * sin(78.2 * x), q[2] = 0.1 * cos(7.1 * x * x);
        w[0] = 0.3 * sin(1.1 * x), w[1] = 0.3 * sin(2.1 * x), w[2] = 5.0 * sin(3.1 * x);
    } else {
        q[0] = cos(12.9898 * x), q[1] = sin(78.2 * x);
        q[2] = cos(7.1 * x * x), q[3] = sin(31.7 * x * x);
        w[0] = 5.0 * sin(1.1 * x), w[1] = 5.0 * sin(2.1 * x), w[2] = 5.0 * sin(3.1 * x);
    }
}

static rct_model *chain(pose kind, masses weights, double radius)
{
    rct_model *model = rct_model_create("chain", NULL);
    for (int32_t i = 0; i < RODS; i++) {
        rct_body body = rct_body_default();
        body.parent = i - 1;
        body.hinge_at[2] = i == 0 ? 0.0 : -1.0;
        body.mass = mass_of(weights, i);
        body.com[2] = -0.5;
        body.inertia[0] = body.inertia[1] = body.mass * (3.0 * radius * radius + 1.0) / 12.0;
        body.inertia[2] = body.mass * radius * radius / 2.0;
        lay(&body, kind, i);
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

/* With the kernels of every hinge and load. */
static solution solution_by_rows(const rct_model *model, rct_method method)
{
    rct_solver_options options = rct_solver_options_default();
    options.method = method;
    options.user_forces = 1;
    rct_solver *solver = rct_solver_create(model, &options, NULL);
    assert_non_null(solver);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    const solution s = solution_of(solver);
    rct_solver_free(solver);
    return s;
}

static void expect(rct_model *model, double limit)
{
    solution truth = solution_by_reference(model);
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        solution both[2] = {solution_by(model, (rct_method)method),
                            solution_by_rows(model, (rct_method)method)};
        for (int k = 0; k < 2; k++) {
            const double difference = solution_difference(model, &both[k], &truth);
            if (!(difference <= limit)) {
                fail_msg("%s%s: %g from the reference", k > 0 ? "by rows: " : "",
                         rct_method_name((rct_method)method), difference);
            }
            solution_free(&both[k]);
        }
    }
    solution_free(&truth);
    rct_model_free(model);
}

static void test_straight_and_fast(void **state)
{
    (void)state;
    expect(chain(STRAIGHT, EQUAL, 0.05), 1e-14);
    expect(chain(HANGING, EQUAL, 0.05), 1e-13);
}

/* The tension of the whole chain acts along it: rounding of a direction has an effect in proportion
 * to the number of rods. */
static void test_leaning(void **state)
{
    (void)state;
    expect(chain(LEANING, EQUAL, 0.05), 1e-12);
}

static void test_swinging_and_crumpled(void **state)
{
    (void)state;
    expect(chain(SWINGING, EQUAL, 0.05), 1e-14);
    expect(chain(CRUMPLED, EQUAL, 0.05), 1e-14);
}

/* Radius 1 mm: a moment about the axis of 1e-16 N m would already be visible. */
static void test_thin_rods(void **state)
{
    (void)state;
    expect(chain(STRAIGHT, EQUAL, 1e-3), 1e-14);
    expect(chain(SWINGING, EQUAL, 1e-3), 1e-14);
    expect(chain(CRUMPLED, EQUAL, 1e-3), 1e-14);
}

static void test_unequal_neighbours(void **state)
{
    (void)state;
    expect(chain(CRUMPLED, ALTERNATING, 0.05), 1e-14);
}

/* Across its line a light rod resists with its own mass, along it with a million times more that it
 * carries; the difference of the two loses six digits. */
static void test_heavy_bodies_on_light_rods(void **state)
{
    (void)state;
    expect(chain(CRUMPLED, HEAVY_THIRD, 0.05), 1e-9);
    expect(chain(CRUMPLED, HEAVY_TIP, 0.05), 1e-9);
    expect(chain(SWINGING, HEAVY_TIP, 0.05), 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_and_fast),
        cmocka_unit_test(test_leaning),
        cmocka_unit_test(test_swinging_and_crumpled),
        cmocka_unit_test(test_thin_rods),
        cmocka_unit_test(test_unequal_neighbours),
        cmocka_unit_test(test_heavy_bodies_on_light_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
