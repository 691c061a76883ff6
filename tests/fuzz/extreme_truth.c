/* The true results of a random system (extreme_truth.h). */
#include "tests/fuzz/extreme_truth.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"

#include <riccatree/operators.h>
#include <riccatree/reference.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDED = 4 };

rct_status extreme_derivatives(const rct_model *model, const void *context, double *numbers)
{
    rct_reference_result result = {.derivatives = numbers};
    (void)context;
    return rct_reference_evaluate(model, RCT_REFERENCE_LAGRANGE, NULL, NULL, &result, NULL);
}

/* The tree alone. */
static rct_model *tree_of(const rct_model *model)
{
    rct_model *tree = rct_model_create("tree", NULL);
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_body body;
        rct_model_body(model, i, &body, NULL);
        must_add(tree, &body);
    }
    return tree;
}

static void weigh(extreme_truth *t, const rct_model *tree)
{
    double unit[EXTREME_RATES] = {0.0}, column[EXTREME_RATES];
    rct_solver_options options = rct_solver_options_default();
    options.threads = 1;
    rct_solver *solver = rct_solver_create(tree, &options, NULL);
    rct_solver_info info = {.dof = 0};
    rct_solver_get_info(solver, &info);
    t->rates = info.dof;
    for (int64_t i = 0; i < t->rates; i++) {
        unit[i] = 1.0;
        assert_int_equal(rct_solver_mass_times(solver, 1, unit, column, NULL), RCT_OK);
        t->weight[i] = sqrt(column[i]);
        unit[i] = 0.0;
    }
    rct_solver_free(solver);
}

/* Of number `which` of every rate. */
static double size_of(const extreme_truth *t, int64_t which, const double *a, const double *b)
{
    double size = 0.0;
    for (int64_t r = 0; r < t->rates; r++) {
        const int64_t i = r * t->each + which;
        const double off = fabs(a[i] - (b != NULL ? b[i] : 0.0)) * t->weight[r];
        size = off <= size ? size : off; /* NaN stays */
    }
    return size;
}

/* The rounding to doubles of the numbers, and of those of the open tree: the part that loops cancel
 * has been rounded too. */
static void begin_slack(extreme_truth *t, const double *open)
{
    for (int64_t k = 0; k < t->each; k++) {
        t->slack[k] =
            DBL_EPSILON * fmax(size_of(t, k, t->numbers, NULL), size_of(t, k, open, NULL));
    }
}

int extreme_truth_find(extreme_truth *t, const rct_model *model, int64_t each, extreme_refer *refer,
                       const void *context)
{
    double open[EXTREME_NUMBERS], most[EXTREME_EACH] = {0.0};
    rct_model *tree = tree_of(model);
    *t = (extreme_truth){.each = each};
    weigh(t, tree);
    t->end = refer(model, context, t->numbers);
    int good = t->rates > 0 && t->end == RCT_OK && refer(tree, context, open) == RCT_OK;
    rct_model_free(tree);
    for (uint64_t k = 0; k < ROUNDED && good; k++) {
        double other[EXTREME_NUMBERS];
        rct_model *rounded = extreme_rounded(model, k);
        good = refer(rounded, context, other) == RCT_OK;
        for (int64_t i = 0; i < each && good; i++) {
            most[i] = larger(most[i], size_of(t, i, other, t->numbers));
        }
        rct_model_free(rounded);
    }
    if (good) {
        begin_slack(t, open);
        for (int64_t i = 0; i < each; i++) {
            t->slack[i] += most[i];
        }
    }
    return good;
}

double extreme_truth_off(const extreme_truth *t, const double *numbers)
{
    double most = 0.0;
    for (int64_t k = 0; k < t->each; k++) {
        const double off = size_of(t, k, numbers, t->numbers);
        const double units = off == 0.0 ? 0.0 : off / t->slack[k];
        most = units <= most ? most : units; /* NaN stays */
    }
    return most;
}

/* ---- solving it --------------------------------------------------------------------------- */

rct_solver_options extreme_options(const extreme_way *way)
{
    rct_solver_options options = rct_solver_options_default();
    options.method = way->method;
    options.segment = way->segment;
    options.lanes = way->lanes == 0 ? 0 : lanes_up_to(way->lanes);
    options.user_forces = way->user_forces;
    options.threads = 1;
    options.as_given = 1;
    options.drift = RCT_DRIFT_NONE;
    return options;
}

void extreme_expect_refusal(const rct_error *error, uint64_t seed)
{
    enum {
        MEANT = 1 << RCT_ERROR_SINGULAR | 1 << RCT_ERROR_MODEL | 1 << RCT_ERROR_DIVERGED |
                1 << RCT_ERROR_LOOP
    };
    if ((MEANT & 1 << error->status) == 0 || error->text[0] == '\0') {
        fail_msg("system %d: %s", (int)seed, error->text);
    }
}

double extreme_evaluate(const rct_model *model, const rct_solver_options *options,
                        const extreme_truth *truth, uint64_t seed)
{
    rct_error error = {.text = ""};
    double found[EXTREME_NUMBERS], off = EXTREME_REFUSED;
    rct_solver *solver = rct_solver_create(model, options, &error);
    if (solver != NULL && rct_solver_evaluate(solver, &error) == RCT_OK) {
        rct_solver_get_rate_derivatives(solver, found);
        off = truth != NULL ? extreme_truth_off(truth, found) : 0.0;
    } else {
        extreme_expect_refusal(&error, seed);
    }
    rct_solver_free(solver);
    return off;
}
