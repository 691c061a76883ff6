/* Commands that run on ranks: one tells what befalls any of them. */
#include "ensemble/members.h"

#include <stdio.h>

bool cli_is_first(const cli_arguments *arguments)
{
    return rct_ranks_number(arguments->ranks) == 0;
}

int cli_agree(const cli_arguments *arguments, int status)
{
    rct_error error = {.status = status == CLI_OK          ? RCT_OK
                                 : status == CLI_BAD_INPUT ? RCT_ERROR_ARGUMENT
                                                           : RCT_ERROR_DEVICE};
    snprintf(error.text, sizeof error.text, "%s", cli_kept_error());
    const rct_status agreed = rct_ranks_agree(arguments->ranks, error.status, &error);
    if (status != CLI_OK || agreed == RCT_OK) {
        return status; /* printed, if it is this rank that prints */
    }
    return cli_fail_library(&error);
}
