/* Members with loops side by side: each has the bits of the same member alone, whatever its
 * neighbours do, and the motion of a solver of its own. If the loops of a member cannot be closed,
 * contradict one another or run away, the error names its own loop, and only this member is taken
 * out. */
#include "tests/support/cmocka_all.h"

#include "ensemble/batch.h"
#include "tests/support/files/collected.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/example.h"
#include "tests/support/systems/loop_models.h"
#include "tests/support/systems/loop_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20, SERIES = 3, MEMBERS = 21, ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1 };

static const rct_variation masses = {"bodies.*.mass", RCT_VARY_UNIFORM, 0.8, 1.25, 0};

static rct_ensemble_run_options options_of(double dt)
{
    rct_ensemble_run_options options = collect_options(STEPS, SERIES, 0, 1);
    options.dt = dt;
    return options;
}

/* Whether batches take members with loops side by side. */
static int side_by_side(const rct_ensemble *ensemble, rct_ensemble_run_options options)
{
    rct_error error;
    int shares = -1;
    const rct_batch_owner owner = {
        .ensemble = ensemble, .options = &options, .solver = options.solver, .aside = 8};
    assert_int_equal(rct_batch_shares_solver(&owner, &shares, &error), RCT_OK);
    return shares;
}

/* In batches of several sizes, with one thread and more, and alone: the same bits as all together,
 * which are returned. */
static collected *check_all_ways(const rct_ensemble *ensemble, rct_ensemble_run_options options)
{
    static const int64_t batches[] = {1, 3, 8, 16};
    collected *all = collect(ensemble, options, RCT_OK, NULL);
    for (int i = 0; i < 4; i++) {
        options.batch = batches[i];
        options.threads = 1 + i % 2;
        collected *other = collect(ensemble, options, RCT_OK, NULL);
        for (int64_t k = 0; k < all->members; k++) {
            assert_true(all->member[k].times == 1 && other->member[k].times == 1);
            assert_true(collected_equal(all, other, k));
        }
        collected_free(other);
    }
    options.batch = 0;
    for (int64_t k = 0; k < all->members; k++) {
        options.first = k;
        options.count = 1;
        collected *one = collect(ensemble, options, RCT_OK, NULL);
        assert_true(one->delivered == 1 && collected_equal(all, one, k));
        collected_free(one);
    }
    return all;
}

/* A member is in the state of a solver of its model, up to rounding; or fails as this solver
 * does. */
static void check_solver(const rct_ensemble *ensemble, const collected *all, int64_t k,
                         const rct_ensemble_run_options *run)
{
    rct_error error = {.text = ""};
    const collected_member *member = &all->member[k];
    rct_model *model = rct_ensemble_model(ensemble, k, &error);
    assert_non_null(model);
    rct_solver *solver = rct_solver_create(model, &run->solver, &error);
    rct_status status = solver == NULL ? error.status : RCT_OK;
    if (status == RCT_OK) {
        status = rct_solver_step(solver, run->dt, run->steps, &error);
    }
    if (status != member->status) {
        fail_msg("member %d: \"%s\" and \"%s\"", (int)k, member->text, error.text);
    }
    if (status == RCT_OK) {
        int64_t count;
        double *state = loop_state(solver, &count);
        for (int64_t i = 0; i < count; i++) {
            assert_true(fabs(state[i] - member->numbers[i]) <= 1e-7 * (1.0 + fabs(state[i])));
        }
        free(state);
    } else {
        assert_int_equal(error.body, member->body);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

static int64_t count_of(const collected *c, rct_status status)
{
    int64_t count = 0;
    for (int64_t k = 0; k < c->members; k++) {
        count += c->member[k].status == status;
    }
    return count;
}

/* With all ways of closing; frees the ensemble. Returns how many members reached the end. */
static int64_t check(rct_ensemble *ensemble, rct_ensemble_run_options options)
{
    collected *all = check_all_ways(ensemble, options);
    const int64_t whole = count_of(all, RCT_OK);
    for (int64_t k = 0; k < all->members; k += 3) {
        check_solver(ensemble, all, k, &options);
    }
    collected_free(all);
    rct_ensemble_free(ensemble);
    return whole;
}

/* ---- members that go well ------------------------------------------------------------------- */

/* Loops of all kinds, with relations among them; closed at the start up to rounding. */
static void test_mechanisms(void **state)
{
    (void)state;
    static const char *const names[] = {"four-bar",     "quick-return-1", "ladder", "geared-link",
                                        "cardan-shaft", "door",           "drill"};
    for (int i = 0; i < 14; i += ONE_IN) {
        rct_ensemble *ensemble = must_ensemble(example(names[i / 2]), MEMBERS, 0.0, 1, &masses);
        rct_ensemble_run_options options = options_of(1e-3);
        options.solver.method = i % 2 == 0 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI;
        assert_int_equal(side_by_side(ensemble, options), 1);
        assert_int_equal(check(ensemble, options), MEMBERS);
    }
}

/* Open starts, whose gaps differ so much that they need different numbers of iterations. */
static void test_open_starts(void **state)
{
    (void)state;
    static const char *const names[] = {"four-bar", "quick-return-1", "ladder"};
    for (int i = 0; i < 3; i++) {
        for (int drift = RCT_DRIFT_PROJECT; drift <= RCT_DRIFT_NONE; drift++) {
            rct_ensemble_run_options options = options_of(2e-3);
            options.solver.drift = (rct_drift)drift;
            options.solver.lanes = i % 2;
            assert_int_equal(
                check(must_ensemble(example(names[i]), MEMBERS, 0.1, 1, &masses), options),
                MEMBERS);
        }
    }
}

/* Drawn gravities, and states taken as they are. */
static void test_gravity_and_given_states(void **state)
{
    (void)state;
    static const rct_variation gravity = {"gravity[0]", RCT_VARY_NORMAL, 0.0, 3.0, 0};
    for (int given = 0; given <= 1; given++) {
        rct_ensemble_run_options options = options_of(1e-3);
        options.solver.as_given = given;
        assert_int_equal(
            check(must_ensemble(example("four-bar"), MEMBERS, given ? 0.0 : 0.05, 1, &gravity),
                  options),
            MEMBERS);
    }
}

/* Trees of all shapes and hinges with loops of all types, some of which are closed one by one. */
static void test_random_systems(void **state)
{
    (void)state;
    int aside = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = 5 + (int32_t)seed,
                                              .seed = seed,
                                              .spin = 0.3},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = seed % 2 == 0,
                                     .forces = seed % 3 == 0 ? 2 : 0,
                                     .floating = seed % 5 == 0};
        rct_model *model = hinge_system_create(&system);
        closed_add_random(model, 1 + (int32_t)(seed % 3), ALL_TYPES, seed);
        rct_ensemble *ensemble = must_ensemble(model, 11, 0.01, 1, &masses);
        rct_ensemble_run_options options = options_of(1e-4);
        options.solver.method = seed % 4 < 2 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI;
        aside += side_by_side(ensemble, options);
        check(ensemble, options);
    }
    assert_true(aside >= 4 && aside <= 12);
}

/* ---- who stands alone ------------------------------------------------------------------------ */

static void test_who_stands_alone(void **state)
{
    (void)state;
    rct_error error;
    rct_ensemble *ensemble = must_ensemble(example("four-bar"), 3, 0.0, 1, &masses);
    rct_ensemble *balls =
        must_ensemble(loop_model_necklace(12, &error), 3, 0.0, 1, &masses); /* narrow paths */
    rct_ensemble_run_options options = options_of(1e-3);
    assert_int_equal(side_by_side(ensemble, options), 1);
    assert_int_equal(side_by_side(balls, options), 0);
    for (int closing = RCT_CLOSING_EMBEDDING; closing <= RCT_CLOSING_SVD; closing++) {
        options.solver.closing = (rct_closing)closing;
        assert_int_equal(side_by_side(ensemble, options), 0);
    }
    assert_int_equal(check(ensemble, options), 3);
    options.solver.closing = RCT_CLOSING_ADMITTANCE;
    assert_int_equal(check(balls, options), 3);
}

/* The base has no solver: it still decides which members stand alone. */
static void test_base_without_inertia(void **state)
{
    (void)state;
    static const rct_variation v[] = {{"bodies.body4.inertia[0]", RCT_VARY_GRID, 0.1, 0.2, 2},
                                      {"bodies.body4.inertia[1]", RCT_VARY_GRID, 0.2, 0.2, 1},
                                      {"bodies.body4.inertia[2]", RCT_VARY_GRID, 0.2, 0.2, 1}};
    rct_model *model = loop_model_necklace(5, NULL);
    rct_body last;
    assert_int_equal(rct_model_body(model, 4, &last, NULL), RCT_OK);
    last.inertia[0] = last.inertia[1] = last.inertia[2] = last.com[0] = 0.0;
    must_put(model, 4, &last);
    rct_ensemble *ensemble = must_ensemble(model, 2, 0.0, 3, v);
    assert_int_equal(check(ensemble, options_of(1e-3)), 2);
}

/* ---- members that fail ----------------------------------------------------------------------- */

/* Every error names a loop or body of the member's own. */
static void check_words(const collected *all, const char *loop, int32_t body, const char *words)
{
    for (int64_t k = 0; k < all->members; k++) {
        if (all->member[k].status == RCT_ERROR_LOOP) {
            assert_int_equal(all->member[k].body, body);
            assert_non_null(strstr(all->member[k].text, loop));
            assert_non_null(strstr(all->member[k].text, words));
        }
    }
}

/* From a certain length of the coupler on the four rods cannot close any more. */
static void test_loops_that_cannot_be_closed(void **state)
{
    (void)state;
    const rct_variation length = {"bodies.rocker.hinge.at[0]", RCT_VARY_GRID, 1.0, 3.05,
                                  MEMBERS}; /* none is stretched */
    rct_ensemble *ensemble = must_ensemble(example("four-bar"), MEMBERS, 0.0, 1, &length);
    collected *all = check_all_ways(ensemble, options_of(1e-3));
    assert_true(count_of(all, RCT_OK) > 5 && count_of(all, RCT_ERROR_LOOP) > 5);
    check_words(all, "loop \"pivot\" of body 2 \"rocker\": it cannot be closed: it stays open by",
                2, "(2 constraints in all, of rank ");
    collected_free(all);
    rct_ensemble_free(ensemble);
}

/* A rod held at both ends, by a hinge and by a loop without a name: if it rotates, it would have to
 * come apart. */
static void test_loops_that_contradict(void **state)
{
    (void)state;
    rct_error error;
    static const rct_variation v[] = {{"bodies.body0.mass", RCT_VARY_GRID, 1.0, 2.0, 5},
                                      {"bodies.body1.initial.rate", RCT_VARY_GRID, 0.0, 1.0, 4}};
    rct_model *model = rct_model_create("held", &error);
    for (int i = 0; i < 2; i++) {
        rct_body rod = loop_rod(RCT_GROUND, RCT_HINGE_REVOLUTE);
        rct_loop loop = rct_loop_default();
        loop.type = i == 0 ? RCT_LOOP_SLOT : RCT_LOOP_PLANAR_REVOLUTE;
        loop.name = i == 0 ? "free" : NULL;
        loop.body = i;
        loop.axis2[0] = i == 0 ? 0.0 : 1.0;
        loop.axis2[1] = i == 0 ? 1.0 : 0.0;
        loop.at[0] = loop.other_at[0] = 1.0;
        loop.active = i;
        assert_int_equal(rct_model_add_body(model, &rod, NULL, &error), RCT_OK);
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, &error), RCT_OK);
    }
    rct_ensemble *ensemble = must_ensemble(model, 20, 0.0, 2, v);
    rct_ensemble_run_options options = options_of(1e-3);
    options.solver.as_given = 1;
    options.solver.drift = RCT_DRIFT_NONE;
    assert_int_equal(side_by_side(ensemble, options), 1);
    collected *all = check_all_ways(ensemble, options);
    assert_int_equal(count_of(all, RCT_OK), 5);
    assert_int_equal(count_of(all, RCT_ERROR_LOOP), 15);
    check_words(all,
                "loop \"loop1\" of body 1 \"body1\": its accelerations cannot meet the constraints",
                1, "contradict one another");
    collected_free(all);
    rct_ensemble_free(ensemble);
}

/* A prop that is attached and released repeatedly within a step, under a heavy load: the failure
 * names no body, but is still that of the member. */
static void test_events_that_take_turns(void **state)
{
    (void)state;
    const rct_variation mass = {"bodies.load.mass", RCT_VARY_GRID, 0.1, 1.0, 4};
    rct_model *model = rct_model_create(NULL, NULL);
    rct_body load = rct_body_default();
    load.name = "load";
    load.hinge = RCT_HINGE_FREE;
    load.mass = load.inertia[0] = load.inertia[1] = load.inertia[2] = 1.0;
    must_add(model, &load);
    for (int k = 0; k < 3; k++) {
        rct_loop loop = rct_loop_default(); /* two strings, and the prop */
        loop.type = k < 2 ? RCT_LOOP_DISTANCE : RCT_LOOP_BALL;
        loop.length = k < 2 ? 1.0 : 0.0;
        loop.at[0] = loop.other_at[0] = k < 2 ? k - 0.5 : 0.0;
        loop.other_at[2] = k < 2 ? 1.0 : 0.0;
        loop.active = k < 2;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        rct_event event = rct_event_default(); /* one is cut; the prop comes, and goes */
        event.type = k == 0 ? RCT_EVENT_TIME : RCT_EVENT_FORCE;
        event.value = k == 0 ? 0.0045 : 7.0 - 0.5 * k;
        event.way = k == 2 ? RCT_EVENT_FALLS : RCT_EVENT_RISES;
        event.of = k > 0;
        event.loop = k > 0 ? 2 : 0;
        event.state = k == 1 ? RCT_LOOP_ATTACHED : RCT_LOOP_RELEASED;
        event.again = k > 0;
        assert_int_equal(rct_model_add_event(model, &event, NULL, NULL), RCT_OK);
    }
    rct_ensemble *ensemble = must_ensemble(model, 4, 0.0, 1, &mass);
    collected *all = check_all_ways(ensemble, options_of(1e-3));
    for (int64_t k = 0; k < 4; k++) {
        const collected_member *m = &all->member[k];
        assert_int_equal(m->status, k < 3 ? RCT_OK : RCT_ERROR_LOOP);
        assert_true(k < 3 || (m->body == -1 && strstr(m->text, "in turn") != NULL));
    }
    collected_free(all);
    rct_ensemble_free(ensemble);
}

/* Rates that are too large for the step, from some member on: these members fail during the run,
 * one after the other. */
static void test_members_that_run_away(void **state)
{
    (void)state;
    const rct_variation rate = {"bodies.pendulum.initial.rate", RCT_VARY_GRID, 0.0, 900.0, MEMBERS};
    rct_ensemble *ensemble = must_ensemble(example("four-bar"), MEMBERS, 0.0, 1, &rate);
    const rct_ensemble_run_options options = options_of(1e-2);
    collected *all = check_all_ways(ensemble, options);
    int late = 0;
    for (int64_t k = 0; k < all->members; k++) {
        late += all->member[k].status != RCT_OK && all->member[k].time > 0.0;
        check_solver(ensemble, all, k, &options);
    }
    assert_true(late > 1 && count_of(all, RCT_OK) > 1);
    collected_free(all);
    rct_ensemble_free(ensemble);
}

/* Without correction of drift each member is judged by its own loops: some stay closed, some come
 * open. */
static void test_members_that_come_open(void **state)
{
    (void)state;
    const rct_variation rate = {"bodies.pendulum.initial.rate", RCT_VARY_GRID, 0.0, 90.0, MEMBERS};
    rct_ensemble *ensemble = must_ensemble(example("four-bar"), MEMBERS, 0.0, 1, &rate);
    rct_ensemble_run_options options = options_of(2e-2);
    options.solver.drift = RCT_DRIFT_NONE;
    options.steps = 100;
    assert_int_equal(side_by_side(ensemble, options), 1);
    collected *all = check_all_ways(ensemble, options);
    int open = 0;
    for (int64_t k = 0; k < all->members; k++) {
        open += strstr(all->member[k].text, "loop 0 \"") == all->member[k].text &&
                strstr(all->member[k].text, "is open by") != NULL;
    }
    assert_true(open > 1 && count_of(all, RCT_OK) > 1);
    collected_free(all);
    rct_ensemble_free(ensemble);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_open_starts),
        cmocka_unit_test(test_gravity_and_given_states),
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_who_stands_alone),
        cmocka_unit_test(test_base_without_inertia),
        cmocka_unit_test(test_loops_that_cannot_be_closed),
        cmocka_unit_test(test_loops_that_contradict),
        cmocka_unit_test(test_events_that_take_turns),
        cmocka_unit_test(test_members_that_run_away),
        cmocka_unit_test(test_members_that_come_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
