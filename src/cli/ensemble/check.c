/* Options of an ensemble that would be ignored, or ask for what is not there; what is wrong with each alone is found where it is
 * parsed. */
#include "ensemble/members.h"

#include <inttypes.h>

static bool check_only(const cli_ensemble_state *state)
{
    const int64_t count = rct_ensemble_members(state->ensemble), only = state->arguments->only;
    if (!state->arguments->given[CLI_ONLY] || only < count) {
        return true;
    }
    if (count == 1) {
        return cli_fail(CLI_BAD_INPUT,
                        "--only %" PRId64 ": there is no such member; the only one is 0", only);
    }
    return cli_fail(CLI_BAD_INPUT,
                    "--only %" PRId64 ": there is no such member; give one from 0 to %" PRId64,
                    only, count - 1);
}

static bool is_drawn(const char *text)
{
    rct_variation variation;
    int64_t length = 0;
    return rct_variation_parse(text, &variation, &length, NULL) == RCT_OK &&
           variation.type != RCT_VARY_GRID;
}

static bool check_seed(const cli_arguments *arguments)
{
    bool drawn = !arguments->given[CLI_MEMBERS_SEED] || arguments->given[CLI_MEMBERS_PERTURB];
    for (int32_t i = 0; i < arguments->vary.count && !drawn; i++) {
        drawn = is_drawn(arguments->vary.text[i]);
    }
    return drawn || cli_fail(CLI_BAD_INPUT,
                             "--seed %" PRId64 ": nothing is drawn; leave it out, or add --perturb "
                             "or a --vary that is normal or uniform",
                             arguments->seed);
}

static bool check_track(const cli_arguments *arguments)
{
    return arguments->track.count == 0 || arguments->given[CLI_SERIES] ||
           cli_fail(CLI_BAD_INPUT, "--track %s is about the frames of --series N; give that too",
                    arguments->track.text[0]);
}

static bool check_segment(const cli_ensemble_state *state)
{
    const rct_solver_options *asked = &state->options.solver;
    const bool whole =
        rct_ensemble_solver_options(state->ensemble, asked).segment == RCT_SEGMENT_WHOLE;
    return !whole || asked->segment < 0 ||
           cli_fail(CLI_BAD_INPUT,
                    "--segment %" PRId64 ": members of %" PRId32 " bodies are swept whole; "
                    "leave it out",
                    asked->segment, state->bodies);
}

bool cli_check_ensemble(const cli_ensemble_state *state)
{
    return check_only(state) && check_seed(state->arguments) && check_track(state->arguments) &&
           check_segment(state);
}
