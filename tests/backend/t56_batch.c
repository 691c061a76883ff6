/* Many systems in one model: on every backend each system moves as it does alone on that
 * backend. */
#include "tests/support/cmocka_all.h"
#include "tests/support/device/accelerator.h"

#include "tests/support/larger.h"
#include "tests/support/systems/tree_families.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 2, NUMBERS = 16, SEED = 11 }; /* numbers of a body in a result */
enum { STATE = 3 };                          /* the part of a result where states begin */

static rct_model *batch_of(const char *name, int64_t bodies, uint64_t seed, int64_t systems)
{
    const rct_family family = {.family = name,
                               .bodies = bodies,
                               .hinge = RCT_HINGE_BALL,
                               .seed = seed,
                               .perturb = 1.0,
                               .systems = systems};
    rct_error error;
    rct_model *model = rct_model_generate(&family, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

/* Accelerations and forces (9 a body), and the state after STEPS steps (7). */
static double *result_of(const rct_model *model, const rct_solver_options *options)
{
    const int64_t n = rct_model_body_count(model);
    rct_error error;
    rct_solver *solver = rct_solver_create(model, options, &error);
    double *r = malloc((size_t)(NUMBERS * n) * sizeof *r);
    if (solver == NULL || r == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_accelerations(solver, r, r + 3 * n);
    rct_solver_get_hinge_forces(solver, r + 6 * n, NULL);
    if (rct_solver_step(solver, 1e-3, STEPS, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_state(solver, r + 9 * n, r + 13 * n, NULL, NULL);
    rct_solver_free(solver);
    return r;
}

static const struct part {
    int64_t from, width;
    double least;
} parts[] = {{0, 3, 9.81}, {3, 3, 9.81}, {6, 3, 1.0}, {9, 4, 1.0}, {13, 3, 1.0}};

/* Compares the rows of the system from body `first` on, among n bodies, with the rows of that
 * system alone. */
static double difference(const double *all, int64_t n, int64_t first, const double *alone,
                         int64_t bodies, size_t part)
{
    double most = 0.0;
    for (size_t k = part; k < sizeof parts / sizeof parts[0]; k++) {
        const double *a = all + parts[k].from * n + parts[k].width * first;
        const double *b = alone + parts[k].from * bodies;
        double apart = 0.0, scale = parts[k].least;
        for (int64_t i = 0; i < parts[k].width * bodies; i++) {
            apart = larger(apart, fabs(a[i] - b[i]));
            scale = larger(scale, fabs(b[i]));
        }
        most = larger(most, apart / scale);
    }
    return most;
}

/* The allowed difference of states: zero if systems are swept whole and nothing is contracted,
 * because abi does the same operations in the same order in every lane. */
static double allowed(int64_t bodies, int64_t systems, rct_method method)
{
#ifdef RCT_STRICT
    if (method == RCT_METHOD_ABI && (bodies < 16 || 32 * bodies < systems * bodies)) {
        return 0.0;
    }
#endif
    (void)bodies;
    (void)systems;
    (void)method;
    return 1e-12;
}

/* Every system of a batch against the same system alone, swept serially. */
static void check(const char *name, int64_t bodies, int64_t systems, rct_method method,
                  const char *backend)
{
    rct_model *batch = batch_of(name, bodies, SEED, systems);
    const rct_solver_options options = {
        .method = method, .backend = backend, .segment = RCT_SEGMENT_AUTO};
    const rct_solver_options serial = {.method = method, .backend = backend, .segment = 0};
    double *all = result_of(batch, &options);
    double *again = result_of(batch, &options);
    assert_memory_equal(all, again, (size_t)(NUMBERS * systems * bodies) * sizeof *all);
    for (int64_t k = 0; k < systems; k++) {
        rct_model *one = batch_of(name, bodies, SEED + (uint64_t)k, 1);
        double *alone = result_of(one, &serial);
        const double off = difference(all, systems * bodies, k * bodies, alone, bodies, 0);
        const double moved = difference(all, systems * bodies, k * bodies, alone, bodies, STATE);
        if (!(off <= 1e-12 && moved <= allowed(bodies, systems, method))) {
            fail_msg("%s of %" PRId64 ", %s on %s: system %" PRId64 " of %" PRId64 " is off %.2e",
                     name, bodies, rct_method_name(method), backend, k, systems, off);
        }
        free(alone);
        rct_model_free(one);
    }
    free(all);
    free(again);
    rct_model_free(batch);
}

static void check_backend(const char *backend)
{
    const char *const *names = tree_families;
    static const int64_t sizes[] = {1, 2, 33};
    for (int k = 0; names[k] != NULL; k++) {
        for (int i = 0; i < 3; i++) {
            check(names[k], 12, sizes[i], RCT_METHOD_ABI, backend);
            check(names[k], 12, sizes[i], RCT_METHOD_RICCATI, backend);
        }
    }
    check("chain", 32, 100, RCT_METHOD_ABI, backend);
    check("random", 150, 7, RCT_METHOD_ABI, backend);
    check("chain", 700, 3, RCT_METHOD_RICCATI, backend);
    check("binary", 8, 1000, RCT_METHOD_ABI, backend);
    check("chain", 8, 1000, RCT_METHOD_RICCATI, backend);
}

static void test_each_system_moves_as_it_does_alone(void **state)
{
    (void)state;
    rct_backend_info info;
    for (int k = 0; rct_backend_describe(k, &info, NULL) == RCT_OK; k++) {
        if (info.available) {
            check_backend(info.name);
        } else {
            print_message("%s skipped: %s\n", info.name, info.reason);
        }
    }
}

/* An error names the failing system, whatever stands beside it. */
static void test_the_system_at_fault_is_named(void **state)
{
    (void)state;
    rct_error error;
    rct_model *batch = batch_of("chain", 32, SEED, 100);
    const char *device = accelerator();
    const rct_solver_options options = {.backend = device != NULL ? device : "cpu",
                                        .segment = RCT_SEGMENT_AUTO};
    rct_solver *solver = rct_solver_create(batch, &options, &error);
    const int32_t n = rct_model_body_count(batch), bad = 32 * 57 + 5;
    double *q = malloc(4 * (size_t)n * sizeof *q), *w = malloc(3 * (size_t)n * sizeof *w);
    assert_true(solver != NULL && q != NULL && w != NULL);
    rct_solver_get_state(solver, q, w, NULL, NULL);
    w[3 * bad] = 1e200;
    assert_int_equal(rct_solver_set_state(solver, q, w, &error), RCT_OK);
    assert_int_equal(rct_solver_step(solver, 1e-3, 1, &error), RCT_ERROR_DIVERGED);
    assert_true(error.body / 32 == 57);
    rct_solver_free(solver);
    rct_model_free(batch);
    free(q);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_system_moves_as_it_does_alone),
        cmocka_unit_test(test_the_system_at_fault_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
