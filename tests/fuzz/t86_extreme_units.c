/* Systems in units that differ by powers of two have the same numbers except for these powers, as
 * far as doubles reach: accelerations of ordinary systems in units from 2^-240 to 2^240 kg, m and s
 * are those in kg, m and s, or the state is refused. */
#include "tests/fuzz/extreme_truth.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"

#include "model/hinge_types.h"

#include <math.h>

enum { SYSTEMS = 1000, UNITS = 12, MOST = 240 };

/* How many of the new units are in a kg, m, s, and the factors of numbers of turns and slides. */
typedef struct units {
    double mass, length, time;
    double turn[2], effort[2]; /* [turns]: of coordinates, and of efforts a coordinate */
} units;

static units units_of(const int exponents[3])
{
    const double m = ldexp(1.0, exponents[0]), l = ldexp(1.0, exponents[1]),
                 t = ldexp(1.0, exponents[2]);
    return (units){
        m, l, t, {l, 1.0}, {ldexp(m, -2 * exponents[2]), ldexp(m * l * l, -2 * exponents[2])}};
}

static int in_range(double x)
{
    return isfinite(x) && (x == 0.0 || fabs(x) > 0x1p-960);
}

static int scale(double *numbers, int count, double by)
{
    int good = 1;
    for (int i = 0; i < count; i++) {
        numbers[i] *= by;
        good = good && in_range(numbers[i]);
    }
    return good;
}

/* A body in the new units; 0: some numbers lose digits. */
static int scale_body(rct_body *b, const units *u)
{
    const int absolute = b->hinge == RCT_HINGE_BALL || b->hinge == RCT_HINGE_FREE;
    int good = scale(&b->mass, 1, u->mass) & scale(b->com, 3, u->length) &
               scale(b->inertia, 6, u->mass * u->length * u->length) &
               scale(b->hinge_at, 3, u->length) & scale(&b->hinge_pitch, 1, u->length) &
               scale(b->angular_velocity, 3, 1.0 / u->time);
    for (int i = 0; i < 3; i++) {
        const int turns = b->hinge != RCT_HINGE_FREE && rct_hinge_turns(b->hinge, i);
        const double effort = absolute ? 0.0 : u->effort[turns];
        good &= scale(&b->position[i], 1, u->turn[turns]) &
                scale(&b->rate[i], 1, u->turn[turns] / u->time) &
                scale(&b->rest[i], 1, u->turn[turns]) & scale(&b->stiffness[i], 1, effort) &
                scale(&b->damping[i], 1, effort * u->time) &
                scale(&b->applied[i], 1, effort * u->turn[turns]) &
                scale(&b->armature[i], 1, effort * u->time * u->time);
    }
    return good;
}

/* NULL: some numbers lose digits. */
static rct_model *in_units(const rct_model *model, const units *u)
{
    rct_model *scaled = rct_model_create("scaled", NULL);
    double gravity[3];
    rct_model_gravity(model, gravity);
    int good = scale(gravity, 3, u->length / u->time / u->time) &&
               rct_model_set_gravity(scaled, gravity, NULL) == RCT_OK;
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_body body;
        rct_model_body(model, i, &body, NULL);
        good = scale_body(&body, u) && good;
        if (good) {
            must_add(scaled, &body);
        }
    }
    if (!good) {
        rct_model_free(scaled);
    }
    return good ? scaled : NULL;
}

/* The derivatives of a model's rates; another status: the model is refused. */
static rct_status derivatives_of(const rct_model *model, const extreme_way *way, double *found,
                                 uint64_t seed)
{
    const rct_solver_options options = extreme_options(way);
    rct_error error = {.status = RCT_OK, .text = ""};
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver != NULL && rct_solver_evaluate(solver, &error) == RCT_OK) {
        rct_solver_get_rate_derivatives(solver, found);
    } else {
        extreme_expect_refusal(&error, seed);
    }
    rct_solver_free(solver);
    return error.status;
}

/* Converts derivatives in the new units to kg, m and s. */
static void back(const rct_model *model, const units *u, double *numbers)
{
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        for (int i = 0; i < rct_hinge_freedoms(body.hinge); i++) {
            const int turns =
                body.hinge == RCT_HINGE_BALL ||
                (body.hinge == RCT_HINGE_FREE ? i < 3 : rct_hinge_turns(body.hinge, i));
            *numbers = *numbers / u->turn[turns] * u->time * u->time;
            numbers++;
        }
    }
}

static const extreme_way ways[] = {{RCT_METHOD_ABI, RCT_SEGMENT_AUTO, 0, 0, 0},
                                   {RCT_METHOD_RICCATI, RCT_SEGMENT_AUTO, 0, 0, 0},
                                   {RCT_METHOD_ABI, 2, 2, 0, 0},
                                   {RCT_METHOD_RICCATI, 2, 2, 0, 0},
                                   {RCT_METHOD_ABI, RCT_SEGMENT_WHOLE, 4, 1, 0},
                                   {RCT_METHOD_RICCATI, RCT_SEGMENT_WHOLE, 4, 1, 0}};

enum { WAYS = sizeof ways / sizeof ways[0] };

static double most_of(const double *numbers, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(numbers[i]));
    }
    return most;
}

/* How often a scaled system was answered, with which largest error, and how often it was
 * refused. */
typedef struct count {
    int answered, refused;
    double worst;
} count;

static void expect_same(count *c, const double *found, const double *truth, const extreme_way *way,
                        const int exponents[3], uint64_t seed)
{
    const double most = most_of(truth, EXTREME_RATES), size = most > 0.0 ? most : 1.0;
    for (int i = 0; i < EXTREME_RATES; i++) {
        const double off = fabs(found[i] - truth[i]) / size;
        c->worst = off <= c->worst ? c->worst : off;
        if (!(off < 1e-9)) {
            fail_msg("system %d, %s, segment %d, units 2^%d kg, 2^%d m, 2^%d s: rate %d has "
                     "%.17g, not %.17g",
                     (int)seed, rct_method_name(way->method), (int)way->segment, exponents[0],
                     exponents[1], exponents[2], i, found[i], truth[i]);
        }
    }
}

static void try_units(count *c, const rct_model *model, const extreme_way *way,
                      const int exponents[3], uint64_t seed)
{
    const units u = units_of(exponents);
    rct_model *scaled = in_units(model, &u);
    double truth[EXTREME_RATES] = {0.0}, found[EXTREME_RATES] = {0.0};
    if (scaled != NULL && derivatives_of(model, way, truth, seed) == RCT_OK) {
        if (derivatives_of(scaled, way, found, seed) == RCT_OK) {
            back(model, &u, found);
            expect_same(c, found, truth, way, exponents, seed);
            c->answered++;
        } else {
            c->refused++;
        }
    }
    rct_model_free(scaled);
}

static void test_units(void **state)
{
    (void)state;
    count c = {.answered = 0};
    for (uint64_t seed = 0; seed < SYSTEMS; seed += ONE_IN) {
        rct_model *model = extreme_system(seed, 0.0);
        uint64_t random = seed + 1000;
        for (int k = 0; k < UNITS; k++) {
            int exponents[3];
            for (int i = 0; i < 3; i++) {
                exponents[i] = (int)draw_between(&random, -MOST, MOST);
            }
            try_units(&c, model, &ways[(seed + (uint64_t)k) % WAYS], exponents, seed);
        }
        rct_model_free(model);
    }
    print_message("%d answered, worst %.3g, %d refused\n", c.answered, c.worst, c.refused);
    assert_true(c.answered > SYSTEMS / ONE_IN && c.refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
