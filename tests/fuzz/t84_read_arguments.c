/* Arguments of the command line made of any bytes, one word per line: every command parses them or
 * says in one line what is wrong. */
#include "tests/fuzz/fuzz.h"

#include "cli/cli.h"
#include "cli/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const fuzz_target fuzz_this = {
    .name = "arguments", .accepted = 20, .text = 1, .folder = {{RCT_FUZZ "/seeds", ".words"}}};

enum { MOST_WORDS = 200 };

static int split(char *text, char *words[MOST_WORDS])
{
    int count = 0;
    char *rest = text;
    for (char *word = strsep(&rest, "\n"); word != NULL && count < MOST_WORDS;
         word = strsep(&rest, "\n")) {
        words[count++] = word;
    }
    return count;
}

/* Parsed options are within their promised ranges. */
static void check(const cli_arguments *a)
{
    fuzz_must(!a->given[CLI_BODIES] || a->bodies >= 1, "--bodies below 1");
    fuzz_must(!a->given[CLI_SYSTEMS] || a->systems >= 1, "--systems below 1");
    fuzz_must(!a->given[CLI_FRAMES] || a->frames >= 2, "--frames below 2");
    fuzz_must(!a->given[CLI_DT] || (a->dt > 0.0 && isfinite(a->dt)), "--dt is not positive");
    fuzz_must(!a->given[CLI_T_END] || (a->t_end > 0.0 && isfinite(a->t_end)), "--t-end");
    fuzz_must(!a->given[CLI_PERTURB] || isfinite(a->perturb), "--perturb is not finite");
    fuzz_must(a->vary.count <= CLI_MOST_TEXTS && a->track.count <= CLI_MOST_TEXTS, "too many");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1), *words[MOST_WORDS];
    memcpy(text, bytes, size);
    text[size] = '\0';
    const int count = split(text, words);
    cli_be_quiet();
    for (int i = 0; cli_commands[i] != NULL; i++) {
        cli_arguments arguments;
        bool help = false;
        if (cli_parse(cli_commands[i], count, words, &arguments, &help)) {
            fuzz_accepted++;
            check(&arguments);
        } else {
            fuzz_must(cli_exit_status() == CLI_BAD_INPUT, "refused with another exit status");
        }
    }
    free(text);
    return 0;
}
