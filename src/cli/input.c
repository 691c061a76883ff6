/* From the arguments to a model and a solver. The name of a family is generated; everything else
 * is read or imported. */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool cli_is_family(const char *name)
{
    const char *const *family = rct_family_names();
    while (*family != NULL && strcmp(*family, name) != 0) {
        family++;
    }
    return *family != NULL;
}

/* The library takes ball, its default, as not given. A ball asked for here would be ignored, so
 * it is refused. */
static bool check_hinge(const cli_arguments *arguments)
{
    return !arguments->given[CLI_HINGE] || arguments->hinge == RCT_HINGE_REVOLUTE ||
           strcmp(arguments->operand, "fourbars") != 0 ||
           cli_refuse("--hinge %s: the hinges of fourbars are revolute; omit --hinge",
                      rct_hinge_name((rct_hinge_type)arguments->hinge));
}

static bool check_rod(const cli_arguments *arguments)
{
    const char *idle = cli_given_of(arguments, CLI_LIST(CLI_ROD_OPTIONS));
    return idle == NULL || strcmp(arguments->operand, "rod") == 0 ||
           cli_refuse("%s is for the family rod, not for %s; leave it out", idle,
                      arguments->operand);
}

/* The model, if the library made one; else NULL with the error printed. */
static rct_model *made(rct_model *model)
{
    return cli_have(model) ? model : NULL;
}

rct_model *cli_generate_family(const cli_arguments *arguments)
{
    rct_family family = {
        .family = arguments->operand,
        .bodies = arguments->bodies,
        .systems = arguments->systems,
        .hinge = (rct_hinge_type)arguments->hinge,
        .seed = (uint64_t)arguments->seed,
        .perturb = arguments->perturb,
    };
    if (strcmp(family.family, "rod") == 0) {
        family.length = arguments->length;
        family.density = arguments->density;
        family.radius = arguments->radius;
        memcpy(family.bending, arguments->bending, sizeof family.bending);
        family.twist = arguments->twist;
        family.delay = arguments->delay;
        family.pinned = arguments->given[CLI_PINNED];
    }
    return check_hinge(arguments) && check_rod(arguments)
               ? made(rct_model_generate(&family, &cli_error))
               : NULL;
}

static bool ends_in(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ending) == 0;
}

bool cli_is_h5(const char *path)
{
    return ends_in(path, ".h5") || ends_in(path, ".hdf5");
}

bool cli_is_json(const char *path)
{
    return ends_in(path, ".json");
}

bool cli_begins_with(const char *path, const char *bytes)
{
    char head[8] = "";
    struct stat found;
    const bool regular = stat(path, &found) == 0 && S_ISREG(found.st_mode);
    FILE *file = regular ? fopen(path, "rb") : NULL; /* a pipe can be read only once */
    const bool read = file != NULL && fread(head, 1, sizeof head, file) == sizeof head;
    if (file != NULL) {
        fclose(file);
    }
    return read && memcmp(head, bytes, strlen(bytes)) == 0;
}

bool cli_holds_h5(const char *path)
{
    return cli_is_h5(path) || cli_begins_with(path, "RCTSEAL") || cli_begins_with(path, CLI_HDF5);
}

rct_model *cli_read_model(const char *path)
{
    return cli_holds_h5(path) ? rct_model_read_h5(path, &cli_error)
                              : rct_model_read(path, &cli_error);
}

static bool is_foreign(const char *path)
{
    return ends_in(path, ".urdf") || ends_in(path, ".xml");
}

bool cli_check_import(const cli_arguments *arguments)
{
    const char *idle =
        cli_given_of(arguments, CLI_LIST(CLI_IGNORE_UNSUPPORTED, CLI_REPAIR_INERTIA));
    return idle == NULL || is_foreign(arguments->operand) ||
           cli_refuse("%s is for URDF and MJCF files, and \"%s\" is neither; leave it out", idle,
                      arguments->operand);
}

/* Tell the user on standard error what was left out, because that changes the motion. */
static void say_ignored(const cli_arguments *arguments, const rct_import_report *report)
{
    if (report->ignored == 0) {
        return;
    }
    cli_warn("%s: %" PRId64 " ignored that may change the motion%s", arguments->operand,
             report->ignored, report->ignored > report->notes ? ", the first of them:" : ":");
    for (int32_t i = 0; i < report->notes; i++) {
        cli_warn("  line %" PRId32 ": %s", report->note[i].line, report->note[i].text);
    }
}

/* Tell where the model differs from the file, or may move differently than elsewhere. */
static void say_changes(const cli_arguments *arguments, const rct_import_report *report)
{
    const struct {
        int64_t count;
        const char *one, *several;
    } changes[] = {
        {report->inertias_repaired, "inertia is repaired", "inertias are repaired"},
        {report->massless_left_out, "body that moves without mass is left out",
         "bodies that move without mass are left out"},
        {report->frictions, "coordinate has dry friction, regularized below 0.01 rad/s or m/s",
         "coordinates have dry friction, regularized below 0.01 rad/s or m/s"},
        {report->frictions_left_out, "ball or free hinge has dry friction, which is left out",
         "ball or free hinges have dry friction, which is left out"},
        {report->format == RCT_IMPORT_MJCF ? report->loops : 0,
         "constraint is exact here, but soft in the file",
         "constraints are exact here, but soft in the file"}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        if (changes[i].count > 0) {
            cli_warn("%s: %" PRId64 " %s", arguments->operand, changes[i].count,
                     changes[i].count == 1 ? changes[i].one : changes[i].several);
        }
    }
}

rct_model *cli_import_model(const cli_arguments *arguments, rct_import_report *report)
{
    const rct_import_options options = {
        .format = arguments->given[CLI_FORMAT] ? (rct_import_format)(arguments->format + 1)
                                               : RCT_IMPORT_AUTO,
        .ignore_unsupported = arguments->given[CLI_IGNORE_UNSUPPORTED],
        .floating_root = arguments->given[CLI_FLOATING_ROOT],
        .repair_inertia = arguments->given[CLI_REPAIR_INERTIA],
        .report = report};
    rct_model *model = rct_model_import(arguments->operand, &options, &cli_error);
    bool good = cli_have(model);
    if (good && options.floating_root && report->format == RCT_IMPORT_MJCF) {
        good = cli_refuse("--floating-root is for URDF, and \"%s\" is MJCF; leave it out",
                          arguments->operand);
    }
    if (!good) {
        rct_model_free(model);
        return NULL;
    }
    say_ignored(arguments, report);
    say_changes(arguments, report);
    return model;
}

/* An option of families would be ignored on a model file, so it is an error. */
static bool check_file(const cli_arguments *arguments)
{
    struct stat file;
    const char *idle = cli_given_of(arguments, CLI_LIST(CLI_FAMILY_OPTIONS));
    if (stat(arguments->operand, &file) != 0 && errno == ENOENT) {
        char known[128] = "families:", hint[RCT_ERROR_TEXT_SIZE];
        for (const char *const *name = rct_family_names(); *name != NULL; name++) {
            const size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, " %s", *name);
        }
        return cli_refuse("\"%s\" is neither a file nor a family%s", arguments->operand,
                          rct_did_you_mean(arguments->operand, rct_family_names(), known, hint));
    }
    return idle == NULL ||
           cli_refuse("%s is for families, and \"%s\" is a model file; leave it out", idle,
                      arguments->operand);
}

rct_model *cli_load(const cli_arguments *arguments)
{
    const char *name = arguments->operand;
    rct_import_report report;
    const bool family = cli_is_family(name);
    if ((!family && !check_file(arguments)) || !cli_check_import(arguments)) {
        return NULL;
    }
    return family             ? cli_generate_family(arguments)
           : is_foreign(name) ? cli_import_model(arguments, &report)
                              : made(cli_read_model(name));
}

/* Tell in one line why the best backend is not an accelerator. */
static void say_fallback(const cli_arguments *arguments)
{
    rct_backend_info first;
    if (arguments->given[CLI_BACKEND] && strcmp(arguments->backend, "auto") == 0 &&
        rct_backend_describe(0, &first, NULL) == RCT_OK && first.available == 0) {
        cli_warn("%s: %s; falling back to the cpu", first.name, first.reason);
    }
}

rct_solver_options cli_solver_options(const cli_arguments *arguments)
{
    rct_solver_options options = rct_solver_options_default();
    options.method = (rct_method)arguments->method;
    options.backend = arguments->backend;
    options.threads = (int32_t)arguments->threads;
    options.lanes = cli_lanes(arguments);
    options.segment = arguments->segment;
    options.junction = (rct_junction)arguments->junction;
    options.closing = (rct_closing)arguments->closing;
    options.drift = (rct_drift)arguments->drift;
    options.integrator = (rct_integrator)arguments->integrator;
    options.tolerance = arguments->tolerance;
    options.as_given = arguments->given[CLI_AS_GIVEN];
    if (arguments->given[CLI_BAUMGARTE]) {
        memcpy(options.baumgarte, arguments->baumgarte, sizeof options.baumgarte);
    }
    return options;
}

rct_solver *cli_try_solver(const rct_model *model, const cli_arguments *arguments)
{
    const rct_solver_options options = cli_solver_options(arguments);
    rct_solver *solver = rct_solver_create(model, &options, &cli_error);
    if (solver != NULL) {
        say_fallback(arguments);
    }
    return solver;
}

/* An error of the model is one of its file. */
static void name_file(const cli_arguments *arguments)
{
    char text[RCT_ERROR_TEXT_SIZE];
    const rct_status status = cli_error.status;
    if (!cli_is_family(arguments->operand) &&
        (status == RCT_ERROR_MODEL || status == RCT_ERROR_LOOP || status == RCT_ERROR_SINGULAR)) {
        memcpy(text, cli_error.text, sizeof text);
        snprintf(cli_error.text, sizeof cli_error.text, "%.256s: %.*s", arguments->operand,
                 (int)sizeof text - 260, text);
    }
}

rct_solver *cli_solver(const rct_model *model, const cli_arguments *arguments)
{
    if (!cli_check_loops(arguments, model)) {
        return NULL;
    }
    rct_solver *solver = cli_try_solver(model, arguments);
    if (solver == NULL) {
        name_file(arguments);
    }
    return cli_have(solver) ? solver : NULL;
}

bool cli_go_about(const cli_arguments *arguments, rct_solver *solver)
{
    enum { EQUILIBRIUM = 1 }; /* numbers of the choices */
    return arguments->about != EQUILIBRIUM ||
           cli_did(rct_solver_equilibrium(solver, NULL, &cli_error));
}

bool cli_check_tolerance(const cli_arguments *arguments)
{
    return rct_integrator_adapts((rct_integrator)arguments->integrator) ||
           !arguments->given[CLI_TOLERANCE] ||
           cli_refuse("--tolerance needs steps with error control; give --integrator dopri5 or "
                      "implicit too");
}

double cli_evaluations(rct_integrator integrator)
{
    return integrator == RCT_INTEGRATOR_RK4          ? 4.0
           : integrator == RCT_INTEGRATOR_CONSERVING ? 6.0
                                                     : NAN;
}

bool cli_is_kept(const cli_arguments *arguments, const char *path)
{
    struct stat file;
    return !arguments->given[CLI_OVERWRITE] && stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

/* Whether it is the same file, also under another name. */
static bool is_file(const char *path, const struct stat *file)
{
    struct stat own;
    return path != NULL && stat(path, &own) == 0 && own.st_dev == file->st_dev &&
           own.st_ino == file->st_ino;
}

bool cli_check_unread(const cli_arguments *arguments, const char *option, const char *path)
{
    struct stat file;
    return stat(path, &file) != 0 ||
           (!is_file(arguments->operand, &file) && !is_file(arguments->motion, &file) &&
            !is_file(arguments->sweep, &file)) ||
           cli_refuse("%s %s: that is also the file that is read; name another file", option, path);
}

bool cli_check_named(const char *option, const char *path, const char *what)
{
    return path == NULL || strcmp(path, "-") != 0 ||
           cli_refuse("%s -: %s cannot go to standard output; name a file", option, what);
}

bool cli_check_out(const cli_arguments *arguments, const char *path)
{
    struct stat file;
    if (path == NULL) {
        return !arguments->given[CLI_OVERWRITE] ||
               cli_refuse("--overwrite needs --out FILE; give --out too");
    }
    if (stat(path, &file) != 0) {
        return true; /* whoever makes the file reports the error */
    }
    return (!S_ISDIR(file.st_mode) ||
            cli_refuse("--out %s: it is a folder; name a file in it", path)) &&
           cli_check_unread(arguments, "--out", path) &&
           (!cli_is_kept(arguments, path) ||
            (arguments->out != NULL
                 ? cli_refuse("--out %s: it exists; add --overwrite to replace it", path)
                 : cli_refuse("%s: it exists; add --overwrite to replace it, or give --out",
                              path)));
}

bool cli_check_regular(const char *path)
{
    struct stat file;
    return stat(path, &file) != 0 || S_ISREG(file.st_mode) ||
           cli_refuse("%s: it is %s", path,
                      S_ISDIR(file.st_mode) ? "a folder; name a file in it" : "not a regular file");
}
