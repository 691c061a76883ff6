/* Printing a comparison, as a table or as JSON. */
#include "compare/compare.h"

#include <inttypes.h>

static void print_solver(const cli_entry *entry)
{
    cli_json_count("threads", entry->info.threads);
    cli_json_count("lanes", entry->info.lanes);
    cli_json_count("segment_length", entry->info.segment_length);
    cli_json_count("segments", entry->info.segments);
    if (entry->rows.info.active > 0) {
        cli_json_text("closing", entry->rows.info.closing);
        cli_json_count("rank", entry->rows.info.rank);
        cli_json_count("redundant", entry->rows.info.redundant);
    }
}

static void print_numbers(const cli_entry *entry)
{
    const cli_difference *difference = &entry->difference;
    cli_json_real("seconds", entry->seconds);
    cli_json_count("repeats", entry->repeats);
    if (entry->solver) {
        print_solver(entry);
    }
    for (int k = 0; k < CLI_COMPARED; k++) {
        cli_json_open(cli_quantities[k], '{');
        cli_json_real("largest", difference->largest[k]);
        cli_json_real("rms", difference->rms[k]);
        cli_json_close("}");
        if (k == CLI_FORCE && difference->no_force) {
            cli_print(" %9s", "-");
        } else {
            cli_print(" %9.2e", difference->largest[k]);
        }
    }
    cli_json_real("largest", difference->worst);
    cli_json_real("rms", difference->worst_rms);
    cli_print(" %9.2e %9.2e  %11.4g", difference->worst, difference->worst_rms,
              1e6 * entry->seconds);
    if (entry->rows.info.active > 0) {
        cli_print("  %" PRId32 " of %" PRId32, entry->rows.info.rank, entry->rows.info.constraints);
    }
    cli_print("\n");
}

static void print_entry(const cli_entry *entry)
{
    cli_json_open(NULL, '{');
    cli_json_text("name", entry->name);
    cli_json_bool("available", entry->present);
    cli_label(entry->name);
    if (entry->present) {
        print_numbers(entry);
    } else {
        cli_json_text("note", entry->note);
        cli_print_plain(" -  %s", entry->note);
        cli_print("\n");
    }
    cli_json_close("}");
}

static void print_identities(const cli_comparison *comparison)
{
    cli_json_open("identities", '[');
    for (int32_t k = 0; k < RCT_REFERENCE_IDENTITIES; k++) {
        const char *name = rct_reference_identity_name(k);
        cli_json_open(NULL, '{');
        cli_json_text("name", name);
        cli_json_real("apart", comparison->identities[k]);
        cli_json_close("}");
        cli_print("%9.2e  %s\n", comparison->identities[k], name);
    }
    cli_json_close("]");
}

bool cli_comparison_print(const cli_comparison *comparison, bool json)
{
    char plain[RCT_NAME_SIZE];
    const char *name = rct_model_name(comparison->model);
    const int32_t bodies = rct_model_body_count(comparison->model);
    char counted[CLI_COUNTED];
    const double *scale = comparison->scale;
    cli_output_start(json, 16);
    cli_json_text("model", name);
    cli_json_count("bodies", bodies);
    cli_json_text("base", comparison->base->name);
    cli_print("%s, %s: differences from %s, relative to %.3g m/s^2, %.3g rad/s^2, %.3g N\n",
              cli_plain_name(name, plain), cli_counted(bodies, "body", counted),
              comparison->base->name, scale[CLI_LINEAR], scale[CLI_ANGULAR], scale[CLI_FORCE]);
    cli_json_open("scales", '{');
    for (int k = 0; k < CLI_COMPARED; k++) {
        cli_json_real(cli_quantities[k], scale[k]);
    }
    cli_json_close("}");
    cli_line("", " %9s %9s %9s %9s %9s  %11s%s", "linear", "angular", "force", "largest", "rms",
             "microsecs", cli_has_active_loops(comparison->model) ? "  rank of loops" : "");
    cli_json_open("entries", '[');
    for (int64_t i = 0; i < comparison->count; i++) {
        if (!comparison->entries[i].idle) {
            print_entry(&comparison->entries[i]);
        }
    }
    cli_json_close("]");
    if (comparison->identified) {
        print_identities(comparison);
    }
    return cli_output_finish();
}
