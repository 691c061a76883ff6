/* Solvers of random trees of every hinge type in a given state (operator_bench.h). */
#include "tests/operators/operator_bench.h"

#include "tests/support/cmocka_all.h"

#include "tests/support/larger.h"

#include <math.h>
#include <stdlib.h>

/* A pull to the origin and a drag. */
static void pull_home(void *context, double time, int32_t bodies, const double *orientation,
                      const double *angular_velocity, const double *position,
                      const double *velocity, double *force, double *moment)
{
    (void)context;
    (void)orientation;
    for (int64_t i = 0; i < 3 * (int64_t)bodies; i++) {
        force[i] -= (1.0 + time) * position[i] + 0.5 * velocity[i];
        moment[i] -= 0.1 * angular_velocity[i];
    }
}

bench bench_of(const hinge_system *system, int user)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.user_forces = user;
    bench b = {.model = hinge_system_create(system),
               .n = system->tree.bodies,
               .resting = !system->ground_moves,
               .random = system->tree.seed};
    assert_non_null(b.model);
    b.v = hinge_freedoms(b.model);
    b.solver = rct_solver_create(b.model, &options, &error);
    if (b.solver == NULL) {
        fail_msg("%s", error.text);
    }
    if (user) {
        assert_int_equal(rct_solver_set_force_function(b.solver, pull_home, NULL, &error), RCT_OK);
    }
    rct_solver_set_time(b.solver, time_of_state);
    return b;
}

void bench_end(bench *b)
{
    rct_solver_free(b->solver);
    rct_model_free(b->model);
}

void on_random_benches(void (*check)(bench *b))
{
    for (int type = RCT_HINGE_FIXED; type <= RCT_HINGE_TYPES; type++) {
        for (uint64_t seed = 1; seed <= (type < RCT_HINGE_TYPES ? 3 : 12); seed++) {
            const int all = type == RCT_HINGE_TYPES;
            const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                                  .bodies = all && seed == 12 ? 1000
                                                            : all ? (int32_t)(seed * seed + 1)
                                                                  : 12,
                                                  .shuffled = seed % 2,
                                                  .spin = 2.0,
                                                  .seed = seed},
                                         .hinges = all ? ALL_HINGES : 1 << type | 1,
                                         .joint_forces = seed % 3 != 0,
                                         .forces = seed % 3 == 1 ? 0 : 7,
                                         .floating = type == RCT_HINGE_FREE || seed % 5 == 0,
                                         .ground_moves = (int)(seed % 3)};
            bench b = bench_of(&system, seed % 4 == 0);
            check(&b);
            bench_end(&b);
        }
    }
}

double size_of(const double *a, int64_t count)
{
    double most = 1e-300;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(a[i]));
    }
    return most;
}

void expect_close(const double *a, const double *b, int64_t count, double scale, double limit)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(a[i] - b[i]) / scale);
    }
    if (!(most < limit)) {
        fail_msg("%.2e apart, at most %.0e are allowed", most, limit);
    }
}
