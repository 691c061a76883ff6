/* riccatree backends: what can run a sweep here. */
#include "cli.h"
#include "output.h"

#include <stddef.h>

static int backends(const cli_arguments *arguments)
{
    cli_output out = cli_output_start();
    const bool json = arguments->given[CLI_JSON];
    if (json) {
        cli_print(&out, "{\"backends\": [");
    }
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        rct_error error;
        if (rct_backend_describe(i, &info, &error) != RCT_OK) {
            return cli_fail_library(&error);
        }
        if (json) {
            cli_json_open(&out, NULL, '{');
            cli_json_text(&out, "name", info.name);
            cli_json_bool(&out, "available", info.available != 0);
            cli_json_text(&out, "reason", info.reason);
            cli_json_close(&out, '}');
        } else {
            cli_print(&out, "%-8s %s%s\n", info.name,
                      info.available != 0 ? "available" : "not available: ",
                      info.reason != NULL ? info.reason : "");
        }
    }
    if (json) {
        cli_print(&out, "]}\n");
    }
    return cli_output_finish(&out);
}

static const cli_option_id options[] = {CLI_JSON, CLI_END};

const cli_command cli_backends = {
    .name = "backends",
    .operand = NULL,
    .summary = "List the backends and whether they can run here.",
    .details = "",
    .options = options,
    .run = backends,
};
