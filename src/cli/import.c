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

static int import(const cli_arguments *arguments)
{
    rct_import_report report;
    const rct_import_options options = {
        .format = arguments->given[CLI_FORMAT] ? (rct_import_format)(arguments->format + 1)
                                               : RCT_IMPORT_AUTO,
        .ignore_unsupported = arguments->given[CLI_IGNORE_UNSUPPORTED],
        .floating_root = arguments->given[CLI_FLOATING_ROOT],
        .report = &report};
    int status = cli_check_model_out(arguments);
    rct_model *model = NULL;
    if (status == CLI_OK) {
        rct_error error;
        model = rct_model_import(arguments->operand, &options, &error);
        status = model != NULL ? CLI_OK : cli_fail_library(&error);
    }
    if (status == CLI_OK && options.floating_root && report.format == RCT_IMPORT_MJCF) {
        status =
            cli_fail(CLI_BAD_INPUT, "--floating-root is for URDF, and \"%s\" is MJCF; leave it out",
                     arguments->operand);
    }
    if (status == CLI_OK) {
        say_ignored(arguments, &report);
        status = cli_write_model(arguments, model);
    }
    rct_model_free(model);
    return status;
}

static const cli_option_id options[] = {CLI_FORMAT,    CLI_FLOATING_ROOT, CLI_IGNORE_UNSUPPORTED,
                                        CLI_OUT_MODEL, CLI_OVERWRITE,     CLI_END};

const cli_command cli_import = {
    .name = "import",
    .operand = "FILE",
    .summary = "Write a URDF or MJCF file as a model file.",
    .details = "\nWhat is read, ignored and refused: docs/import.md.\n",
    .options = options,
    .run = import,
};
