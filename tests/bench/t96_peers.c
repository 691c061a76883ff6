/* The functions of bench/peers/ that need no peer: systems written as neutral files and read again,
 * Riccatree on these files through the contract of peers against Riccatree on its own model, and
 * errors of bad files. */
#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include "bench/peers/families.h"
#include "bench/peers/peer.h"
#include "bench/peers/robots.h"

#include <riccatree/reference.h>
#include <riccatree/riccatree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/t96_peers_XXXXXX";

static int open_place(void **state)
{
    (void)state;
    const int file = mkstemp(path);
    return file < 0 ? 1 : close(file);
}

static int remove_place(void **state)
{
    (void)state;
    return remove(path);
}

static bench_system *made(const char *family, rct_hinge_type hinge, int32_t bodies, int32_t systems)
{
    char reason[BENCH_REASON] = "";
    bench_system *system =
        bench_system_make(&(bench_family){family, hinge, bodies, systems}, reason);
    assert_string_equal(reason, "");
    assert_non_null(system);
    return system;
}

static void same_bits_are_read(void **state)
{
    (void)state;
    char reason[BENCH_REASON] = "";
    bench_system *systems[] = {
        made("random", RCT_HINGE_REVOLUTE, 40, 1), made("random", RCT_HINGE_BALL, 40, 1),
        made("chain", RCT_HINGE_REVOLUTE, 7, 3),   made("fourbars", RCT_HINGE_REVOLUTE, 5, 3),
        made("necklace", RCT_HINGE_BALL, 6, 1),    made("branch", RCT_HINGE_BALL, 9, 2),
        made("arm", RCT_HINGE_REVOLUTE, 7, 1),     made("humanoid", RCT_HINGE_REVOLUTE, 31, 2)};
    assert_string_equal(systems[0]->name, "random-revolute-40");
    assert_string_equal(systems[2]->name, "chain-revolute-7-times-3");
    assert_int_equal(systems[3]->loops, 6);
    assert_int_equal(systems[4]->loops, 1);
    assert_string_equal(systems[7]->name, "humanoid-revolute-31-times-2");
    assert_int_equal(systems[7]->freedoms, 72);
    for (size_t k = 0; k < sizeof systems / sizeof systems[0]; k++) {
        const bench_system *a = systems[k];
        assert_true(bench_system_write(a, path, reason));
        bench_system *b = bench_system_read(path, reason);
        assert_non_null(b);
        assert_string_equal(a->name, b->name);
        assert_memory_equal(a->gravity, b->gravity, sizeof a->gravity);
        assert_int_equal(a->bodies, b->bodies);
        assert_int_equal(a->freedoms, b->freedoms);
        assert_memory_equal(a->body, b->body, (size_t)a->bodies * sizeof *a->body);
        assert_int_equal(a->loops, b->loops);
        assert_memory_equal(a->loop, b->loop, (size_t)(a->loops + 1) * sizeof *a->loop);
        for (int s = 0; s < BENCH_STATES; s++) {
            assert_memory_equal(a->q[s], b->q[s], (size_t)a->coordinates * sizeof *a->q[s]);
            assert_memory_equal(a->u[s], b->u[s], (size_t)a->freedoms * sizeof *a->u[s]);
        }
        bench_system_free(b);
        bench_system_free(systems[k]);
    }
}

/* Accelerations by the contract are those of the family's own model, from whose absolute state the
 * neutral one is made. */
static void contract_is_kept(void **state)
{
    (void)state;
    enum { BODIES = 30 };
    char reason[BENCH_REASON] = "";
    const bench_peer *peer = &bench_riccatree;
    bench_system *system = made("random", RCT_HINGE_BALL, BODIES, 1);
    double q[4 * BODIES], u[3 * BODIES], own[3 * BODIES], du[3 * BODIES], angular[3 * BODIES];
    void *solver = peer->make(system, reason);
    assert_non_null(solver);
    peer->adopt(solver, system->q[0], system->u[0], q, u);
    assert_true(peer->forward(solver, q, u, own));
    peer->yield(solver, system->q[0], system->u[0], own, du);
    peer->free(solver);

    rct_family family = rct_family_default();
    rct_solver_options options = rct_solver_options_default();
    family.family = "random";
    family.bodies = BODIES;
    family.perturb = 0.5;
    options.backend = "cpu";
    rct_model *model = rct_model_generate(&family, NULL);
    rct_solver *direct = rct_solver_create(model, &options, NULL);
    assert_int_equal(rct_solver_evaluate(direct, NULL), RCT_OK);
    rct_solver_get_accelerations(direct, NULL, angular);
    double size = 0.0, wrong = 0.0;
    for (int k = 0; k < 3 * BODIES; k++) {
        size = larger(size, fabs(angular[k]));
        wrong = larger(wrong, fabs(angular[k] - own[k]));
    }
    assert_true(wrong < 1e-10 * size);
    for (int32_t i = 0; i < BODIES; i++) { /* on the ground w x R u is zero: R u' is all */
        if (system->body[i].parent < 0) {
            const double *x = du + 3 * i, *y = angular + 3 * i;
            assert_true(fabs(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - y[0] * y[0] - y[1] * y[1] -
                             y[2] * y[2]) < 1e-10 * size * size);
        }
    }
    rct_solver_free(direct);
    rct_model_free(model);
    bench_system_free(system);
}

/* Robots, and a system whose bodies come before their parents: accelerations by the contract are
 * those of `lagrange` on their own model. If `last` is not 0, body `last` - i of that model is body
 * i here. */
static void agrees_with_lagrange(const rct_model *model, const bench_system *system, int32_t last)
{
    enum { MOST = 200 };
    char reason[BENCH_REASON] = "";
    const bench_peer *peer = &bench_riccatree;
    void *solver = peer->make(system, reason);
    assert_non_null(solver);
    assert_true(system->coordinates <= MOST);
    for (int s = 0; s < BENCH_STATES; s++) {
        double q[MOST], u[MOST], own[MOST], turned_q[MOST], turned_u[MOST], reference[MOST];
        rct_reference_result result = {.derivatives = reference};
        double size = 0.0, wrong = 0.0;
        peer->adopt(solver, system->q[s], system->u[s], q, u);
        assert_true(peer->forward(solver, q, u, own));
        for (int32_t i = 0; i < system->bodies; i++) {
            const bench_body *from = &system->body[i], *to = &system->body[abs(last - i)];
            memcpy(turned_q + to->q, q + from->q, (size_t)bench_coordinates(from) * sizeof *q);
            memcpy(turned_u + to->u, u + from->u, (size_t)bench_freedoms(from) * sizeof *u);
        }
        assert_int_equal(rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, 0.0, turned_q,
                                                   turned_u, &result, NULL),
                         RCT_OK);
        for (int32_t i = 0; i < system->bodies; i++) {
            const bench_body *from = &system->body[i], *to = &system->body[abs(last - i)];
            for (int k = 0; k < bench_freedoms(from); k++) {
                size = larger(size, fabs(own[from->u + k]));
                wrong = larger(wrong, fabs(own[from->u + k] - reference[to->u + k]));
            }
        }
        assert_true(size > 1.0 && wrong < 1e-10 * size);
    }
    peer->free(solver);
}

static void robots_and_the_branch_are_their_models(void **state)
{
    (void)state;
    static const char *const robots[] = {"arm", "humanoid"};
    for (int k = 0; k < 2; k++) {
        const int32_t bodies = bench_robot_bodies(robots[k]);
        bench_system *system = made(robots[k], RCT_HINGE_REVOLUTE, bodies, 2);
        rct_model *model = bench_robot_model(robots[k], 2, 0.5, NULL);
        agrees_with_lagrange(model, system, 0);
        rct_model_free(model);
        bench_system_free(system);
    }
    rct_family family = rct_family_default();
    family.family = "branch";
    family.bodies = 9;
    rct_model *model = rct_model_generate(&family, NULL);
    bench_system *system = made("branch", RCT_HINGE_BALL, 9, 1);
    agrees_with_lagrange(model, system, 8);
    assert_int_equal(system->body[3].parent, 2); /* the bar, element 11, and the bodies on it */
    assert_int_equal(system->body[4].parent, 3);
    assert_int_equal(system->body[7].parent, 3);
    rct_model_free(model);
    bench_system_free(system);
}

/* The left side of the humanoid is the mirror image of the right; each copy has a state of its
 * own. */
static void sides_are_alike(void **state)
{
    (void)state;
    static const int32_t first[2] = {5, 17}, links[2] = {6, 7};
    static const double sign[6] = {1.0, 1.0, 1.0, -1.0, 1.0, -1.0};
    rct_model *model = bench_robot_model("humanoid", 2, 0.5, NULL);
    rct_body left = rct_body_default(), right = rct_body_default();
    double mass = 0.0;
    assert_int_equal(rct_model_body_count(model), 62);
    for (int side = 0; side < 2; side++) {
        for (int32_t i = first[side]; i < first[side] + links[side]; i++) {
            assert_int_equal(rct_model_body(model, i, &left, NULL), RCT_OK);
            assert_int_equal(rct_model_body(model, i + links[side], &right, NULL), RCT_OK);
            mass += left.mass;
            assert_true(left.mass == right.mass && left.hinge_at[1] == -right.hinge_at[1]);
            assert_true(left.com[1] == -right.com[1] && left.com[2] == right.com[2]);
            assert_memory_equal(left.hinge_axis, right.hinge_axis, sizeof left.hinge_axis);
            for (int k = 0; k < 6; k++) {
                assert_true(left.inertia[k] == sign[k] * right.inertia[k]);
            }
        }
    }
    assert_true(mass > 20.0 && mass < 25.0); /* kg, of an arm and a leg */
    assert_int_equal(rct_model_body(model, 3, &left, NULL), RCT_OK);
    assert_int_equal(rct_model_body(model, 31 + 3, &right, NULL), RCT_OK);
    assert_true(left.mass == right.mass && left.position[0] != right.position[0]);
    rct_model_free(model);
    assert_int_equal(bench_robot_bodies("chain"), 0);
}

static void put(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "0 ball",                                                          /* its own parent */
        "-1 screw 0 0 0 0 0 1 1 0 0 -0.5 1 1 1 0 0 0 0.1 0.2 0.1 0.2",     /* no such hinge  */
        "-1 revolute 0 0 0 0 0 1 1 0 0 -0.5 1 1 1 0 0 0 0.1 0.2 0.3",      /* no rate        */
        "-1 ball 0 0 0 0 0 1 1 0 0 -0.5 1 1 1 0 0 0 1 0 0 0 0.1 0.2 word", /* no number      */
    };
    char reason[BENCH_REASON], text[256];
    for (size_t k = 0; k < sizeof bodies / sizeof bodies[0]; k++) {
        snprintf(text, sizeof text, "peers 2 wrong 1 0\n0 0 -9.81\n%s\n", bodies[k]);
        put(text);
        assert_null(bench_system_read(path, reason));
        assert_non_null(strstr(reason, ": body 0 is not as it should be"));
    }
    put("peers 2 wrong 2 0\n0 0 -9.81\n-1 revolute 0 0 0 0 0 1 1 0 0 -0.5 1 1 1 0 0 0 0 0 0 0\n"
        "0 free 0 0 0 0 0 0 1 0 0 0 1 1 1 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 "
        "0");
    assert_null(bench_system_read(path, reason)); /* it hangs on a body */
    assert_non_null(strstr(reason, ": body 1 is not as it should be"));
    static const char *const loops[] = {
        "0 0 ball 0 0 0 0 0 0 0 0 1",  /* one body    */
        "1 -1 ball 0 0 0 0 0 0 0 0 1", /* the ground  */
        "2 0 ball 0 0 0 0 0 0 0 0 1",  /* no such one */
        "1 0 rod 0 0 0 0 0 0 0 0 1",   /* no such one */
        "1 0 pin 0 0 0 0 0 0 0 0",     /* no axis     */
    };
    static const char rod[] = "-1 revolute 0 0 0 0 0 1 1 0 0 -0.5 1 1 1 0 0 0 0.1 0.2 0.3 0.4";
    for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++) {
        snprintf(text, sizeof text, "peers 2 wrong 2 1\n0 0 -9.81\n%s\n%s\n%s\n", rod, rod,
                 loops[k]);
        put(text);
        assert_null(bench_system_read(path, reason));
        assert_non_null(strstr(reason, ": loop 0 is not as it should be"));
    }
    static const char *const heads[] = {"",
                                        "peers 1 a 1 0\n0 0 0\n",
                                        "peers 2 a 0 0\n0 0 0\n",
                                        "peers 2 a 20000000 0\n0 0 0\n",
                                        "peers 2 a 1 -1\n0 0 0\n",
                                        "peers 2 a 1 0\n0 0\n"};
    for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++) {
        put(heads[k]);
        assert_null(bench_system_read(path, reason));
        assert_non_null(strstr(reason, ": not a file of peers, version 2"));
    }
    assert_null(bench_system_read("/nowhere/at/all", reason));
    assert_string_equal(reason, "/nowhere/at/all: No such file or directory");
}

static void what_cannot_be_made(void **state)
{
    (void)state;
    char reason[BENCH_REASON];
    bench_system *system = made("chain", RCT_HINGE_REVOLUTE, 2, 1);
    assert_false(bench_system_write(system, "/nowhere/at/all", reason));
    assert_string_equal(reason, "/nowhere/at/all: No such file or directory");
    assert_false(bench_system_write(system, "/dev/full", reason));
    assert_string_equal(reason, "/dev/full: it could not be written");
    system->body[1].mass = -1.0;
    assert_null(bench_riccatree.make(system, reason));
    assert_non_null(strstr(reason, "mass"));
    bench_system_free(system);
    assert_null(bench_system_make(&(bench_family){"chain", RCT_HINGE_PRISMATIC, 2, 1}, reason));
    assert_string_equal(
        reason,
        "chain: not a tree of revolute and ball hinges closed by pins and balls, or no memory");
    assert_null(bench_system_make(&(bench_family){"arm", RCT_HINGE_REVOLUTE, 6, 1}, reason));
    assert_non_null(strstr(reason, "arm"));
    assert_null(bench_system_make(&(bench_family){"bush", RCT_HINGE_BALL, 20, 1}, reason));
    assert_non_null(strstr(reason, "bush"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_are_read),
        cmocka_unit_test(contract_is_kept),
        cmocka_unit_test(robots_and_the_branch_are_their_models),
        cmocka_unit_test(sides_are_alike),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(what_cannot_be_made),
    };
    return cmocka_run_group_tests(tests, open_place, remove_place);
}
