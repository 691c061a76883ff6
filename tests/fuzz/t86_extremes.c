/* Systems at the ends of the physical range end in an error, or agree with the refined Lagrangian
 * system up to the rounding of elimination in doubles: each body's mass and inertia by an epsilon
 * of everything that it carries, and each force likewise (extreme_rounded). With both methods, all
 * sweeps, and lanes. */
#include "tests/fuzz/extreme_truth.h"
#include "tests/support/cmocka_all.h"

enum { SYSTEMS = 150 };

/* How often a solver answered, and how often it refused a system that the reference solves. */
typedef struct count {
    int answered, refused, unknown;
    double worst[2]; /* serial sweeps and segments of two or three links */
} count;

/* Only here segments of two links are cut: two handles each lose digits where masses differ by
 * twelve decades. */
static const extreme_way ways[] = {{RCT_METHOD_ABI, RCT_SEGMENT_AUTO, 0, 0, 100},
                                   {RCT_METHOD_RICCATI, RCT_SEGMENT_AUTO, 0, 0, 100},
                                   {RCT_METHOD_ABI, 0, 1, 1, 100},
                                   {RCT_METHOD_RICCATI, 0, 1, 1, 100},
                                   {RCT_METHOD_ABI, 2, 2, 0, 1e6},
                                   {RCT_METHOD_RICCATI, 2, 2, 0, 1e6},
                                   {RCT_METHOD_ABI, RCT_SEGMENT_WHOLE, 4, 1, 100},
                                   {RCT_METHOD_RICCATI, 3, 4, 1, 1e6}};

enum { WAYS = sizeof ways / sizeof ways[0] };

static void try_way(count *c, const extreme_truth *t, const rct_model *model,
                    const extreme_way *way, uint64_t seed)
{
    const rct_solver_options options = extreme_options(way);
    const double off = extreme_evaluate(model, &options, t, seed);
    if (t == NULL) {
        c->unknown++;
    } else if (off == EXTREME_REFUSED) {
        c->refused++;
    } else {
        if (!(off <= way->margin)) {
            fail_msg("system %d, %s, segment %d, %d lanes: off by %g times what rounding explains",
                     (int)seed, rct_method_name(way->method), (int)way->segment, way->lanes, off);
        }
        double *worst = &c->worst[way->segment > 0];
        *worst = off > *worst ? off : *worst;
        c->answered++;
    }
}

static count try_all(double hard)
{
    count c = {.answered = 0};
    extreme_truth t;
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        rct_model *model = extreme_system(seed, hard);
        const int known = extreme_truth_find(&t, model, 1, extreme_derivatives, NULL);
        for (int w = 0; w < WAYS; w++) {
            try_way(&c, known ? &t : NULL, model, &ways[w], seed);
        }
        rct_model_free(model);
    }
    print_message("hard %g: %d answered, worst %.3g, by segments %.3g; %d refused, %d that the "
                  "reference refuses\n",
                  hard, c.answered, c.worst[0], c.worst[1], c.refused, c.unknown);
    return c;
}

/* Refusal is no way out: no ordinary system is refused, and only a few of the hardest. */
static void test_ordinary(void **state)
{
    (void)state;
    const count c = try_all(0.0);
    assert_int_equal(c.refused, 0);
    assert_true(c.answered > SYSTEMS * WAYS * 95 / 100 && c.worst[0] < 50.0 && c.worst[1] < 50.0);
}

static void test_hard(void **state)
{
    (void)state;
    const count c = try_all(0.5);
    assert_true(c.refused < SYSTEMS * WAYS / 100 && c.answered > SYSTEMS * WAYS * 95 / 100);
}

static void test_extreme(void **state)
{
    (void)state;
    const count c = try_all(1.0);
    assert_true(c.refused < SYSTEMS * WAYS / 20 && c.answered > SYSTEMS * WAYS * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ordinary),
        cmocka_unit_test(test_hard),
        cmocka_unit_test(test_extreme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
