/* riccatree generate, import: a benchmark family, a URDF or MJCF file as a model file, or on standard output. */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool copy(FILE *from)
{
    char block[1 << 14];
    size_t size = 0;
    cli_output_start(false, 0);
    do {
        size = fread(block, 1, sizeof block, from);
        cli_print("%.*s", (int)size, block); /* text, without zeros */
    } while (size > 0);
    if (ferror(from)) {
        return cli_fail(CLI_FAILED, "cannot read back a temporary file: %s", strerror(errno));
    }
    return cli_output_finish();
}

/* The library writes to a path. Standard output may be a file that others write on as well, which
 * opening it a second time would overwrite; so by way of a temporary file without a name. */
static bool write_standard_output(const rct_model *model)
{
    char path[CLI_SHORT_TEXT];
    FILE *file = tmpfile();
    if (file == NULL) {
        return cli_fail(CLI_FAILED, "cannot make a temporary file: %s; use --out FILE",
                        strerror(errno));
    }
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    const bool written = cli_closed(rct_model_write(model, path, &cli_error)) && copy(file);
    fclose(file);
    return written;
}

static bool write_file(const rct_model *model, const char *path)
{
    const rct_status status = cli_is_h5(path) ? rct_model_write_h5(model, path, &cli_error)
                                              : rct_model_write(model, path, &cli_error);
    if (!cli_did(status)) {
        return false;
    }
    cli_output_start(false, 0);
    cli_print("%s: %" PRId32 " bodies\n", path, rct_model_body_count(model));
    return cli_output_finish();
}

static bool to_file(const cli_arguments *arguments)
{
    return arguments->out != NULL && strcmp(arguments->out, "-") != 0;
}

static bool check_out(const cli_arguments *arguments)
{
    return cli_check_out(arguments, to_file(arguments) ? arguments->out : NULL);
}

static bool write_model(const cli_arguments *arguments, const rct_model *model)
{
    return to_file(arguments) ? write_file(model, arguments->out) : write_standard_output(model);
}

static bool generate(const cli_arguments *arguments)
{
    rct_model *model = check_out(arguments) ? cli_generate_family(arguments) : NULL;
    const bool written = model != NULL && write_model(arguments, model);
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

/* What was left out, on standard error: what it looks like, and what changes the motion, for which the user asked. */
static void say_ignored(const cli_arguments *arguments, const rct_import_report *report)
{
    if (report->shapes_left_out > 0) {
        const bool one = report->shapes_left_out == 1;
        cli_fail(CLI_OK, "%s: %" PRId64 " %s", arguments->operand, report->shapes_left_out,
                 one ? "shape is left out: a mesh, or a form that is not drawn"
                     : "shapes are left out: meshes, or forms that are not drawn");
    }
    if (report->ignored == 0) {
        return;
    }
    cli_fail(CLI_OK, "%s: %" PRId64 " ignored that may change the motion%s", arguments->operand,
             report->ignored, report->ignored > report->notes ? ", the first of them:" : ":");
    for (int32_t i = 0; i < report->notes; i++) {
        cli_fail(CLI_OK, "  line %" PRId32 ": %s", report->note[i].line, report->note[i].text);
    }
}

/* A model file of ours in the other format. */
static bool convert(const cli_arguments *arguments)
{
    const char *idle =
        cli_given_of(arguments, CLI_LIST(CLI_FORMAT, CLI_FLOATING_ROOT, CLI_IGNORE_UNSUPPORTED));
    if (idle != NULL) {
        return cli_refuse("%s is for URDF and MJCF, and \"%s\" is a model file; leave it out", idle,
                          arguments->operand);
    }
    rct_model *model = cli_read_model(arguments->operand);
    const bool good = cli_have(model) && write_model(arguments, model);
    rct_model_free(model);
    return good;
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
    if (!check_out(arguments)) {
        return false;
    }
    if (cli_is_json(arguments->operand) || cli_is_h5(arguments->operand)) {
        return convert(arguments);
    }
    rct_model *model = rct_model_import(arguments->operand, &options, &cli_error);
    bool good = cli_have(model);
    if (good && options.floating_root && report.format == RCT_IMPORT_MJCF) {
        good = cli_refuse("--floating-root is for URDF, and \"%s\" is MJCF; leave it out",
                          arguments->operand);
    }
    if (good) {
        say_ignored(arguments, &report);
        good = write_model(arguments, model);
    }
    rct_model_free(model);
    return good;
}

const cli_command cli_import = {
    .name = "import",
    .operand = "FILE",
    .summary = "Write a URDF or MJCF file as a model file, or a model file in JSON or HDF5.",
    .details = "\nWhat is read, ignored and refused: docs/import.md.\n",
    .options = CLI_LIST(CLI_FORMAT, CLI_FLOATING_ROOT, CLI_IGNORE_UNSUPPORTED, CLI_OUT_MODEL,
                        CLI_OVERWRITE),
    .run = import,
};
