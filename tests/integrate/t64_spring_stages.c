/* The contribution of springs and cables between points to an implicit stage, against a dense
 * solution. */
#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "dynamics/soft_springs.h"
#include "tests/integrate/adaptive_case.h"
#include "tests/support/dense.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/operators.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *row(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* Springs and cables between random bodies or the ground, of all kinds: taut, slack, compressed,
 * with and without dampers, of zero length. */
static void add_springs(rct_model *model, int32_t count, uint64_t seed)
{
    const int32_t n = rct_model_body_count(model);
    for (int32_t k = 0; k < count; k++) {
        rct_force f = rct_force_default();
        f.type = draw_bits(&seed) % 2 == 0 ? RCT_FORCE_SPRING : RCT_FORCE_CABLE;
        f.body = (int32_t)(draw_bits(&seed) % (uint64_t)n);
        f.other = (int32_t)(draw_bits(&seed) % (uint64_t)(n + 1)) - 1;
        f.other = f.other == f.body ? RCT_GROUND : f.other;
        draw_numbers(&seed, f.at, 3, 0.5);
        draw_numbers(&seed, f.other_at, 3, 0.5);
        f.stiffness = draw_bits(&seed) % 4 == 0 ? 0.0 : pow(10.0, draw_between(&seed, 0.0, 6.0));
        f.damping = draw_bits(&seed) % 3 == 0 ? 0.0 : pow(10.0, draw_between(&seed, -1.0, 3.0));
        f.length = draw_bits(&seed) % 3 == 0 ? 0.0 : draw_between(&seed, 0.0, 2.0);
        must_force(model, &f);
    }
}

/* A point of a body and the rows [3][rates] by which it moves; J of hinge points and turns, [rates][n][3]. */
static void point_of(const rct_solver *solver, int32_t body, const double at[3], const double *J,
                     const double *turns, double point[3], double *rows)
{
    const int64_t n = solver->plan->body_count, rates = solver->plan->freedoms;
    memcpy(point, at, 3 * sizeof *point);
    memset(rows, 0, (size_t)(3 * rates) * sizeof *rows);
    if (body != RCT_GROUND) {
        double *q = row(4 * n), *x = row(3 * n), R[3][3], arm[3];
        rct_solver_get_state_inside(solver, q, NULL, x, NULL);
        rct_rotation(q + 4 * (int64_t)body, R);
        rct_rotate(R, at, arm);
        for (int64_t r = 0; r < rates; r++) {
            double turned[3];
            rct_cross(turns + 3 * (r * n + body), arm, turned);
            for (int i = 0; i < 3; i++) {
                rows[i * rates + r] = J[3 * (r * n + body) + i] + turned[i];
            }
        }
        for (int i = 0; i < 3; i++) {
            point[i] = x[3 * (int64_t)body + i] + arm[i];
        }
        free(q), free(x);
    }
}

/* The matrices of one spring for the relative motion of its ends: k along it and, if it pulls,
 * across; c along it. */
static void matrices_of(const rct_force *f, const double part[3], double rate, double K[3][3],
                        double C[3][3])
{
    const double length = sqrt(rct_dot(part, part));
    const double T = f->stiffness * (length - f->length), pull = T + f->damping * rate;
    const int slack = f->type == RCT_FORCE_CABLE && (length <= f->length || pull <= 0.0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double along = part[i] * part[j] / (length * length);
            const double across = (i == j ? 1.0 : 0.0) - along;
            K[i][j] = slack ? 0.0 : f->stiffness * along + fmax(0.0, T / length) * across;
            C[i][j] = slack ? 0.0 : f->damping * along;
        }
    }
}

/* The positive part of a symmetric matrix, by Jacobi's rotations. */
static void keep_positive(double A[3][3])
{
    double V[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 60; k++) {
        const int p = k % 3 == 2 ? 1 : 0, q = k % 3 == 0 ? 1 : 2;
        const double turn = 0.5 * atan2(2.0 * A[p][q], A[q][q] - A[p][p]);
        const double c = cos(turn), s = sin(turn);
        for (int i = 0; i < 3; i++) {
            const double a = A[i][p], b = A[i][q], v = V[i][p], w = V[i][q];
            A[i][p] = c * a - s * b, A[i][q] = s * a + c * b;
            V[i][p] = c * v - s * w, V[i][q] = s * v + c * w;
        }
        for (int i = 0; i < 3; i++) {
            const double a = A[p][i], b = A[q][i];
            A[p][i] = c * a - s * b, A[q][i] = s * a + c * b;
        }
    }
    const double values[3] = {A[0][0], A[1][1], A[2][2]};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[i][j] = 0.0;
            for (int k = 0; k < 3; k++) {
                A[i][j] += fmax(0.0, values[k]) * V[i][k] * V[j][k];
            }
        }
    }
}

/* The restoring moment of a force F at the arm r on a rotated body: F.r - (F r* + r F*) / 2, its
 * positive part. */
static void matrix_of_turns(const double F[3], const double r[3], double A[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[i][j] = (i == j ? rct_dot(F, r) : 0.0) - 0.5 * (F[i] * r[j] + r[i] * F[j]);
        }
    }
    keep_positive(A);
}

/* Add G* A G to M, A times scale, and G* A x to b; G: [3][rates]. */
static void add_square(int n, const double *G, double A[3][3], double scale, const double *x,
                       long double *M, long double *b)
{
    for (int r = 0; r < n; r++) {
        double left[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                left[j] += G[i * n + r] * A[i][j];
            }
        }
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int c = 0; c < n; c++) {
                M[r * n + c] += scale * left[j] * G[j * n + c];
                sum += G[j * n + c] * x[c];
            }
            b[r] -= left[j] * sum;
        }
    }
}

typedef struct spring_rows {
    double *J, *turns, *G, *other, *rates;
} spring_rows;

static void add_spring(const rct_solver *solver, const spring_rows *at, const rct_force *f,
                       const rct_soft_stage *stage, long double *M, long double *b)
{
    const int n = (int)solver->plan->freedoms;
    double one[3], two[3], part[3], K[3][3], C[3][3], rate = 0.0;
    point_of(solver, f->body, f->at, at->J, at->turns, one, at->other);
    point_of(solver, f->other, f->other_at, at->J, at->turns, two, at->G);
    for (int i = 0; i < 3; i++) {
        part[i] = two[i] - one[i];
        for (int r = 0; r < n; r++) {
            at->G[i * n + r] -= at->other[i * n + r];
            rate += at->G[i * n + r] * part[i] * at->rates[r];
        }
    }
    matrices_of(f, part, rate / sqrt(rct_dot(part, part)), K, C);
    add_square(n, at->G, K, stage->delta * stage->delta, stage->moved, M, b);
    add_square(n, at->G, C, stage->delta, stage->slipped, M, b);
    const double length = sqrt(rct_dot(part, part));
    const double T = K[0][0] + K[1][1] + K[2][2] > 0.0 ? f->stiffness * (length - f->length) : 0.0;
    for (int end = 0; end < 2; end++) {
        const int32_t body = end == 0 ? f->body : f->other;
        double F[3], arm[3], q[4], A[3][3];
        if (body == RCT_GROUND) {
            continue;
        }
        rct_solver_orientation(solver, body, q);
        rct_rotation(q, A);
        rct_rotate(A, end == 0 ? f->at : f->other_at, arm);
        for (int i = 0; i < 3; i++) {
            F[i] = (end == 0 ? T : -T) * part[i] / length;
            for (int r = 0; r < n; r++) {
                at->G[i * n + r] = at->turns[3 * (r * solver->plan->body_count + body) + i];
            }
        }
        matrix_of_turns(F, arm, A);
        add_square(n, at->G, A, stage->delta * stage->delta, stage->moved, M, b);
    }
}

/* M [rates][rates] with rotors at hinges, those of balls relative to the parent, about the axes of
 * the ball. */
static void fill_mass(rct_solver *solver, const rct_model *model, const spring_rows *at,
                      const double *rotors, long double *M)
{
    const int64_t bodies = solver->plan->body_count;
    const int n = (int)solver->plan->freedoms;
    double *unit = row(n), *column = row(n), *q = row(4 * bodies);
    rct_solver_get_state_inside(solver, q, NULL, NULL, NULL);
    for (int j = 0; j < n; j++) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        unit[j] = 1.0;
        assert_int_equal(rct_solver_mass_times_inside(solver, 1, unit, column, NULL), RCT_OK);
        for (int i = 0; i < n; i++) {
            M[i * n + j] = column[i];
        }
    }
    int r = 0;
    for (int32_t b = 0; b < bodies; b++) {
        rct_body body = rct_body_default();
        double R[3][3], none[3] = {0.0, 0.0, 0.0}, A[3][3] = {{0.0}}, turned[3];
        rct_model_body(model, b, &body, NULL);
        const int32_t up = body.parent;
        rct_rotation(q + 4 * (int64_t)b, R);
        for (int c = 0; c < n; c++) {
            for (int i = 0; i < 3; i++) {
                none[i] = at->turns[3 * (c * bodies + b) + i] -
                          (up == RCT_GROUND ? 0.0 : at->turns[3 * (c * bodies + up) + i]);
            }
            rct_rotate_back(R, none, turned);
            for (int i = 0; i < 3; i++) {
                at->G[i * n + c] = turned[i];
            }
        }
        for (int i = 0; i < 3 && body.hinge == RCT_HINGE_BALL; i++) {
            A[i][i] = rotors[r + i];
        }
        long double *lost = calloc((size_t)n, sizeof *lost);
        assert_non_null(lost);
        add_square(n, at->G, A, 1.0, unit, M, lost);
        free(lost);
        for (int i = 0; i < rct_hinge_freedoms(body.hinge); i++, r++) {
            M[r * n + r] += body.hinge == RCT_HINGE_BALL ? 0.0 : rotors[r];
        }
    }
    free(unit), free(column), free(q);
}

static double stage_error(const rct_model *model, double delta, int holds, uint64_t seed)
{
    rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-6);
    const int n = (int)solver->plan->freedoms;
    const int64_t bodies = solver->plan->body_count;
    const rct_soft_stage stage = rct_soft_begin(solver->soft, delta);
    spring_rows at = {row(3 * bodies * n), row(3 * bodies * n), row(3 * n), row(3 * n), row(n)};
    double *units = row((int64_t)n * n), *a = row(n), most = 0.0, size = 0.0;
    long double *M = calloc((size_t)n * (size_t)n, sizeof *M), *b = calloc((size_t)n, sizeof *b);
    assert_true(M != NULL && b != NULL);
    for (int i = 0; i < n; i++) {
        units[i * n + i] = 1.0;
    }
    assert_int_equal(rct_solver_evaluate_inside(solver, NULL), RCT_OK);
    rct_solver_read_poses(solver);
    rct_soft_look(solver);
    rct_solver_get_coordinates_inside(solver, NULL, at.rates);
    assert_int_equal(rct_solver_jacobian_times_inside(solver, n, units, at.J, at.turns, NULL),
                     RCT_OK);
    draw_numbers(&seed, stage.moved, n, 1.0);
    draw_numbers(&seed, stage.slipped, n, 1.0);
    int r = 0;
    for (int32_t k = 0; k < bodies; k++) {
        rct_body body = rct_body_default();
        rct_model_body(model, k, &body, NULL);
        for (int i = 0; i < rct_hinge_freedoms(body.hinge); i++, r++) {
            const int none =
                body.hinge == RCT_HINGE_FREE || (body.hinge == RCT_HINGE_BALL && !holds);
            stage.rotors[r] = none ? 0.0 : pow(10.0, draw_between(&seed, -2.0, 3.0));
        }
    }
    fill_mass(solver, model, &at, stage.rotors, M);
    for (int32_t k = 0; k < rct_model_force_count(model); k++) {
        rct_force f = rct_force_default();
        rct_model_force(model, k, &f, NULL);
        const int32_t *link = solver->plan->link_of;
        if (link[f.body] == (f.other == RCT_GROUND ? RCT_GROUND : link[f.other])) {
            continue; /* it does nothing to a link */
        }
        add_spring(solver, &at, &f, &stage, M, b);
    }
    dense_solve(n, M, b);
    assert_int_equal(rct_soft_yield(solver, &stage, a, NULL), RCT_OK);
    for (int i = 0; i < n; i++) {
        most = larger(most, fabs(a[i] - (double)b[i]));
        size = larger(size, fabs((double)b[i]));
    }
    free(at.J), free(at.turns), free(at.G), free(at.other), free(at.rates);
    free(units), free(a), free(M), free(b);
    rct_solver_free(solver);
    return size > 0.0 ? most / size : most; /* nothing but slack cables */
}

static void test_a_stage_is_a_dense_solve(void **state)
{
    (void)state;
    static const double deltas[] = {1e-4, 1e-2, 1.0};
    for (uint64_t seed = 1; seed <= 24; seed++) {
        const hinge_system system = {
            .tree = {seed % 2 != 0 ? SHAPE_CHAIN : SHAPE_TREE, 12, 0.1, 1, 0.0, seed},
            .hinges = seed % 4 == 0   ? 1 << RCT_HINGE_BALL
                      : seed % 4 == 1 ? 1 << RCT_HINGE_REVOLUTE
                                      : ALL_HINGES,
            .floating = seed % 3 == 0};
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        add_springs(model, seed % 5 == 0 ? 40 : 1 + (int32_t)(seed % 6), seed);
        for (int k = 0; k < 6; k++) {
            const double error = stage_error(model, deltas[k / 2], k % 2, seed);
            if (!(error < 1e-8)) {
                fail_msg("seed %d, case %d: %.2e", (int)seed, k, error);
            }
        }
        rct_model_free(model);
    }
}

/* A tree with springs, and a loop that is active or not. */
static rct_solver *looped(uint64_t seed, int active)
{
    const hinge_system system = {.tree = {SHAPE_TREE, 8, 0.1, 1, 0.5, seed}, .hinges = ALL_HINGES};
    rct_model *model = hinge_system_create(&system);
    rct_solver_options options = rct_solver_options_default();
    rct_loop loop = rct_loop_default();
    assert_non_null(model);
    add_springs(model, 3, seed);
    loop.type = RCT_LOOP_BALL;
    loop.body = 5, loop.other = 2;
    loop.active = active;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    options.integrator = RCT_INTEGRATOR_IMPLICIT;
    options.as_given = 1;
    rct_solver *solver = must_solver(model, &options);
    rct_model_free(model);
    return solver;
}

/* After the last loop is released, stages include only the springs, as if it was never active, to
 * the bit. */
static void test_a_released_loop_is_none(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double x[2][15 * 8] = {{0.0}};
        for (int active = 0; active < 2; active++) {
            rct_solver *solver = looped(seed, active);
            assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_RELEASED, NULL),
                             RCT_OK);
            must_step(solver, 1e-3, 3);
            rct_solver_get_coordinates(solver, x[active], x[active] + 8 * 8);
            rct_solver_free(solver);
        }
        assert_memory_equal(x[0], x[1], sizeof x[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stage_is_a_dense_solve),
        cmocka_unit_test(test_a_released_loop_is_none),
    };
    return cmocka_run_group_tests_name("stages with springs", tests, NULL, NULL);
}
