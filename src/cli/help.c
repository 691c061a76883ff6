/* What --help prints, from the tables that the parser uses. */
#include "cli.h"

#include <stdio.h>

bool cli_print_help(void)
{
    cli_output_start(false, 0);
    cli_print("riccatree %s: dynamics of huge rigid multibody chains and trees\n\n", rct_version());
    cli_print("usage: riccatree COMMAND [arguments]\n"
              "       riccatree help [COMMAND], or COMMAND --help\n"
              "       riccatree --version, or -V for all about the build\n\ncommands:\n");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        cli_print("  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    }
    cli_print(
        "\nA MODEL is a JSON, HDF5, URDF or MJCF file (.json, .h5, .urdf, .xml), a FAMILY one of");
    for (const char *const *name = rct_family_names(); *name != NULL; name++) {
        cli_print(" %s", *name);
    }
    cli_print(".\nExit status: 0 ok, 1 the run failed, 2 bad input, 3 some members of an "
              "ensemble failed.\n");
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
        snprintf(left, sizeof left, "%s %s", option->name,
                 option->value != NULL ? option->value : "");
        cli_print("  %-22s %s\n", left, option->help);
    }
    cli_print("  %-22s %s\n%s", "--help ", "this text",
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
    .summary = "Print what all commands do, or one of them and its options.",
    .options = CLI_LIST(CLI_END),
    .run = help,
};
