/* The output of riccatree --version and -V: the version, and its sources and build. */
#include "cli.h"

#include <inttypes.h>
#include <string.h>

bool cli_print_version(void)
{
    cli_output_start(false, 0);
    cli_print("riccatree %s\n", rct_version());
    return cli_output_finish();
}

static bool has_lanes(const rct_model *model, int32_t lanes)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.threads = 1;
    options.lanes = lanes;
    rct_solver *solver = rct_solver_create(model, &options, NULL);
    rct_solver_free(solver);
    return solver != NULL;
}

/* The most lanes that this processor has among those built, by trial. */
static int32_t most_lanes(void)
{
    rct_family one = rct_family_default();
    one.family = "chain";
    one.bodies = 1;
    rct_model *model = rct_model_generate(&one, NULL);
    int32_t lanes = MOST_LANES;
    while (lanes > 1 && !has_lanes(model, lanes)) {
        lanes /= 2;
    }
    rct_model_free(model);
    return lanes;
}

static void print_backends(void)
{
    cli_label("backends");
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        if (rct_backend_describe(i, &info, NULL) == RCT_OK) {
            const char *reason = info.reason != NULL ? info.reason : "";
            cli_print("%s%s%s%s%s", i > 0 ? ", " : "", info.name,
                      info.available != 0 ? "" : " (not available: ", reason,
                      info.available != 0 ? "" : ")");
        }
    }
    cli_print("\n");
}

bool cli_print_build(void)
{
    const char *build = rct_build(), *comma = strchr(build, ',');
    cli_output_start(false, 10);
    cli_print("riccatree %s\n", rct_version());
    cli_line("build", "%s", comma != NULL ? comma + 2 : build);
    cli_line("type", "%s", BUILD_TYPE);
    cli_line("lanes", "up to %d, on this machine %" PRId32, MOST_LANES, most_lanes());
    print_backends();
    cli_line("plugins", "%s", BUILT_PLUGINS);
    cli_line("HDF5", "%s", BUILT_HDF5);
    return cli_output_finish();
}
