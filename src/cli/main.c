/* The command line of Riccatree: finds the command and runs it. */
#include "commands.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const cli_command *const cli_commands[] = {
    &cli_accel,    &cli_backends,    &cli_check,  &cli_compare,  &cli_completion, &cli_doctor,
    &cli_ensemble, &cli_equilibrium, &cli_export, &cli_generate, &cli_help,       &cli_import,
    &cli_info,     &cli_man,         &cli_modes,  &cli_plot,     &cli_resume,     &cli_run,
    &cli_summary,  &cli_verify,      &cli_view,   NULL};

/* What may stand in place of a command, and what it does. */
static const struct {
    const char *name;
    bool (*run)(void);
} first_options[] = {{"--help", cli_print_help},
                     {"-h", cli_print_help},
                     {"--version", cli_print_version},
                     {"-V", cli_print_build}};

enum {
    COMMANDS = sizeof cli_commands / sizeof cli_commands[0] - 1,
    FIRST_OPTIONS = sizeof first_options / sizeof first_options[0]
};

const char *const *cli_command_names(void)
{
    static const char *names[COMMANDS + 1];
    for (int i = 0; i < COMMANDS; i++) {
        names[i] = cli_commands[i]->name;
    }
    return names;
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

/* Gives the end back; `to` has room for four times the word and 3 more. */
static char *quote(char *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=+,:@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        return stpcpy(to, word);
    }
    *to++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            to = stpcpy(to, "'\\''");
        } else {
            *to++ = *word;
        }
    }
    return stpcpy(to, "'");
}

char *cli_quoted(const char *word)
{
    char *text = malloc(4 * strlen(word) + 4);
    if (text != NULL) {
        quote(text, word);
    }
    return text;
}

/* The command line as it could be typed again. NULL if there is no memory. */
static char *join(int count, char *const *words)
{
    size_t size = 1;
    for (int i = 0; i < count; i++) {
        size += 4 * strlen(words[i]) + 4;
    }
    char *text = malloc(size);
    char *end = text;
    for (int i = 0; i < count && text != NULL; i++) {
        end = quote(i > 0 ? stpcpy(end, " ") : end, i > 0 ? words[i] : "riccatree");
    }
    return text;
}

static bool run_command(const cli_command *command, int count, char *const *words, rct_ranks *ranks)
{
    cli_arguments arguments;
    bool help = false;
    if (!cli_parse(command, count - 2, words + 2, &arguments, &help)) {
        return false;
    }
    if (help) {
        return cli_is_quiet() || cli_print_command_help(command);
    }
    char *command_line = join(count, words);
    arguments.command_line = command_line;
    arguments.ranks = ranks;
    const bool good = cli_have_memory(command_line) && command->run(&arguments);
    free(command_line);
    return good;
}

/* All ranks find the same errors in the same words: one tells. Its exit status is that of the job. */
static bool run_on_ranks(const cli_command *command, int count, char *const *words)
{
    rct_ranks *ranks = rct_ranks_open(&cli_error);
    if (!cli_have(ranks)) {
        return false;
    }
    if (rct_ranks_number(ranks) != 0) {
        cli_be_quiet();
    }
    const bool good = run_command(command, count, words, ranks);
    rct_ranks_close(ranks);
    return good;
}

/* A standard stream that is closed would lend its number to the next file opened, and what is printed
 * would end up there. /dev/null, open for reading, refuses what is written. */
static void occupy_streams(void)
{
    int descriptor = 0;
    while (descriptor >= 0 && descriptor <= STDERR_FILENO) {
        descriptor = open("/dev/null", O_RDONLY);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
}

static bool run(int count, char **words)
{
    if (count < 2) {
        return cli_refuse("no command given; see riccatree --help");
    }
    for (int i = 0; i < FIRST_OPTIONS; i++) {
        if (strcmp(words[1], first_options[i].name) == 0) {
            return first_options[i].run();
        }
    }
    const cli_command *command = cli_find_command(words[1]);
    return command != NULL && (command->on_ranks ? run_on_ranks(command, count, words)
                                                 : run_command(command, count, words, NULL));
}

int main(int count, char **words)
{
    occupy_streams();
    /* A closed pipe or a file grown too large is an error of the write. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    run(count, words);
    return cli_is_quiet() ? CLI_OK : cli_exit_status();
}
