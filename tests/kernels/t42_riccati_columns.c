/* Columns of loops across hinges of every type by riccati, without and with rotors, with factors of
 * rates: the part of a row of J beyond the hinge, and the solution of the hinge under its
 * multiplier, against the hinge crossed under the same wrench and efforts. */
#include "tests/support/cmocka_all.h"

#define METHOD_RICCATI
#define KEEP_PIVOTS
#include "kernels/laws/column_step.h"
#include "tests/kernels/riccati_case.h"
#include "tests/support/dense.h"

/* A hinge crossed: its gains as rows keep them, and loaded from there. */
typedef struct crossed {
    double kept[ROW_GAIN_FIELDS * MOST_FREEDOMS];
    six_gain gain[MOST_FREEDOMS];
    hinge_rotor rotor;
} crossed;

static crossed cross(const hinge_case *c, riccati z, const double load[3])
{
    crossed x;
    if (c->armed) {
        assert_true(
            row_cross_rotors(c->kind, &c->link, &c->motion, c->armature, load, &z, NULL, x.gain));
    } else {
        assert_true(row_cross_alike(c->kind, &c->link, &c->motion, load, &z, NULL, x.gain));
    }
#define STEP(TYPE)                                                                                 \
    x.rotor = hinge_rotor_of(TYPE, &c->link, &c->motion, c->armature);                             \
    row_gains_store(x.kept, TYPE, 0, x.gain, c->n);                                                \
    row_gains_load(x.kept, TYPE, c->armed ? &x.rotor : NULL, x.gain, c->n)
    HINGE_CASES(c->kind, STEP)
#undef STEP
    return x;
}

static spatial outboard(const hinge_case *c, const crossed *x, spatial reached)
{
    spatial out;
    const hinge_rotor *rotor = c->armed ? &x->rotor : NULL;
#define STEP(TYPE) out = wide_outboard(TYPE, &c->link, &c->motion, rotor, x->gain, reached)
    HINGE_CASES(c->kind, STEP)
#undef STEP
    return out;
}

static void pass(const hinge_case *c, const crossed *x, const double *factor, loop_column *column,
                 double *solved)
{
    const hinge_rotor *rotor = c->armed ? &x->rotor : NULL;
#define STEP(TYPE) column_cross(TYPE, &c->link, &c->motion, rotor, x->gain, factor, column, solved)
    HINGE_CASES(c->kind, STEP)
#undef STEP
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* The part of J that `reached` arrives at: of the acceleration A, and of u' with H u' = A -
 * reached. */
static double taken(const hinge_case *c, const crossed *x, const double e[6], const double *factor,
                    const double reached[6])
{
    double a[6], apart[6];
    long double h[36] = {0.0L}, rates[6] = {0.0L};
    six_list(outboard(c, x, six_unlist(reached)), a);
    double sum = dot(e, a, 6);
    for (int i = 0; i < 6; i++) {
        apart[i] = a[i] - reached[i];
    }
    for (int i = 0; i < c->n && factor != NULL; i++) {
        for (int j = 0; j < c->n; j++) {
            h[i * c->n + j] = dot(c->h[i], c->h[j], 6);
        }
        rates[i] = dot(c->h[i], apart, 6);
    }
    if (factor != NULL) {
        dense_solve(c->n, h, rates);
        for (int i = 0; i < c->n; i++) {
            sum += factor[i] * (double)rates[i];
        }
    }
    return sum;
}

static void expect(double is, double should, double size, int kind, const char *what)
{
    if (!(fabs(is - should) <= 1e-11 * (1.0 + size))) {
        fail_msg("%s of hinge type %d: %.17g, not %.17g", what, kind, is, should);
    }
}

/* e' . reached + h' for a ground at rest and along each coordinate. */
static void check_taken(const hinge_case *c, const crossed *x, const double e[6],
                        const double *factor, const loop_column *beyond)
{
    for (int i = -1; i < 6; i++) {
        double reached[6] = {0.0};
        reached[i < 0 ? 0 : i] = i < 0 ? 0.0 : 1.0;
        expect(dot(beyond->e, reached, 6) + beyond->h, taken(c, x, e, factor, reached),
               beyond->terms + fabs(beyond->h), c->kind, "what is taken");
    }
}

/* The wrench of the row on the link and its efforts at the hinge, added to the present ones. */
static void check_given(const hinge_case *c, const crossed *x, const riccati *z, const double e[6],
                        const double *factor, const double *solved)
{
    riccati pushed = *z;
    double load[3];
    riccati_add_load(&pushed, six_unlist(e));
    for (int i = 0; i < 3; i++) {
        load[i] = c->load[i] + (factor != NULL ? factor[i] : 0.0);
    }
    const crossed other = cross(c, pushed, load);
    double pivots[MOST_FREEDOMS * MOST_FREEDOMS];
    real most[2];
    column_keep_pivots(c->kind, x->kept, 1, lane_bits(-1), pivots, most);
    for (int i = 0; i < c->n; i++) {
        expect(column_given(c->n, pivots, solved, i), other.gain[i].y - x->gain[i].y,
               fabs(other.gain[i].y), c->kind, "what a multiplier gives");
    }
}

static void test_columns_past_hinges(void **state)
{
    (void)state;
    uint64_t random = 91;
    for (int n = 0; n < 4000; n++) {
        const hinge_case c = draw_hinge(&random, 1 + n % (RCT_HINGE_TYPES - 1));
        const riccati z = draw_law(&random, n % 2 == 0 ? 0.0 : 0.3);
        const crossed x = cross(&c, z, c.load);
        double own[3], solved[MOST_FREEDOMS];
        draw_numbers(&random, own, 3, 2.0);
        const double *factor = c.kind != RCT_HINGE_FREE && n / 16 % 2 == 0 ? own : NULL;
        loop_column column = {.h = 0.0, .terms = 0.0};
        draw_numbers(&random, column.e, 6, 2.0);
        const loop_column before = column;
        pass(&c, &x, factor, &column, solved);
        check_taken(&c, &x, before.e, factor, &column);
        check_given(&c, &x, &z, before.e, factor, solved);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_past_hinges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
