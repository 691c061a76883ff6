/* The list of commands, for code that handles all of them. */
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

/* NULL, with an error printed: no command has this name. */
const cli_command *cli_find_command(const char *name);

/* The function of an option that may replace a command; NULL: it is no such option. */
bool (*cli_first_option(const char *word))(void);

#endif
