/* riccatree generate: a benchmark family as a model file. */
#include "cli.h"

#include <stddef.h>

static int generate(const cli_arguments *arguments)
{
    int status = cli_check_model_out(arguments);
    rct_model *model = status == CLI_OK ? cli_generate_family(arguments, &status) : NULL;
    if (model != NULL) {
        status = cli_write_model(arguments, model);
    }
    rct_model_free(model);
    return status;
}

static const cli_option_id options[] = {CLI_FAMILY_OPTIONS, CLI_OUT_MODEL, CLI_OVERWRITE, CLI_END};

const cli_command cli_generate = {
    .name = "generate",
    .operand = "FAMILY",
    .summary = "Write a benchmark family as a model file.",
    .details = "",
    .options = options,
    .run = generate,
};
