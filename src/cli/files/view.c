/* riccatree view: a recording, the results of an ensemble, or the initial state of a model, as a
 * page that a browser plays. */
#include "cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of the operand without folder and ending, plus .html; to be freed. */
static char *usual_name(const char *operand)
{
    const char *slash = strrchr(operand, '/'), *name = slash != NULL ? slash + 1 : operand;
    const char *dot = strrchr(name, '.');
    const size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    char *path = malloc(length + sizeof ".html");
    if (cli_have_memory(path)) {
        memcpy(path, name, length);
        memcpy(path + length, ".html", sizeof ".html");
    }
    return path;
}

static bool say(const cli_arguments *arguments, const char *path, const rct_view_report *report)
{
    char bytes[CLI_SHORT_TEXT];
    cli_output_start(arguments->given[CLI_JSON], 19);
    cli_json_text("file", path);
    cli_json_count("file_bytes", report->bytes);
    cli_json_count("bodies", report->bodies);
    cli_json_count("bodies_shown", report->bodies_shown);
    cli_json_count("frames", report->frames);
    cli_json_count("frames_shown", report->frames_shown);
    cli_json_real("position_error", report->position_error);
    cli_line("page", "%s, %s", path, cli_bytes_text(report->bytes, bytes));
    if (report->members > 0) {
        cli_json_count("members", report->members);
        cli_json_count("members_shown", report->members_shown);
        cli_line("members", "%" PRId64 " of %" PRId64 " shown", report->members_shown,
                 report->members);
        cli_line("bodies", "%" PRId64 " tracked", report->bodies);
    } else {
        cli_line("bodies", "%" PRId64 " of %" PRId64 " shown", report->bodies_shown,
                 report->bodies);
    }
    if (report->frames > 0) {
        cli_line("frames", "%" PRId64 " of %" PRId64 " shown", report->frames_shown,
                 report->frames);
    } else {
        cli_line("frames", report->members > 0 ? "none: a run with --series has some"
                                               : "none: the initial state of the model");
    }
    if (report->bodies > 0) {
        cli_line("positions", "to %.3g m", report->position_error);
    }
    return cli_output_finish();
}

static bool view_model(const cli_arguments *arguments, const char *path,
                       const rct_view_options *options, rct_view_report *report)
{
    rct_model *model = cli_load(arguments);
    const bool good =
        model != NULL && cli_did(rct_view_model(model, path, options, report, &cli_error));
    rct_model_free(model);
    return good;
}

/* An HDF5 file that is not a recording. The file of an ensemble has a model too, but that is not
 * what was run. */
static bool view_other(const cli_arguments *arguments, const char *path,
                       const rct_view_options *options, rct_view_report *report)
{
    rct_file_info info;
    if (!cli_did(rct_file_check(arguments->operand, &info, &cli_error))) {
        return false;
    }
    return info.kind == RCT_FILE_ENSEMBLE
               ? cli_did(rct_view_ensemble(arguments->operand, path, options, report, &cli_error))
               : view_model(arguments, path, options, report);
}

static bool view_h5(const cli_arguments *arguments, const char *path,
                    const rct_view_options *options, rct_view_report *report)
{
    const char *idle = cli_given_of(arguments, CLI_LIST(CLI_FAMILY_OPTIONS));
    if (idle != NULL) {
        return cli_refuse("%s is for families, and \"%s\" is a file; leave it out", idle,
                          arguments->operand);
    }
    if (!cli_check_import(arguments)) {
        return false;
    }
    const rct_status status =
        rct_view_recording(arguments->operand, path, options, report, &cli_error);
    return status == RCT_ERROR_UNSUPPORTED ? view_other(arguments, path, options, report)
                                           : cli_did(status);
}

static bool view(const cli_arguments *arguments)
{
    rct_view_options options = rct_view_options_default();
    rct_view_report report = {.bytes = 0};
    char *usual = arguments->out == NULL ? usual_name(arguments->operand) : NULL;
    const char *path = arguments->out != NULL ? arguments->out : usual;
    if (arguments->given[CLI_MOST_BYTES]) {
        options.most_bytes = arguments->most_bytes;
    }
    const bool good =
        path != NULL && cli_check_named("--out", arguments->out, "pages") &&
        cli_check_out(arguments, path) &&
        (cli_holds_h5(arguments->operand) ? view_h5(arguments, path, &options, &report)
                                          : view_model(arguments, path, &options, &report)) &&
        say(arguments, path, &report);
    free(usual);
    return good;
}

const cli_command cli_view = {
    .name = "view",
    .operand = "FILE.h5|MODEL|FAMILY",
    .summary =
        "Write a recording, an ensemble, or a model at its start as an HTML page for a browser.",
    .details = "\nThe page needs neither network nor server; any browser with WebGL2 opens it.\n",
    .options = CLI_LIST(CLI_OUT_VIEW, CLI_MOST_BYTES, CLI_OVERWRITE, CLI_JSON, CLI_MODEL_OPTIONS),
    .run = view,
};
