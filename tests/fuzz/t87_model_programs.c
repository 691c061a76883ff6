/* Random programs that make models and run ensembles: bodies, rods, forces and loops added in any
 * order, with valid and invalid arguments, and with memory that runs out at any allocation. A
 * failed call leaves the model unchanged, except for the bodies of a rod; the census counts
 * everything that was added; members under error control have the bits of a solver of their own. */
#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"
#include "tests/support/systems/any_model.h"
#include "tests/support/systems/models_alike.h"

#include "core/memory.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 150, CALLS = 30, MOST_BODIES = 60, ROD = 3 };

/* A model that meets failures and its twin, which meets none; and the counts of added parts. */
typedef struct program {
    uint64_t random;
    rct_model *model, *twin;
    rct_census sum; /* of hinges, forces and mass alone */
} program;

static int below(uint64_t *random, int count)
{
    return (int)draw_between(random, 0.0, count);
}

static double bad_number(uint64_t *random)
{
    return (double[]){(double)NAN, (double)INFINITY, -(double)INFINITY}[below(random, 3)];
}

/* ---- calls -------------------------------------------------------------------------------- */

/* A call on one of the two models, from the same random numbers; `sum` NULL: added parts are not
 * counted. */
typedef rct_status call(rct_model *model, uint64_t random, int spoiled, rct_census *sum,
                        rct_error *error);

static rct_status add_body(rct_model *model, uint64_t random, int spoiled, rct_census *sum,
                           rct_error *error)
{
    rct_draw draw = rct_draw_start(random, 0);
    const rct_hinge_type type = (rct_hinge_type)below(&random, RCT_HINGE_TYPES);
    rct_body body = any_body(&draw, type, below(&random, rct_model_body_count(model) + 1) - 1);
    body.mass = spoiled ? bad_number(&random) : body.mass;
    const rct_status status = rct_model_add_body(model, &body, NULL, error);
    if (sum != NULL) {
        sum->hinges[type]++;
        sum->mass += body.mass;
    }
    return status;
}

static rct_status add_rod(rct_model *model, uint64_t random, int spoiled, rct_census *sum,
                          rct_error *error)
{
    rct_rod rod = rct_rod_default();
    rod.parent = below(&random, rct_model_body_count(model) + 1) - 1;
    rod.bodies = ROD;
    rod.density = draw_between(&random, 0.1, 2.0);
    rod.pinned = below(&random, 2);
    rod.radius = spoiled ? bad_number(&random) : rod.radius;
    const rct_status status = rct_model_add_rod(model, &rod, NULL, error);
    if (sum != NULL) {
        sum->hinges[RCT_HINGE_BALL] += ROD;
        sum->mass += rod.density * rod.length;
    }
    return status;
}

static rct_status add_force(rct_model *model, uint64_t random, int spoiled, rct_census *sum,
                            rct_error *error)
{
    rct_draw draw = rct_draw_start(random, 0);
    rct_force force = any_force(&draw, rct_model_body_count(model));
    force.at[0] = spoiled ? bad_number(&random) : force.at[0];
    if (sum != NULL) {
        sum->forces[force.type]++;
    }
    return rct_model_add_force(model, &force, NULL, error);
}

static rct_status add_loop(rct_model *model, uint64_t random, int spoiled, rct_census *sum,
                           rct_error *error)
{
    rct_loop_term terms[ANY_TERMS];
    rct_draw draw = rct_draw_start(random, 0);
    (void)sum;
    rct_loop loop = any_loop(&draw, model, RCT_LOOP_BALL, terms);
    loop.other_at[2] = spoiled ? bad_number(&random) : loop.other_at[2];
    return rct_model_add_loop(model, &loop, NULL, error);
}

static rct_status set_gravity(rct_model *model, uint64_t random, int spoiled, rct_census *sum,
                              rct_error *error)
{
    double gravity[3];
    (void)sum;
    draw_numbers(&random, gravity, 3, 10.0);
    gravity[1] = spoiled ? bad_number(&random) : gravity[1];
    return rct_model_set_gravity(model, gravity, error);
}

static const struct {
    call *of;
    int needs_body, leaves_bodies; /* where it fails by memory */
} calls[] = {{add_body, 0, 0},  {add_body, 0, 0}, {add_rod, 0, 1},
             {add_force, 1, 0}, {add_loop, 1, 0}, {set_gravity, 0, 0}};

enum { ALL_CALLS = sizeof calls / sizeof calls[0] };

/* ---- programs ----------------------------------------------------------------------------- */

/* The census is that of the added parts; rods and springs add resistance, which is not counted
 * here. */
static void expect_census(const program *p)
{
    rct_census census;
    rct_model_take_census(p->model, &census);
    assert_memory_equal(census.hinges, p->sum.hinges, sizeof census.hinges);
    assert_memory_equal(census.forces, p->sum.forces, sizeof census.forces);
    assert_true(fabs(census.mass - p->sum.mass) <= 1e-12 * p->sum.mass);
    assert_true(census.length >= 0.0 && census.holds >= 0.0);
    assert_non_null(memchr(census.changers, '\0', sizeof census.changers));
}

/* With as many allocations as the call needs, each of which fails in turn before. A rod may leave
 * bodies: it is tried on models of its own. */
static void call_in_need(program *p, int number, uint64_t random)
{
    rct_error error = {.status = RCT_ERROR_MEMORY};
    for (int64_t k = 0; error.status == RCT_ERROR_MEMORY; k++) {
        rct_model *model = calls[number].leaves_bodies ? rct_model_create("apart", NULL) : p->model;
        error = (rct_error){.status = RCT_OK};
        rct_allocate_fail_after(k);
        const rct_status status = calls[number].of(model, random, 0, NULL, &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(status, error.status);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
        if (model != p->model) {
            rct_model_free(model);
        } else if (status != RCT_OK) {
            assert_true(models_alike(p->model, p->twin));
        }
    }
}

static void make_call(program *p)
{
    const int number = below(&p->random, ALL_CALLS);
    const uint64_t random = draw_bits(&p->random);
    const int32_t bodies = rct_model_body_count(p->model);
    rct_error error = {.text = ""};
    if ((calls[number].needs_body && bodies == 0) || bodies + ROD > MOST_BODIES) {
        return;
    }
    if (below(&p->random, 3) == 0) {
        const rct_status status = calls[number].of(p->model, random, 1, NULL, &error);
        assert_true(status == RCT_ERROR_MODEL || status == RCT_ERROR_ARGUMENT);
        assert_int_equal(status, error.status);
        assert_true(models_alike(p->model, p->twin));
    }
    call_in_need(p, number, random);
    if (calls[number].leaves_bodies) {
        assert_int_equal(calls[number].of(p->model, random, 0, NULL, &error), RCT_OK);
    }
    assert_int_equal(calls[number].of(p->twin, random, 0, &p->sum, &error), RCT_OK);
    assert_true(models_alike(p->model, p->twin));
    expect_census(p);
}

static void test_models(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        program p = {.random = seed,
                     .model = rct_model_create("any", NULL),
                     .twin = rct_model_create("any", NULL)};
        for (int i = 0; i < CALLS; i++) {
            make_call(&p);
        }
        const int first = below(&p.random, 2);
        rct_model_free(first ? p.twin : p.model);
        rct_model_free(first ? p.model : p.twin);
    }
}

/* ---- ensembles ---------------------------------------------------------------------------- */

enum { MEMBERS = 5, STEPS = 4, COORDINATES = 40 };

/* Results of all members. */
typedef struct ends {
    double coordinates[MEMBERS][COORDINATES], rates[MEMBERS][COORDINATES];
    int delivered[MEMBERS];
    int64_t wide, free; /* how many numbers */
} ends;

static rct_status take_end(void *context, const rct_member_result *result, rct_error *error)
{
    ends *e = context;
    (void)error;
    assert_int_equal(result->status, RCT_OK);
    memcpy(e->coordinates[result->member], result->coordinates, (size_t)e->wide * sizeof(double));
    memcpy(e->rates[result->member], result->rates, (size_t)e->free * sizeof(double));
    e->delivered[result->member]++;
    return RCT_OK;
}

static void expect_alone(const rct_ensemble *ensemble, const rct_ensemble_run_options *run,
                         const ends *e, int64_t member)
{
    double coordinates[COORDINATES], rates[COORDINATES];
    const rct_solver_options options = rct_ensemble_solver_options(ensemble, &run->solver);
    rct_model *model = rct_ensemble_model(ensemble, member, NULL);
    rct_solver *solver = rct_solver_create(model, &options, NULL);
    must_step(solver, run->dt, run->steps);
    rct_solver_get_coordinates(solver, coordinates, rates);
    assert_int_equal(e->delivered[member], 1);
    assert_memory_equal(e->coordinates[member], coordinates, (size_t)e->wide * sizeof(double));
    assert_memory_equal(e->rates[member], rates, (size_t)e->free * sizeof(double));
    rct_solver_free(solver);
    rct_model_free(model);
}

static ends ends_of(const rct_ensemble *ensemble)
{
    ends e = {.wide = 0};
    rct_model *model = rct_ensemble_model(ensemble, 0, NULL);
    rct_solver *solver = rct_solver_create(model, NULL, NULL);
    rct_solver_info info = {.dof = 0};
    rct_solver_get_info(solver, &info);
    rct_solver_free(solver);
    rct_model_free(model);
    e.wide = info.coordinates;
    e.free = info.dof;
    return e;
}

/* Memory runs out once at every allocation: the run reports it, or is complete. */
static void run_in_need(const rct_ensemble *ensemble, rct_ensemble_run_options run)
{
    rct_error error = {.status = RCT_ERROR_MEMORY};
    for (int64_t k = 0; error.status == RCT_ERROR_MEMORY; k++) {
        ends e = ends_of(ensemble);
        run.context = &e;
        error = (rct_error){.status = RCT_OK, .text = ""};
        rct_allocate_fail_after(k);
        const rct_status status = rct_ensemble_run(ensemble, &run, &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(status, error.status);
        for (int64_t m = 0; status == RCT_OK && m < MEMBERS; m++) {
            expect_alone(ensemble, &run, &e, m);
        }
    }
    assert_int_equal(error.status, RCT_OK);
}

static void test_ensembles_with_error_control(void **state)
{
    static const rct_integrator integrators[] = {RCT_INTEGRATOR_DOPRI5, RCT_INTEGRATOR_IMPLICIT};
    static const rct_variation gravity = {"gravity[2]", RCT_VARY_NORMAL, -9.0, 1.0, 0};
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        rct_family family = rct_family_default();
        rct_ensemble_run_options run = rct_ensemble_run_options_default();
        family.family = seed % 2 == 0 ? "chain" : "random";
        family.bodies = 3 + (int64_t)seed / 2;
        family.seed = seed;
        family.hinge = seed % 3 == 0 ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL;
        rct_ensemble *ensemble = must_ensemble(must_generate(&family), MEMBERS, 0.3, 1, &gravity);
        run.dt = 0.02;
        run.steps = STEPS;
        run.threads = 1 + (int32_t)seed % 2;
        run.solver.integrator = integrators[seed / 4];
        run.deliver = take_end;
        run_in_need(ensemble, run);
        rct_ensemble_free(ensemble);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_ensembles_with_error_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
