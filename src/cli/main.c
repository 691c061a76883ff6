/* The command line of Riccatree: finds the command and runs it. */
#include "commands.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

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
    char *command_line = cli_joined(count, words);
    arguments.command_line = command_line;
    arguments.ranks = ranks;
    const bool good = cli_have_memory(command_line) && command->run(&arguments);
    free(command_line);
    return good;
}

/* All ranks find the same errors with the same text: one prints. Its exit status is that of the
 * job. */
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

/* A closed standard stream would give its number to the next file opened, and output would go to
 * that file. So open /dev/null for reading, which refuses writes. */
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
    bool (*const first)(void) = cli_first_option(words[1]);
    if (first != NULL) {
        return (count == 2 ||
                cli_refuse("unexpected argument \"%s\"; see riccatree --help", words[2])) &&
               first();
    }
    const cli_command *command = cli_find_command(words[1]);
    return command != NULL && (command->on_ranks ? run_on_ranks(command, count, words)
                                                 : run_command(command, count, words, NULL));
}

int main(int count, char **words)
{
    occupy_streams();
    /* Writing to a closed pipe, or beyond the file size limit, becomes an error of the write. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    run(count, words);
    return cli_is_quiet() ? CLI_OK : cli_exit_status();
}
