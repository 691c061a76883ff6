/* The attributes of the file: its origin. A file that is opened again must have the same
 * attributes, except for those that change no number. */
#include "dynamics/solver.h"
#include "record/recording/recorder.h"

#include <riccatree/closure.h>
#include <riccatree/version.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { FORMAT_VERSION = 2, ATTRIBUTES = 17 };

typedef struct attribute {
    const char *name;
    const void *value; /* a text, or numbers */
    hid_t type;        /* type of a number; -1: a text */
    int64_t count;     /* 0: a single number */
    size_t bytes;      /* of a number */
} attribute;

typedef struct sources {
    rct_solver_info info;
    const rct_solver_options *solver;
    int adapts, closes; /* whether steps follow a tolerance; whether there are loops            */
    double gravity[3];
    char command[RCT_COMMAND_SHOWN + 1];
    int32_t version;
} sources;

static void gather(sources *from, const rct_model *model, const rct_solver *solver,
                   const rct_recorder_options *options)
{
    const char *command = options->command_line != NULL ? options->command_line : "";
    from->version = FORMAT_VERSION;
    rct_model_gravity(model, from->gravity);
    rct_solver_get_info(solver, &from->info);
    from->solver = &solver->options;
    from->adapts = rct_solver_adapts(solver);
    from->closes = solver->closed != NULL;
    snprintf(from->command, sizeof from->command, "%s", command);
}

/* The attributes that determine the run and its results. */
static int list(attribute all[ATTRIBUTES], const sources *from, const rct_model *model,
                const rct_recorder_options *options)
{
    const rct_solver_info *info = &from->info;
    const attribute known[] = {
        {"format", "riccatree trajectory", -1, 0, 0},
        {"format_version", &from->version, H5T_NATIVE_INT32, 0, sizeof from->version},
        {"library_version", rct_version(), -1, 0, 0},
        {"command_line", from->command, -1, 0, 0},
        {"model_name", rct_model_name(model), -1, 0, 0},
        {"method", info->method, -1, 0, 0},
        {"backend", info->backend, -1, 0, 0},
        {"bodies", &info->bodies, H5T_NATIVE_INT32, 0, sizeof info->bodies},
        {"dof", &info->dof, H5T_NATIVE_INT64, 0, sizeof info->dof},
        {"gravity", from->gravity, H5T_NATIVE_DOUBLE, 3, sizeof *from->gravity},
        {"dt", &options->dt, H5T_NATIVE_DOUBLE, 0, sizeof options->dt},
        {"t_end", &options->t_end, H5T_NATIVE_DOUBLE, 0, sizeof options->t_end},
    };
    const rct_solver_options *solver = from->solver;
    int count = (int)(sizeof known / sizeof known[0]);
    memcpy(all, known, sizeof known);
    all[count++] = (attribute){"integrator", rct_integrator_name(solver->integrator), -1, 0, 0};
    if (from->adapts) {
        all[count++] = (attribute){"tolerance", &solver->tolerance, H5T_NATIVE_DOUBLE, 0,
                                   sizeof solver->tolerance};
    }
    if (from->closes) {
        all[count++] = (attribute){"closing", rct_closing_name(solver->closing), -1, 0, 0};
        all[count++] = (attribute){"drift", rct_drift_name(solver->drift), -1, 0, 0};
    }
    if (from->closes && solver->drift == RCT_DRIFT_BAUMGARTE) {
        all[count++] = (attribute){"baumgarte", solver->baumgarte, H5T_NATIVE_DOUBLE, 2,
                                   sizeof *solver->baumgarte};
    }
    return count;
}

static void put_now(rct_call *call, hid_t file)
{
    char text[32] = "unknown";
    struct tm now;
    const time_t seconds = time(NULL);
    if (gmtime_r(&seconds, &now) != NULL) {
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &now);
    }
    rct_h5_put_text(call, file, "created", text);
}

void rct_put_attributes(rct_call *call, hid_t file, const rct_model *model,
                        const rct_solver *solver, const rct_recorder_options *options)
{
    sources from;
    attribute all[ATTRIBUTES];
    gather(&from, model, solver, options);
    const int count = list(all, &from, model, options);
    for (int i = 0; i < count; i++) {
        if (all[i].type < 0) {
            rct_h5_put_text(call, file, all[i].name, all[i].value);
        } else {
            rct_h5_put_values(call, file, all[i].name, all[i].type, all[i].count, all[i].value);
        }
    }
    rct_h5_put_values(call, file, "threads", H5T_NATIVE_INT32, 0, &from.info.threads);
    put_now(call, file);
    rct_h5_put_text(call, file, "units",
                    "SI; attributes: gravity in m/s^2, inertial axes, dt and t_end in s; of a "
                    "dataset its attribute \"unit\"");
}

void rct_check_attributes(rct_call *call, hid_t file, const rct_model *model,
                          const rct_solver *solver, const rct_recorder_options *options)
{
    sources from;
    attribute all[ATTRIBUTES];
    gather(&from, model, solver, options);
    const int count = list(all, &from, model, options);
    for (int i = 0; i < count; i++) {
        const int64_t numbers = all[i].count > 0 ? all[i].count : 1;
        const int same = all[i].type < 0
                             ? rct_h5_has_text(call, file, all[i].name, all[i].value)
                             : rct_h5_has_values(call, file, all[i].name, all[i].type,
                                                 numbers * (int64_t)all[i].bytes, all[i].value);
        if (!same) {
            rct_call_fail(call, RCT_ERROR_IO,
                          "is not the recording of this run: its attribute %s differs",
                          all[i].name);
        }
    }
}
