/* Loops on the command line: the solver options for them, and how well they are closed. */
#include "cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

bool cli_check_loops(const cli_arguments *arguments, const rct_model *model)
{
    const char *idle = cli_given_of(arguments, CLI_LIST(CLI_LOOP_OPTIONS));
    if (idle != NULL && rct_model_loop_count(model) == 0) {
        return cli_refuse("%s is for models with loops, and this model has none; leave it out",
                          idle);
    }
    return !arguments->given[CLI_BAUMGARTE] || arguments->drift == RCT_DRIFT_BAUMGARTE ||
           cli_refuse("--baumgarte needs --drift baumgarte; give --drift too");
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

/* A violation and its loop, by two keys; `what` is position or velocity, perhaps with a prefix. */
static void json_violation(const char *what, const rct_model *model, double violation, int32_t loop)
{
    char key[64], name[RCT_NAME_SIZE];
    snprintf(key, sizeof key, "%s_violation", what);
    cli_json_real(key, violation);
    snprintf(key, sizeof key, "%s_loop", what);
    cli_json_text(key, name_of(model, loop, name));
}

/* " at NAME", or nothing. */
static void print_where(const rct_model *model, int32_t loop)
{
    char name[RCT_NAME_SIZE], plain[RCT_NAME_SIZE];
    if (name_of(model, loop, name) != NULL) {
        cli_print(" at %s", cli_plain_name(name, plain));
    }
}

static void print_violations(const rct_model *model, double position, int32_t position_loop,
                             double velocity, int32_t velocity_loop)
{
    cli_print("%.3g m or rad", position);
    print_where(model, position_loop);
    cli_print(", %.3g m/s or rad/s", velocity);
    print_where(model, velocity_loop);
}

void cli_print_start(const rct_model *model, const rct_loop_info *info)
{
    json_violation("start_position", model, info->start_position, info->start_position_loop);
    json_violation("start_velocity", model, info->start_velocity, info->start_velocity_loop);
    if (rct_loops_open(info->bound, info->start_position, info->start_velocity)) {
        cli_print("closed at the start, from ");
        print_violations(model, info->start_position, info->start_position_loop,
                         info->start_velocity, info->start_velocity_loop);
        cli_print(": positions and rates are not those given (--as-given keeps these)\n");
    }
}

void cli_warn_start(const rct_model *model, rct_solver *solver)
{
    rct_loop_info info;
    rct_solver_get_loop_info(solver, &info);
    if (rct_loops_open(info.bound, info.start_position, info.start_velocity)) {
        cli_warn(
            "%s: its loops were open at the start, by %.3g m or rad and %.3g m/s or rad/s, and "
            "were closed: positions and rates are not those given",
            rct_model_name(model), info.start_position, info.start_velocity);
    }
}

void cli_print_loops(const rct_model *model, const rct_loop_info *info, const rct_run_report *run)
{
    if (info->loops == 0) {
        cli_json_text("loops", NULL);
        return;
    }
    char constraints[CLI_COUNTED];
    cli_json_open("loops", '{');
    cli_json_count("count", info->loops);
    cli_json_count("active", info->active);
    cli_json_count("constraints", info->constraints);
    cli_json_count("rank", info->rank);
    cli_json_count("redundant", info->redundant);
    cli_line("loops",
             "%" PRId32 ", %" PRId32 " active: %s of rank %" PRId32 ", %" PRId32 " redundant",
             info->loops, info->active, cli_counted(info->constraints, "constraint", constraints),
             info->rank, info->redundant);
    cli_json_text("closing", info->closing);
    cli_json_text("drift", info->drift);
    cli_line("closed by", "%s, drift: %s", info->closing, info->drift);
    json_violation("position", model, info->position, info->position_loop);
    json_violation("velocity", model, info->velocity, info->velocity_loop);
    cli_print_start(model, info);
    cli_label("violation");
    print_violations(model, info->position, info->position_loop, info->velocity,
                     info->velocity_loop);
    cli_print("%s\n", run != NULL ? " at the end" : "");
    if (run != NULL) {
        cli_json_real("position_violation_largest", run->position);
        cli_json_real("velocity_violation_largest", run->velocity);
        cli_line("  largest", "%.3g m or rad, %.3g m/s or rad/s", run->position, run->velocity);
    }
    cli_json_close("}");
}
