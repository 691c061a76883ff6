/* Solvers that share a device: each gives the bits that it gives alone, whatever another solver
 * does meanwhile. A larger and a smaller solver in turn; a solver that another thread makes,
 * evaluates, steps and frees while the first captures its step, in all relevant modes of the
 * emulation; several threads at once; several devices. */
#define _GNU_SOURCE /* setenv */
#include "tests/support/cmocka_all.h"

#include "backend/backend.h"
#include "tests/support/device/emulated.h"
#include "tests/support/must.h"

#include <riccatree/riccatree.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 4, THREADS = 3, ROUNDS = 3, STATE = 13 };

/* A system of this kind, by both methods, with ball hinges and others, as small trees on the ground
 * and with a trunk. `size`: 1 or more. */
static rct_model *model_of(int kind, int64_t size)
{
    rct_family family = rct_family_default();
    family.family = kind == 2 ? "random" : "branch";
    family.hinge = kind < 2 ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE;
    family.bodies = kind == 2 ? 12 : 40 * size;
    family.systems = kind == 2 ? size : 1;
    family.perturb = 0.1;
    return must_generate(&family);
}

static rct_solver *solver_of(const rct_model *model, int kind, const char *backend)
{
    const rct_solver_options options = {.method = kind == 1 ? RCT_METHOD_RICCATI : RCT_METHOD_ABI,
                                        .backend = backend,
                                        .segment = RCT_SEGMENT_AUTO,
                                        .junction = RCT_JUNCTION_DEVICE};
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        print_message("%s\n", error.text);
    }
    return solver;
}

/* Evaluates, makes two steps by a graph and one by another; the final state depends on all of
 * them. */
static double *go(rct_solver *solver, int64_t bodies)
{
    double *x = malloc((size_t)(STATE * bodies) * sizeof *x);
    rct_error error;
    if (x == NULL || rct_solver_evaluate(solver, &error) != RCT_OK ||
        rct_solver_step(solver, 1e-4, 2, &error) != RCT_OK ||
        rct_solver_step(solver, 2e-4, 1, &error) != RCT_OK) {
        print_message("%s\n", x == NULL ? "no memory" : error.text);
        free(x);
        return NULL;
    }
    rct_solver_get_state(solver, x, x + 4 * bodies, x + 7 * bodies, x + 10 * bodies);
    return x;
}

/* Makes, uses and frees a solver; NULL on any failure. */
static double *alone(const rct_model *model, int kind, const char *backend)
{
    rct_solver *solver = solver_of(model, kind, backend);
    double *x = solver != NULL ? go(solver, rct_model_body_count(model)) : NULL;
    rct_solver_free(solver);
    return x;
}

/* Frees both. */
static void expect_same(double *own, double *truth, int64_t bodies)
{
    assert_non_null(own);
    assert_non_null(truth);
    assert_memory_equal(own, truth, (size_t)(STATE * bodies) * sizeof *own);
    free(own);
    free(truth);
}

/* Kernel attributes set for the second solver must hold for the first. */
static void test_two_sizes(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        emulated_reset("lazy");
        rct_model *large = model_of(kind, 100), *small = model_of(kind, 1);
        double *truth = alone(large, kind, "cuda");
        rct_solver *first = solver_of(large, kind, "cuda");
        rct_solver *second = solver_of(small, kind, "cuda");
        assert_true(first != NULL && second != NULL);
        expect_same(go(first, rct_model_body_count(large)), truth, rct_model_body_count(large));
        expect_same(go(second, rct_model_body_count(small)), alone(small, kind, "cuda"),
                    rct_model_body_count(small));
        rct_solver_free(first);
        rct_solver_free(second);
        emulated_expect_clean();
        rct_model_free(large);
        rct_model_free(small);
    }
}

/* All kernels are loaded before the first capture, also the capture of a solver that was never
 * evaluated. */
static void test_nothing_loaded_in_a_capture(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        emulated_reset("lazy");
        rct_model *model = model_of(kind, 5);
        rct_solver *solver = solver_of(model, kind, "cuda");
        must_step(solver, 1e-4, 2);
        rct_solver_free(solver);
        emulated_expect_clean();
        rct_model_free(model);
    }
}

/* ---- two threads -------------------------------------------------------------------------- */

typedef struct labour {
    const rct_model *model;
    int kind, rounds;
    const char *backend;
    pthread_t thread;
    double *result; /* of the last round */
    int done;       /* rounds            */
} labour;

static void *work(void *with)
{
    labour *own = with;
    for (; own->done < own->rounds; own->done++) {
        free(own->result);
        own->result = alone(own->model, own->kind, own->backend);
        if (own->result == NULL) {
            return NULL;
        }
    }
    return NULL;
}

/* Lets another thread do all of it. */
static void work_elsewhere(void *with)
{
    labour *own = with;
    if (pthread_create(&own->thread, NULL, work, own) == 0) {
        pthread_join(own->thread, NULL);
    }
}

static void test_made_while_another_captures(void **state)
{
    (void)state;
    static const char *const modes[] = {"lazy", "lazy deferred order=random seed=5"};
    for (int k = 0; k < 2 * KINDS; k++) {
        const int kind = k / 2;
        emulated_reset(modes[k % 2]);
        rct_model *model = model_of(kind, 5), *other = model_of((kind + 1) % KINDS, 3);
        const int64_t bodies = rct_model_body_count(model), more = rct_model_body_count(other);
        labour meanwhile = {
            .model = other, .kind = (kind + 1) % KINDS, .rounds = 1, .backend = "cuda"};
        double *truth = alone(model, kind, "cuda");
        double *other_truth = alone(other, meanwhile.kind, "cuda");
        emulated()->at_capture(work_elsewhere, &meanwhile);
        expect_same(alone(model, kind, "cuda"), truth, bodies);
        emulated()->at_capture(NULL, NULL);
        if (kind < 3) { /* with a trunk on the host there is no step to capture */
            assert_int_equal(meanwhile.done, 1);
            expect_same(meanwhile.result, other_truth, more);
        } else {
            free(other_truth);
            free(meanwhile.result);
        }
        emulated_expect_clean();
        rct_model_free(model);
        rct_model_free(other);
    }
}

static void check_threads(const char *mode, const char *const backends[THREADS])
{
    labour all[THREADS] = {0};
    double *truth[THREADS];
    emulated_reset(mode);
    for (int k = 0; k < THREADS; k++) {
        all[k] = (labour){
            .model = model_of(k, 2 + k), .kind = k, .rounds = ROUNDS, .backend = backends[k]};
        truth[k] = alone(all[k].model, k, "cuda");
    }
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(pthread_create(&all[k].thread, NULL, work, &all[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(all[k].thread, NULL);
    }
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(all[k].done, ROUNDS);
        expect_same(all[k].result, truth[k], rct_model_body_count(all[k].model));
        rct_model_free((rct_model *)all[k].model);
    }
    emulated_expect_clean();
}

static void test_threads_at_once(void **state)
{
    (void)state;
    static const char *const one[THREADS] = {"cuda", "cuda", "cuda"};
    check_threads("lazy", one);
    check_threads("lazy deferred", one);
}

/* ---- devices ------------------------------------------------------------------------------ */

static void test_threads_on_devices(void **state)
{
    (void)state;
    static const char *const each[THREADS] = {"cuda:0", "cuda:1", "cuda:2"};
    check_threads("lazy devices=3", each);
}

/* The device on which a solver has its memory. */
static int device_of(const rct_solver *solver)
{
    int device = -1;
    for (int k = 0; solver != NULL && k < 3; k++) {
        device = emulated()->bytes_on(k) > 0 ? k : device;
    }
    return device;
}

/* Chosen by name, or by the rank on its node. A solver keeps its device, whichever thread calls. */
static void test_device_chosen(void **state)
{
    (void)state;
    static const struct choice {
        const char *backend, *variable, *value;
        int device;
    } choices[] = {
        {"cuda", "", "", 0},
        {"cuda:0", "", "", 0},
        {"cuda:2", "", "", 2},
        {"cuda", "OMPI_COMM_WORLD_LOCAL_RANK", "1", 1},
        {"cuda", "OMPI_COMM_WORLD_LOCAL_RANK", "5", 2}, /* in turn */
        {"cuda:0", "OMPI_COMM_WORLD_LOCAL_RANK", "1", 0},
        {"cuda", "MPI_LOCALRANKID", "1", 1},
        {"cuda", "SLURM_LOCALID", "2", 2},
        {"cuda", "SLURM_LOCALID", "two", 0},
    };
    for (size_t k = 0; k < sizeof choices / sizeof choices[0]; k++) {
        const struct choice *c = &choices[k];
        for (int kind = 0; kind < KINDS; kind += 2) {
            emulated_reset("devices=3");
            rct_model *model = model_of(kind, 2);
            const int64_t bodies = rct_model_body_count(model);
            double *truth = alone(model, kind, "cuda:1");
            if (c->variable[0] != '\0') {
                setenv(c->variable, c->value, 1);
            }
            rct_solver *solver = solver_of(model, kind, c->backend);
            assert_int_equal(device_of(solver), c->device);
            rct_solver *other = solver_of(model, kind, "cuda:1"); /* this thread's device now */
            expect_same(go(solver, bodies), truth, bodies);
            rct_solver_free(other);
            rct_solver_free(solver);
            if (c->variable[0] != '\0') {
                unsetenv(c->variable);
            }
            emulated_expect_clean();
            rct_model_free(model);
        }
    }
}

static void test_devices_listed(void **state)
{
    (void)state;
    static const char *const names[] = {"cuda", "cuda:0", "cuda:1", "cpu"};
    static const char *const refused[] = {"cuda:2", "cuda:", "cuda:x", "cpu:0", "cuda:01"};
    rct_model *model = model_of(0, 1);
    rct_backend_info info;
    emulated_reset("devices=2");
    assert_int_equal(rct_backend_count(), 4);
    for (int32_t i = 0; i < 4; i++) {
        assert_int_equal(rct_backend_describe(i, &info, NULL), RCT_OK);
        assert_string_equal(info.name, names[i]);
        assert_true(info.available && info.reason == NULL);
    }
    for (int i = 0; i < 5; i++) {
        rct_error error;
        const rct_solver_options options = {.backend = refused[i]};
        char text[RCT_ERROR_TEXT_SIZE];
        snprintf(text, sizeof text, "there is no backend \"%s\"; ", refused[i]);
        assert_null(rct_solver_create(model, &options, &error));
        assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
        assert_memory_equal(error.text, text, strlen(text));
        assert_non_null(strstr(error.text, "auto or one that `riccatree backends` lists"));
    }
    emulated_reset(""); /* one needs no number */
    assert_int_equal(rct_backend_count(), 2);
    assert_non_null(rct_backend_find("cuda:0", NULL));
    emulated_reset("device=none");
    assert_int_equal(rct_backend_count(), 2);
    assert_null(rct_backend_find("cuda:0", NULL));
    emulated_reset("");
    rct_model_free(model);
}

int main(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                        "SLURM_LOCALID"};
    for (int i = 0; i < 3; i++) {
        unsetenv(ranks[i]); /* of the process that runs the tests */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_sizes),
        cmocka_unit_test(test_nothing_loaded_in_a_capture),
        cmocka_unit_test(test_made_while_another_captures),
        cmocka_unit_test(test_threads_at_once),
        cmocka_unit_test(test_threads_on_devices),
        cmocka_unit_test(test_device_chosen),
        cmocka_unit_test(test_devices_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
