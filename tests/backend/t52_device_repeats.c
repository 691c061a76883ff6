/* An accelerator gives the same bits for every run: repeated, in one call or many, on a machine of
 * another size, and, emulated, in every order of threads, warps and blocks. In strict builds these
 * are the golden bits, on any device. They differ from the bits of the cpu, which cuts paths
 * elsewhere. Skipped where the cpu is the only backend. */
#include "tests/support/cmocka_all.h"
#include "tests/support/device/accelerator.h"
#include "tests/support/device/emulated.h"
#include "tests/support/systems/random_system.h"
#include "tests/support/systems/tree_families.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 600, STEPS = 3, METHODS = 2, JUNCTIONS = 2 };

static rct_model *family_of(const char *name)
{
    const rct_family family = {
        .family = name, .bodies = BODIES, .hinge = RCT_HINGE_BALL, .seed = 3, .perturb = 1.0};
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    return model;
}

/* FNV-1a over the bits */
static uint64_t hash(uint64_t h, const double *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        for (int b = 0; b < 64; b += 8) {
            h = (h ^ (bits >> b & 0xff)) * UINT64_C(0x100000001b3);
        }
    }
    return h;
}

/* Accelerations and forces at the start, then states, points and measures after STEPS steps in
 * `calls` calls. */
static uint64_t run(const rct_model *model, const rct_solver_options *options, int64_t calls)
{
    double x[13 * BODIES];
    rct_error error;
    rct_measures m;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    rct_solver *solver = rct_solver_create(model, options, &error);
    if (solver == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_accelerations(solver, x, x + 3 * BODIES);
    h = hash(h, x, 6 * BODIES);
    rct_solver_get_hinge_forces(solver, x, x + 3 * BODIES);
    h = hash(h, x, 6 * BODIES);
    for (int64_t k = 0; k < calls; k++) {
        assert_int_equal(rct_solver_step(solver, 1e-4, STEPS / calls, NULL), RCT_OK);
    }
    rct_solver_get_state(solver, x, x + 4 * BODIES, x + 7 * BODIES, x + 10 * BODIES);
    rct_solver_measure(solver, &m);
    h = hash(h, x, 13 * BODIES);
    memcpy(x, &m, sizeof m); /* two energies, two vectors */
    h = hash(h, x, sizeof m / sizeof *x);
    rct_solver_free(solver);
    return h;
}

static rct_solver_options options_of(int method, int junction, int64_t segment)
{
    return (rct_solver_options){.method = (rct_method)method,
                                .backend = accelerator(),
                                .segment = segment,
                                .junction =
                                    junction == 0 ? RCT_JUNCTION_HOST : RCT_JUNCTION_DEVICE};
}

static void check(const rct_model *model, const char *what, int64_t segment)
{
    static const char *const modes[] = {"",
                                        "order=reverse",
                                        "order=random seed=1",
                                        "order=random seed=2 deferred",
                                        "order=random seed=3 multiprocessors=132",
                                        "poison=0 deferred"};
    const int kinds = emulated_or_none() != NULL ? 6 : 1;
    for (int k = 0; k < METHODS * JUNCTIONS; k++) {
        const rct_solver_options options = options_of(k % 2, k / 2, segment);
        const uint64_t h = run(model, &options, 1);
        for (int mode = 0; mode < kinds; mode++) {
            if (kinds > 1) {
                emulated_reset(modes[mode]);
            }
            const uint64_t again = run(model, &options, mode % 2 == 0 ? STEPS : 1);
            if (again != h) {
                fail_msg("%s, %s, junction %d: other bits, %s", what,
                         rct_method_name(options.method), k / 2, modes[mode]);
            }
        }
    }
    if (kinds > 1) {
        emulated_expect_clean();
        emulated_reset("");
    }
}

static void test_every_run_gives_the_same_bits(void **state)
{
    (void)state;
    const char *const *names = tree_families;
    for (int i = 0; names[i] != NULL && accelerator() != NULL; i++) {
        rct_model *model = family_of(names[i]);
        check(model, names[i], i % 2 == 0 ? 5 : RCT_SEGMENT_AUTO);
        rct_model_free(model);
    }
    for (int shape = SHAPE_TREE; shape <= SHAPE_STAR && accelerator() != NULL; shape++) {
        const random_system system = {.shape = (random_shape)shape,
                                      .bodies = BODIES,
                                      .fixed = 0.1,
                                      .shuffled = 1,
                                      .spin = 3.0,
                                      .seed = 52};
        rct_model *model = random_system_create(&system);
        assert_non_null(model);
        check(model, "random system", shape % 2 == 0 ? RCT_SEGMENT_AUTO : 3);
        rct_model_free(model);
    }
}

/* A change of these numbers changes the results of every user: give the reason in the commit. */
static void test_golden_bits(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t length;
        uint64_t hash[METHODS]; /* the same for the junction on host or device */
    } golden[] = {
        {"branch", 5, {UINT64_C(0xf6236d06e35dba86), UINT64_C(0xd6df1576eb3ed140)}},
        {"comb", RCT_SEGMENT_AUTO, {UINT64_C(0xd3b7cc38897fd3cf), UINT64_C(0x63de4f64b3da8262)}},
        {"binary", RCT_SEGMENT_AUTO, {UINT64_C(0x11e7d04c175130ff), UINT64_C(0xd1d3cf6c78a8b51b)}},
    };
    int others = 0;
    for (int i = 0; i < 3 && accelerator() != NULL; i++) {
        rct_model *model = family_of(golden[i].name);
        for (int k = 0; k < METHODS * JUNCTIONS; k++) {
            const rct_solver_options options = options_of(k % 2, k / 2, golden[i].length);
            const uint64_t h = run(model, &options, 1);
            if (h != golden[i].hash[k % 2]) {
                print_message("%s, %s, junction %d: the hash is %016" PRIx64 "\n", golden[i].name,
                              rct_method_name(options.method), k / 2, h);
                others++;
            }
        }
        rct_model_free(model);
    }
#ifdef RCT_STRICT
    assert_int_equal(others, 0);
#else
    assert_true(others >= 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_run_gives_the_same_bits),
        cmocka_unit_test(test_golden_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
