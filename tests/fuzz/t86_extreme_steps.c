/* A step of rk4 for systems at the ends of the physical range ends in an error, or agrees with the
 * same step by accelerations of the refined Lagrangian system, up to the effect of rounding in the
 * system (extreme_rounded). Only hinges whose coordinates are integrals of their rates. */
#include "tests/fuzz/extreme_truth.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include <riccatree/reference.h>

#include <math.h>
#include <string.h>

enum { SYSTEMS = 120, WAYS = 3 };

typedef struct state {
    double q[EXTREME_RATES], u[EXTREME_RATES];
    int64_t count;
} state;

/* The start of a model; fails for hinges other than those above. */
static state start_of(const rct_model *model)
{
    state s = {.count = 0};
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        if (body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE) {
            return (state){.count = 0};
        }
        for (int i = 0; i < rct_hinge_freedoms(body.hinge); i++, s.count++) {
            s.q[s.count] = body.position[i];
            s.u[s.count] = body.rate[i];
        }
    }
    return s;
}

/* For each rate: the rate and the change of its coordinate after a step of *context. */
static rct_status refer_step(const rct_model *model, const void *context, double *numbers)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    const double dt = *(const double *)context;
    const state start = start_of(model);
    state now = start, end = start;
    rct_status status = RCT_OK;
    for (int k = 0; k < 4 && status == RCT_OK; k++) {
        double a[EXTREME_RATES], rates[EXTREME_RATES];
        rct_reference_result result = {.derivatives = a};
        status = rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, 0.0, now.q, now.u,
                                           &result, NULL);
        memcpy(rates, now.u, sizeof rates);
        for (int64_t i = 0; i < start.count && status == RCT_OK; i++) {
            end.q[i] += dt / 6.0 * weight[k] * rates[i];
            end.u[i] += dt / 6.0 * weight[k] * a[i];
            now.q[i] = start.q[i] + dt * at[(k + 1) % 4] * rates[i];
            now.u[i] = start.u[i] + dt * at[(k + 1) % 4] * a[i];
        }
    }
    for (int64_t i = 0; i < start.count; i++) {
        numbers[2 * i] = end.u[i];
        numbers[2 * i + 1] = end.q[i] / dt;
    }
    return status;
}

/* So short that no coordinate changes much: by rates and accelerations. */
static double step_of(const rct_model *model, const state *s)
{
    double a[EXTREME_NUMBERS], fastest = 1.0;
    const int known = extreme_derivatives(model, NULL, a) == RCT_OK;
    for (int64_t i = 0; i < s->count; i++) {
        fastest = larger(fastest, fmax(fabs(s->u[i]), known ? sqrt(fabs(a[i])) : 0.0));
    }
    return 1e-2 / fastest;
}

static const extreme_way ways[WAYS] = {{RCT_METHOD_ABI, RCT_SEGMENT_AUTO, 0, 0, 20},
                                       {RCT_METHOD_RICCATI, 0, 1, 1, 20},
                                       {RCT_METHOD_ABI, RCT_SEGMENT_WHOLE, 2, 0, 20}};

typedef struct count {
    int answered, refused, unknown;
    double worst;
} count;

static void try_way(count *c, const extreme_truth *t, const rct_model *model,
                    const extreme_way *way, double dt, uint64_t seed)
{
    rct_error error = {.text = ""};
    const rct_solver_options options = extreme_options(way);
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver != NULL && rct_solver_step(solver, dt, 1, &error) == RCT_OK) {
        state end;
        double found[EXTREME_NUMBERS];
        rct_solver_get_coordinates(solver, end.q, end.u);
        for (int64_t i = 0; i < t->rates; i++) {
            found[2 * i] = end.u[i];
            found[2 * i + 1] = end.q[i] / dt;
        }
        const double off = extreme_truth_off(t, found);
        if (!(off <= way->margin)) {
            fail_msg("system %d, %s, segment %d: off by %g times what rounding explains", (int)seed,
                     rct_method_name(way->method), (int)way->segment, off);
        }
        c->worst = larger(c->worst, off);
        c->answered++;
    } else {
        extreme_expect_refusal(&error, seed);
        c->refused++;
    }
    rct_solver_free(solver);
}

static void try_all(double hard)
{
    count c = {.answered = 0};
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        extreme_truth t;
        rct_model *model = extreme_system(seed, hard);
        const state start = start_of(model);
        const double dt = step_of(model, &start);
        if (start.count > 0 && extreme_truth_find(&t, model, 2, refer_step, &dt)) {
            for (int w = 0; w < WAYS; w++) {
                try_way(&c, &t, model, &ways[w], dt, seed);
            }
        } else {
            c.unknown++;
        }
        rct_model_free(model);
    }
    print_message("hard %g: %d steps, worst %.3g; %d refused; %d systems without\n", hard,
                  c.answered, c.worst, c.refused, c.unknown);
    assert_true(c.answered > SYSTEMS && c.refused < SYSTEMS / 10);
}

static void test_ordinary(void **unused)
{
    (void)unused;
    try_all(0.0);
}

static void test_hard(void **unused)
{
    (void)unused;
    try_all(0.5);
}

static void test_extreme(void **unused)
{
    (void)unused;
    try_all(1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ordinary),
        cmocka_unit_test(test_hard),
        cmocka_unit_test(test_extreme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
