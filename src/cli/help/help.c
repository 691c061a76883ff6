/* The text of --help, from the tables that the parser uses. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

const char cli_subject[] = "dynamics of huge rigid multibody chains and trees";

const char *const cli_usage[] = {"riccatree COMMAND [arguments]",
                                 "riccatree help [COMMAND], or COMMAND --help",
                                 "riccatree --version, or -V with details of the build", NULL};

const char cli_models[] = "A MODEL is a JSON, HDF5, URDF or MJCF file (.json, .h5, .urdf, .xml), a "
                          "FAMILY one of";

const char cli_exits[] =
    "0 ok, 1 the run failed, 2 bad input, 3 some members of an ensemble failed, "
    "128 + N ended by signal N.";

bool cli_print_help(void)
{
    cli_output_start(false, 0);
    cli_print("riccatree %s: %s\n\n", rct_version(), cli_subject);
    for (int i = 0; cli_usage[i] != NULL; i++) {
        cli_print("%s %s\n", i == 0 ? "usage:" : "      ", cli_usage[i]);
    }
    cli_print("\ncommands:\n");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        cli_print("  %-12s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    }
    cli_print("\n%s", cli_models);
    for (const char *const *name = rct_family_names(); *name != NULL; name++) {
        cli_print(" %s", *name);
    }
    cli_print(".\nExit status: %s\n", cli_exits);
    return cli_output_finish();
}

bool cli_print_command_help(const cli_command *command)
{
    cli_output_start(false, 0);
    cli_print("usage: riccatree %s%s%s%s%s%s\n\n%s\n\n", command->name,
              command->operand != NULL ? " " : "", command->operand != NULL ? command->operand : "",
              command->more != NULL ? " " : "", command->more != NULL ? command->more : "",
              " [options]", command->summary);
    for (const cli_option_id *id = command->options; *id != CLI_END; id++) {
        const cli_option *option = cli_option_at(*id);
        char left[64];
        if (*id == CLI_BODIES && id != command->options) {
            cli_print("\nof a MODEL or FAMILY:\n");
        }
        snprintf(left, sizeof left, "%s %s", option->name,
                 option->value != NULL ? option->value : "");
        const bool long_left = strlen(left) > 22;
        cli_print("  %-22s%s%s\n", left, long_left ? "\n                         " : " ",
                  option->help);
    }
    cli_print("\n  %-22s %s\n%s", "--help ", "this text",
              command->details != NULL ? command->details : "");
    return cli_output_finish();
}

static bool help(const cli_arguments *arguments)
{
    const cli_command *command =
        arguments->operand != NULL ? cli_find_command(arguments->operand) : NULL;
    return command != NULL ? cli_print_command_help(command)
                           : arguments->operand == NULL && cli_print_help();
}

const cli_command cli_help = {
    .name = "help",
    .operand = "[COMMAND]",
    .summary = "Print an overview of all commands, or one command with its options.",
    .options = CLI_LIST(CLI_END),
    .run = help,
};
