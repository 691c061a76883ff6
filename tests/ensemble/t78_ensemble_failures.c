/* Failing members stop no other member: they are named, with reason and time, and the others have
 * the bits they have alone. An error that ends a whole run is reported. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/files/collected.h"
#include "tests/support/must.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static rct_ensemble *ensemble_of(int64_t bodies, rct_hinge_type hinge, int64_t members,
                                 int32_t count, const rct_variation *variations)
{
    return must_ensemble(must_family("chain", bodies, hinge), members, 0.3, count, variations);
}

static rct_ensemble_run_options options_of(int64_t steps)
{
    static const int32_t tip[] = {2};
    rct_ensemble_run_options options = collect_options(steps, 5, 0, 1);
    options.tracked = 1;
    options.track = tip;
    return options;
}

/* All together, in batches, and each alone: the same results of all members, failed or not. Returns
 * the first ones. */
static collected *check_all_ways(const rct_ensemble *ensemble, rct_ensemble_run_options options)
{
    static const int64_t batches[] = {5, 16};
    collected *all = collect(ensemble, options, RCT_OK, NULL);
    for (int i = 0; i < 2; i++) {
        options.batch = batches[i];
        options.threads = 1 + i;
        collected *other = collect(ensemble, options, RCT_OK, NULL);
        for (int64_t k = 0; k < all->members; k++) {
            assert_true(all->member[k].times == 1 && other->member[k].times == 1);
            assert_true(collected_equal(all, other, k));
        }
        collected_free(other);
    }
    for (int64_t k = 0; k < all->members; k++) {
        options.first = k;
        options.count = 1;
        collected *one = collect(ensemble, options, RCT_OK, NULL);
        assert_true(collected_equal(all, one, k));
        collected_free(one);
    }
    return all;
}

static int64_t count_of(const collected *c, rct_status status)
{
    int64_t count = 0;
    for (int64_t k = 0; k < c->members; k++) {
        count += c->member[k].status == status;
    }
    return count;
}

/* Springs too stiff for the step: the stiffer the spring, the earlier the failure. */
static void test_absurd_stiffness(void **state)
{
    (void)state;
    const rct_variation stiff = {"bodies.body2.hinge.stiffness", RCT_VARY_GRID, 0.0, 4e8, 9};
    rct_ensemble *ensemble = ensemble_of(5, RCT_HINGE_REVOLUTE, 27, 1, &stiff);
    collected *c = check_all_ways(ensemble, options_of(120));
    collected *bare = check_all_ways(ensemble, collect_options(120, 0, 0, 1));
    const int64_t diverged = count_of(c, RCT_ERROR_DIVERGED) + count_of(c, RCT_ERROR_SINGULAR);
    assert_true(diverged > 8 && c->members - diverged == count_of(c, RCT_OK) &&
                count_of(c, RCT_OK) >= 3);
    for (int64_t k = 0; k < c->members; k++) {
        const collected_member *m = &c->member[k];
        assert_true(isnan(m->drift) == (m->frames < 2));
        assert_true(isnan(bare->member[k].drift) == (m->status != RCT_OK));
        if (m->status != RCT_OK) {
            assert_true(m->time < 0.1199 && m->body >= 0 && m->body < 5 && m->frames < 5);
            assert_true(m->frames >= 1 && isnan(m->numbers[c->coordinates + c->rates + m->frames]));
            char name[32];
            snprintf(name, sizeof name, "body %" PRId32 " \"body%" PRId32 "\": ", m->body, m->body);
            assert_true(strncmp(m->text, name, strlen(name)) == 0 &&
                        strstr(m->text, "step") != NULL);
        } else {
            assert_true(m->frames == 5 && m->body == -1 && m->text[0] == '\0');
            assert_true(fabs(m->time - 0.12) < 1e-12);
        }
    }
    collected_free(bare);
    collected_free(c);
    rct_ensemble_free(ensemble);
}

/* A mass below zero describes no body, and nothing can replace it. */
static void test_numbers_that_no_body_has(void **state)
{
    (void)state;
    const rct_variation mass = {"bodies.body3.mass", RCT_VARY_GRID, -1.0, 2.0, 4};
    rct_ensemble *ensemble = ensemble_of(5, RCT_HINGE_BALL, 20, 1, &mass);
    collected *c = check_all_ways(ensemble, options_of(20));
    for (int64_t k = 0; k < c->members; k++) {
        const collected_member *m = &c->member[k];
        assert_int_equal(m->status, k % 4 < 2 ? RCT_ERROR_MODEL : RCT_OK);
        assert_true(k % 4 >= 2 || (m->body == 3 && m->time == 0.0 && isnan(m->numbers[0]) &&
                                   isnan(m->energy) && isnan(m->drift) && m->frames == 0));
        assert_true(k % 4 >= 2 || strstr(m->text, "mass") != NULL);
    }
    collected_free(c);
    rct_ensemble_free(ensemble);
}

/* A chain of spheres, the last one centred on its hinge: only its inertia resists its spin. */
static rct_model *spheres(rct_hinge_type hinge)
{
    rct_error error;
    rct_model *model = rct_model_create(NULL, &error);
    for (int32_t b = 0; b < 5; b++) {
        rct_body body = rct_body_default();
        body.parent = b - 1;
        body.hinge = hinge;
        body.hinge_at[2] = b > 0 ? -1.0 : 0.0;
        body.mass = 1.0;
        body.com[2] = b < 4 ? -0.5 : 0.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
        assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
    }
    return model;
}

/* With ball hinges the fault is found when a solver is made, with others in the first step;
 * impossible moments before. */
static void test_zero_inertia(void **state)
{
    (void)state;
    static const rct_variation v[] = {{"bodies.body4.inertia[0]", RCT_VARY_GRID, 0.0, 0.1, 2},
                                      {"bodies.body4.inertia[1]", RCT_VARY_GRID, 0.0, 0.1, 2},
                                      {"bodies.body4.inertia[2]", RCT_VARY_GRID, 0.0, 0.1, 2}};
    static const rct_hinge_type types[] = {RCT_HINGE_BALL, RCT_HINGE_REVOLUTE};
    for (int i = 0; i < 2; i++) {
        rct_ensemble *ensemble = must_ensemble(spheres(types[i]), 16, 0.3, 3, v);
        collected *c = check_all_ways(ensemble, options_of(8));
        for (int64_t k = 0; k < 16; k++) {
            assert_true(k % 8 == 7 ? c->member[k].status == RCT_OK
                                   : k % 8 != 0 ||
                                         (c->member[k].status != RCT_OK && c->member[k].body == 4));
        }
        assert_int_equal(c->member[0].status, i == 0 ? RCT_ERROR_MODEL : RCT_ERROR_SINGULAR);
        assert_true(c->member[0].time == 0.0);
        collected_free(c);
        rct_ensemble_free(ensemble);
    }
}

/* A tolerance that only rest can meet: the failure names no body, but is still that of the
 * member. */
static void test_steps_that_come_down_to_nothing(void **state)
{
    (void)state;
    const rct_variation v[] = {{"gravity[2]", RCT_VARY_GRID, 0.0, 0.0, 1},
                               {"bodies.body1.initial.rate", RCT_VARY_GRID, 0.0, 3.0, 4}};
    rct_ensemble *ensemble =
        must_ensemble(must_family("chain", 3, RCT_HINGE_REVOLUTE), 4, 0.0, 2, v);
    rct_ensemble_run_options options = options_of(8);
    options.solver.integrator = RCT_INTEGRATOR_DOPRI5;
    options.solver.tolerance = 1e-300;
    collected *c = check_all_ways(ensemble, options);
    for (int64_t k = 0; k < 4; k++) {
        const collected_member *m = &c->member[k];
        assert_int_equal(m->status, k == 0 ? RCT_OK : RCT_ERROR_DIVERGED);
        assert_true(k == 0 || (m->body == -1 && strstr(m->text, "came down to") != NULL));
    }
    collected_free(c);
    rct_ensemble_free(ensemble);
}

/* Speeds whose squares overflow, at the start or later. */
static void test_energies_that_are_no_longer_finite(void **state)
{
    (void)state;
    const rct_variation v[] = {{"bodies.body0.initial.rate", RCT_VARY_GRID, 0.0, 1e160, 2},
                               {"bodies.body0.hinge.applied", RCT_VARY_GRID, 0.0, 1e160, 9}};
    rct_model *slide = rct_model_create(NULL, NULL);
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_PRISMATIC;
    body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    must_add(slide, &body);
    rct_ensemble *ensemble = must_ensemble(slide, 18, 0.0, 2, v);
    rct_ensemble_run_options options = options_of(4);
    options.track = (int32_t[]){0};
    collected *c = check_all_ways(ensemble, options);
    for (int64_t k = 0; k < 18; k++) {
        const collected_member *m = &c->member[k];
        assert_int_equal(m->status, k == 0 ? RCT_OK : RCT_ERROR_DIVERGED);
        assert_true(k == 0 || (m->body == -1 && strstr(m->text, "energy is no longer finite")));
        assert_true(k == 0 || (m->frames == (k < 9) && m->time == (k < 9 ? options.dt : 0.0)));
    }
    collected_free(c);
    rct_ensemble_free(ensemble);
}

/* Members of one large solver each. */
static void test_large_members_that_fail(void **state)
{
    (void)state;
    const rct_variation fast = {"bodies.body7.initial.angular_velocity[1]", RCT_VARY_GRID, 0.0,
                                1e200, 2};
    rct_ensemble *ensemble = ensemble_of(RCT_ENSEMBLE_WHOLE + 30, RCT_HINGE_BALL, 4, 1, &fast);
    collected *c = check_all_ways(ensemble, options_of(4));
    for (int64_t k = 0; k < 4; k++) {
        assert_int_equal(c->member[k].status, k % 2 == 0 ? RCT_OK : RCT_ERROR_DIVERGED);
    }
    collected_free(c);
    rct_ensemble_free(ensemble);
}

/* ---- what ends a run ---------------------------------------------------------------------- */

static void refused(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                    rct_status status, const char *says)
{
    rct_error error = {.text = ""};
    collected *c = collect(ensemble, options, status, &error);
    assert_int_equal(c->delivered, 0);
    if (error.status != status || strstr(error.text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
    collected_free(c);
}

static void test_wrong_options(void **state)
{
    (void)state;
    rct_ensemble *ensemble = ensemble_of(4, RCT_HINGE_BALL, 10, 0, NULL);
    const rct_ensemble_run_options good = options_of(10);
    rct_ensemble_run_options o = good;
    static const int32_t beyond[] = {4};
    o.first = 10, refused(ensemble, o, RCT_ERROR_ARGUMENT, "members 0 to 9"), o = good;
    o.first = 4, o.count = 7, refused(ensemble, o, RCT_ERROR_ARGUMENT, "7 members from 4"),
    o = good;
    o.dt = 0.0, refused(ensemble, o, RCT_ERROR_ARGUMENT, "steps of 0 s"), o = good;
    o.dt = NAN, refused(ensemble, o, RCT_ERROR_ARGUMENT, "positive step"), o = good;
    o.steps = -1, refused(ensemble, o, RCT_ERROR_ARGUMENT, "-1 steps"), o = good;
    o.series = 1, refused(ensemble, o, RCT_ERROR_ARGUMENT, "1 frames"), o = good;
    o.series = 12, refused(ensemble, o, RCT_ERROR_ARGUMENT, "12 frames of 10"), o = good;
    o.series = 0, refused(ensemble, o, RCT_ERROR_ARGUMENT, "give frames too"), o = good;
    o.track = beyond, refused(ensemble, o, RCT_ERROR_ARGUMENT, "no body 4 to track"), o = good;
    o.threads = -1, refused(ensemble, o, RCT_ERROR_ARGUMENT, "-1 threads"), o = good;
    o.batch = -1, refused(ensemble, o, RCT_ERROR_ARGUMENT, "batches of -1"), o = good;
    o.solver.integrator = RCT_INTEGRATOR_DOPRI5, o.solver.tolerance = 2.0;
    refused(ensemble, o, RCT_ERROR_ARGUMENT, "a tolerance of 2");
    o = good;
    o.solver.integrator = (rct_integrator)9;
    refused(ensemble, o, RCT_ERROR_ARGUMENT, "integrator"), o = good;
    o.solver.backend = "abacus", refused(ensemble, o, RCT_ERROR_UNSUPPORTED, "abacus"), o = good;
    o.solver.lanes = 3, refused(ensemble, o, RCT_ERROR_UNSUPPORTED, "lanes"), o = good;
    o.solver.method = (rct_method)9, refused(ensemble, o, RCT_ERROR_ARGUMENT, "method");
    rct_ensemble_free(ensemble);
}

/* A result that cannot be stored ends the run, and so does the caller's progress function. Members
 * are delivered completely or not at all. */
static rct_status fail_silently(void *context, const rct_member_result *result, rct_error *error)
{
    (void)context;
    (void)error;
    return result->member == 5 ? RCT_ERROR_IO : RCT_OK;
}

static rct_status keep_silently(void *context, int32_t count, const rct_ensemble_begun *batches,
                                rct_error *error)
{
    (void)context;
    (void)batches;
    (void)error;
    return count > 0 ? RCT_ERROR_IO : RCT_OK;
}

static void test_functions_that_fail_without_words(void **state)
{
    (void)state;
    rct_error error;
    rct_ensemble *ensemble = ensemble_of(4, RCT_HINGE_BALL, 20, 0, NULL);
    rct_ensemble_run_options options = options_of(10);
    options.deliver = fail_silently;
    memset(&error, 0x7f, sizeof error);
    assert_int_equal(rct_ensemble_run(ensemble, &options, &error), RCT_ERROR_IO);
    assert_int_equal(error.status, RCT_ERROR_IO);
    assert_string_equal(error.text,
                        "the function `deliver` of the ensemble failed without a message");
    options.keep = keep_silently;
    options.keep_steps = 2;
    memset(&error, 0x7f, sizeof error);
    assert_int_equal(rct_ensemble_run(ensemble, &options, &error), RCT_ERROR_IO);
    assert_string_equal(error.text, "the function `keep` of the ensemble failed without a message");
    rct_ensemble_free(ensemble);
}

static void test_ended_from_outside(void **state)
{
    (void)state;
    rct_ensemble *ensemble = ensemble_of(4, RCT_HINGE_BALL, 40, 0, NULL);
    rct_ensemble_run_options options = options_of(10);
    options.batch = 8;
    for (int32_t threads = 1; threads <= 3; threads++) {
        rct_error error;
        options.threads = threads;
        collected *all = collect(ensemble, options, RCT_OK, NULL);
        collected *full = collect_until(ensemble, options, 0, 11, RCT_ERROR_IO, &error);
        assert_string_equal(error.text, "the disk is full");
        assert_true(full->delivered == 11);
        collected *stopped = collect_until(ensemble, options, 16, 0, RCT_OK, NULL);
        assert_true(stopped->delivered >= 16 && stopped->delivered < 40);
        for (int64_t k = 0; k < 40; k++) {
            assert_true(full->member[k].times == 0 || collected_equal(all, full, k));
            assert_true(stopped->member[k].times == 0 || collected_equal(all, stopped, k));
        }
        collected_free(all);
        collected_free(full);
        collected_free(stopped);
    }
    rct_ensemble_free(ensemble);
}

/* Memory fails at any allocation, of making the ensemble, then of running it. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    const rct_variation v = {"bodies.body1.hinge.stiffness", RCT_VARY_GRID, 0.0, 1e12, 2};
    rct_model *model = must_family("chain", 4, RCT_HINGE_REVOLUTE);
    const rct_ensemble_options options = {4, 2, 1, &v, 0.3};
    rct_ensemble *ensemble = NULL;
    rct_error error;
    int64_t k = 0;
    for (; ensemble == NULL; k++) {
        rct_allocate_fail_after(k);
        ensemble = rct_ensemble_create(model, &options, &error);
        rct_allocate_fail_after(-1);
        assert_true(ensemble != NULL || error.status == RCT_ERROR_MEMORY);
    }
    assert_true(k > 5);
    rct_model *own = NULL;
    for (k = 0; own == NULL; k++) {
        rct_allocate_fail_after(k);
        own = rct_ensemble_model(ensemble, 1, &error);
        rct_allocate_fail_after(-1);
        assert_true(own != NULL || error.status == RCT_ERROR_MEMORY);
    }
    rct_model_free(own);
    rct_model_free(model);
    rct_ensemble_free(ensemble);
}

static rct_status count(void *context, const rct_member_result *result, rct_error *error)
{
    (void)error;
    *(int64_t *)context += result->status != RCT_ERROR_MEMORY;
    return RCT_OK;
}

static void test_memory_runs_out_while_running(void **state)
{
    (void)state;
    const rct_variation v = {"bodies.body1.hinge.stiffness", RCT_VARY_GRID, 0.0, 1e12, 2};
    rct_ensemble *ensemble = ensemble_of(4, RCT_HINGE_REVOLUTE, 4, 1, &v);
    rct_ensemble_run_options options = options_of(40);
    rct_status status = RCT_ERROR_MEMORY;
    int64_t k = 0, delivered = 0;
    options.deliver = count;
    options.context = &delivered;
    for (; status != RCT_OK; k++) {
        rct_error error = {.status = RCT_OK};
        delivered = 0;
        rct_allocate_fail_after(k);
        status = rct_ensemble_run(ensemble, &options, &error);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || (status == RCT_ERROR_MEMORY && error.status == status));
    }
    assert_true(k > 100 && delivered == 4);
    rct_ensemble_free(ensemble);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_absurd_stiffness),
        cmocka_unit_test(test_numbers_that_no_body_has),
        cmocka_unit_test(test_zero_inertia),
        cmocka_unit_test(test_steps_that_come_down_to_nothing),
        cmocka_unit_test(test_energies_that_are_no_longer_finite),
        cmocka_unit_test(test_large_members_that_fail),
        cmocka_unit_test(test_wrong_options),
        cmocka_unit_test(test_functions_that_fail_without_words),
        cmocka_unit_test(test_ended_from_outside),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_memory_runs_out_while_running),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
