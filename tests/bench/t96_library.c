/* The library baseline of bench/ against the serial sweep: forces at both ends of all subchains of
 * random chains, both ways of inverting, whole and shorter last subchains. cuBLAS comes from
 * LD_LIBRARY_PATH: the stand-in of tests/libraries/. Also all ways in which cuBLAS can be
 * missing. */
#include "tests/support/cmocka_all.h"

#include "bench/baseline.h"
#include "tests/support/larger.h"
#include "tests/support/systems/random_system.h"

#include <riccatree/riccatree.h>

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HELD = BASELINE_HELD, REASON = 256 };

/* The relation at a point: F = S A + e. */
typedef struct handle {
    double s[3][3], e[3];
} handle;

static void apply(double out[3], double m[3][3], const double v[3], const double plus[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2] + plus[i];
    }
}

/* (1 + S Psi)^-1 times the `count` columns of x. Psi is -m[4..][4..]. */
static void join(const double *m, const handle *rest, double *x, int count)
{
    double system[9];
    lapack_int pivots[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = i == j;
            for (int k = 0; k < 3; k++) {
                sum -= rest->s[i][k] * m[4 + k + (4 + j) * HELD];
            }
            system[i + 3 * j] = sum;
        }
    }
    assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, 3, count, system, 3, pivots, x, 3), 0);
}

/* The force at the outboard end, l = (1 + S Psi)^-1 (S (E^T A + h) + e), as a matrix [3][4] by
 * columns: the factor of A, then the rest. */
static void end_force(const double *m, const handle *rest, double x[12])
{
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 3; i++) {
            double sum = j == 3 ? rest->e[i] : 0.0;
            for (int k = 0; k < 3; k++) {
                sum += rest->s[i][k] * m[4 + k + j * HELD];
            }
            x[i + 3 * j] = sum;
        }
    }
    join(m, rest, x, 4);
}

/* A subchain closed by the relation at its end. */
static handle close_by(const double *m, const handle *rest)
{
    double x[12];
    handle closed;
    end_force(m, rest, x);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            double sum = m[i + j * HELD];
            for (int k = 0; k < 3; k++) {
                sum += m[i + (4 + k) * HELD] * x[k + 3 * j];
            }
            *(j < 3 ? &closed.s[i][j] : &closed.e[i]) = sum;
        }
    }
    return closed;
}

/* A at the outboard end: E^T A + h - Psi l. */
static void reach(const double *m, const handle *rest, double a[3])
{
    double x[12], l[3], out[3];
    end_force(m, rest, x);
    for (int i = 0; i < 3; i++) {
        l[i] = x[i] * a[0] + x[i + 3] * a[1] + x[i + 6] * a[2] + x[i + 9];
    }
    for (int i = 0; i < 3; i++) {
        out[i] = m[4 + i + 3 * HELD];
        for (int k = 0; k < 3; k++) {
            out[i] += m[4 + i + k * HELD] * a[k] + m[4 + i + (4 + k) * HELD] * l[k];
        }
    }
    memcpy(a, out, sizeof out);
}

/* The largest error of the forces at the inboard ends of all subchains, relative to the largest force. */
static double compare(const double *m, int64_t subchains, int64_t length, const rct_plan *plan,
                      const double *force)
{
    handle *rest = calloc((size_t)subchains + 1, sizeof *rest);
    assert_non_null(rest);
    for (int64_t s = subchains - 1; s >= 0; s--) {
        rest[s] = close_by(m + s * HELD * HELD, &rest[s + 1]);
    }
    double a[3], apart = 0.0, scale = 0.0;
    for (int i = 0; i < 3; i++) {
        a[i] = -plan->gravity[i];
    }
    for (int64_t s = 0; s < subchains; s++) {
        double mine[3];
        const double *theirs = force + 3 * (int64_t)plan->places.head[s * length];
        apply(mine, rest[s].s, a, rest[s].e);
        for (int i = 0; i < 3; i++) {
            apart = larger(apart, fabs(mine[i] - theirs[i]));
            scale = larger(scale, fabs(theirs[i]));
        }
        reach(m + s * HELD * HELD, &rest[s + 1], a);
    }
    free(rest);
    return apart / scale;
}

static double *forces_of(const rct_model *model)
{
    const rct_solver_options serial = {.method = RCT_METHOD_ABI, .backend = "cpu", .threads = 1};
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &serial, &error);
    double *force = calloc((size_t)rct_model_body_count(model), 3 * sizeof *force);
    if (solver == NULL || force == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_hinge_forces(solver, force, NULL);
    rct_solver_free(solver);
    return force;
}

static void check(const libraries *library, const random_system *system, int64_t length)
{
    char reason[REASON];
    rct_error error;
    rct_model *model = random_system_create(system);
    assert_non_null(model);
    double *force = forces_of(model);
    rct_plan *plan = rct_plan_create(model, &error);
    assert_non_null(plan);
    baseline *b = baseline_create(library, plan, length, reason);
    if (b == NULL) {
        fail_msg("%s", reason);
    }
    const int64_t subchains = baseline_subchains(b);
    double *m = calloc((size_t)subchains * HELD * HELD, sizeof *m);
    assert_non_null(m);
    for (int solve = BASELINE_INVERSE; solve <= BASELINE_LU; solve++) {
        assert_true(baseline_condense(b, (baseline_solve)solve));
        assert_true(baseline_read(b, m));
        const double worst = compare(m, subchains, length, plan, force);
        if (!(worst <= 1e-10)) {
            fail_msg("seed %d, pieces of %d: off by %g", (int)system->seed, (int)length, worst);
        }
    }
    free(m);
    baseline_free(b);
    rct_plan_free(plan);
    free(force);
    rct_model_free(model);
}

static void test_forces(void **state)
{
    (void)state;
    static const int32_t bodies[] = {1, 2, 31, 96, 200};
    static const int64_t lengths[] = {1, 2, 7, 32, 96};
    libraries library;
    char reason[REASON];
    if (!libraries_open(&library, reason)) {
        fail_msg("%s", reason);
    }
    for (uint64_t seed = 1; seed <= 4; seed++) {
        for (size_t n = 0; n < sizeof bodies / sizeof bodies[0]; n++) {
            for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
                const random_system system = {
                    .shape = SHAPE_CHAIN, .bodies = bodies[n], .spin = 2.0, .seed = seed};
                check(&library, &system, lengths[k]);
            }
        }
    }
    libraries_close(&library);
}

static void test_trees_are_refused(void **state)
{
    (void)state;
    const random_system system = {.shape = SHAPE_STAR, .bodies = 5, .spin = 1.0, .seed = 1};
    rct_error error;
    libraries library;
    char reason[REASON];
    rct_model *model = random_system_create(&system);
    rct_plan *plan = rct_plan_create(model, &error);
    assert_non_null(plan);
    assert_true(libraries_open(&library, reason));
    assert_null(baseline_create(&library, plan, 2, reason));
    assert_string_equal(reason, "the baseline is for single chains");
    libraries_close(&library);
    rct_plan_free(plan);
    rct_model_free(model);
}

static void test_no_device(void **state)
{
    (void)state;
    libraries library;
    char reason[REASON];
    setenv("LIBRARY_DEVICES", "0", 1);
    assert_false(libraries_open(&library, reason));
    assert_string_equal(reason, "no GPU for cuBLAS: no CUDA-capable device is detected");
    assert_null(library.blas);
    unsetenv("LIBRARY_DEVICES");
    assert_true(libraries_open(&library, reason));
    libraries_close(&library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_trees_are_refused),
        cmocka_unit_test(test_no_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
