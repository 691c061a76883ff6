/* riccatree info: the kind of a file, its model, and with --partition how sweeps divide the
 * model. */
#include "files/files.h"

#include <inttypes.h>

static void print_partition(const rct_solver_info *info)
{
    char text[CLI_COUNTED];
    cli_count("segment_length", "segment length", info->segment_length,
              info->segment_length > 1   ? " links"
              : info->segment_length > 0 ? " link"
              : info->lanes > 1          ? " (no segments)"
                                         : " (the serial sweep)");
    cli_count("segments", "segments", info->segments, "");
    cli_count("tiles", "tiles", info->tiles, "");
    cli_count("tasks", "tasks", info->tasks, "");
    cli_count("bushes", "bushes", info->bushes, "");
    cli_count("waves", "waves", info->waves, "");
    cli_count("trunk", "trunk", info->trunk, "");
    cli_json_count("wide", info->wide);
    cli_line("wide", "%s swept 6x6, those on runs of balls 3x3",
             cli_counted(info->wide, "link", text));
    cli_json_count("padding", info->padding);
    cli_line("padding", "%s", cli_counted(info->padding, "link", text));
    cli_json_real("imbalance", info->imbalance);
    if (info->imbalance > 0.0) {
        cli_line("imbalance", "%.4g", info->imbalance);
    }
}

static void print(const rct_model *model, const rct_solver_info *info, const rct_loop_info *loops,
                  const rct_aggregates *aggregates, bool partition)
{
    rct_census census;
    rct_model_take_census(model, &census);
    const double bytes_per_body = (double)info->bytes / info->bodies;
    char memory[CLI_SHORT_TEXT], threads[CLI_COUNTED];
    cli_model_name(rct_model_name(model));
    cli_count("bodies", "bodies", info->bodies, "");
    cli_count("links", "links", info->links, " (bodies welded together are one)");
    cli_print_freedom(aggregates, info->dof);
    cli_count("coordinates", "coordinates", info->coordinates, "");
    cli_count("roots", "roots", info->roots, "");
    cli_count("tips", "tips", info->tips, "");
    cli_count("junctions", "junctions", info->junctions, "");
    cli_count("depth", "depth", info->depth, "");
    cli_count("branching", "branching", info->branching, "");
    cli_json_real("mass", census.mass);
    cli_line("mass", "%.9g kg", census.mass);
    cli_print_census(&census);
    cli_print_loops(model, loops, NULL);
    cli_print_aggregates(model, aggregates);
    cli_count("events", "events", rct_model_event_count(model), "");
    cli_json_count("bytes", info->bytes);
    cli_json_real("bytes_per_body", bytes_per_body);
    cli_line("memory", "%s, %.0f B per body", cli_bytes_text(info->bytes, memory), bytes_per_body);
    cli_text("method", "method", info->method);
    cli_json_text("backend", info->backend);
    cli_json_count("threads", info->threads);
    cli_line("backend", "%s, %s", info->backend, cli_counted(info->threads, "thread", threads));
    cli_count("lanes", "lanes", info->lanes, "");
    if (partition) {
        print_partition(info);
    }
}

static bool info(const cli_arguments *arguments)
{
    rct_solver_info plan;
    rct_loop_info loops;
    cli_described described;
    rct_model *model = cli_load_described(arguments, &described);
    rct_solver *solver = model != NULL ? cli_solver(model, arguments) : NULL;
    rct_aggregates *aggregates =
        solver != NULL ? rct_solver_find_aggregates(solver, &cli_error) : NULL;
    bool good = solver != NULL && cli_have(aggregates);
    if (good) {
        rct_solver_get_info(solver, &plan);
        rct_solver_get_loop_info(solver, &loops);
        cli_output_start(arguments->given[CLI_JSON], 20);
        cli_print_described(&described);
        print(model, &plan, &loops, aggregates, arguments->given[CLI_PARTITION]);
        good = cli_output_finish();
    }
    rct_aggregates_free(aggregates);
    rct_solver_free(solver);
    rct_model_free(model);
    cli_close_described(&described);
    return good;
}

const cli_command cli_info = {
    .name = "info",
    .operand = "MODEL|FAMILY",
    .summary = "Show the kind of a file, the size, shape and loops of its model, and the memory a "
               "solver needs.",
    .details =
        "\nDegrees of freedom are the rates of the tree, with all loops open. An aggregate is a "
        "group\n"
        "of bodies that active loops tie together; its independent rates are those that the loops\n"
        "leave free (docs/closed-loops.md).\n",
    .options = CLI_LIST(CLI_METHOD, CLI_SWEEP_OPTIONS, CLI_LOOP_OPTIONS, CLI_PARTITION, CLI_JSON,
                        CLI_MODEL_OPTIONS),
    .run = info,
};
