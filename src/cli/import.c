/* riccatree import: a URDF or MJCF file as a model file. */
#include "cli.h"

#include <inttypes.h>
#include <stdio.h>

/* What was left out changes the motion: the user who asked for it is told, on standard error. */
static void say_ignored(const cli_arguments *arguments, const rct_import_report *report)
{
    if (report->ignored == 0) {
        return;
    }
    cli_fail(CLI_OK, "%s: %" PRId64 " ignored that may change the motion%s", arguments->operand,
             report->ignored, report->ignored > report->notes ? ", the first of them:" : ":");
    for (int32_t i = 0; i < report->notes; i++) {
        cli_fail(CLI_OK, "  line %" PRId32 ": %s", report->note[i].line, report->note[i].text);
    }
}

static bool import(const cli_arguments *arguments)
{
    rct_import_report report;
    const rct_import_options options = {
        .format = arguments->given[CLI_FORMAT] ? (rct_import_format)(arguments->format + 1)
                                               : RCT_IMPORT_AUTO,
        .ignore_unsupported = arguments->given[CLI_IGNORE_UNSUPPORTED],
        .floating_root = arguments->given[CLI_FLOATING_ROOT],
        .report = &report};
    if (!cli_check_model_out(arguments)) {
        return false;
    }
    rct_model *model = rct_model_import(arguments->operand, &options, &cli_error);
    bool good = cli_have(model);
    if (good && options.floating_root && report.format == RCT_IMPORT_MJCF) {
        good =
            cli_fail(CLI_BAD_INPUT, "--floating-root is for URDF, and \"%s\" is MJCF; leave it out",
                     arguments->operand);
    }
    if (good) {
        say_ignored(arguments, &report);
        good = cli_write_model(arguments, model);
    }
    rct_model_free(model);
    return good;
}

const cli_command cli_import = {
    .name = "import",
    .operand = "FILE",
    .summary = "Write a URDF or MJCF file as a model file.",
    .details = "\nWhat is read, ignored and refused: docs/import.md.\n",
    .options = CLI_LIST(CLI_FORMAT, CLI_FLOATING_ROOT, CLI_IGNORE_UNSUPPORTED, CLI_OUT_MODEL,
                        CLI_OVERWRITE),
    .run = import,
};
