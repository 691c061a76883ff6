/* Forbidden calls: a solver called from its own force function and by two threads at once, a time
 * that is not finite, enumerators and numbers outside their domain, a solver in a forked child.
 * Each call is refused with a message, and the state is that of a solver without such calls, bit
 * for bit. One file, because all cases share the solver and its untouched twin. */
#define _GNU_SOURCE
#include "tests/support/cmocka_all.h"

#include "tests/support/faults/refusal.h"
#include "tests/support/files/small_ensemble.h"
#include "tests/support/must.h"

#include <riccatree/reference.h>

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BODIES = 3, DOF = 9, NUMBERS = 4 * BODIES + 9 * BODIES };

static rct_error error;

static void refused(rct_status status, const char *says)
{
    expect_refusal(status, &error, says);
}

static rct_status take(void *context, const rct_member_result *result, rct_error *unused)
{
    (void)context, (void)result, (void)unused;
    return RCT_OK;
}

static rct_solver *solver_of(const rct_model *model, int32_t threads)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.user_forces = 1;
    options.threads = threads;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static void read_numbers(const rct_solver *solver, double *x)
{
    rct_solver_get_state(solver, x, x + 4 * BODIES, x + 7 * BODIES, x + 10 * BODIES);
}

/* ---- from a force function ---------------------------------------------------------------- */

typedef struct caller {
    rct_solver *solver;
    rct_recorder *recorder;
    rct_checkpoint_writer *writer;
    const rct_model *model;
    int calls;
} caller;

static const char at_work[] = "the solver is busy";

static void numbers_are_nan(const double *x, int count)
{
    for (int i = 0; i < count; i++) {
        assert_true(isnan(x[i]));
    }
}

static void read_all(const caller *c)
{
    double x[24 * BODIES];
    rct_measures measures;
    rct_loop_info loops;
    rct_solver_info info;
    read_numbers(c->solver, x);
    numbers_are_nan(x, 13 * BODIES);
    rct_solver_get_coordinates(c->solver, x, x + 4 * BODIES);
    numbers_are_nan(x, 7 * BODIES);
    rct_solver_get_accelerations(c->solver, x, x + 3 * BODIES);
    numbers_are_nan(x, 6 * BODIES);
    rct_solver_get_rate_derivatives(c->solver, x);
    numbers_are_nan(x, DOF);
    rct_solver_get_hinge_forces(c->solver, x, x + 3 * BODIES);
    numbers_are_nan(x, 6 * BODIES);
    rct_solver_get_state_vectors(c->solver, x, x + 12 * BODIES);
    numbers_are_nan(x, 24 * BODIES);
    rct_solver_measure(c->solver, &measures);
    numbers_are_nan(&measures.kinetic, 8);
    rct_solver_get_loop_info(c->solver, &loops);
    numbers_are_nan(&loops.position, 2);
    assert_true(isnan(rct_solver_time(c->solver)));
    assert_true(isnan(rct_solver_kept_time(c->solver)));
    rct_solver_get_info(c->solver, &info);
    assert_int_equal(info.bodies, BODIES);
}

static void call_all(const caller *c)
{
    double x[4 * BODIES] = {1.0};
    refused(rct_solver_check(c->solver, &error), at_work);
    refused(rct_solver_evaluate(c->solver, &error), at_work);
    refused(rct_solver_step(c->solver, 1e-3, 5, &error), at_work);
    refused(rct_solver_set_state(c->solver, x, x, &error), at_work);
    refused(rct_solver_set_coordinates(c->solver, x, x, &error), at_work);
    refused(rct_solver_keep(c->solver, &error), at_work);
    refused(rct_solver_get_kept(c->solver, x, x, x, x, &error), at_work);
    refused(rct_solver_set_force_function(c->solver, NULL, NULL, &error), at_work);
    refused(rct_solver_set_efforts(c->solver, x, &error), at_work);
    refused(rct_solver_forward(c->solver, 1, x, x, NULL, x, &error), at_work);
    refused(rct_solver_set_loop_active(c->solver, 0, RCT_LOOP_RELEASED, &error), at_work);
    refused(rct_solver_assemble(c->solver, &error), at_work);
    assert_null(rct_solver_find_aggregates(c->solver, &error));
    refused(error.status, at_work);
    refused(rct_solver_mass_times(c->solver, 1, x, x, &error), at_work);
    refused(rct_solver_mass_solve(c->solver, 1, x, x, &error), at_work);
    refused(rct_solver_jacobian_times(c->solver, 1, x, x, x, &error), at_work);
    refused(rct_solver_jacobian_transposed(c->solver, 1, x, x, x, &error), at_work);
    refused(rct_solver_inverse_dynamics(c->solver, x, x, x, x, &error), at_work);
    refused(rct_solver_acceleration_tangent(c->solver, 1, x, x, x, x, &error), at_work);
    refused(rct_solver_acceleration_adjoint(c->solver, 1, x, x, x, x, &error), at_work);
    refused(rct_solver_hinge_efforts(c->solver, x, &error), at_work);
    rct_solver_set_time(c->solver, 99.0);
    rct_solver_free(c->solver);
}

static void write_all(const caller *c)
{
    rct_measures measures = {.kinetic = 0.0};
    refused(rct_recorder_write(c->recorder, c->solver, NULL, &error), at_work);
    refused(rct_recorder_write_kept(c->recorder, c->solver, &measures, &error), at_work);
    refused(rct_checkpoint_write(c->writer, 1, NULL, 0, &error), at_work);
}

/* Adds the force of a plain function too. */
static void push(void *context, double time, int32_t bodies, const double *orientation,
                 const double *angular_velocity, const double *position, const double *velocity,
                 double *force, double *moment)
{
    caller *c = context;
    (void)time, (void)orientation, (void)angular_velocity, (void)position, (void)velocity;
    (void)moment;
    force[3 * (bodies - 1)] += 0.5;
    if (c->solver != NULL) {
        c->calls++;
        call_all(c);
        read_all(c);
        write_all(c);
    }
}

static void test_a_solver_called_from_its_force_function(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", BODIES, RCT_HINGE_BALL);
    rct_solver *plain = solver_of(model, 1), *solver = solver_of(model, 1);
    caller nobody = {.solver = NULL}, c = {.solver = solver, .model = model};
    double expected[13 * BODIES], x[13 * BODIES];
    const rct_recorder_options options = {.frames = 1, .overwrite = 1};
    c.recorder = rct_recorder_create("misuse.h5", model, solver, &options, &error);
    c.writer = rct_checkpoint_writer_create("misuse.checkpoint", model, solver, &error);
    assert_true(c.recorder != NULL && c.writer != NULL);
    assert_int_equal(rct_solver_set_force_function(plain, push, &nobody, NULL), RCT_OK);
    assert_int_equal(rct_solver_set_force_function(solver, push, &c, NULL), RCT_OK);
    must_step(plain, 1e-3, 3);
    must_step(solver, 1e-3, 3);
    assert_int_equal(c.calls, 12);
    assert_true(rct_solver_time(solver) == rct_solver_time(plain));
    read_numbers(plain, expected);
    read_numbers(solver, x);
    assert_memory_equal(x, expected, sizeof x);
    assert_int_equal(rct_recorder_write(c.recorder, solver, NULL, &error), RCT_OK);
    assert_int_equal(rct_recorder_close(c.recorder, 1, &error), RCT_OK);
    rct_checkpoint_writer_free(c.writer);
    rct_solver_free(solver);
    rct_solver_free(plain);
    rct_model_free(model);
    unlink("misuse.h5");
}

/* ---- by two threads ----------------------------------------------------------------------- */

typedef struct meeting {
    rct_solver *solver;
    atomic_int inside, seen;
    rct_status status;
    char text[RCT_ERROR_TEXT_SIZE];
} meeting;

/* The first thread waits until the other one has tried. */
static void wait_there(void *context, double time, int32_t bodies, const double *orientation,
                       const double *angular_velocity, const double *position,
                       const double *velocity, double *force, double *moment)
{
    meeting *m = context;
    (void)time, (void)bodies, (void)orientation, (void)angular_velocity, (void)position;
    (void)velocity, (void)force, (void)moment;
    const int first = !atomic_exchange(&m->inside, 1);
    while (first && !atomic_load(&m->seen)) {
        sched_yield();
    }
}

static void *step_too(void *context)
{
    meeting *m = context;
    rct_error own;
    while (!atomic_load(&m->inside)) {
        sched_yield();
    }
    m->status = rct_solver_step(m->solver, 1e-3, 1, &own);
    memcpy(m->text, own.text, sizeof m->text);
    atomic_store(&m->seen, 1);
    return NULL;
}

static void test_a_solver_called_by_two_threads(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", BODIES, RCT_HINGE_BALL);
    meeting m = {.solver = solver_of(model, 1)};
    pthread_t other;
    assert_int_equal(rct_solver_set_force_function(m.solver, wait_there, &m, NULL), RCT_OK);
    assert_int_equal(pthread_create(&other, NULL, step_too, &m), 0);
    must_step(m.solver, 1e-3, 1);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(m.status, RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(m.text, at_work));
    assert_true(rct_solver_time(m.solver) == 1e-3);
    rct_solver_free(m.solver);
    rct_model_free(model);
}

/* ---- times -------------------------------------------------------------------------------- */

static void test_a_time_that_is_none(void **state)
{
    (void)state;
    const double times[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    rct_model *model = must_family("fourbars", 3, RCT_HINGE_REVOLUTE);
    rct_solver *solver = solver_of(model, 1);
    double x[DOF] = {0.0};
    for (int i = 0; i < 3; i++) {
        rct_solver_set_time(solver, times[i]);
        refused(rct_solver_step(solver, 1e-3, 1, &error), "set a finite time");
        refused(rct_solver_evaluate(solver, &error), "the time of the solver");
        refused(rct_solver_assemble(solver, &error), "the time of the solver");
        refused(rct_solver_set_loop_active(solver, 0, RCT_LOOP_RELEASED, &error), "the time");
        refused(rct_solver_inverse_dynamics(solver, x, NULL, NULL, NULL, &error), "the time");
        refused(rct_solver_acceleration_tangent(solver, 1, x, NULL, NULL, x, &error), "the time");
        refused(rct_solver_acceleration_adjoint(solver, 1, x, x, NULL, NULL, &error), "the time");
        refused(rct_solver_hinge_efforts(solver, x, &error), "the time");
    }
    rct_solver_set_time(solver, 0.5);
    must_step(solver, 1e-3, 1);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* A table does not accept a time that is not finite either. */
static void test_the_ground_at_a_time_that_is_none(void **state)
{
    (void)state;
    const double table[] = {0.0, 1.0, 2.0, 3.0, 0.1, 1.0, 2.0, 2.0, 3.0, 0.2};
    rct_model *model = two_bodies();
    rct_base base = rct_base_default();
    rct_base_motion motion;
    base.rows = 2;
    base.table = table;
    assert_int_equal(rct_model_set_base(model, &base, &error), RCT_OK);
    rct_model_base_motion(model, (double)NAN, &motion);
    numbers_are_nan(motion.orientation, 1);
    numbers_are_nan(motion.position, 3);
    rct_model_free(model);
}

/* ---- outside the domain ------------------------------------------------------------------- */

static void expect_option(const rct_model *model, const rct_solver_options *options,
                          const char *says)
{
    assert_null(rct_solver_create(model, options, &error));
    refused(error.status, says);
}

static void test_options_of_solvers(void **state)
{
    (void)state;
    rct_model *model = two_bodies(); /* refused where there are no loops too */
    const rct_solver_options plain = rct_solver_options_default();
    rct_solver_options o = plain;
    o.method = (rct_method)55;
    expect_option(model, &o, "unknown method 55");
    o = plain;
    o.threads = -1;
    expect_option(model, &o, "-1 threads");
    o = plain;
    o.segment = -3;
    expect_option(model, &o, "segments of -3 links");
    o = plain;
    o.junction = (rct_junction)55;
    expect_option(model, &o, "unknown place 55 of the junctions");
    o = plain;
    o.closing = (rct_closing)55;
    expect_option(model, &o, "unknown closing 55");
    o = plain;
    o.drift = (rct_drift)55;
    expect_option(model, &o, "unknown drift 55");
    o = plain;
    o.baumgarte[1] = (double)NAN;
    expect_option(model, &o, "Baumgarte's");
    rct_model_free(model);
}

static void expect_run(const rct_ensemble *e, const rct_ensemble_run_options *run, const char *says)
{
    refused(rct_ensemble_run(e, run, &error), says);
}

static void test_options_of_ensembles(void **state)
{
    (void)state;
    rct_ensemble *e = small_ensemble(small_options(), 3);
    rct_ensemble_run_options run = small_run();
    run.deliver = take;
    run.first = -1;
    expect_run(e, &run, "members 0 to 5");
    run.first = INT64_MIN;
    expect_run(e, &run, "members 0 to 5");
    assert_int_equal(rct_ensemble_file_bytes(e, &run), 0);
    run.first = 6;
    expect_run(e, &run, "members 0 to 5");
    run = small_run();
    run.deliver = take;
    run.track = NULL;
    expect_run(e, &run, "give their numbers too");
    rct_ensemble_free(e);

    rct_model *model = two_bodies();
    rct_ensemble_options options = rct_ensemble_options_default();
    options.variation_count = 2;
    assert_null(rct_ensemble_create(model, &options, &error));
    refused(error.status, "2 variations, and no array");
    options.variation_count = -1;
    options.variations = small_variations;
    assert_null(rct_ensemble_create(model, &options, &error));
    refused(error.status, "-1 variations");
    rct_model_free(model);
}

static void test_other_numbers(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_solver *solver = solver_of(model, 1);
    rct_reference_result result = {.linear = NULL};
    rct_recorder_options options = rct_recorder_options_default();
    const rct_import_options format = {.format = (rct_import_format)55};
    refused(rct_reference_evaluate(model, (rct_reference)55, NULL, NULL, &result, &error),
            "reference 55 is unknown");
    assert_null(rct_model_import_text("<robot/>", 8, &format, &error));
    refused(error.status, "unknown format 55");
    assert_null(rct_model_import_text("<robot/>", -8, NULL, &error));
    refused(error.status, "-8 bytes");
    assert_null(rct_model_parse("{}", -2, &error));
    refused(error.status, "-2 bytes");
    options.dt = (double)NAN;
    assert_null(rct_recorder_create("misuse.h5", model, solver, &options, &error));
    refused(error.status, "steps of nan s");
    refused(rct_solver_step(solver, (double)NAN, 1, &error), "a step of nan s");
    refused(rct_solver_step(solver, 1e-3, -1, &error), "-1 times");
    refused(rct_backend_describe(-1, &(rct_backend_info){.name = NULL}, &error), "no backend -1");
    assert_null(rct_hinge_name((rct_hinge_type)55));
    assert_int_equal(rct_hinge_freedoms((rct_hinge_type)-1), 0);
    assert_null(rct_loop_type_name((rct_loop_type)55));
    assert_int_equal(rct_loop_constraints((rct_loop_type)-1), 0);
    assert_string_equal(rct_status_name((rct_status)55), "unknown");
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_results_that_are_none(void **state)
{
    (void)state;
    const double numbers[64] = {0.0};
    const rct_member_result good = {.text = "",
                                    .parameters = numbers,
                                    .coordinates = numbers,
                                    .rates = numbers,
                                    .series_energy = numbers,
                                    .series_position = numbers};
    rct_ensemble *e = small_ensemble(small_options(), 3);
    rct_ensemble_run_options run = small_run();
    run.deliver = take;
    rct_ensemble_file *file = rct_ensemble_file_create("misuse_e.h5", e, &run, 1, NULL, &error);
    assert_non_null(file);
    rct_member_result r = good;
    r.status = (rct_status)55;
    refused(rct_ensemble_file_write(file, &r, &error), "its status is unknown");
    r = good;
    r.text = NULL;
    refused(rct_ensemble_file_write(file, &r, &error), "one of its arrays is NULL");
    refused(rct_ensemble_file_alone(file, (double)NAN, &error), "give 0 s or more");
    assert_int_equal(rct_ensemble_file_write(file, &good, &error), RCT_OK);
    r = good;
    r.member = INT64_MIN;
    refused(rct_ensemble_file_write(file, &r, &error), "has no row");
    rct_ensemble_file_close(file, 0, NULL);
    rct_ensemble_free(e);
    unlink("misuse_e.h5");
}

/* ---- in a forked child -------------------------------------------------------------------- */

/* The child steps as the parent will, and frees. If the child hangs, its alarm ends it. */
static void test_a_solver_in_a_forked_child(void **state)
{
    (void)state;
    rct_model *model = must_family("binary", 4095, RCT_HINGE_REVOLUTE);
    rct_solver *solver = solver_of(model, 4);
    rct_measures expected, measures;
    rct_solver_info info;
    int ended = 0, pipes[2];
    rct_solver_get_info(solver, &info);
    assert_int_equal(info.threads, 4);
    must_step(solver, 1e-4, 2);
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) {
        alarm(100);
        rct_status status = rct_solver_step(solver, 1e-4, 2, NULL);
        rct_solver_measure(solver, &measures);
        rct_solver_free(solver);
        const int told = write(pipes[1], &measures, sizeof measures) == (ssize_t)sizeof measures;
        _exit(status == RCT_OK && told ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    assert_int_equal(read(pipes[0], &measures, sizeof measures), sizeof measures);
    close(pipes[0]);
    close(pipes[1]);
    must_step(solver, 1e-4, 2);
    rct_solver_measure(solver, &expected);
    assert_memory_equal(&measures, &expected, sizeof measures);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_solver_called_from_its_force_function),
        cmocka_unit_test(test_a_solver_called_by_two_threads),
        cmocka_unit_test(test_a_time_that_is_none),
        cmocka_unit_test(test_the_ground_at_a_time_that_is_none),
        cmocka_unit_test(test_options_of_solvers),
        cmocka_unit_test(test_options_of_ensembles),
        cmocka_unit_test(test_other_numbers),
        cmocka_unit_test(test_results_that_are_none),
        cmocka_unit_test(test_a_solver_in_a_forked_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
