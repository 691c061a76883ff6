/* The spatial operators of seed 001 as explicit matrices: its lemmas, its two factorizations against each other
 * and against the operators of the solver, its accelerations against the Lagrangian reference. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "model/model.h"
#include "reference/spatial/spatial.h"
#include "tests/support/answers/reference_case.h"
#include "tests/support/answers/spatial_case.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/systems/random_system.h"

#include <riccatree/reference.h>
#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_model *random_tree(int shape, int32_t bodies, uint64_t seed)
{
    const random_system what = {.shape = (random_shape)shape,
                                .bodies = bodies,
                                .fixed = 0.2,
                                .shuffled = 1,
                                .spin = 2.0,
                                .seed = seed};
    rct_model *model = random_system_create(&what);
    assert_non_null(model);
    return model;
}

static rct_spatial *spatial_of(const rct_model *model)
{
    rct_error error;
    rct_spatial_pose *pose = calloc((size_t)model->count, sizeof *pose);
    assert_int_equal(rct_spatial_pose_all(model, 0.0, NULL, NULL, pose, &error), RCT_OK);
    rct_spatial *s = rct_spatial_create(model, pose, &error);
    if (s == NULL) {
        fail_msg("%s", error.text);
    }
    free(pose);
    return s;
}

static rct_matrix room(int64_t rows, int64_t columns)
{
    const rct_matrix m = {rows, columns, calloc((size_t)(rows * columns), sizeof(double))};
    assert_non_null(m.x);
    return m;
}

/* a b, each transposed if asked; a is released if `keep` is 0. */
static rct_matrix times(const rct_matrix *a, int ta, const rct_matrix *b, int tb)
{
    rct_matrix c = room(ta ? a->columns : a->rows, tb ? b->rows : b->columns);
    rct_matrix_product(a, ta, b, tb, &c);
    return c;
}

/* The largest difference of a from b, or from the identity, relative to the largest of a. */
static double apart(const rct_matrix *a, const rct_matrix *b)
{
    double most = 0.0, scale = 1e-300;
    for (int64_t i = 0; i < a->rows * a->columns; i++) {
        const double one = i / a->columns == i % a->columns ? 1.0 : 0.0;
        most = larger(most, fabs(a->x[i] - (b != NULL ? b->x[i] : one)));
        scale = larger(scale, fabs(a->x[i]));
    }
    return most / scale;
}

/* m = I + f m */
static void add_to_identity(rct_matrix *m, double f)
{
    for (int64_t i = 0; i < m->rows * m->columns; i++) {
        m->x[i] = f * m->x[i] + (i / m->columns == i % m->columns ? 1.0 : 0.0);
    }
}

static void check_lemmas(const rct_spatial *s)
{
    rct_matrix tall = times(&s->H, 0, &s->phi, 0);
    rct_matrix outer = times(&tall, 0, &s->K, 0); /* I + H phi K */
    add_to_identity(&outer, 1.0);
    rct_matrix left = times(&outer, 0, &s->D, 0);
    rct_matrix square = times(&left, 0, &outer, 1);
    assert_true(apart(&square, &s->mass) <
                1e-11); /* Lemma 0.1: M = (I + H phi K) D (I + H phi K)* */

    rct_matrix narrow = times(&s->H, 0, &s->psi, 0);
    rct_matrix inner = times(&narrow, 0, &s->K, 0); /* I - H psi K */
    add_to_identity(&inner, -1.0);
    rct_matrix one = times(&outer, 0, &inner, 0);
    assert_true(apart(&one, NULL) < 1e-11); /* Lemma 0.2: it is the inverse of I + H phi K */

    rct_matrix whole = times(&s->mass, 0, &s->inverse, 0);
    assert_true(apart(&whole, NULL) < 1e-8); /* Lemma 0.3: M^-1; the condition of M comes in */

    rct_matrix through = times(&inner, 0, &tall, 0);
    assert_true(apart(&through, &narrow) < 1e-11); /* Lemma 0.4: (I - H psi K) H phi = H psi */

    rct_matrix *const all[] = {&tall,  &outer, &left,  &square, &narrow,
                               &inner, &one,   &whole, &through};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        rct_release(all[i]->x);
    }
}

/* (0.25): P - E_phi [P - P H* D^-1 H P] E_phi* = M; (0.12): phi E_phi = phi - I. */
static void check_definitions(const rct_spatial *s)
{
    rct_matrix hp = times(&s->H, 0, &s->P, 0);
    rct_matrix d = times(&hp, 0, &s->H, 1);
    assert_true(s->D.rows == 0 || apart(&d, &s->D) < 1e-13);
    rct_matrix part = times(&s->G, 0, &hp, 0);
    for (int64_t i = 0; i < part.rows * part.columns; i++) {
        part.x[i] = s->P.x[i] - part.x[i];
    }
    rct_matrix up = times(&s->E_phi, 0, &part, 0);
    rct_matrix back = times(&up, 0, &s->E_phi, 1);
    for (int64_t i = 0; i < back.rows * back.columns; i++) {
        back.x[i] = s->P.x[i] - back.x[i];
    }
    double scale = 0.0, most = 0.0;
    for (int64_t i = 0; i < back.rows * back.columns; i++) {
        scale = larger(scale, fabs(s->P.x[i]));
        most = larger(most, fabs(back.x[i] - s->M.x[i]));
    }
    assert_true(most <= 1e-13 * scale);
    rct_matrix shifted = times(&s->phi, 0, &s->E_phi, 0);
    add_to_identity(&shifted, 1.0);
    assert_true(apart(&shifted, &s->phi) < 1e-13);
    rct_matrix *const all[] = {&hp, &d, &part, &up, &back, &shifted};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        rct_release(all[i]->x);
    }
}

static void test_lemmas_hold(void **state)
{
    (void)state;
    for (int shape = SHAPE_TREE; shape <= SHAPE_STAR; shape++) {
        for (uint64_t seed = 1; seed <= 6; seed++) {
            rct_model *model = random_tree(shape, 1 + (int32_t)(seed * seed), seed);
            rct_spatial *s = spatial_of(model);
            check_definitions(s);
            check_lemmas(s);
            rct_spatial_free(s);
            rct_model_free(model);
        }
    }
}

static void test_lemmas_hold_for_any_hinges(void **state)
{
    (void)state;
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            const hinge_tree what = {.bodies = (int32_t)(2 + 4 * seed),
                                     .hinge = hinge == RCT_HINGE_FIXED ? -1 : hinge,
                                     .floating = hinge == RCT_HINGE_FIXED,
                                     .moving = 1,
                                     .seed = seed};
            spatial_case *c = spatial_case_of(&what, 0.3);
            rct_spatial *s = rct_spatial_create(c->model, c->pose, NULL);
            assert_non_null(s);
            assert_int_equal(s->mass.rows, c->freedoms);
            check_definitions(s);
            check_lemmas(s);
            rct_spatial_free(s);
            spatial_case_free(c);
        }
    }
}

/* Cholesky's pivots of a copy of m. */
static int positive_definite(const rct_matrix *m)
{
    const int64_t n = m->rows;
    rct_matrix l = room(n, n);
    int positive = 1;
    memcpy(l.x, m->x, (size_t)(n * n) * sizeof *l.x);
    for (int64_t k = 0; k < n; k++) {
        positive = positive && l.x[k * n + k] > 0.0;
        for (int64_t i = k + 1; i < n; i++) {
            for (int64_t j = k + 1; j < n; j++) {
                l.x[i * n + j] -= l.x[i * n + k] * l.x[k * n + j] / l.x[k * n + k];
            }
        }
    }
    rct_release(l.x);
    return positive;
}

/* The kinetic energy at rates x, body by body. */
static double kinetic(spatial_case *c, const double *x)
{
    assert_int_equal(rct_spatial_pose_all(c->model, c->time, c->q, x, c->pose, NULL), RCT_OK);
    return spatial_kinetic(c);
}

/* T(x + y) - T(x) - T(y) = x . M y in public rates, and M M^-1 = 1. */
static void check_mass(spatial_case *c)
{
    const int64_t v = c->freedoms;
    rct_spatial *s = rct_spatial_create(c->model, c->pose, NULL);
    rct_matrix mass, inverse;
    uint64_t random = 7;
    assert_non_null(s);
    assert_int_equal(rct_spatial_mass(c->model, s, &mass, &inverse, NULL), RCT_OK);
    rct_matrix whole = times(&mass, 0, &inverse, 0);
    assert_true(apart(&whole, NULL) < 1e-8); /* the condition of M comes in */
    assert_true(positive_definite(&mass) && positive_definite(&s->mass));
    double *x = calloc(4 * (size_t)v + 1, sizeof *x), *y = x + v, *sum = y + v, *my = sum + v;
    for (int k = 0; k < 4; k++) {
        double product = 0.0, scale = 0.0;
        draw_numbers(&random, x, (int)v, 1.0);
        draw_numbers(&random, y, (int)v, 1.0);
        memset(my, 0, (size_t)v * sizeof *my);
        rct_matrix_apply(&mass, 0, y, my);
        for (int64_t i = 0; i < v; i++) {
            sum[i] = x[i] + y[i];
            product += x[i] * my[i];
            for (int64_t j = 0; j < v; j++) {
                const double other = mass.x[j * v + i];
                assert_true(fabs(mass.x[i * v + j] - other) <= 1e-12 * (1.0 + fabs(other)));
            }
        }
        const double parts = kinetic(c, x) + kinetic(c, y), all = kinetic(c, sum);
        scale = parts + all;
        assert_true(fabs(all - parts - product) <= 1e-12 * scale);
    }
    free(x);
    rct_release(whole.x);
    rct_spatial_free(s);
}

static void test_the_mass_matrix_is_that_of_the_kinetic_energy(void **state)
{
    (void)state;
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            const hinge_tree what = {.bodies = (int32_t)(1 + 3 * seed),
                                     .hinge = hinge,
                                     .floating = hinge == RCT_HINGE_BALL,
                                     .seed = seed};
            spatial_case *c = spatial_case_of(&what, 0.0);
            check_mass(c);
            spatial_case_free(c);
        }
    }
}

static void test_the_mass_matrix_is_that_of_the_solver(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rct_error error;
        rct_model *model = random_tree(SHAPE_TREE, 30, seed);
        rct_spatial *s = spatial_of(model);
        rct_solver *solver = rct_solver_create(model, NULL, &error);
        rct_matrix own, inverse, mass = room(s->mass.rows, s->mass.rows);
        assert_int_equal(rct_spatial_mass(model, s, &own, &inverse, &error), RCT_OK);
        for (int64_t i = 0; i < mass.rows; i++) {
            mass.x[i * mass.rows + i] = 1.0;
        }
        assert_int_equal(rct_solver_mass_times(solver, (int32_t)mass.rows, mass.x, mass.x, &error),
                         RCT_OK);
        assert_true(apart(&mass, &own) < 1e-12);
        rct_release(mass.x);
        rct_solver_free(solver);
        rct_spatial_free(s);
        rct_model_free(model);
    }
}

static void test_accelerations_are_those_of_lagrange(void **state)
{
    (void)state;
    for (int shape = SHAPE_TREE; shape <= SHAPE_STAR; shape++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            const int32_t bodies = 3 + 11 * (int32_t)seed;
            reference_case *own = reference_case_create(random_tree(shape, bodies, seed));
            reference_case *truth = reference_case_create(random_tree(shape, bodies, seed));
            assert_int_equal(reference_case_run(own, RCT_REFERENCE_SPATIAL), RCT_OK);
            assert_int_equal(reference_case_run(truth, RCT_REFERENCE_LAGRANGE), RCT_OK);
            assert_true(reference_case_difference(own, truth) < 1e-12);
            assert_true(own->result.residual < 1e-15);
            reference_case_free(own);
            reference_case_free(truth);
        }
    }
}

static void test_what_it_does_not_take(void **state)
{
    (void)state;
    reference_case *many = reference_swinging_chain(SPATIAL_MOST_BODIES + 1);
    assert_int_equal(reference_case_run(many, RCT_REFERENCE_SPATIAL), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(many->error.text, "up to 200 bodies, and the model has 201"));
    reference_case_free(many);

    rct_body line = reference_rod(RCT_GROUND, 1.0);
    line.inertia[2] = 0.0;
    reference_case *spinning = reference_case_of(&line, 1);
    assert_int_equal(reference_case_run(spinning, RCT_REFERENCE_SPATIAL), RCT_ERROR_SINGULAR);
    assert_int_equal(spinning->error.body, 0);
    reference_case_free(spinning);

    line.hinge = RCT_HINGE_REVOLUTE; /* along the line, and across it */
    spinning = reference_case_of(&line, 1);
    assert_int_equal(reference_case_run(spinning, RCT_REFERENCE_SPATIAL), RCT_ERROR_SINGULAR);
    assert_non_null(strstr(spinning->error.text, "nothing resists a motion of its hinge"));
    reference_case_free(spinning);
    line.hinge_axis[0] = 1.0;
    spinning = reference_case_of(&line, 1);
    assert_int_equal(reference_case_run(spinning, RCT_REFERENCE_SPATIAL), RCT_OK);
    reference_case_free(spinning);

    reference_case *few = reference_swinging_chain(3);
    const double still[9] = {0.0};
    double effort[9];
    rct_status status = RCT_ERROR_MEMORY;
    for (int64_t k = 0; status == RCT_ERROR_MEMORY; k++) {
        rct_allocate_fail_after(k);
        status = reference_case_run(few, RCT_REFERENCE_SPATIAL);
        rct_allocate_fail_after(-1);
    }
    assert_int_equal(status, RCT_OK);
    status = RCT_ERROR_MEMORY;
    for (int64_t k = 0; status == RCT_ERROR_MEMORY; k++) {
        rct_allocate_fail_after(k);
        status = rct_spatial_inverse_at(few->model, 0.0, NULL, still, still, NULL, NULL, effort,
                                        &few->error);
        rct_allocate_fail_after(-1);
    }
    assert_int_equal(status, RCT_OK);
    reference_case_free(few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lemmas_hold),
        cmocka_unit_test(test_lemmas_hold_for_any_hinges),
        cmocka_unit_test(test_the_mass_matrix_is_that_of_the_kinetic_energy),
        cmocka_unit_test(test_the_mass_matrix_is_that_of_the_solver),
        cmocka_unit_test(test_accelerations_are_those_of_lagrange),
        cmocka_unit_test(test_what_it_does_not_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
