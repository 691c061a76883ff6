/* Evaluations reuse results of earlier calls. Whatever is called between evaluations, in any order,
 * their results are those of a solver that keeps nothing and sweeps every link inward once, one
 * link after the other. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/solver.h>

#include <math.h>
#include <stdlib.h>

enum { CALLS = 60, FEW_CALLS = 6, KEPT = 0, PLAIN = 1, SOLVERS = 2 };

typedef struct pair {
    rct_solver *solver[SOLVERS];
    int64_t bodies, coordinates, freedoms;
    double *q, *u, *efforts;             /* of the model                  */
    double *one[SOLVERS], *two[SOLVERS]; /* [bodies][3] of each solver    */
    uint64_t random;
} pair;

static double *numbers(int64_t count)
{
    double *made = calloc((size_t)count + 1, sizeof *made);
    assert_non_null(made);
    return made;
}

static void good(rct_status status, const rct_error *error)
{
    if (status != RCT_OK) {
        fail_msg("%s", error->text);
    }
}

/* NOLINTNEXTLINE(readability-function-size): as rct_force_function has it */
static void pull(void *context, double time, int32_t bodies, const double *orientation,
                 const double *angular_velocity, const double *position, const double *velocity,
                 double *force, double *moment)
{
    (void)context, (void)orientation, (void)position;
    for (int32_t i = 0; i < 3 * bodies; i++) {
        force[i] = sin(30.0 * time + i) - 0.1 * velocity[i];
        moment[i] = -0.1 * angular_velocity[i];
    }
}

static void begin(pair *p, const rct_model *model, int64_t segment, int32_t lanes, int32_t threads)
{
    rct_solver_info info;
    rct_error error;
    for (int k = 0; k < SOLVERS; k++) {
        rct_solver_options options = rct_solver_options_default();
        options.backend = "cpu";
        options.user_forces = 1;
        options.segment = k == KEPT ? segment : 0;
        options.lanes = k == KEPT ? lanes : 1;
        options.threads = k == KEPT ? threads : 1;
        p->solver[k] = rct_solver_create(model, &options, &error);
        good(p->solver[k] != NULL ? RCT_OK : error.status, &error);
    }
    rct_solver_get_info(p->solver[KEPT], &info);
    assert_true(info.bushes > 0);
    p->bodies = info.bodies;
    p->coordinates = info.coordinates;
    p->freedoms = info.dof;
    p->q = numbers(p->coordinates);
    p->u = numbers(p->freedoms);
    p->efforts = numbers(p->freedoms);
    for (int k = 0; k < SOLVERS; k++) {
        p->one[k] = numbers(3 * p->bodies);
        p->two[k] = numbers(3 * p->bodies);
    }
}

static void end(pair *p)
{
    for (int k = 0; k < SOLVERS; k++) {
        rct_solver_free(p->solver[k]);
        free(p->one[k]);
        free(p->two[k]);
    }
    free(p->q);
    free(p->u);
    free(p->efforts);
}

/* Both rows of each body, relative to the largest number of all; arms are about 1 m. */
static void expect_alike(const pair *p, const char *what)
{
    double apart = 0.0, most = 0.0;
    for (int64_t i = 0; i < 3 * p->bodies; i++) {
        apart = larger(apart, fabs(p->one[KEPT][i] - p->one[PLAIN][i]));
        apart = larger(apart, fabs(p->two[KEPT][i] - p->two[PLAIN][i]));
        most = larger(most, larger(fabs(p->one[PLAIN][i]), fabs(p->two[PLAIN][i])));
    }
    if (!(apart <= 1e-9 * most)) {
        fail_msg("%s: %.2e off, of %.2e", what, apart, most);
    }
}

static void move_a_little(pair *p)
{
    rct_error error;
    rct_solver_get_coordinates(p->solver[PLAIN], p->q, p->u);
    for (int64_t i = 0; i < p->coordinates; i++) {
        p->q[i] += draw_between(&p->random, -0.1, 0.1);
    }
    for (int64_t i = 0; i < p->freedoms; i++) {
        p->u[i] += draw_between(&p->random, -0.1, 0.1);
    }
    for (int k = 0; k < SOLVERS; k++) {
        good(rct_solver_set_coordinates(p->solver[k], p->q, p->u, &error), &error);
    }
}

static void push_hinges(pair *p)
{
    rct_error error;
    draw_numbers(&p->random, p->efforts, (int)p->freedoms, 2.0);
    for (int k = 0; k < SOLVERS; k++) {
        good(rct_solver_set_efforts(p->solver[k], p->efforts, &error), &error);
    }
}

static void pull_others(pair *p)
{
    int32_t named[3];
    rct_error error;
    for (int i = 0; i < 3; i++) {
        named[i] = (int32_t)(i * (p->bodies / 3) +
                             (int64_t)(draw_bits(&p->random) % (uint64_t)(p->bodies / 3)));
    }
    for (int k = 0; k < SOLVERS; k++) {
        good(rct_solver_set_body_forces(p->solver[k], named, 3, pull, NULL, &error), &error);
    }
}

static void look_at_forces(pair *p)
{
    for (int k = 0; k < SOLVERS; k++) {
        rct_error error;
        good(rct_solver_evaluate(p->solver[k], &error), &error);
        rct_solver_get_hinge_forces(p->solver[k], p->one[k], p->two[k]);
    }
    expect_alike(p, "forces and moments at hinges");
}

static void call(pair *p)
{
    const double later = 1e-4 * (double)(1 + draw_bits(&p->random) % 3);
    rct_measures measures;
    rct_error error;
    switch (draw_bits(&p->random) % 7) {
    case 0: move_a_little(p); break;
    case 1: push_hinges(p); break;
    case 2: pull_others(p); break;
    case 3: look_at_forces(p); break;
    case 4:
        for (int k = 0; k < SOLVERS; k++) {
            good(rct_solver_step(p->solver[k], later, 2, &error), &error);
        }
        break;
    case 5:
        for (int k = 0; k < SOLVERS; k++) {
            rct_solver_set_time(p->solver[k], rct_solver_time(p->solver[k]) + 100.0 * later);
        }
        break;
    default: rct_solver_measure(p->solver[KEPT], &measures); break;
    }
}

static void check(const rct_model *model, int64_t segment, int32_t lanes, int32_t threads,
                  int calls)
{
    pair p = {.random = 7};
    rct_error error;
    begin(&p, model, segment, lanes, threads);
    for (int c = 0; c < calls; c++) {
        call(&p);
        for (int k = 0; k < SOLVERS; k++) {
            good(rct_solver_evaluate(p.solver[k], &error), &error);
            rct_solver_get_accelerations(p.solver[k], p.one[k], p.two[k]);
        }
        expect_alike(&p, "accelerations");
    }
    end(&p);
}

static void check_all(int hinges, int32_t bodies, int64_t segment)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const hinge_system system = {.tree = {.shape = seed % 2 == 0 ? SHAPE_TREE : SHAPE_BINARY,
                                              .bodies = bodies,
                                              .shuffled = seed > 2,
                                              .spin = 1.0,
                                              .seed = seed},
                                     .hinges = hinges,
                                     .joint_forces = 1,
                                     .ground_moves = 1};
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        check(model, segment, (int32_t)(seed % 3), 1 + (int32_t)(seed % 2),
              CALLS); /* 0: the widest */
        rct_model_free(model);
    }
}

/* Bushes beside segments. */
static void test_segments(void **state)
{
    (void)state;
    check_all(1 << RCT_HINGE_BALL, 150, 4);
    check_all(ALL_HINGES, 150, 4);
    check_all(1 << RCT_HINGE_BALL | 1 << RCT_HINGE_REVOLUTE, 150, 4);
}

/* The same with all links on the trunk. */
static void test_trunk(void **state)
{
    (void)state;
    check_all(1 << RCT_HINGE_BALL, 1500, RCT_SEGMENT_AUTO);
    check_all(1 << RCT_HINGE_REVOLUTE | 1 << RCT_HINGE_UNIVERSAL, 1500, RCT_SEGMENT_AUTO);
}

/* With too many balls nothing is kept; with too many other hinges the results of the first bushes
 * are kept. */
static void test_large(void **state)
{
    const int hinges[] = {1 << RCT_HINGE_BALL, 1 << RCT_HINGE_REVOLUTE};
    const int32_t bodies[] = {40000, 150000};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const hinge_system system = {
            .tree = {.shape = SHAPE_BINARY, .bodies = bodies[k], .spin = 1.0, .seed = 1},
            .hinges = hinges[k]};
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        check(model, RCT_SEGMENT_AUTO, 0, 2, FEW_CALLS);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_segments),
                                       cmocka_unit_test(test_trunk), cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
