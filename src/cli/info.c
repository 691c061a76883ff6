/* riccatree info: what the plan makes of a model. */
#include "census.h"
#include "cli.h"
#include "loops.h"
#include "output.h"

#include <inttypes.h>
#include <stddef.h>

static double total_mass(const rct_model *model)
{
    double mass = 0.0;
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_body body;
        if (rct_model_body(model, i, &body, NULL) == RCT_OK) {
            mass += body.mass;
        }
    }
    return mass;
}

static void print_json(cli_output *out, const rct_model *model, const cli_census *census,
                       const rct_solver_info *info, const rct_loop_info *loops)
{
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "model", rct_model_name(model));
    cli_json_count(out, "bodies", info->bodies);
    cli_json_count(out, "links", info->links);
    cli_json_count(out, "dof", info->dof);
    cli_json_count(out, "coordinates", info->coordinates);
    cli_json_count(out, "roots", info->roots);
    cli_json_count(out, "tips", info->tips);
    cli_json_count(out, "junctions", info->junctions);
    cli_json_count(out, "depth", info->depth);
    cli_json_count(out, "branching", info->branching);
    cli_json_real(out, "mass", total_mass(model));
    cli_json_census(out, census);
    cli_json_loops(out, model, loops, NULL);
    cli_json_count(out, "bytes", info->bytes);
    cli_json_real(out, "bytes_per_body", (double)info->bytes / info->bodies);
    cli_json_text(out, "method", info->method);
    cli_json_text(out, "backend", info->backend);
    cli_json_count(out, "threads", info->threads);
    cli_json_count(out, "lanes", info->lanes);
    cli_json_count(out, "segment_length", info->segment_length);
    cli_json_count(out, "segments", info->segments);
    cli_json_count(out, "tiles", info->tiles);
    cli_json_count(out, "tasks", info->tasks);
    cli_json_count(out, "bushes", info->bushes);
    cli_json_count(out, "waves", info->waves);
    cli_json_count(out, "trunk", info->trunk);
    cli_json_count(out, "wide", info->wide);
    cli_json_count(out, "padding", info->padding);
    cli_json_real(out, "imbalance", info->imbalance);
    cli_json_close(out, '}');
    cli_print(out, "\n");
}

static void table_division(cli_output *out, const rct_solver_info *info)
{
    cli_print(out, "lanes               %" PRId32 "\n", info->lanes);
    cli_print(out, "segment length      %" PRId32 "%s\n", info->segment_length,
              info->segment_length > 0 ? " links"
              : info->lanes > 1        ? " (no segments)"
                                       : " (the serial sweep)");
    cli_print(out, "segments            %" PRId32 "\n", info->segments);
    cli_print(out, "tiles               %" PRId32 "\n", info->tiles);
    cli_print(out, "tasks               %" PRId32 "\n", info->tasks);
    cli_print(out, "bushes              %" PRId32 "\n", info->bushes);
    cli_print(out, "waves               %" PRId64 "\n", info->waves);
    cli_print(out, "trunk               %" PRId32 "\n", info->trunk);
    cli_print(out, "wide                %" PRId32 " links swept 6x6, those on runs of balls 3x3\n",
              info->wide);
    cli_print(out, "padding             %" PRId64 " links\n", info->padding);
    if (info->imbalance > 0.0) {
        cli_print(out, "imbalance           %.4g\n", info->imbalance);
    }
}

static void print_table(cli_output *out, const rct_model *model, const cli_census *census,
                        const rct_solver_info *info, const rct_loop_info *loops)
{
    char name[RCT_NAME_SIZE];
    char memory[CLI_SHORT_TEXT];
    cli_bytes_text(info->bytes, memory);
    cli_print(out, "model               %s\n", cli_plain_name(rct_model_name(model), name));
    cli_print(out, "bodies              %" PRId32 "\n", info->bodies);
    cli_print(out, "links               %" PRId32 " (bodies welded together are one)\n",
              info->links);
    cli_print(out, "degrees of freedom  %" PRId64 "\n", info->dof);
    cli_print(out, "coordinates         %" PRId64 "\n", info->coordinates);
    cli_print(out, "roots               %" PRId32 "\n", info->roots);
    cli_print(out, "tips                %" PRId32 "\n", info->tips);
    cli_print(out, "junctions           %" PRId32 "\n", info->junctions);
    cli_print(out, "depth               %" PRId32 "\n", info->depth);
    cli_print(out, "branching           %" PRId32 "\n", info->branching);
    cli_print(out, "mass                %.9g kg\n", total_mass(model));
    cli_print_census(out, census);
    cli_print_loops(out, model, loops, NULL);
    cli_print(out, "memory              %s, %.0f B a body\n", memory,
              (double)info->bytes / info->bodies);
    cli_print(out, "method              %s\n", info->method);
    cli_print(out, "backend             %s, %" PRId32 " thread%s\n", info->backend, info->threads,
              info->threads == 1 ? "" : "s");
    table_division(out, info);
}

static int info(const cli_arguments *arguments)
{
    int status = CLI_OK;
    rct_model *model = cli_load(arguments, &status);
    rct_solver *solver = model != NULL ? cli_solver(model, arguments, &status) : NULL;
    if (solver != NULL) {
        const cli_census census = cli_take_census(model);
        rct_solver_info plan;
        rct_loop_info loops;
        cli_output out = cli_output_start();
        rct_solver_get_info(solver, &plan);
        rct_solver_get_loop_info(solver, &loops);
        if (arguments->given[CLI_JSON]) {
            print_json(&out, model, &census, &plan, &loops);
        } else {
            print_table(&out, model, &census, &plan, &loops);
        }
        status = cli_output_finish(&out);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    return status;
}

static const cli_option_id options[] = {CLI_FAMILY_OPTIONS, CLI_METHOD, CLI_SWEEP_OPTIONS,
                                        CLI_LOOP_OPTIONS,   CLI_JSON,   CLI_END};

const cli_command cli_info = {
    .name = "info",
    .operand = "MODEL|FAMILY",
    .summary = "Show the size and shape of a model, and the memory a solver needs.",
    .details = "",
    .options = options,
    .run = info,
};
