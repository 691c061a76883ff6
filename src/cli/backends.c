/* riccatree backends: the backends that can run a sweep here, and how long each takes. */
#include "cli.h"

#include <math.h>

/* `model` may be NULL. */
static bool tell(int32_t index, const rct_model *model, const cli_arguments *arguments)
{
    const rct_solver_options options = cli_solver_options(arguments);
    rct_backend_info info;
    double seconds = (double)NAN;
    if (!cli_did(rct_backend_describe(index, &info, &cli_error)) ||
        (model != NULL &&
         !cli_did(rct_backend_predict(index, model, &options, &seconds, &cli_error)))) {
        return false;
    }
    const bool available = info.available != 0;
    cli_json_open(NULL, '{');
    cli_json_text("name", info.name);
    cli_json_bool("available", available);
    cli_json_text("reason", info.reason);
    if (model != NULL) {
        cli_json_real("predicted_s", seconds);
    }
    cli_json_close("}");
    if (available && model != NULL) {
        const double us = 1e6 * seconds;
        cli_line(info.name, "available, %.*f us an evaluation (predicted)", us < 9.95, us);
    } else {
        cli_line(info.name, "%s%s", available ? "available" : "not available: ",
                 info.reason != NULL ? info.reason : "");
    }
    return true;
}

static bool check_idle(const cli_arguments *arguments)
{
    const char *idle = arguments->operand == NULL
                           ? cli_given_of(arguments, CLI_LIST(CLI_THREADS, CLI_MODEL_OPTIONS))
                           : NULL;
    return idle == NULL ||
           cli_refuse("%s is for the predictions of a model; give a MODEL or a FAMILY", idle);
}

static bool backends(const cli_arguments *arguments)
{
    const bool wanted = arguments->operand != NULL;
    rct_model *model = wanted && check_idle(arguments) ? cli_load(arguments) : NULL;
    bool good = wanted ? model != NULL : check_idle(arguments);
    if (good) {
        cli_output_start(arguments->given[CLI_JSON], 9);
        cli_json_open("backends", '[');
        for (int32_t i = 0; i < rct_backend_count() && good; i++) {
            good = tell(i, model, arguments);
        }
        cli_json_close("]");
        good = good && cli_output_finish();
    }
    rct_model_free(model);
    return good;
}

const cli_command cli_backends = {
    .name = "backends",
    .operand = "[MODEL|FAMILY]",
    .summary = "List the backends, whether each can run here, and the time that each is predicted "
               "to take for a model.",
    .options = CLI_LIST(CLI_THREADS, CLI_JSON, CLI_MODEL_OPTIONS),
    .run = backends,
};
