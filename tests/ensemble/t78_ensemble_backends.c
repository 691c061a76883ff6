/* On every backend a member of an ensemble has the bits it has alone. In strict builds, where
 * nothing is contracted, a device gives the bits of the processor if the links are swept in the
 * same rows: with abi, on hinges other than balls. */
#include "tests/support/cmocka_all.h"

#include "tests/support/files/collected.h"
#include "tests/support/must.h"

#include <riccatree/riccatree.h>

enum { MEMBERS = 40 };

static rct_ensemble *ensemble_of(const char *name, int64_t bodies, rct_hinge_type hinge)
{
    static const rct_variation v[] = {{"bodies.*.mass", RCT_VARY_UNIFORM, 0.5, 2.0, 0},
                                      {"gravity[1]", RCT_VARY_UNIFORM, -5.0, 5.0, 0},
                                      {"bodies.body1.initial.rate", RCT_VARY_GRID, 0.0, 1e200, 8}};
    return must_ensemble(must_family(name, bodies, hinge), MEMBERS, 0.5,
                         hinge == RCT_HINGE_BALL ? 2 : 3, v);
}

static rct_ensemble_run_options options_of(const char *backend)
{
    rct_ensemble_run_options options = collect_options(4, 0, 0, 2);
    options.solver.backend = backend;
    return options;
}

static void check(const char *backend, const char *name, rct_hinge_type hinge)
{
    rct_ensemble *ensemble = ensemble_of(name, 11, hinge);
    rct_ensemble_run_options options = options_of(backend);
    collected *all = collect(ensemble, options, RCT_OK, NULL);
    options.batch = 9;
    collected *parts = collect(ensemble, options, RCT_OK, NULL);
    options.batch = 0;
    for (int64_t k = 0; k < MEMBERS; k++) {
        assert_true(collected_equal(all, parts, k));
        if (hinge != RCT_HINGE_BALL) {
            assert_int_equal(all->member[k].status, k % 8 == 0 ? RCT_OK : RCT_ERROR_DIVERGED);
        }
    }
    for (int64_t k = 0; k < MEMBERS; k += 8) {
        options.first = k;
        options.count = 1;
        collected *one = collect(ensemble, options, RCT_OK, NULL);
        assert_true(collected_equal(all, one, k));
        collected_free(one);
    }
#ifdef RCT_STRICT
    if (hinge != RCT_HINGE_BALL) {
        collected *cpu = collect(ensemble, options_of("cpu"), RCT_OK, NULL);
        for (int64_t k = 0; k < MEMBERS; k += 8) {
            assert_memory_equal(all->member[k].numbers, cpu->member[k].numbers,
                                (size_t)(all->coordinates + all->rates) * sizeof(double));
        }
        collected_free(cpu);
    }
#endif
    collected_free(all);
    collected_free(parts);
    rct_ensemble_free(ensemble);
}

static void test_members_are_alike_on_every_backend(void **state)
{
    (void)state;
    rct_backend_info info;
    for (int32_t i = 0; rct_backend_describe(i, &info, NULL) == RCT_OK; i++) {
        if (info.available) {
            check(info.name, "chain", RCT_HINGE_BALL);
            check(info.name, "binary", RCT_HINGE_BALL);
            check(info.name, "chain", RCT_HINGE_REVOLUTE);
        } else {
            print_message("%s skipped: %s\n", info.name, info.reason);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_are_alike_on_every_backend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
