/* Printing a comparison, as a table or as JSON. */
#include "compare/compare.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

static const char *const quantities[CLI_QUANTITIES] = {"linear", "angular", "force"};

static void json_entry(cli_output *out, const cli_entry *entry)
{
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "name", entry->name);
    cli_json_bool(out, "available", entry->present);
    if (!entry->present) {
        cli_json_text(out, "note", entry->note);
        cli_json_close(out, '}');
        return;
    }
    cli_json_real(out, "seconds", entry->seconds);
    cli_json_count(out, "repeats", entry->repeats);
    if (entry->solver) {
        cli_json_count(out, "threads", entry->info.threads);
        cli_json_count(out, "lanes", entry->info.lanes);
        cli_json_count(out, "segment_length", entry->info.segment_length);
        cli_json_count(out, "segments", entry->info.segments);
        if (entry->loops.active > 0) {
            cli_json_text(out, "closing", entry->loops.closing);
            cli_json_count(out, "rank", entry->loops.rank);
            cli_json_count(out, "redundant", entry->loops.redundant);
        }
    }
    for (int k = 0; k < CLI_QUANTITIES; k++) {
        cli_json_open(out, quantities[k], '{');
        cli_json_real(out, "largest", entry->difference.largest[k]);
        cli_json_real(out, "rms", entry->difference.rms[k]);
        cli_json_close(out, '}');
    }
    cli_json_real(out, "largest", entry->difference.worst);
    cli_json_real(out, "rms", entry->difference.worst_rms);
    cli_json_close(out, '}');
}

static void print_json(cli_output *out, const cli_comparison *comparison)
{
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "model", rct_model_name(comparison->model));
    cli_json_count(out, "bodies", rct_model_body_count(comparison->model));
    cli_json_text(out, "base", comparison->base->name);
    cli_json_open(out, "scales", '{');
    for (int k = 0; k < CLI_QUANTITIES; k++) {
        cli_json_real(out, quantities[k], comparison->scale[k]);
    }
    cli_json_close(out, '}');
    cli_json_open(out, "entries", '[');
    for (int64_t i = 0; i < comparison->count; i++) {
        if (!comparison->entries[i].idle) {
            json_entry(out, &comparison->entries[i]);
        }
    }
    cli_json_close(out, ']');
    cli_json_close(out, '}');
    cli_print(out, "\n");
}

static void table_entry(cli_output *out, const cli_entry *entry)
{
    if (!entry->present) {
        cli_print(out, "%-16s -  %s\n", entry->name, entry->note);
        return;
    }
    cli_print(out, "%-16s", entry->name);
    for (int k = 0; k < CLI_QUANTITIES; k++) {
        if (k == CLI_FORCE && entry->difference.no_force) {
            cli_print(out, " %9s", "-");
        } else {
            cli_print(out, " %9.2e", entry->difference.largest[k]);
        }
    }
    cli_print(out, " %9.2e %9.2e  %11.4g", entry->difference.worst, entry->difference.worst_rms,
              1e6 * entry->seconds);
    if (entry->loops.active > 0) {
        cli_print(out, "  %" PRId32 " of %" PRId32, entry->loops.rank, entry->loops.constraints);
    }
    cli_print(out, "\n");
}

static void print_table(cli_output *out, const cli_comparison *comparison)
{
    char name[RCT_NAME_SIZE];
    cli_print(out,
              "%s, %" PRId32 " bodies: differences from %s, relative to %.3g m/s^2, "
              "%.3g rad/s^2, %.3g N\n",
              cli_plain_name(rct_model_name(comparison->model), name),
              rct_model_body_count(comparison->model), comparison->base->name,
              comparison->scale[CLI_LINEAR], comparison->scale[CLI_ANGULAR],
              comparison->scale[CLI_FORCE]);
    cli_print(out, "%-16s %9s %9s %9s %9s %9s  %11s%s\n", "", "linear", "angular", "force",
              "largest", "rms", "microsecs",
              cli_has_active_loops(comparison->model) ? "  rank of loops" : "");
    for (int64_t i = 0; i < comparison->count; i++) {
        if (!comparison->entries[i].idle) {
            table_entry(out, &comparison->entries[i]);
        }
    }
}

int cli_comparison_print(const cli_comparison *comparison, bool json)
{
    cli_output out = cli_output_start();
    if (json) {
        print_json(&out, comparison);
    } else {
        print_table(&out, comparison);
    }
    return cli_output_finish(&out);
}
