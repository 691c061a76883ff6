/* All commands in the order of their names, and finding one by its name. */
#include "commands.h"

#include <string.h>

const cli_command *const cli_commands[] = {
    &cli_accel,  &cli_backends, &cli_check,       &cli_compare, &cli_completion, &cli_derivatives,
    &cli_doctor, &cli_ensemble, &cli_equilibrium, &cli_export,  &cli_generate,   &cli_help,
    &cli_import, &cli_info,     &cli_inverse,     &cli_man,     &cli_modes,      &cli_plot,
    &cli_resume, &cli_run,      &cli_summary,     &cli_verify,  &cli_view,       NULL};

enum { COMMANDS = sizeof cli_commands / sizeof cli_commands[0] - 1 };

const char *const *cli_command_names(void)
{
    static const char *names[COMMANDS + 1];
    for (int i = 0; i < COMMANDS; i++) {
        names[i] = cli_commands[i]->name;
    }
    return names;
}

/* The options that may replace a command, and what they do. */
static const struct {
    const char *name;
    bool (*run)(void);
} first_options[] = {{"--help", cli_print_help},
                     {"-h", cli_print_help},
                     {"--version", cli_print_version},
                     {"-V", cli_print_build}};

enum { FIRST_OPTIONS = sizeof first_options / sizeof first_options[0] };

bool (*cli_first_option(const char *word))(void)
{
    bool (*found)(void) = NULL;
    for (int i = 0; i < FIRST_OPTIONS && found == NULL; i++) {
        found = strcmp(word, first_options[i].name) == 0 ? first_options[i].run : NULL;
    }
    return found;
}

static bool refuse_word(const char *word)
{
    const char *options[FIRST_OPTIONS + 1] = {NULL};
    const bool option = word[0] == '-';
    char hint[RCT_ERROR_TEXT_SIZE];
    for (int i = 0; i < FIRST_OPTIONS; i++) {
        options[i] = first_options[i].name;
    }
    return cli_refuse("unknown %s \"%s\"%s", option ? "option" : "command", word,
                      rct_did_you_mean(word, option ? options : cli_command_names(),
                                       "see riccatree --help", hint));
}

const cli_command *cli_find_command(const char *name)
{
    int i = 0;
    while (cli_commands[i] != NULL && strcmp(cli_commands[i]->name, name) != 0) {
        i++;
    }
    if (cli_commands[i] == NULL) {
        refuse_word(name);
    }
    return cli_commands[i];
}
