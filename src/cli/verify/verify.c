/* riccatree verify: every check that can be made of a model, with a verdict. */
#include "verify/verify.h"

#include "run/run.h"

#include <inttypes.h>
#include <stdlib.h>

/* The default number of steps of a run, and the number of bodies for which it takes a second or
 * two. */
enum { USUAL_STEPS = 100, LEAST_STEPS = 10, USUAL_BODIES = 10000 };

rct_solver *cli_verify_solver(const cli_verification *v, rct_method method, int32_t threads)
{
    rct_solver_options options = rct_solver_options_default();
    options.method = method;
    options.threads = threads;
    options.backend = "cpu";
    return rct_solver_create(v->model, &options, &cli_error);
}

/* The default step: 1e-3 s, or a quarter of the mean step that error control takes over as many
 * of these, to the default tolerance. If that run does not finish, the checks will say why. */
static double choose_step(const cli_verification *v, int64_t steps)
{
    const double usual = v->arguments->dt;
    rct_solver_options options = rct_solver_options_default();
    rct_stepping taken = {.steps = 0};
    options.integrator = RCT_INTEGRATOR_DOPRI5;
    options.backend = "cpu";
    rct_solver *solver = rct_solver_create(v->model, &options, NULL);
    if (solver != NULL && rct_solver_step(solver, usual * (double)steps, 1, NULL) == RCT_OK) {
        rct_solver_get_stepping(solver, &taken);
    }
    rct_solver_free(solver);
    const int64_t fine = 4 * taken.steps; /* steps of rk4 for these */
    return fine > steps ? rct_step_advised(usual, (double)steps / (double)fine, 1) : usual;
}

static bool plan(cli_verification *v)
{
    const cli_arguments *arguments = v->arguments;
    const int64_t fewer = (int64_t)USUAL_STEPS * USUAL_BODIES / rct_model_body_count(v->model);
    v->steps = fewer > USUAL_STEPS ? USUAL_STEPS : fewer < LEAST_STEPS ? LEAST_STEPS : fewer;
    v->dt = arguments->given[CLI_VERIFY_DT] ? arguments->dt : choose_step(v, v->steps);
    return !arguments->given[CLI_VERIFY_T_END] ||
           cli_did(rct_run_steps(arguments->t_end, v->dt, &v->steps, &cli_error));
}

/* Evaluate the initial state by everything. Without it nothing further can be checked. */
static bool evaluate(cli_verification *v)
{
    cli_arguments chosen = *v->arguments;
    chosen.reference = CLI_REFERENCE_ALL;
    chosen.repeat = 1;
    chosen.backend = "cpu";
    v->comparison.all_told = true;
    cli_comparison_fill(&v->comparison, v->model, &chosen);
    cli_verify_choose_entries(&v->comparison);
    return cli_comparison_evaluate(&v->comparison, &chosen);
}

static void start(const cli_verification *v)
{
    char plain[RCT_NAME_SIZE];
    const char *name = rct_model_name(v->model);
    const int32_t bodies = rct_model_body_count(v->model);
    cli_output_start(v->arguments->given[CLI_JSON], CLI_CHECK_WIDTH);
    cli_json_text("model", name);
    cli_json_count("bodies", bodies);
    cli_json_real("dt", v->dt);
    cli_json_count("steps", v->steps);
    cli_print("%s, %" PRId32 " bodies; motion over %" PRId64 " steps of %.9g s\n",
              cli_plain_name(name, plain), bodies, v->steps, v->dt);
    cli_checks_start();
}

static bool check(cli_verification *v)
{
    const cli_entry *first = &v->comparison.entries[CLI_ENTRY_ABI_SERIAL];
    start(v);
    if (!first->present) {
        cli_check_fail(&v->checks, first->name, "%s", first->note);
        return true;
    }
    return cli_verify_find_rounding(v) && cli_verify_agreement(v) && cli_verify_balance(v) &&
           cli_verify_motion(v) && cli_verify_order(v) && cli_verify_bits(v);
}

static bool verify(const cli_arguments *arguments)
{
    rct_model *model = cli_load(arguments);
    cli_verification v = {.arguments = arguments, .model = model};
    bool good = model != NULL && plan(&v);
    if (good) {
        rct_model_take_census(model, &v.census);
        v.grounded = cli_verify_ground(model);
        good = v.grounded != NULL && evaluate(&v) && check(&v);
        good = good && cli_checks_finish(&v.checks, arguments->operand);
    }
    cli_comparison_free(&v.comparison);
    free(v.grounded);
    rct_model_free(model);
    return good;
}

const cli_command cli_verify = {
    .name = "verify",
    .operand = "MODEL|FAMILY",
    .summary = "Run every check that applies to a model, and give a verdict.",
    .details =
        "\nThe checks compare both methods, references, closing methods, sweeps and backends with "
        "one\n"
        "another; hinge forces with Newton's and Euler's equations; and the energy and momenta of "
        "a\n"
        "short run with the work and forces that change them. They measure the order of the\n"
        "integrator, and require the same bits from the same run. The bounds are those of "
        "rounding\n"
        "and of the steps. The exit status is 1 if a check fails.\n",
    .options = CLI_LIST(CLI_VERIFY_T_END, CLI_VERIFY_DT, CLI_JSON, CLI_MODEL_OPTIONS),
    .run = verify,
};
