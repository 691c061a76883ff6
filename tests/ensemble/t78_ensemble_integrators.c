/* Members with every integrator, each with its own masses and gravity: whatever members a solver
 * has had before, each gets the bits that it gets alone. */
#include "tests/support/cmocka_all.h"

#include "tests/support/must.h"

#include <string.h>

enum { MEMBERS = 6, BODIES = 4, MOST = 7 * BODIES };

typedef struct results {
    double coordinates[MEMBERS][MOST], rates[MEMBERS][MOST];
    int64_t count;
    int ball;
} results;

static rct_status keep(void *context, const rct_member_result *r, rct_error *error)
{
    results *to = context;
    (void)error;
    if (r->status != RCT_OK) {
        fail_msg("%s", r->text);
    }
    memcpy(to->coordinates[r->member], r->coordinates,
           (to->ball ? 4U : 1U) * BODIES * sizeof(double));
    memcpy(to->rates[r->member], r->rates, (to->ball ? 3U : 1U) * BODIES * sizeof(double));
    to->count++;
    return RCT_OK;
}

static void run(const rct_ensemble *ensemble, rct_integrator integrator, int64_t first,
                int64_t count, results *to)
{
    rct_ensemble_run_options options = rct_ensemble_run_options_default();
    rct_error error;
    options.first = first;
    options.count = count;
    options.steps = 40;
    options.threads = 1;
    options.solver.integrator = integrator;
    options.deliver = keep;
    options.context = to;
    if (rct_ensemble_run(ensemble, &options, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

static void test_members_are_what_each_is_alone(void **state)
{
    static const rct_variation variations[] = {
        {.path = "bodies.*.mass", .type = RCT_VARY_UNIFORM, .a = 0.5, .b = 2.0},
        {.path = "gravity[2]", .type = RCT_VARY_UNIFORM, .a = -9.81, .b = -1.0}};
    static results all, alone;
    (void)state;
    for (int hinge = 0; hinge < 2; hinge++) {
        rct_ensemble *ensemble = must_ensemble(
            must_family("chain", BODIES, hinge == 0 ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE), MEMBERS,
            0.5, 2, variations);
        for (int i = RCT_INTEGRATOR_RK4; i <= RCT_INTEGRATOR_CONSERVING; i++) {
            memset(&all, 0, sizeof all);
            memset(&alone, 0, sizeof alone);
            all.ball = alone.ball = hinge == 0;
            run(ensemble, (rct_integrator)i, 0, MEMBERS, &all);
            for (int64_t k = 0; k < MEMBERS; k++) {
                run(ensemble, (rct_integrator)i, k, 1, &alone);
            }
            assert_int_equal(all.count, MEMBERS);
            assert_memory_equal(&all, &alone, sizeof all);
            for (int64_t k = 1; k < MEMBERS; k++) {
                assert_memory_not_equal(all.rates[k], all.rates[k - 1], sizeof all.rates[k]);
            }
        }
        rct_ensemble_free(ensemble);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_members_are_what_each_is_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
