/* The systems of the self-test by everything that can compute them here, compared with their
 * answers. */
#include "accelerations.h"
#include "compare/compare.h"
#include "doctor/doctor.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bounds: for rounding; and for models whose numbers come from the sine and cosine of another
 * machine. */
static const double bound = 1e-11;

enum { WORDS_SIZE = 128 };

/* The worst result of a system so far, and how it was computed. */
typedef struct finding {
    const cli_case *tested;
    const double *answer;
    rct_model *model;
    double worst;
    char words[WORDS_SIZE];         /* the way it was computed             */
    char note[RCT_ERROR_TEXT_SIZE]; /* why there is no result, "" if there is one */
    int solved;                     /* ways with a result                  */
} finding;

static double off(const double *vector, const double *answer, double natural)
{
    return cli_distance(vector, answer) / fmax(fmax(natural, cli_length(answer)), 1e-300);
}

/* The larger number; NaN counts as the largest. */
static double worse(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

static rct_status solve(finding *found, rct_solver *solver, double *worst)
{
    double natural[CLI_COMPARED];
    cli_accelerations rows;
    rct_status status = RCT_ERROR_MEMORY;
    if (cli_accelerations_create(&rows, found->model) &&
        cli_natural_sizes(found->model, solver, natural)) {
        status = cli_accelerations_of_solver(&rows, solver);
        *worst = status == RCT_OK ? 0.0 : NAN;
        for (int k = 0; k < CLI_COMPARED && status == RCT_OK; k++) {
            const double *own = rows.vectors[k] + 3 * found->tested->body;
            *worst = worse(*worst, off(own, found->answer + 3 * k, natural[k]));
        }
    }
    cli_accelerations_free(&rows);
    return status;
}

static void try_options(finding *found, const rct_solver_options *options)
{
    double own = NAN;
    rct_solver *solver = rct_solver_create(found->model, options, &cli_error);
    const rct_status status = solver != NULL ? solve(found, solver, &own) : cli_error.status;
    rct_solver_free(solver);
    if (status == RCT_ERROR_UNSUPPORTED) {
        return; /* a width or a way to close loops that this machine or system does not have */
    }
    found->solved++;
    if (!isnan(found->worst) && !(own <= found->worst)) {
        found->worst = own;
        snprintf(found->words, sizeof found->words,
                 "%s on %s (lanes %" PRId32 ", threads %" PRId32 ", closing %s)",
                 rct_method_name(options->method), options->backend, options->lanes,
                 options->threads, rct_closing_name(options->closing));
        memcpy(found->note, status != RCT_OK ? cli_error.text : "",
               status != RCT_OK ? sizeof found->note : 1);
    }
}

static void try_backend(finding *found, const char *backend)
{
    const bool loops = rct_model_loop_count(found->model) > 0;
    rct_solver_options options = rct_solver_options_default();
    options.backend = backend;
    for (int m = RCT_METHOD_ABI; m <= RCT_METHOD_RICCATI; m++) {
        options.method = (rct_method)m;
        for (int c = RCT_CLOSING_ADMITTANCE;
             c <= (loops ? RCT_CLOSING_SVD : RCT_CLOSING_ADMITTANCE); c++) {
            options.closing = (rct_closing)c;
            for (int lanes = 0; lanes <= 8; lanes = lanes == 0 ? 1 : 2 * lanes) {
                options.lanes = lanes;
                for (options.threads = 1; options.threads <= 2; options.threads++) {
                    try_options(found, &options);
                }
            }
        }
    }
}

static bool try_case(cli_checks *checks, finding *found)
{
    found->model = cli_case_model(found->tested);
    const char *advice = found->tested->advice != NULL ? found->tested->advice : "";
    if (found->model == NULL) {
        cli_check_fail(checks, found->tested->name, "%s%s", cli_error.text, advice);
        return cli_error.status != RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        if (rct_backend_describe(i, &info, &cli_error) == RCT_OK && info.available != 0) {
            try_backend(found, info.name);
        }
    }
    if (found->note[0] != '\0') {
        cli_check_fail(checks, found->tested->name, "by %s: %s%s", found->words, found->note,
                       advice);
    } else {
        cli_check_bound(checks, found->tested->name, found->solved > 0 ? found->worst : NAN,
                        cli_at_most(bound),
                        "the result by %s differs from the reference; this build computes wrong "
                        "results on this machine: build it again here%s",
                        found->words, advice);
    }
    rct_model_free(found->model);
    return true;
}

bool cli_doctor_evaluate(cli_checks *checks, const cli_case *cases, int count,
                         const cli_answer *answers)
{
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        finding found = {.tested = &cases[i], .answer = answers[i].numbers, .worst = 0.0};
        good = try_case(checks, &found);
    }
    return good;
}
