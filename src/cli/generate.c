/* riccatree generate: a benchmark family as a model file. */
#include "cli.h"

#include <stddef.h>

static bool generate(const cli_arguments *arguments)
{
    rct_model *model = cli_check_model_out(arguments) ? cli_generate_family(arguments) : NULL;
    const bool written = model != NULL && cli_write_model(arguments, model);
    rct_model_free(model);
    return written;
}

const cli_command cli_generate = {
    .name = "generate",
    .operand = "FAMILY",
    .summary = "Write a benchmark family as a model file.",
    .options = CLI_LIST(CLI_FAMILY_OPTIONS, CLI_OUT_MODEL, CLI_OVERWRITE),
    .run = generate,
};
