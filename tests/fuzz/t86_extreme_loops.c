/* Closed systems, redundant or nearly so, end in an error, or agree with the refined Lagrangian system to what rounding changes in it
 * (extreme_rounded): by every method of closing on both factors, in the state as it is, open. */
#include "tests/fuzz/extreme_truth.h"
#include "tests/support/cmocka_all.h"

enum { SYSTEMS = 60, CLOSINGS = 5, WAYS = 3 };

/* How often a solver answered, and how often it refused what the reference solves. */
typedef struct count {
    int answered, refused, unknown;
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
    const double off = extreme_evaluate(model, &options, t, seed);
    if (t == NULL) {
        c->unknown++;
    } else if (off == EXTREME_REFUSED) {
        c->refused++;
    } else {
        if (!(off <= margin)) {
            fail_msg("system %d, %s, way %d: off by %g times what rounding explains", (int)seed,
                     rct_closing_name(closing), way, off);
        }
        c->worst[closing] = off > c->worst[closing] ? off : c->worst[closing];
        c->answered++;
    }
}

/* Loops as they are drawn, moving; or at rest with copies of them `apart`. */
static rct_model *closed_system(uint64_t seed, double hard, int copies, double apart)
{
    rct_model *model = extreme_system(seed, hard);
    extreme_add_loops(model, seed);
    if (copies) {
        extreme_add_copies(model, seed, apart);
    }
    return model;
}

/* `margin` of each closing. */
static count try_all(double hard, int copies, double apart, const double margin[CLOSINGS])
{
    count c = {.answered = 0};
    extreme_truth t;
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        rct_model *model = closed_system(seed, hard, copies, apart);
        const int known = extreme_truth_find(&t, model, 1, extreme_derivatives, NULL);
        for (int i = 0; i < WAYS * CLOSINGS; i++) {
            const rct_closing closing = (rct_closing)(i % CLOSINGS);
            try_way(&c, known ? &t : NULL, model, i / CLOSINGS, closing, margin[closing], seed);
        }
        rct_model_free(model);
    }
    print_message(
        "hard %g, %s %g: %d answered, worst %.3g %.3g %.3g %.3g %.3g; %d refused, %d that "
        "the reference refuses\n",
        hard, copies ? "copies" : "none", apart, c.answered, c.worst[0], c.worst[1], c.worst[2],
        c.worst[3], c.worst[4], c.refused, c.unknown);
    return c;
}

/* Loops drawn at random hold more than moves as often as not; what they ask for is then a contradiction. */
static void test_loops(void **state)
{
    static const double margin[CLOSINGS] = {100, 100, 100, 100, 100};
    (void)state;
    const count c = try_all(0.0, 0, 1.0, margin);
    assert_true(c.refused == 0 && c.answered > SYSTEMS * WAYS * CLOSINGS / 4);
}

/* The same loop twice is no error, and changes nothing. */
static void test_copies(void **state)
{
    static const double margin[CLOSINGS] = {100, 100, 100, 100, 100};
    (void)state;
    const count c = try_all(0.0, 1, 0.0, margin);
    assert_true(c.refused == 0 && c.answered > SYSTEMS * WAYS * CLOSINGS * 9 / 10);
}

/* admittance and multipliers square how far constraints are from dependent; the others do not. */
static void test_near_copies(void **state)
{
    static const double near[CLOSINGS] = {1e6, 1e3, 1e6, 1e3, 1e3},
                        nearer[CLOSINGS] = {1e10, 1e5, 1e10, 1e5, 1e5};
    (void)state;
    const count one = try_all(0.0, 1, 1e-2, near), other = try_all(0.0, 1, 1e-4, nearer);
    assert_true(one.refused == 0 && one.answered > SYSTEMS * WAYS * CLOSINGS / 2);
    assert_true(other.refused == 0 && other.answered > SYSTEMS * WAYS * CLOSINGS / 2);
}

static void test_hard(void **state)
{
    static const double margin[CLOSINGS] = {1e4, 1e4, 1e4, 1e4, 1e4};
    (void)state;
    const count c = try_all(0.25, 0, 1.0, margin);
    assert_true(c.refused < SYSTEMS && c.answered > SYSTEMS * WAYS * CLOSINGS / 4);
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
