/* The commands, for those that tell of all of them. */
#ifndef RCT_CLI_COMMANDS_H
#define RCT_CLI_COMMANDS_H

#include "cli.h"

extern const cli_command cli_accel, cli_backends, cli_check, cli_compare, cli_completion,
    cli_derivatives, cli_doctor, cli_ensemble, cli_equilibrium, cli_export, cli_generate, cli_help,
    cli_import, cli_info, cli_inverse, cli_man, cli_modes, cli_plot, cli_resume, cli_run,
    cli_summary, cli_verify, cli_view;

/* ---- command_list.c ------------------------------------------------------------------------ */

extern const cli_command *const cli_commands[]; /* by name, NULL at the end */
const char *const *cli_command_names(void);     /* likewise                  */

/* NULL: there is none of that name, as is said. */
const cli_command *cli_find_command(const char *name);

/* What an option does that may stand in place of a command; NULL: it is none of these. */
bool (*cli_first_option(const char *word))(void);

#endif
