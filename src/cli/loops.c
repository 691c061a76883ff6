/* Loops on the command line (loops.h). */
#include "loops.h"

#include <inttypes.h>
#include <stddef.h>

void cli_loop_options(const cli_arguments *arguments, rct_solver_options *options)
{
    options->closing = (rct_closing)arguments->closing;
    options->drift = (rct_drift)arguments->drift;
    options->as_given = arguments->given[CLI_AS_GIVEN];
    if (arguments->given[CLI_BAUMGARTE]) {
        options->baumgarte[0] = arguments->baumgarte[0];
        options->baumgarte[1] = arguments->baumgarte[1];
    }
}

int cli_check_loops(const cli_arguments *arguments, const rct_model *model)
{
    static const cli_option_id of_loops[] = {CLI_LOOP_OPTIONS, CLI_END};
    for (const cli_option_id *id = of_loops; *id != CLI_END && rct_model_loop_count(model) == 0;
         id++) {
        if (arguments->given[*id]) {
            return cli_fail(CLI_BAD_INPUT,
                            "%s is about loops, and the model has none; leave it out",
                            cli_option_at(*id)->name);
        }
    }
    if (arguments->given[CLI_BAUMGARTE] && arguments->drift != RCT_DRIFT_BAUMGARTE) {
        return cli_fail(CLI_BAD_INPUT, "--baumgarte is about --drift baumgarte; give that too");
    }
    return CLI_OK;
}

cli_violation cli_no_violation(void)
{
    return (cli_violation){.position_loop = -1, .velocity_loop = -1};
}

/* The larger of two, and its loop; what is no number is the largest. */
static void see(double *most, int32_t *where, double now, int32_t loop)
{
    if (!(now <= *most)) {
        *most = now;
        *where = loop;
    }
}

void cli_see_loops(cli_violation *seen, const rct_solver *solver)
{
    rct_loop_info info;
    rct_solver_get_loop_info(solver, &info);
    see(&seen->position, &seen->position_loop, info.position, info.position_loop);
    see(&seen->velocity, &seen->velocity_loop, info.velocity, info.velocity_loop);
}

/* The name of a loop, NULL if there is none. */
static const char *name_of(const rct_model *model, int32_t loop, char name[RCT_NAME_SIZE])
{
    if (loop < 0) {
        return NULL;
    }
    rct_model_loop_name(model, loop, name);
    return name;
}

void cli_json_start(cli_output *out, const rct_model *model, const rct_loop_info *info)
{
    char name[RCT_NAME_SIZE];
    cli_json_real(out, "start_position_violation", info->start_position);
    cli_json_text(out, "start_position_loop", name_of(model, info->start_position_loop, name));
    cli_json_real(out, "start_velocity_violation", info->start_velocity);
    cli_json_text(out, "start_velocity_loop", name_of(model, info->start_velocity_loop, name));
}

void cli_json_loops(cli_output *out, const rct_model *model, const rct_loop_info *info,
                    const cli_violation *seen)
{
    char name[RCT_NAME_SIZE];
    if (info->loops == 0) {
        cli_json_null(out, "loops");
        return;
    }
    cli_json_open(out, "loops", '{');
    cli_json_count(out, "count", info->loops);
    cli_json_count(out, "active", info->active);
    cli_json_count(out, "constraints", info->constraints);
    cli_json_count(out, "rank", info->rank);
    cli_json_count(out, "redundant", info->redundant);
    cli_json_text(out, "closing", info->closing);
    cli_json_text(out, "drift", info->drift);
    cli_json_real(out, "position_violation", info->position);
    cli_json_text(out, "position_loop", name_of(model, info->position_loop, name));
    cli_json_real(out, "velocity_violation", info->velocity);
    cli_json_text(out, "velocity_loop", name_of(model, info->velocity_loop, name));
    cli_json_start(out, model, info);
    if (seen != NULL) {
        cli_json_real(out, "position_violation_largest", seen->position);
        cli_json_real(out, "velocity_violation_largest", seen->velocity);
    }
    cli_json_close(out, '}');
}

static void print_where(cli_output *out, const rct_model *model, int32_t loop)
{
    char name[RCT_NAME_SIZE], plain[RCT_NAME_SIZE];
    if (name_of(model, loop, name) != NULL) {
        cli_print(out, " at %s", cli_plain_name(name, plain));
    }
}

void cli_print_start(cli_output *out, const rct_model *model, const rct_loop_info *info)
{
    if (info->start_position > 1e-9 || info->start_velocity > 1e-6) {
        cli_print(out, "closed at the start from %.3g of positions", info->start_position);
        print_where(out, model, info->start_position_loop);
        cli_print(out, ", %.3g of velocities", info->start_velocity);
        print_where(out, model, info->start_velocity_loop);
        cli_print(out, " (--as-given keeps the state of the file)\n");
    }
}

void cli_print_loops(cli_output *out, const rct_model *model, const rct_loop_info *info,
                     const cli_violation *seen)
{
    const int width = seen != NULL ? 19 : 20; /* of the first column, run and info */
    if (info->loops == 0) {
        return;
    }
    cli_print(out,
              "%-*s%" PRId32 ", %" PRId32 " active: %" PRId32 " constraints of rank %" PRId32
              ", %" PRId32 " redundant\n",
              width, "loops", info->loops, info->active, info->constraints, info->rank,
              info->redundant);
    cli_print(out, "%-*s%s, drift: %s\n", width, "closed by", info->closing, info->drift);
    cli_print_start(out, model, info);
    cli_print(out, "%-*s%.3g of positions", width, "violation", info->position);
    print_where(out, model, info->position_loop);
    cli_print(out, ", %.3g of velocities", info->velocity);
    print_where(out, model, info->velocity_loop);
    cli_print(out, "%s\n", seen != NULL ? " at the end" : "");
    if (seen != NULL) {
        cli_print(out, "  largest          %.3g of positions, %.3g of velocities\n", seen->position,
                  seen->velocity);
    }
}
