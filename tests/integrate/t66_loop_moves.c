/* States that a run moves along derivatives of rates (rct_junction_operations), against the same
 * motion computed hinge by hinge from the results of solvers: random trees of every hinge with a
 * loop in the junction, in lanes and threads. Moves back to the earlier bits, refused moves to
 * invalid states, moves back to the start of a step. `t66_loop_moves cuda`: on an accelerator. */
#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "dynamics/closed/closed.h"
#include "dynamics/solver.h"
#include "model/hinge_types.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *backend = "cpu";

enum { BODIES = 90, SEEDS = 12 };

static rct_model *model_of(uint64_t seed)
{
    const int ball = 1 << RCT_HINGE_BALL, turning = 1 << RCT_HINGE_REVOLUTE;
    const hinge_system system = {
        .tree = {.shape = (random_shape)(seed % 3), .bodies = BODIES, .spin = 1.0, .seed = seed},
        .hinges = seed % 4 == 0   ? ball
                  : seed % 4 == 1 ? turning
                                  : ALL_HINGES};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, 1, 1 << RCT_LOOP_BALL, seed + 100);
    return model;
}

static rct_solver *solver_of(const rct_model *model, int32_t lanes, int32_t threads)
{
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.backend = backend;
    options.segment = 7;
    options.lanes = lanes;
    options.threads = threads;
    options.as_given = 1;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    assert_true(rct_closed_in_junction(solver->closed));
    return solver;
}

/* Coordinates, rates and their derivatives. */
typedef struct motion {
    double *q, *u, *du;
    int64_t coordinates, rates;
} motion;

static motion read(const rct_solver *s, int derivatives)
{
    motion m = {.coordinates = s->plan->coordinates, .rates = s->plan->freedoms};
    m.q = calloc((size_t)(m.coordinates + 2 * m.rates), sizeof *m.q);
    m.u = m.q + m.coordinates;
    m.du = m.u + m.rates;
    rct_solver_get_coordinates(s, m.q, m.u);
    if (derivatives) {
        rct_solver_get_rate_derivatives(s, m.du);
    }
    return m;
}

/* The quaternion of a rotation vector, times q. */
static void turn(const double v[3], const double q[4], double out[4])
{
    const double angle = sqrt(rct_dot(v, v)), s = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    const double by[4] = {cos(0.5 * angle), s * v[0], s * v[1], s * v[2]};
    rct_quaternion_product(by, q, out);
}

/* Moved hinge by hinge as the contract says; and the largest derivatives, of rotational rates and
 * others. */
static void move(motion *m, const rct_solver *s, double positions, double rates, double largest[2])
{
    double *q = m->q, *u = m->u, *du = m->du;
    largest[0] = largest[1] = 0.0;
    for (int64_t b = 0; b < s->plan->body_count; b++) {
        const rct_hinge_type hinge = rct_plan_hinge(s->plan, b);
        const int absolute = hinge == RCT_HINGE_BALL || hinge == RCT_HINGE_FREE;
        const int nu = rct_hinges[hinge].freedoms, nq = rct_hinges[hinge].coordinates;
        if (absolute) {
            const double by[3] = {positions * du[0], positions * du[1], positions * du[2]};
            const double before[4] = {q[0], q[1], q[2], q[3]};
            turn(by, before, q);
        }
        for (int i = 0; i < nu; i++) {
            const int turns = absolute ? i < 3 : rct_hinge_turns(hinge, i);
            largest[!turns] = larger(largest[!turns], fabs(du[i]));
            q[i + nq - nu] += absolute && i < 3 ? 0.0 : positions * du[i];
            u[i] += rates * du[i];
        }
        q += nq, u += nu, du += nu;
    }
}

static double apart(const double *x, const double *y, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(x[i] - y[i]) / fmax(1.0, fabs(y[i])));
    }
    return most;
}

/* Short and long turns, in the lanes of one row and of several types. */
static void test_moves(void **state)
{
    static const double by[][2] = {{0.0, 1e-3}, {1e-9, 0.0}, {1e-3, 0.0}, {0.02, 0.01}};
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        rct_model *model = model_of(seed);
        for (int k = 0; k < 4; k++) {
            rct_solver *s = solver_of(model, lanes_up_to(1 << k), 1 + k % 3);
            const rct_move_operations *moves = s->backend->moves;
            motion slow = read(s, 1), before = read(s, 0);
            double expected[2], largest[2];
            moves->largest(s->run, largest);
            move(&slow, s, by[k][0], by[k][1], expected);
            assert_true(apart(largest, expected, 2) < 1e-13);
            assert_int_equal(moves->move(s->run, &(rct_move){by[k][0], by[k][1], NULL}, 0), 1);
            const motion after = read(s, 0);
            assert_true(apart(after.q, slow.q, slow.coordinates) < 1e-13);
            assert_true(apart(after.u, slow.u, slow.rates) < 1e-13);
            moves->move_back(s->run);
            const motion back = read(s, 0);
            assert_memory_equal(back.q, before.q, (size_t)before.coordinates * sizeof *back.q);
            assert_memory_equal(back.u, before.u, (size_t)before.rates * sizeof *back.u);
            free(slow.q), free(before.q), free(after.q), free(back.q);
            rct_solver_free(s);
        }
        rct_model_free(model);
    }
}

static void test_refused(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        rct_model *model = model_of(seed);
        rct_solver *s = solver_of(model, 0, 2);
        const motion before = read(s, 0);
        assert_int_equal(s->backend->moves->move(s->run, &(rct_move){INFINITY, 0.0, NULL}, 0), 0);
        assert_int_equal(s->backend->moves->move(s->run, &(rct_move){0.0, NAN, NULL}, 0), 0);
        const motion after = read(s, 0);
        assert_memory_equal(after.q, before.q, (size_t)before.coordinates * sizeof *before.q);
        assert_memory_equal(after.u, before.u, (size_t)before.rates * sizeof *before.u);
        free(before.q), free(after.q);
        rct_solver_free(s);
        rct_model_free(model);
    }
}

/* A step moves positions and velocities at its end; its start remains available. */
static void test_start_of_step(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        rct_model *model = model_of(seed);
        rct_solver *s = solver_of(model, 0, 1);
        const size_t size =
            (size_t)rct_link_state(&s->plan->links, s->plan->links.count) * sizeof(double);
        double *before = malloc(size), *after = malloc(size);
        s->backend->read_state(s->run, before);
        assert_int_equal(rct_solver_step(s, 1e-4, 1, NULL), RCT_OK);
        s->backend->read_state(s->run, after);
        assert_memory_not_equal(after, before, size);
        s->backend->moves->take_back(s->run);
        s->backend->read_state(s->run, after);
        assert_memory_equal(after, before, size);
        free(before), free(after);
        rct_solver_free(s);
        rct_model_free(model);
    }
}

/* The answer of the paths of nodes to wrenches on some of them is that of a sweep under these
 * wrenches, less one without. */
static void test_responds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        rct_model *model = model_of(seed);
        rct_solver *s = solver_of(model, 0, 1);
        const rct_junction_operations *junction = s->backend->junction;
        const rct_closed *c = s->closed;
        rct_held_trunk *held = junction->held(s->run);
        double open[6], pushed[6], most = 0.0, off = 0.0;
        const int32_t link = c->held_links[0], node = c->node_of[c->held[0]];
        memset(s->loads, 0, (size_t)s->plan->links.count * LOAD_FIELDS * sizeof *s->loads);
        s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
        assert_int_equal(junction->condense(s->run).end, SWEEP_DONE);
        rct_held_read(held, node, open);
        double *wrenches = rct_held_wrenches(held);
        for (int i = 0; i < 6; i++) {
            wrenches[6 * (int64_t)node + i] = s->loads[(int64_t)link * LOAD_FIELDS + i] = 1.0 + i;
        }
        const double *motions = rct_held_respond(held);
        s->backend->write_loads(s->run, &link, 1, s->loads);
        assert_int_equal(junction->condense(s->run).end, SWEEP_DONE);
        rct_held_read(held, node, pushed);
        for (int i = 0; i < 6; i++) {
            most = larger(most, fmax(fabs(pushed[i]), fabs(open[i])));
            off = larger(off, fabs(pushed[i] - open[i] - motions[6 * (int64_t)node + i]));
        }
        assert_true(most > 0.0 && off < 1e-11 * most);
        rct_solver_free(s);
        rct_model_free(model);
    }
}

/* Accelerations of all links, [links][6]. */
static double *accelerations_of(const rct_solver *s)
{
    double *all = malloc((size_t)s->plan->links.count * 6 * sizeof *all);
    s->backend->read_accelerations(s->run, all);
    return all;
}

/* Wrenches on nodes move all links as loads on these links do: beside what acts, and alone, when they are so large that
 * nothing else counts. */
static void test_settles(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        for (int alone = 0; alone <= 1; alone++) {
            rct_model *model = model_of(seed);
            rct_solver *s = solver_of(model, 0, 1);
            const rct_junction_operations *junction = s->backend->junction;
            const rct_closed *c = s->closed;
            rct_held_trunk *held = junction->held(s->run);
            const int32_t links = s->plan->links.count;
            const double size = alone ? RCT_BEYOND_ALL : 1.0;
            double most = 0.0, off = 0.0;
            memset(s->loads, 0, (size_t)links * LOAD_FIELDS * sizeof *s->loads);
            s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
            assert_int_equal(junction->condense(s->run).end, SWEEP_DONE);
            double *wrenches = rct_held_wrenches(held);
            for (int32_t k = 0; k < c->held_count; k++) {
                const int32_t node = c->node_of[c->held[k]], link = s->plan->link_of[c->held[k]];
                for (int i = 0; i < 6 && node >= 0; i++) {
                    wrenches[6 * (int64_t)node + i] = 1.0 + i - 0.3 * k;
                    s->loads[(int64_t)link * LOAD_FIELDS + i] = size * (1.0 + i - 0.3 * k);
                }
            }
            rct_held_respond(held);
            if (alone) {
                assert_int_equal(junction->sway(s->run).end, SWEEP_DONE);
            } else {
                junction->settle(s->run);
                assert_int_equal(s->backend->evaluate(s->run).end, SWEEP_DONE);
            }
            double *settled = accelerations_of(s);
            s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
            assert_int_equal(s->backend->evaluate(s->run).end, SWEEP_DONE);
            double *swept = accelerations_of(s);
            for (int64_t i = 0; i < (int64_t)6 * links; i++) {
                most = larger(most, fabs(swept[i]));
                off = larger(off, fabs(swept[i] - settled[i]));
            }
            assert_true(most > 0.0 && off < 1e-10 * most);
            free(settled), free(swept);
            rct_solver_free(s);
            rct_model_free(model);
        }
    }
}

int main(int count, char **arguments)
{
    backend = count > 1 ? arguments[1] : backend;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),         cmocka_unit_test(test_refused),
        cmocka_unit_test(test_start_of_step), cmocka_unit_test(test_responds),
        cmocka_unit_test(test_settles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
