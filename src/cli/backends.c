/* riccatree backends: the backends that can run a sweep here. */
#include "cli.h"

static bool backends(const cli_arguments *arguments)
{
    cli_output_start(arguments->given[CLI_JSON], 9);
    cli_json_open("backends", '[');
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        if (!cli_did(rct_backend_describe(i, &info, &cli_error))) {
            return false;
        }
        const bool available = info.available != 0;
        cli_json_open(NULL, '{');
        cli_json_text("name", info.name);
        cli_json_bool("available", available);
        cli_json_text("reason", info.reason);
        cli_json_close("}");
        cli_line(info.name, "%s%s", available ? "available" : "not available: ",
                 info.reason != NULL ? info.reason : "");
    }
    cli_json_close("]");
    return cli_output_finish();
}

const cli_command cli_backends = {
    .name = "backends",
    .summary = "List the backends, and whether each can run here.",
    .options = CLI_LIST(CLI_JSON),
    .run = backends,
};
