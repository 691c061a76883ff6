/* riccatree check: whether a file of results is as it was written. */
#include "cli.h"

#include <inttypes.h>

static const struct {
    const char *kind, *parts;
} kinds[] = {
    [RCT_FILE_RECORDING] = {"recording", "frames"},
    [RCT_FILE_ENSEMBLE] = {"ensemble", "members"},
    [RCT_FILE_CHECKPOINT] = {"checkpoint", NULL},
    [RCT_FILE_MODEL] = {"model", "bodies"},
};

void cli_warn_unchecked(const char *path, int checked)
{
    if (!checked) {
        cli_warn("%s has no checksums, because an older version or another program made it: "
                 "changes in it cannot be detected",
                 path);
    }
}

static bool check(const cli_arguments *arguments)
{
    rct_file_info info;
    const char *path = arguments->operand;
    if (!cli_check_regular(path) || !cli_did(rct_file_check(path, &info, &cli_error))) {
        return false;
    }
    cli_warn_unchecked(path, info.checked);
    cli_output_start(arguments->given[CLI_JSON], 19);
    cli_json_text("file", path);
    cli_text("kind", "kind", kinds[info.kind].kind);
    cli_json_count("room", info.room);
    cli_json_count("written", info.written);
    if (kinds[info.kind].parts != NULL) {
        cli_line(kinds[info.kind].parts, "%" PRId64 " of %" PRId64 ", %s", info.written, info.room,
                 info.complete ? "complete" : "incomplete");
    }
    cli_json_bool("complete", info.complete != 0);
    cli_json_bool("checked", info.checked != 0);
    cli_line("checked",
             info.checked ? "the whole file is as it was written" : "no: it has no checksums");
    return cli_output_finish();
}

const cli_command cli_check = {
    .name = "check",
    .operand = "FILE",
    .summary = "Check that a recording, an ensemble, a model in HDF5 or a checkpoint is undamaged.",
    .options = CLI_LIST(CLI_JSON),
    .run = check,
};
