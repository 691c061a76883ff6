/* Springs and cables between points in implicit stages: what they add to a stage against a dense solve, orders and motions against
 * rk4 and dopri5, and how few steps stiff ones take. */
#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "dynamics/soft_springs.h"
#include "tests/integrate/apart.h"
#include "tests/support/dense.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/loop.h>
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

static rct_solver *made(const rct_model *model, rct_integrator integrator, double tolerance)
{
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.integrator = integrator;
    options.tolerance = tolerance;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static void must_force(rct_model *model, const rct_force *force)
{
    rct_error error;
    if (rct_model_add_force(model, force, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* ---- a stage ------------------------------------------------------------------------------ */

/* Springs and cables between random bodies or the ground, of all kinds: taut, slack, pressed, with dampers or without, of no length. */
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

/* The matrices of one spring for what its ends part by: k along it and, where it pulls, across; c along it. */
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

/* The part of a symmetric matrix that is not negative, by Jacobi's rotations. */
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

/* How a force F at the arm r turns back a body: F.r - (F r* + r F*) / 2, where it resists. */
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

/* M [rates][rates] with rotors at hinges, those of balls against what they hang on, about their axes. */
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
    rct_solver *solver = made(model, RCT_INTEGRATOR_IMPLICIT, 1e-6);
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
        most = fmax(most, fabs(a[i] - (double)b[i]));
        size = fmax(size, fabs((double)b[i]));
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

/* ---- motions ------------------------------------------------------------------------------ */

static int64_t evaluations_of(const rct_solver *solver)
{
    rct_stepping s;
    rct_solver_get_stepping(solver, &s);
    return (int64_t)s.evaluations;
}

/* A chain of three links on hinges of a type, which springs and a cable hold, and a free body on it; `rest`: of their lengths. */
static rct_model *hung(rct_hinge_type hinge, double stiffness, double damping, double bending,
                       double rest)
{
    rct_model *model = rct_model_create("hung", NULL);
    for (int32_t b = 0; b < 4; b++) {
        rct_body body = rct_body_default();
        body.parent = b > 0 ? b - 1 : RCT_GROUND;
        body.hinge = b == 3 ? RCT_HINGE_FREE : hinge;
        body.parent = b == 3 ? RCT_GROUND : body.parent;
        body.hinge_at[0] = b > 0 && b < 3 ? 0.5 : 0.0;
        body.position[0] = b == 3 ? 1.6 : 0.0;
        body.position[2] = b == 3 ? -0.3 : 0.0;
        body.mass = 1.0 + 0.2 * b;
        body.com[0] = b == 3 ? 0.0 : 0.25;
        body.inertia[0] = 0.02, body.inertia[1] = 0.03, body.inertia[2] = 0.04;
        if (hinge == RCT_HINGE_REVOLUTE && b < 3) {
            body.hinge_axis[0] = body.hinge_axis[2] = 0.0;
            body.hinge_axis[1] = 1.0;
        }
        for (int i = 0; i < 3 && b < 3 && bending > 0.0 && i < rct_hinge_freedoms(hinge); i++) {
            body.stiffness[i] = bending;
            body.damping[i] = 0.01 * bending;
        }
        must_add(model, &body);
    }
    for (int k = 0; k < 3; k++) {
        rct_force f = rct_force_default();
        f.type = k == 0 ? RCT_FORCE_CABLE : RCT_FORCE_SPRING;
        f.body = k == 0 ? 1 : 2;
        f.other = k == 2 ? 3 : RCT_GROUND;
        f.at[0] = 0.5;
        f.other_at[0] = k == 2 ? 0.1 : 1.0;
        f.other_at[1] = k == 2 ? 0.0 : 0.4;
        f.other_at[2] = k == 2 ? 0.1 : 0.9;
        f.length = rest * (k == 0 ? sqrt(0.97) : k == 1 ? sqrt(1.22) : sqrt(0.08));
        f.stiffness = stiffness;
        f.damping = damping;
        must_force(model, &f);
    }
    return model;
}

/* To the tolerance, whatever is at the hinges. */
static void test_motions_come_to_their_tolerance(void **state)
{
    (void)state;
    static const rct_hinge_type hinges[] = {RCT_HINGE_REVOLUTE, RCT_HINGE_BALL};
    for (int k = 0; k < 4; k++) {
        rct_model *model = hung(hinges[k % 2], 300.0, 5.0, k < 2 ? 0.0 : 20.0, 0.5);
        rct_solver *truth = made(model, RCT_INTEGRATOR_DOPRI5, 1e-11);
        must_step(truth, 0.5, 1);
        for (int digits = 4; digits <= 8; digits += 2) {
            const double tolerance = pow(10.0, -digits);
            rct_solver *solver = made(model, RCT_INTEGRATOR_IMPLICIT, tolerance);
            must_step(solver, 0.5, 1);
            const double off = apart(solver, truth);
            if (!(off < 10.0 * tolerance)) {
                fail_msg("case %d: off by %.2e at %.0e", k, off, tolerance);
            }
            rct_solver_free(solver);
        }
        rct_solver_free(truth);
        rct_model_free(model);
    }
}

/* Springs of 1e8 N/m and their dampers: as many steps as the motion of what they hold asks for. */
static void test_stiff_springs_take_few_steps(void **state)
{
    (void)state;
    int64_t soft = 0, stiff = 0;
    for (int k = 0; k < 2; k++) {
        rct_model *model = hung(RCT_HINGE_BALL, k == 0 ? 1e4 : 1e8, k == 0 ? 1e3 : 1e6, 20.0, 1.0);
        rct_solver *solver = made(model, RCT_INTEGRATOR_IMPLICIT, 1e-5);
        must_step(solver, 0.5, 1);
        *(k == 0 ? &soft : &stiff) = evaluations_of(solver);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    assert_true(stiff < 3 * soft);
}

/* A spring that pulls far: what turns its arm and what swings across it are as stiff as it pulls, and no step follows them. */
static void test_what_pulls_is_stiff(void **state)
{
    (void)state;
    int64_t evaluations[2];
    for (int k = 0; k < 2; k++) {
        rct_model *model = rct_model_create("pulled", NULL);
        rct_body body = rct_body_default();
        body.parent = RCT_GROUND;
        body.mass = 1.0;
        body.com[0] = 0.5;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
        body.damping[0] = body.damping[1] = body.damping[2] = k == 0 ? 2e2 : 2e5;
        must_add(model, &body);
        rct_force f = rct_force_default();
        f.type = RCT_FORCE_SPRING;
        f.body = 0;
        f.other = RCT_GROUND;
        f.at[0] = 1.0;
        f.other_at[0] = 101.0;
        f.other_at[2] = 5.0;
        f.stiffness = k == 0 ? 1e2 : 1e8;
        must_force(model, &f);
        rct_solver *solver = made(model, RCT_INTEGRATOR_IMPLICIT, 1e-4);
        must_step(solver, 0.5, 2);
        evaluations[k] = evaluations_of(solver);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    if (!(evaluations[1] < 2 * evaluations[0])) {
        fail_msg("%lld evaluations, and %lld", (long long)evaluations[0],
                 (long long)evaluations[1]);
    }
}

/* A spring of no length and 1e9 N/m between two points of a chain is a ball closure between them. */
static void test_a_stiff_spring_is_a_closure(void **state)
{
    (void)state;
    const rct_family family = {.family = "necklace",
                               .bodies = 6,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = 0.2,
                               .systems = 1};
    rct_model *closed = must_generate(&family), *open;
    rct_loop loop = rct_loop_default();
    rct_force f = rct_force_default();
    assert_int_equal(rct_model_loop(closed, 0, &loop, NULL), RCT_OK);
    open = rct_model_create("open", NULL);
    for (int32_t b = 0; b < rct_model_body_count(closed); b++) {
        rct_body body = rct_body_default();
        rct_model_body(closed, b, &body, NULL);
        must_add(open, &body);
    }
    f.type = RCT_FORCE_SPRING;
    f.body = loop.body;
    f.other = loop.other;
    memcpy(f.at, loop.at, sizeof f.at);
    memcpy(f.other_at, loop.other_at, sizeof f.other_at);
    f.stiffness = 1e9;
    must_force(open, &f);
    rct_solver *a = made(closed, RCT_INTEGRATOR_DOPRI5, 1e-9);
    rct_solver *b = made(open, RCT_INTEGRATOR_IMPLICIT, 1e-3);
    double *q = row(a->plan->coordinates), *u = row(a->plan->freedoms);
    rct_solver_get_coordinates(a, q, u);
    assert_int_equal(rct_solver_set_coordinates(b, q, u, NULL), RCT_OK);
    free(q), free(u);
    must_step(a, 0.2, 1);
    must_step(b, 0.2, 1);
    const double off = apart(a, b);
    if (!(off < 1e-3 && evaluations_of(b) < 3000)) {
        fail_msg("off by %.2e, %lld evaluations", off, (long long)evaluations_of(b));
    }
    rct_solver_free(a), rct_solver_free(b);
    rct_model_free(closed), rct_model_free(open);
}

/* Beside loops, with what is at hinges or nothing, wherever the loops are closed. */
static void test_beside_loops(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const rct_family family = {.family = k == 2 ? "necklace" : "fourbars",
                                   .bodies = k == 2 ? 6 : 5,
                                   .hinge = k == 2 ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE,
                                   .seed = 1,
                                   .perturb = 0.1,
                                   .systems = 1};
        rct_model *model = must_generate(&family);
        for (int32_t b = 0; b < rct_model_body_count(model) && k > 0; b++) {
            rct_body body = rct_body_default();
            rct_model_body(model, b, &body, NULL);
            body.stiffness[0] = 30.0;
            body.damping[0] = 0.5;
            must_put(model, b, &body);
        }
        rct_force f = rct_force_default();
        f.type = RCT_FORCE_SPRING;
        f.body = 1;
        f.other = 4;
        f.at[1] = 0.2;
        f.length = 1.0;
        f.stiffness = 50.0;
        f.damping = 2.0;
        must_force(model, &f);
        rct_solver *a = made(model, RCT_INTEGRATOR_DOPRI5, 1e-10);
        rct_solver *b = made(model, RCT_INTEGRATOR_IMPLICIT, 1e-7);
        must_step(a, 0.1, 2);
        must_step(b, 0.1, 2);
        const double off = apart(a, b);
        if (!(off < 1e-6)) {
            fail_msg("case %d: off by %.2e", k, off);
        }
        rct_solver_free(a), rct_solver_free(b);
        rct_model_free(model);
    }
}

/* Wherever calls are cut, and in a solver that went on from another's state. */
static void test_the_same_bits(void **state)
{
    (void)state;
    enum { STEPS = 4 };
    rct_model *model = hung(RCT_HINGE_BALL, 1e6, 1e3, 20.0, 0.9);
    rct_solver *whole = made(model, RCT_INTEGRATOR_IMPLICIT, 1e-5);
    rct_solver *cut = made(model, RCT_INTEGRATOR_IMPLICIT, 1e-5);
    must_step(whole, 0.02, STEPS);
    for (int k = 0; k < STEPS; k++) {
        must_step(cut, 0.02, 1);
        assert_int_equal(rct_solver_evaluate(cut, NULL), RCT_OK);
    }
    assert_true(apart(whole, cut) == 0.0);
    rct_solver_free(whole), rct_solver_free(cut);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stage_is_a_dense_solve),
        cmocka_unit_test(test_motions_come_to_their_tolerance),
        cmocka_unit_test(test_stiff_springs_take_few_steps),
        cmocka_unit_test(test_what_pulls_is_stiff),
        cmocka_unit_test(test_a_stiff_spring_is_a_closure),
        cmocka_unit_test(test_beside_loops),
        cmocka_unit_test(test_the_same_bits),
    };
    return cmocka_run_group_tests_name("springs in implicit stages", tests, NULL, NULL);
}
