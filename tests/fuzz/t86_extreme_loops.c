/* Closed systems, redundant or nearly so, end in an error, or agree with the refined Lagrangian
 * system up to the effect of rounding in it (extreme_rounded): with every method of closing on both
 * factors, in the given state, with open loops. */
#include "tests/fuzz/extreme_truth.h"
#include "tests/support/cmocka_all.h"

enum { SYSTEMS = 60, CLOSINGS = 5, WAYS = 3 };

/* How often a solver answered, how often it refused a system that the reference solves, how often
 * one that the reference refuses too, and how often it went beyond: answered one that the reference
 * refuses, or further off than its margin. */
typedef struct count {
    int answered, refused, alike, beyond;
    double worst[CLOSINGS];
} count;

static const extreme_way ways[WAYS] = {{RCT_METHOD_ABI, RCT_SEGMENT_AUTO, 0, 0, 0},
                                       {RCT_METHOD_RICCATI, 0, 1, 1, 0},
                                       {RCT_METHOD_ABI, RCT_SEGMENT_WHOLE, 2, 0, 0}};

static void try_way(count *c, const extreme_truth *t, const rct_model *model, int way,
                    rct_closing closing, double margin, uint64_t seed)
{
    rct_solver_options options = extreme_options(&ways[way]);
    options.closing = closing;
    const double off = extreme_evaluate(model, &options, t->end == RCT_OK ? t : NULL, seed);
    if (t->end != RCT_OK && off != EXTREME_REFUSED) {
        c->beyond++;
        print_message("system %d, %s, way %d: an answer, where the reference refuses\n", (int)seed,
                      rct_closing_name(closing), way);
    } else if (t->end != RCT_OK) {
        c->alike++;
    } else if (off == EXTREME_REFUSED) {
        c->refused++;
    } else {
        if (!(off <= margin)) {
            c->beyond++;
            print_message("system %d, %s, way %d: off by %g times what rounding explains\n",
                          (int)seed, rct_closing_name(closing), way, off);
        }
        c->worst[closing] = off > c->worst[closing] ? off : c->worst[closing];
        c->answered++;
    }
}

/* Loops as drawn, in motion; or at rest with copies of them `apart`. */
static rct_model *closed_system(uint64_t seed, double hard, int copies, double apart)
{
    rct_model *model = extreme_system(seed, hard);
    extreme_add_loops(model, seed);
    if (copies) {
        extreme_add_copies(model, seed, apart);
    }
    return model;
}

/* Draws systems until the reference has solved this number, with each rounding of them; systems
 * that it refuses are refused by all ways. `margin` of each closing. */
static count try_all(double hard, int copies, double apart, const double margin[CLOSINGS])
{
    count c = {.answered = 0};
    int solved = 0;
    for (uint64_t seed = 0; solved < SYSTEMS; seed++) {
        extreme_truth t;
        rct_model *model = closed_system(seed, hard, copies, apart);
        const int known = extreme_truth_find(&t, model, 1, extreme_derivatives, NULL);
        solved += known;
        for (int i = 0; (known || t.end != RCT_OK) && i < WAYS * CLOSINGS; i++) {
            const rct_closing closing = (rct_closing)(i % CLOSINGS);
            try_way(&c, &t, model, i / CLOSINGS, closing, margin[closing], seed);
        }
        rct_model_free(model);
    }
    print_message("hard %g, %s %g: %d answered, worst %.3g %.3g %.3g %.3g %.3g; %d refused, %d as "
                  "by the reference\n",
                  hard, copies ? "copies" : "none", apart, c.answered, c.worst[0], c.worst[1],
                  c.worst[2], c.worst[3], c.worst[4], c.refused, c.alike);
    return c;
}

/* Random loops hold the system still as often as not; their demands are then a contradiction. */
static void test_loops(void **state)
{
    static const double margin[CLOSINGS] = {50, 50, 50, 50, 50};
    (void)state;
    const count c = try_all(0.0, 0, 1.0, margin);
    assert_true(c.refused == 0 && c.beyond == 0 && c.alike > SYSTEMS * WAYS * CLOSINGS / 2);
}

/* The same loop twice is no error, and changes nothing. */
static void test_copies(void **state)
{
    static const double margin[CLOSINGS] = {50, 50, 50, 50, 50};
    (void)state;
    const count c = try_all(0.0, 1, 0.0, margin);
    assert_true(c.refused == 0 && c.beyond == 0 && c.alike == 0);
}

/* The error grows with the closeness to dependent constraints; with admittance with its square. One
 * system in twelve is beyond the margin of multipliers, as any 500 systems show. */
static void test_near_copies(void **state)
{
    static const double near[CLOSINGS] = {5e5, 3e3, 3e3, 3e3, 3e3},
                        nearer[CLOSINGS] = {2e9, 5e3, 3e5, 5e3, 5e3};
    (void)state;
    const count one = try_all(0.0, 1, 1e-2, near), other = try_all(0.0, 1, 1e-4, nearer);
    assert_true(one.refused == 0 && one.alike == 0 && one.beyond == 0);
    assert_true(other.refused == 0 && other.alike == 0);
    assert_true(other.beyond <= SYSTEMS * WAYS / 12);
}

/* At most one system in sixty that the reference solves is refused, and at most one of those that
 * it refuses, which contradict themselves barely, is answered. */
static void test_hard(void **state)
{
    static const double margin[CLOSINGS] = {500, 500, 500, 500, 500};
    (void)state;
    const count c = try_all(0.25, 0, 1.0, margin);
    assert_true(c.refused <= WAYS * CLOSINGS && c.beyond <= WAYS * CLOSINGS &&
                c.answered + c.refused == SYSTEMS * WAYS * CLOSINGS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_near_copies),
        cmocka_unit_test(test_hard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
