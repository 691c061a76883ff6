/* riccatree check: whether a file of results is as it was written. */
#include "cli.h"
#include "output.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

static const struct {
    const char *kind, *parts;
} kinds[] = {
    [RCT_FILE_RECORDING] = {"recording", "frames"},
    [RCT_FILE_ENSEMBLE] = {"ensemble", "members"},
    [RCT_FILE_CHECKPOINT] = {"checkpoint", NULL},
};

void cli_warn_unchecked(const char *path, int checked)
{
    if (!checked && !cli_is_quiet()) {
        cli_fail(CLI_OK,
                 "warning: %s has no checksums, for an older version made it: what has changed in "
                 "it is not seen",
                 path);
    }
}

static void print_json(cli_output *out, const char *path, const rct_file_info *info)
{
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "file", path);
    cli_json_text(out, "kind", kinds[info->kind].kind);
    cli_json_count(out, "room", info->room);
    cli_json_count(out, "written", info->written);
    cli_json_bool(out, "complete", info->complete != 0);
    cli_json_bool(out, "checked", info->checked != 0);
    cli_json_close(out, '}');
    cli_print(out, "\n");
}

static void print_lines(cli_output *out, const rct_file_info *info)
{
    cli_print(out, "%-18s %s\n", "kind", kinds[info->kind].kind);
    if (kinds[info->kind].parts != NULL) {
        cli_print(out, "%-18s %" PRId64 " of %" PRId64 ", %s\n", kinds[info->kind].parts,
                  info->written, info->room, info->complete ? "complete" : "incomplete");
    }
    cli_print(out, "%-18s %s\n", "checked",
              info->checked ? "all of it is as it was written" : "no: it has no checksums");
}

static int check(const cli_arguments *arguments)
{
    rct_error error;
    rct_file_info info;
    if (cli_check_regular(arguments->operand) != CLI_OK) {
        return CLI_BAD_INPUT;
    }
    if (rct_file_check(arguments->operand, &info, &error) != RCT_OK) {
        return cli_fail_library(&error);
    }
    cli_warn_unchecked(arguments->operand, info.checked);
    cli_output out = cli_output_start();
    if (arguments->given[CLI_JSON]) {
        print_json(&out, arguments->operand, &info);
    } else {
        print_lines(&out, &info);
    }
    return cli_output_finish(&out);
}

static const cli_option_id options[] = {CLI_JSON, CLI_END};

const cli_command cli_check = {
    .name = "check",
    .operand = "FILE",
    .summary = "Say whether a recording, an ensemble or a checkpoint is as it was written.",
    .details = "",
    .options = options,
    .run = check,
};
