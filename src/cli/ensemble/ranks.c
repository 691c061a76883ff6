/* Commands that run on ranks: one tells what befalls any of them. */
#include "ensemble/members.h"

#include <stdio.h>

bool cli_is_first(const cli_arguments *arguments)
{
    return rct_ranks_number(arguments->ranks) == 0;
}

bool cli_agree(const cli_arguments *arguments, bool good)
{
    rct_error *error = &cli_error;
    const int status = cli_exit_status();
    error->status = good ? RCT_OK : status == CLI_BAD_INPUT ? RCT_ERROR_ARGUMENT : RCT_ERROR_DEVICE;
    snprintf(error->text, sizeof error->text, "%s", cli_kept_error());
    const rct_status agreed = rct_ranks_agree(arguments->ranks, error->status, error);
    return good &&
           cli_did(agreed); /* what is not good is printed, if it is this rank that prints */
}
