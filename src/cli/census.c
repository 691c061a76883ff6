/* The statistics of a model in words. */
#include "cli.h"

#include <inttypes.h>

/* A table shows only counts above 0. */
static void few(const char *key, const char *label, int64_t count)
{
    cli_json_count(key, count);
    if (count > 0) {
        cli_print("  %-18s%" PRId64 "\n", label, count);
    }
}

void cli_print_census(const rct_census *census)
{
    static const char *const others[] = {"frictions", "limits", "servos",
                                         "curves",    "cables", "drags"};
    const bool conserved = census->changers[0] == '\0';
    char first[CLI_COUNTED], second[CLI_COUNTED];
    cli_print("hinges\n");
    cli_json_open("hinges", '{');
    for (int t = 0; t < RCT_HINGE_TYPES; t++) {
        const char *name = rct_hinge_name((rct_hinge_type)t);
        few(name, name, census->hinges[t]);
    }
    cli_json_close("}");
    few("hinge_springs", "with springs", census->hinge_springs);
    few("hinge_dampers", "with dampers", census->hinge_dampers);
    few("hinge_forces", "with forces", census->hinge_forces);
    few("hinge_rotors", "with rotors", census->hinge_rotors);
    cli_json_count("wrenches", census->forces[RCT_FORCE_WRENCH]);
    cli_json_count("springs", census->forces[RCT_FORCE_SPRING]);
    cli_line("forces", "%s, %s", cli_counted(census->forces[RCT_FORCE_WRENCH], "wrench", first),
             cli_counted(census->forces[RCT_FORCE_SPRING], "spring", second));
    for (int t = RCT_FORCE_FRICTION; t < RCT_FORCE_TYPES; t++) {
        few(others[t - RCT_FORCE_FRICTION], others[t - RCT_FORCE_FRICTION], census->forces[t]);
    }
    cli_json_bool("ground_moves", census->ground_moves);
    cli_json_count("ground_rows", census->ground_rows);
    if (census->ground_rows > 0) {
        cli_line("ground", "moves by a table of %s",
                 cli_counted(census->ground_rows, "row", first));
    } else {
        cli_line("ground", census->ground_moves ? "moves, accelerations constant" : "at rest");
    }
    cli_json_bool("conservative", conserved);
    cli_line("energy", "%s%s", conserved ? "conserved" : "not conserved: ", census->changers);
}
