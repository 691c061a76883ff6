/* riccatree export: a recording in the format of another program. */
#include "ensemble/members.h"
#include "files/files.h"

#include <inttypes.h>

static void put_table(FILE *out, const cli_recording *r)
{
    fputs("time", out);
    for (int64_t i = 0; i < r->count; i++) {
        fputc(',', out);
        cli_put_field(out, r->series[i].label);
    }
    for (int64_t k = 0; k < r->info.frames; k++) {
        fprintf(out, "\n%.17g", r->time[k]);
        for (int64_t i = 0; i < r->count; i++) {
            fprintf(out, ",%.17g", r->series[i].numbers[k]);
        }
    }
    fputc('\n', out);
}

static bool export_csv(const cli_arguments *arguments)
{
    cli_recording recording = {.count = 0};
    cli_text_file file;
    if (cli_holds_members(arguments->operand)) {
        return cli_export_members(arguments);
    }
    bool good = cli_open_recording(&recording, arguments->operand, &arguments->more) &&
                cli_open_text(arguments, &file);
    if (good) {
        put_table(file.stream, &recording);
        good = cli_close_text(&file, true);
    }
    cli_close_recording(&recording);
    return good;
}

/* Export everything in a recording. */
static bool export_whole(const cli_arguments *arguments,
                         rct_status (*write)(const char *from, const char *path, rct_error *error),
                         const char *option)
{
    if (arguments->more.count > 0) {
        return cli_refuse("\"%s\": %s writes the whole recording; leave quantities out",
                          arguments->more.text[0], option);
    }
    if (arguments->out == NULL) {
        return cli_refuse("%s does not write text; name the file with --out", option);
    }
    if (!cli_check_named("--out", arguments->out, "arrays") ||
        !cli_check_regular(arguments->operand) || !cli_check_out(arguments, arguments->out) ||
        !cli_did(write(arguments->operand, arguments->out, &cli_error))) {
        return false;
    }
    cli_output_start(false, 0);
    cli_print("%s\n", arguments->out);
    return cli_output_finish();
}

static bool export_recording(const cli_arguments *arguments)
{
    const int formats =
        arguments->given[CLI_EXPORT_CSV] + arguments->given[CLI_NPZ] + arguments->given[CLI_VTKHDF];
    if (formats != 1) {
        return cli_refuse("give one of --csv, --npz and --vtkhdf");
    }
    return arguments->given[CLI_EXPORT_CSV] ? export_csv(arguments)
           : arguments->given[CLI_NPZ]      ? export_whole(arguments, rct_export_npz, "--npz")
                                       : export_whole(arguments, rct_export_vtkhdf, "--vtkhdf");
}

const cli_command cli_export = {
    .name = "export",
    .operand = "FILE.h5",
    .more = "[QUANTITY...]",
    .summary = "Write a recording as a table, for numpy, or for ParaView; an ensemble as a table.",
    .details = "\nA QUANTITY is a column of --csv, named as in `plot`. The default is all "
               "quantities of the\n"
               "whole system. Of the results of an ensemble, --csv writes a row for each member.\n",
    .options = CLI_LIST(CLI_EXPORT_CSV, CLI_NPZ, CLI_VTKHDF, CLI_OUT_EXPORT, CLI_OVERWRITE),
    .run = export_recording,
};
