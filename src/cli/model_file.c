/* riccatree generate, import: a benchmark family, a URDF or an MJCF file as a model file, or on
 * standard output. */
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

/* The library writes to a path. Standard output may be a file to which others write too, and
 * opening it again would overwrite it; so write to a temporary file without a name first. */
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
    char bodies[CLI_COUNTED];
    cli_output_start(false, 0);
    cli_print("%s: %s\n", path, cli_counted(rct_model_body_count(model), "body", bodies));
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
    .summary = "Write a model of a benchmark family as a model file.",
    .options = CLI_LIST(CLI_FAMILY_OPTIONS, CLI_OUT_MODEL, CLI_OVERWRITE),
    .run = generate,
};

/* Tell on standard error which shapes an import leaves out. */
static void say_shapes(const cli_arguments *arguments, const rct_import_report *report)
{
    if (report->shapes_left_out > 0) {
        const bool one = report->shapes_left_out == 1;
        cli_warn("%s: %" PRId64 " %s", arguments->operand, report->shapes_left_out,
                 one ? "shape is left out: a mesh, or a form that is not drawn"
                     : "shapes are left out: meshes, or forms that are not drawn");
    }
}

/* Convert a model file to the other format. */
static bool convert(const cli_arguments *arguments)
{
    const char *idle =
        cli_given_of(arguments, CLI_LIST(CLI_FORMAT, CLI_FLOATING_ROOT, CLI_IGNORE_UNSUPPORTED,
                                         CLI_REPAIR_INERTIA));
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
    if (!check_out(arguments)) {
        return false;
    }
    if (cli_is_json(arguments->operand) || cli_is_h5(arguments->operand)) {
        return convert(arguments);
    }
    rct_import_report report;
    rct_model *model = cli_import_model(arguments, &report);
    if (model != NULL) {
        say_shapes(arguments, &report);
    }
    const bool good = model != NULL && write_model(arguments, model);
    rct_model_free(model);
    return good;
}

const cli_command cli_import = {
    .name = "import",
    .operand = "FILE",
    .summary =
        "Convert a URDF or MJCF file to a model file, or a model file between JSON and HDF5.",
    .details = "\ndocs/import.md lists what is read, ignored and refused.\n",
    .options = CLI_LIST(CLI_FORMAT, CLI_FLOATING_ROOT, CLI_IGNORE_UNSUPPORTED, CLI_REPAIR_INERTIA,
                        CLI_OUT_MODEL, CLI_OVERWRITE),
    .run = import,
};
