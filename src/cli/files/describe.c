/* The kind of a file, for `info`: a recording, the file of an ensemble, a checkpoint or a model;
 * its origin and its content. */
#include "files/files.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- opening ------------------------------------------------------------------------------ */

static rct_model *open_checkpoint(const cli_arguments *arguments, cli_described *d)
{
    const char *idle = cli_given_of(arguments, CLI_LIST(CLI_FAMILY_OPTIONS));
    if (idle != NULL) {
        cli_refuse("%s is for families, and \"%s\" is a file; leave it out", idle, d->path);
        return NULL;
    }
    d->checkpoint = rct_checkpoint_open(d->path, &cli_error);
    if (!cli_have(d->checkpoint)) {
        return NULL;
    }
    rct_model *model = rct_checkpoint_model(d->checkpoint, &cli_error);
    return cli_have(model) ? model : NULL;
}

/* An HDF5 file with a model. Whatever its kind, all of it must be as it was written. */
static bool open_results(cli_described *d)
{
    rct_file_info info;
    d->recording = rct_recording_open(d->path, &cli_error);
    if (d->recording != NULL || cli_error.status != RCT_ERROR_UNSUPPORTED) {
        return cli_have(d->recording);
    }
    if (!cli_did(rct_file_check(d->path, &info, &cli_error))) {
        return false;
    }
    if (info.kind == RCT_FILE_ENSEMBLE) {
        d->results = rct_ensemble_results_open(d->path, &cli_error);
        return cli_have(d->results);
    }
    return true;
}

rct_model *cli_load_described(const cli_arguments *arguments, cli_described *d)
{
    *d = (cli_described){.path = cli_is_family(arguments->operand) ? NULL : arguments->operand};
    if (d->path != NULL && cli_begins_with(d->path, "RCTBATCH")) {
        cli_refuse("%s: it is a checkpoint of an ensemble; give the file of its results instead",
                   d->path);
        return NULL;
    }
    if (d->path != NULL && cli_begins_with(d->path, "RCTCHECK")) {
        return open_checkpoint(arguments, d);
    }
    rct_model *model = cli_load(arguments);
    if (model != NULL && d->path != NULL && cli_holds_h5(d->path) && !open_results(d)) {
        rct_model_free(model);
        model = NULL;
    }
    return model;
}

void cli_close_described(cli_described *d)
{
    rct_recording_close(d->recording);
    rct_ensemble_results_close(d->results);
    rct_checkpoint_close(d->checkpoint);
}

/* ---- printing ----------------------------------------------------------------------------- */

/* A text under its key, and a line of the table unless it is empty. */
static void put_text(const char *key, const char *label, const char *text)
{
    cli_json_text(key, text);
    if (text[0] != '\0') {
        cli_line(label, "%s", text);
    }
}

static void print_quantities(const rct_recording *recording, int32_t count)
{
    cli_json_open("quantities", '[');
    cli_label("quantities");
    for (int32_t i = 0; i < count; i++) {
        rct_quantity quantity = {.name = ""};
        (void)rct_recording_quantity(recording, i, &quantity, NULL);
        cli_json_text(NULL, quantity.name);
        cli_print_plain("%s%s", i > 0 ? " " : "", quantity.name);
    }
    cli_json_close("]");
    cli_print("\n");
}

/* The time of a frame; NaN: it cannot be read. */
static double time_of(rct_recording *recording, int64_t frame)
{
    double time = NAN;
    const int32_t index = rct_recording_find(recording, "time");
    (void)rct_recording_read(recording, index, frame, 0, 1, &time, NULL);
    return time;
}

static void print_recording(rct_recording *recording)
{
    rct_recording_info info;
    rct_recording_get_info(recording, &info);
    cli_text("kind", "kind", "recording");
    cli_json_bool("complete", info.complete != 0);
    cli_json_count("frames", info.frames);
    if (info.frames > 0) {
        const double first = time_of(recording, 0), last = time_of(recording, info.frames - 1);
        cli_json_real("first_time", first);
        cli_json_real("last_time", last);
        cli_line("frames", "%" PRId64 " from %.9g s to %.9g s, %s", info.frames, first, last,
                 info.complete ? "complete" : "not complete");
    } else {
        cli_line("frames", "none yet");
    }
    print_quantities(recording, info.quantities);
    cli_json_text("method", info.method);
    cli_json_text("backend", info.backend);
    cli_json_count("threads", info.threads);
    cli_json_real("dt", info.dt);
    cli_json_real("t_end", info.t_end);
    cli_line("run", "to %.9g s by %s on %s, dt %.9g s", info.t_end, info.method, info.backend,
             info.dt);
    put_text("integrator", "integrator", info.integrator);
    cli_json_real("tolerance", info.tolerance);
    if (info.tolerance > 0.0) {
        cli_line("tolerance", "%.9g", info.tolerance);
    }
    put_text("closing", "closing", info.closing);
    put_text("drift", "drift", info.drift);
    if (strcmp(info.drift, rct_drift_name(RCT_DRIFT_BAUMGARTE)) == 0) {
        cli_json_vector("baumgarte", info.baumgarte, 2);
        cli_line("alpha, beta", "%.9g, %.9g 1/s", info.baumgarte[0], info.baumgarte[1]);
    }
    put_text("created", "created", info.created);
    put_text("library_version", "made by version", info.library_version);
    put_text("command_line", "command", info.command_line);
}

static void print_results(const rct_ensemble_results *results)
{
    rct_ensemble_results_info info;
    rct_ensemble_results_get_info(results, &info);
    cli_text("kind", "kind", "ensemble");
    cli_json_bool("complete", info.complete != 0);
    cli_json_count("first_member", info.first);
    cli_json_count("members", info.members);
    cli_line("members", "%" PRId64 " from %" PRId64 " on, %s", info.members, info.first,
             info.complete ? "complete" : "not complete");
    cli_json_open("varied", '[');
    for (int32_t i = 0; i < info.variations; i++) {
        rct_variation variation = {.path = ""};
        (void)rct_ensemble_results_variation(results, i, &variation, NULL);
        cli_json_text(NULL, variation.path);
        cli_line("varied", "%s", variation.path);
    }
    cli_json_close("]");
    cli_json_count("series", info.series);
    cli_json_count("tracked", info.tracked);
    cli_line("series", info.series > 0 ? "%" PRId64 " frames, %" PRId64 " %s tracked" : "none",
             info.series, info.tracked, info.tracked == 1 ? "body" : "bodies");
    cli_json_text("method", info.method);
    cli_json_text("backend", info.backend);
    cli_json_real("dt", info.dt);
    cli_json_count("steps", info.steps);
    cli_line("run", "%" PRId64 " steps of %.9g s by %s on %s", info.steps, info.dt, info.method,
             info.backend);
    put_text("library_version", "made by version", info.library_version);
    put_text("command_line", "command", info.command_line);
}

static void print_checkpoint(const rct_checkpoint *checkpoint)
{
    rct_checkpoint_info info;
    rct_checkpoint_get_info(checkpoint, &info);
    cli_text("kind", "kind", "checkpoint");
    cli_json_count("steps", info.steps);
    cli_json_real("time", info.time);
    cli_line("reached", "%.9g s, after %" PRId64 " steps", info.time, info.steps);
    cli_json_text("method", rct_method_name(info.options.method));
    cli_json_text("backend", info.options.backend);
    cli_json_text("integrator", rct_integrator_name(info.options.integrator));
    cli_json_text("closing", rct_closing_name(info.options.closing));
    cli_line("run", "%s by %s on %s", rct_integrator_name(info.options.integrator),
             rct_method_name(info.options.method), info.options.backend);
    put_text("build", "build", rct_build()); /* another build does not open it */
}

void cli_print_described(const cli_described *d)
{
    if (d->path == NULL) {
        cli_json_text("file", NULL);
        return;
    }
    cli_json_open("file", '{');
    cli_json_text("path", d->path);
    if (d->recording != NULL) {
        print_recording(d->recording);
    } else if (d->results != NULL) {
        print_results(d->results);
    } else if (d->checkpoint != NULL) {
        print_checkpoint(d->checkpoint);
    } else {
        cli_text("kind", "kind", "model");
    }
    cli_json_close("}");
}
