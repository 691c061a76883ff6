/* Options of an ensemble that would be ignored, or ask for what is not there; what is wrong with each alone is found where it is
 * parsed. */
#include "ensemble/members.h"

#include <inttypes.h>
#include <stddef.h>

static int check_only(const cli_ensemble_state *state)
{
    const int64_t count = rct_ensemble_members(state->ensemble), only = state->arguments->only;
    if (!state->arguments->given[CLI_ONLY] || only < count) {
        return CLI_OK;
    }
    return count == 1
               ? cli_fail(CLI_BAD_INPUT,
                          "--only %" PRId64 ": there is no such member; the only one is 0", only)
               : cli_fail(CLI_BAD_INPUT,
                          "--only %" PRId64 ": there is no such member; give one from 0 to "
                          "%" PRId64,
                          only, count - 1);
}

static bool is_drawn(const char *text)
{
    rct_variation variation;
    int64_t length = 0;
    return rct_variation_parse(text, &variation, &length, NULL) == RCT_OK &&
           variation.type != RCT_VARY_GRID;
}

static int check_seed(const cli_ensemble_state *state)
{
    const cli_arguments *arguments = state->arguments;
    bool drawn = !arguments->given[CLI_MEMBERS_SEED] || arguments->given[CLI_MEMBERS_PERTURB];
    for (int32_t i = 0; i < arguments->vary.count && !drawn; i++) {
        drawn = is_drawn(arguments->vary.text[i]);
    }
    return drawn ? CLI_OK
                 : cli_fail(CLI_BAD_INPUT,
                            "--seed %" PRId64 ": nothing is drawn; leave it out, or add --perturb "
                            "or a --vary that is normal or uniform",
                            arguments->seed);
}

static int check_track(const cli_ensemble_state *state)
{
    const cli_arguments *arguments = state->arguments;
    return arguments->track.count == 0 || arguments->given[CLI_SERIES]
               ? CLI_OK
               : cli_fail(CLI_BAD_INPUT,
                          "--track %s is about the frames of --series N; give that too",
                          arguments->track.text[0]);
}

static int check_segment(const cli_ensemble_state *state)
{
    const rct_solver_options *asked = &state->options.solver;
    const bool whole =
        rct_ensemble_solver_options(state->ensemble, asked).segment == RCT_SEGMENT_WHOLE;
    return !whole || asked->segment < 0
               ? CLI_OK
               : cli_fail(CLI_BAD_INPUT,
                          "--segment %" PRId64 ": members of %" PRId32 " bodies are swept whole; "
                          "leave it out",
                          asked->segment, state->bodies);
}

int cli_check_ensemble(const cli_ensemble_state *state)
{
    int (*const checks[])(const cli_ensemble_state *) = {check_only, check_seed, check_track,
                                                         check_segment};
    int status = CLI_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == CLI_OK; i++) {
        status = checks[i](state);
    }
    return status;
}
