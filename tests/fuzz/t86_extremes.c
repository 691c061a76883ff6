/* Systems at the ends of what is physical end in an error, or agree with the refined Lagrangian system to what elimination in
 * doubles may round: each body's mass and inertia by an epsilon of all that it carries, each force likewise (extreme_rounded). By both methods, all
 * sweeps, and lanes. */
#include "tests/fuzz/extreme_system.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/must.h"

#include <riccatree/operators.h>
#include <riccatree/reference.h>
#include <riccatree/solver.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SYSTEMS = 150, MOST_RATES = 6 * EXTREME_BODIES, ROUNDED = 4 };

/* Derivatives of the rates as the reference has them, and by how much they may be off: each in the measure of its own inertia, the root of the
 * diagonal of M. */
typedef struct truth {
    double derivatives[MOST_RATES], weight[MOST_RATES], slack;
    int64_t rates;
} truth;

static double size_of(const truth *t, const double *a, const double *b)
{
    double size = 0.0;
    for (int64_t i = 0; i < t->rates; i++) {
        const double off = fabs(a[i] - (b != NULL ? b[i] : 0.0)) * t->weight[i];
        size = off <= size ? size : off; /* NaN stays */
    }
    return size;
}

static rct_status refer(const rct_model *model, double *derivatives)
{
    rct_reference_result result = {.derivatives = derivatives};
    return rct_reference_evaluate(model, RCT_REFERENCE_LAGRANGE, NULL, NULL, &result, NULL);
}

static void weigh(truth *t, rct_solver *solver)
{
    double *unit = calloc((size_t)t->rates, sizeof *unit),
           *column = calloc((size_t)t->rates, sizeof *unit);
    for (int64_t i = 0; i < t->rates; i++) {
        unit[i] = 1.0;
        assert_int_equal(rct_solver_mass_times(solver, 1, unit, column, NULL), RCT_OK);
        t->weight[i] = sqrt(column[i]);
        unit[i] = 0.0;
    }
    free(unit);
    free(column);
}

/* 0: the reference refuses the system, or a rounded one. */
static int find_truth(truth *t, const rct_model *model)
{
    rct_solver_options options = rct_solver_options_default();
    options.threads = 1;
    rct_solver *solver = rct_solver_create(model, &options, NULL);
    rct_solver_info info = {.dof = 0};
    rct_solver_get_info(solver, &info);
    t->rates = info.dof;
    int good = t->rates > 0 && refer(model, t->derivatives) == RCT_OK;
    if (good) {
        weigh(t, solver);
        t->slack = DBL_EPSILON * size_of(t, t->derivatives, NULL);
    }
    double most = 0.0;
    for (uint64_t k = 0; k < ROUNDED && good; k++) {
        double other[MOST_RATES];
        rct_model *rounded = extreme_rounded(model, k);
        good = refer(rounded, other) == RCT_OK;
        most = fmax(most, good ? size_of(t, other, t->derivatives) : 0.0);
        rct_model_free(rounded);
    }
    t->slack += most;
    rct_solver_free(solver);
    return good;
}

/* How often a solver answered, and how often it refused what the reference solves. */
typedef struct count {
    int answered, refused, unknown;
    double worst[2]; /* serial sweeps and segments of two or three links */
} count;

/* Segments of two links are cut nowhere but here: two handles each lose digits where masses differ by twelve decades. */
static const struct way {
    rct_method method;
    int64_t segment;
    int32_t lanes;
    int user_forces;
    double margin; /* of what rounding of the system explains */
} ways[] = {{RCT_METHOD_ABI, RCT_SEGMENT_AUTO, 0, 0, 100},
            {RCT_METHOD_RICCATI, RCT_SEGMENT_AUTO, 0, 0, 100},
            {RCT_METHOD_ABI, 0, 1, 1, 100},
            {RCT_METHOD_RICCATI, 0, 1, 1, 100},
            {RCT_METHOD_ABI, 2, 2, 0, 1e6},
            {RCT_METHOD_RICCATI, 2, 2, 0, 1e6},
            {RCT_METHOD_ABI, RCT_SEGMENT_WHOLE, 4, 1, 100},
            {RCT_METHOD_RICCATI, 3, 4, 1, 1e6}};

enum { WAYS = sizeof ways / sizeof ways[0] };

static void expect_refusal(const rct_error *error, uint64_t seed)
{
    if (error->status != RCT_ERROR_SINGULAR && error->status != RCT_ERROR_MODEL &&
        error->status != RCT_ERROR_DIVERGED) {
        fail_msg("system %d: %s", (int)seed, error->text);
    }
}

static void try_way(count *c, truth *t, const rct_model *model, const struct way *way,
                    uint64_t seed)
{
    rct_error error = {.text = ""};
    rct_solver_options options = rct_solver_options_default();
    options.method = way->method;
    options.segment = way->segment;
    options.lanes = way->lanes == 0 ? 0 : lanes_up_to(way->lanes);
    options.user_forces = way->user_forces;
    options.threads = 1;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    const int answered = solver != NULL && rct_solver_evaluate(solver, &error) == RCT_OK;
    if (!answered) {
        expect_refusal(&error, seed);
    }
    if (t == NULL) {
        c->unknown++;
    } else if (!answered) {
        c->refused++;
    } else {
        double found[MOST_RATES];
        rct_solver_get_rate_derivatives(solver, found);
        const double off = size_of(t, found, t->derivatives) / t->slack;
        if (!(off <= way->margin) && !(t->slack == 0.0 && size_of(t, found, NULL) == 0.0)) {
            fail_msg("system %d, %s, segment %d, %d lanes: off by %g times what rounding explains",
                     (int)seed, rct_method_name(way->method), (int)way->segment, way->lanes, off);
        }
        double *worst = &c->worst[way->segment > 0];
        *worst = off > *worst ? off : *worst;
        c->answered++;
    }
    rct_solver_free(solver);
}

static count try_all(double hard)
{
    count c = {.answered = 0};
    truth t;
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        rct_model *model = extreme_system(seed, hard);
        const int known = find_truth(&t, model);
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

/* To refuse is no way out: of ordinary systems none is, of the hardest few. */
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
