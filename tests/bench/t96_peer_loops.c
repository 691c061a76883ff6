/* Systems with loops as peers get them: plain kinematics finds both states closed, in positions and
 * rates; Riccatree through the contract of peers against the reference `lagrange`; and systems cut
 * into their independent parts. */
#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include "bench/peers/apart.h"
#include "bench/peers/families.h"

#include "core/rotation.h"

#include <riccatree/reference.h>
#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 }; /* coordinates of a system here */

typedef struct place {
    double turn[4], rate[3], position[3], velocity[3];
} place;

static const bench_family families[] = {{"fourbars", RCT_HINGE_REVOLUTE, 21, 1},
                                        {"fourbars", RCT_HINGE_REVOLUTE, 3, 10},
                                        {"fourbars", RCT_HINGE_REVOLUTE, 5, 4},
                                        {"necklace", RCT_HINGE_BALL, 10, 1},
                                        {"necklace", RCT_HINGE_BALL, 4, 3}};
enum { FAMILIES = sizeof families / sizeof families[0] };

static bench_system *made(const bench_family *family)
{
    char reason[BENCH_REASON] = "";
    bench_system *system = bench_system_make(family, reason);
    assert_string_equal(reason, "");
    assert_non_null(system);
    assert_true(system->loops > 0 && system->coordinates <= MOST);
    return system;
}

/* Position and velocity of a point of a body, inertial axes. */
static void follow(const place *body, const double at[3], double position[3], double velocity[3])
{
    double r[3][3], arm[3], swing[3];
    rct_rotation(body->turn, r);
    rct_rotate(r, at, arm);
    rct_cross(body->rate, arm, swing);
    for (int k = 0; k < 3; k++) {
        position[k] = body->position[k] + arm[k];
        velocity[k] = body->velocity[k] + swing[k];
    }
}

static void move(const bench_system *system, int state, place *places)
{
    static const place ground = {.turn = {1.0}};
    for (int32_t i = 0; i < system->bodies; i++) {
        const bench_body *body = &system->body[i];
        const place *parent = body->parent < 0 ? &ground : &places[body->parent];
        const double *q = system->q[state] + body->q, *u = system->u[state] + body->u;
        const double s = sin(0.5 * *q), *axis = body->axis;
        const double turned[4] = {cos(0.5 * *q), s * axis[0], s * axis[1], s * axis[2]};
        const double along[3] = {*u * axis[0], *u * axis[1], *u * axis[2]};
        double r[3][3], slip[3];
        rct_quaternion_product(parent->turn, body->ball ? q : turned, places[i].turn);
        rct_rotation(places[i].turn, r);
        rct_rotate(r, body->ball ? u : along, slip);
        for (int k = 0; k < 3; k++) {
            places[i].rate[k] = parent->rate[k] + slip[k];
        }
        follow(parent, body->at, places[i].position, places[i].velocity);
    }
}

static void both_states_are_closed(void **state)
{
    (void)state;
    for (size_t f = 0; f < FAMILIES; f++) {
        bench_system *system = made(&families[f]);
        place places[MOST];
        double fastest = 0.0;
        for (int s = 0; s < BENCH_STATES; s++) {
            move(system, s, places);
            for (int32_t i = 0; i < system->loops; i++) {
                const bench_loop *loop = &system->loop[i];
                double a[2][3], b[2][3];
                follow(&places[loop->body], loop->at, a[0], a[1]);
                follow(&places[loop->other], loop->other_at, b[0], b[1]);
                for (int k = 0; k < 3; k++) {
                    assert_true(fabs(a[0][k] - b[0][k]) < 1e-13 * system->bodies);
                    assert_true(fabs(a[1][k] - b[1][k]) < 1e-13 * system->bodies);
                }
            }
            for (int32_t k = 0; k < system->freedoms; k++) {
                fastest = larger(fastest, fabs(system->u[s][k]));
            }
        }
        assert_true(fastest > 0.1);
        assert_memory_not_equal(system->q[0], system->q[1],
                                (size_t)system->coordinates * sizeof *system->q[0]);
        bench_system_free(system);
    }
}

/* Accelerations by Riccatree in a state, of its own bodies and of neutral ones; `q` and `u` become
 * its coordinates. */
static void find(const bench_system *system, int state, double *q, double *u, double *own,
                 double *du)
{
    char reason[BENCH_REASON] = "";
    const bench_peer *peer = &bench_riccatree;
    void *solver = peer->make(system, reason);
    assert_non_null(solver);
    peer->adopt(solver, system->q[state], system->u[state], q, u);
    assert_true(peer->forward(solver, q, u, own));
    peer->yield(solver, system->q[state], system->u[state], own, du);
    peer->free(solver);
}

static double difference(const double *a, const double *b, int32_t count)
{
    double size = 0.0, wrong = 0.0;
    for (int32_t k = 0; k < count; k++) {
        size = larger(size, fabs(b[k]));
        wrong = larger(wrong, fabs(a[k] - b[k]));
    }
    assert_true(size > 0.1);
    return wrong / size;
}

/* The coordinates of Riccatree are those of the family's own model. */
static void accelerations_are_those_of_lagrange(void **state)
{
    (void)state;
    for (size_t f = 0; f < FAMILIES; f++) {
        bench_system *system = made(&families[f]);
        rct_family family = rct_family_default();
        family.family = families[f].family;
        family.hinge = families[f].hinge;
        family.bodies = families[f].bodies;
        family.systems = families[f].systems;
        rct_model *model = rct_model_generate(&family, NULL);
        for (int s = 0; s < BENCH_STATES; s++) {
            double q[MOST], u[MOST], own[MOST], du[MOST], reference[MOST];
            rct_reference_result result = {.derivatives = reference};
            find(system, s, q, u, own, du);
            assert_int_equal(
                rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, 0.0, q, u, &result, NULL),
                RCT_OK);
            assert_true(difference(own, reference, system->freedoms) < 1e-10);
        }
        rct_model_free(model);
        bench_system_free(system);
    }
}

/* Riccatree as a peer that counts models and calls. */
static int models, calls;

static void *make_counted(const bench_system *system, char *reason)
{
    models++;
    return bench_riccatree.make(system, reason);
}

static int forward_counted(void *made, const double *own_q, const double *own_u, double *own_du)
{
    calls++;
    return bench_riccatree.forward(made, own_q, own_u, own_du);
}

static bench_peer counted(void)
{
    bench_peer peer = bench_riccatree;
    peer.make = make_counted;
    peer.forward = forward_counted;
    models = calls = 0;
    return peer;
}

static void parts_apart_are_the_whole(void **state)
{
    (void)state;
    for (size_t f = 0; f < FAMILIES; f++) {
        const bench_peer peer = counted();
        char reason[BENCH_REASON] = "";
        bench_system *system = made(&families[f]);
        void *apart = bench_apart_make(&peer, system, reason);
        assert_non_null(apart);
        assert_int_equal(models, 1); /* parts are alike */
        for (int s = 0; s < BENCH_STATES; s++) {
            double q[MOST], u[MOST], own[MOST], du[MOST], whole[MOST];
            find(system, s, q, u, own, whole);
            bench_apart.adopt(apart, system->q[s], system->u[s], q, u);
            assert_true(bench_apart.forward(apart, q, u, own));
            bench_apart.yield(apart, system->q[s], system->u[s], own, du);
            assert_true(difference(du, whole, system->freedoms) < 1e-10);
        }
        assert_int_equal(calls, BENCH_STATES * families[f].systems);
        bench_apart.free(apart);
        bench_system_free(system);
    }
}

/* Different parts have models of their own; bodies that a loop joins are one part, in either order
 * of its ends. */
static void parts_are_told_apart(void **state)
{
    (void)state;
    char reason[BENCH_REASON] = "";
    bench_peer peer = counted();
    bench_system *system = made(&families[1]);
    system->body[4].mass *= 2.0;
    bench_apart.free(bench_apart_make(&peer, system, reason));
    assert_int_equal(models, 2);
    for (int32_t i = 0; i < system->loops;
         i++) { /* in the other order, on to the next part except in the last */
        bench_loop *loop = &system->loop[i];
        loop->body = loop->other;
        loop->other = i + 1 < system->loops ? loop->body + 1 : 0;
    }
    peer = counted();
    void *whole = bench_apart_make(&peer, system, reason);
    assert_int_equal(models, 1);
    bench_apart.free(whole);
    system->body[4].mass = -1.0;
    bench_system *first = made(&families[1]);
    memcpy(system->loop, first->loop, (size_t)system->loops * sizeof *system->loop);
    assert_null(bench_apart_make(&peer, system, reason));
    assert_non_null(strstr(reason, "mass"));
    bench_system_free(first);
    bench_system_free(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_states_are_closed),
        cmocka_unit_test(accelerations_are_those_of_lagrange),
        cmocka_unit_test(parts_apart_are_the_whole),
        cmocka_unit_test(parts_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
