/* Motions of any bytes, read as `riccatree inverse` reads them: refused in one line with the line
 * of the error, or a table of efforts, one line per state, all of them numbers. For a chain on
 * revolute hinges and a body on a ball hinge. */
#include "tests/fuzz/fuzz.h"

#include "cli/cli.h"
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const fuzz_target fuzz_this = {
    .name = "motion", .accepted = 20, .text = 1, .folder = {{RCT_FUZZ "/seeds", ".motion"}}};

/* The lines after the line of names; all their numbers are finite. */
static int64_t lines_of(const char *path)
{
    static char line[4096];
    int64_t lines = -1;
    FILE *file = fopen(path, "r");
    fuzz_must(file != NULL, "a motion that was taken left no efforts");
    for (; fgets(line, sizeof line, file) != NULL; lines++) {
        for (char *at = line; lines >= 0 && at != NULL; at = strchr(at, ',')) {
            at += *at == ',';
            fuzz_must(isfinite(strtod(at, NULL)), "an effort that is not finite");
        }
    }
    fclose(file);
    return lines;
}

static void find_efforts(const char *motion, const char *efforts, char *bodies, char *hinge)
{
    char *words[] = {"chain",    "--bodies",     bodies,  "--hinge",      hinge,
                     "--motion", (char *)motion, "--out", (char *)efforts};
    cli_arguments arguments;
    bool help = false;
    const int count = sizeof words / sizeof words[0];
    fuzz_must(cli_parse(&cli_inverse, count, words, &arguments, &help), "the words are refused");
    if (cli_inverse.run(&arguments)) {
        fuzz_accepted++;
        fuzz_must(lines_of(efforts) > 0, "efforts of no state");
        unlink(efforts);
    } else {
        fuzz_must(cli_exit_status() == CLI_BAD_INPUT || cli_exit_status() == CLI_FAILED,
                  "refused with another exit status");
        fuzz_must(access(efforts, F_OK) != 0, "efforts of a motion that was refused");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char motion[256], efforts[256];
    snprintf(motion, sizeof motion, "%s", fuzz_file("a.motion", bytes, size));
    snprintf(efforts, sizeof efforts, "%s", fuzz_path("efforts.csv"));
    cli_be_quiet();
    find_efforts(motion, efforts, "2", "revolute");
    find_efforts(motion, efforts, "1", "ball");
    return 0;
}
