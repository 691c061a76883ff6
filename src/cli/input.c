/* From the arguments to a model and a solver. A name of a family is generated, anything else read, or
 * imported. */
#include "cli.h"
#include "loops.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool cli_is_family(const char *name)
{
    const char *const *family = rct_family_names();
    while (*family != NULL && strcmp(*family, name) != 0) {
        family++;
    }
    return *family != NULL;
}

/* The library takes ball, its default, for nothing asked; who asks for it here would be ignored. */
static int check_hinge(const cli_arguments *arguments)
{
    if (arguments->given[CLI_HINGE] && arguments->hinge != RCT_HINGE_REVOLUTE &&
        strcmp(arguments->operand, "fourbars") == 0) {
        return cli_fail(CLI_BAD_INPUT,
                        "--hinge %s: the hinges of fourbars are revolute; leave "
                        "--hinge away",
                        rct_hinge_name((rct_hinge_type)arguments->hinge));
    }
    return CLI_OK;
}

rct_model *cli_generate_family(const cli_arguments *arguments, int *status)
{
    rct_error error;
    const rct_family family = {
        .family = arguments->operand,
        .bodies = arguments->bodies,
        .systems = arguments->systems,
        .hinge = (rct_hinge_type)arguments->hinge,
        .seed = (uint64_t)arguments->seed,
        .perturb = arguments->perturb,
    };
    *status = check_hinge(arguments);
    if (*status != CLI_OK) {
        return NULL;
    }
    rct_model *model = rct_model_generate(&family, &error);
    if (model == NULL) {
        *status = cli_fail_library(&error);
    }
    return model;
}

/* An option that only a family has would be ignored on a model file: that is an error. */
static int check_family_options(const cli_arguments *arguments)
{
    static const cli_option_id of_family[] = {CLI_FAMILY_OPTIONS, CLI_END};
    for (const cli_option_id *id = of_family; *id != CLI_END; id++) {
        if (arguments->given[*id]) {
            return cli_fail(CLI_BAD_INPUT,
                            "%s is for families, and \"%s\" is a model file; leave it out",
                            cli_option_at(*id)->name, arguments->operand);
        }
    }
    return CLI_OK;
}

/* A name that ends in .urdf or .xml is imported, any other read as JSON. */
static bool is_foreign(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".urdf") == 0 || strcmp(dot, ".xml") == 0);
}

static rct_model *read_file(const cli_arguments *arguments, int *status)
{
    rct_error error;
    struct stat file;
    rct_model *model = NULL;
    if (stat(arguments->operand, &file) != 0 && errno == ENOENT) {
        char known[128] = "";
        for (const char *const *name = rct_family_names(); *name != NULL; name++) {
            const size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, " %s", *name);
        }
        *status = cli_fail(CLI_BAD_INPUT, "\"%s\" is neither a file nor a family; families:%s",
                           arguments->operand, known);
        return NULL;
    }
    *status = check_family_options(arguments);
    if (*status == CLI_OK) {
        model = is_foreign(arguments->operand) ? rct_model_import(arguments->operand, NULL, &error)
                                               : rct_model_read(arguments->operand, &error);
        if (model == NULL) {
            *status = cli_fail_library(&error);
        }
    }
    return model;
}

rct_model *cli_load(const cli_arguments *arguments, int *status)
{
    return cli_is_family(arguments->operand) ? cli_generate_family(arguments, status)
                                             : read_file(arguments, status);
}

/* Who asks for the best there is gets told in one line why it is not an accelerator. */
static void say_fallback(const cli_arguments *arguments)
{
    rct_backend_info first;
    if (arguments->given[CLI_BACKEND] && strcmp(arguments->backend, "auto") == 0 &&
        rct_backend_describe(0, &first, NULL) == RCT_OK && first.available == 0) {
        fprintf(stderr, "riccatree: %s: %s; the cpu computes\n", first.name, first.reason);
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
    cli_loop_options(arguments, &options);
    return options;
}

rct_solver *cli_try_solver(const rct_model *model, const cli_arguments *arguments, rct_error *error)
{
    const rct_solver_options options = cli_solver_options(arguments);
    rct_solver *solver = rct_solver_create(model, &options, error);
    if (solver != NULL) {
        say_fallback(arguments);
    }
    return solver;
}

rct_solver *cli_solver(const rct_model *model, const cli_arguments *arguments, int *status)
{
    rct_error error;
    *status = cli_check_loops(arguments, model);
    if (*status != CLI_OK) {
        return NULL;
    }
    rct_solver *solver = cli_try_solver(model, arguments, &error);
    if (solver == NULL) {
        *status = cli_fail_library(&error);
    }
    return solver;
}

int cli_check_out(const cli_arguments *arguments, const char *path)
{
    struct stat file;
    if (path == NULL) {
        return arguments->given[CLI_OVERWRITE]
                   ? cli_fail(CLI_BAD_INPUT, "--overwrite is about --out FILE; give that too")
                   : CLI_OK;
    }
    if (stat(path, &file) != 0) {
        return CLI_OK; /* the one who makes the file will say what is wrong */
    }
    if (S_ISDIR(file.st_mode)) {
        return cli_fail(CLI_BAD_INPUT, "--out %s: it is a folder; name a file in it", path);
    }
    if (S_ISREG(file.st_mode) && !arguments->given[CLI_OVERWRITE]) {
        return cli_fail(CLI_BAD_INPUT, "--out %s: it exists; add --overwrite to replace it", path);
    }
    return CLI_OK;
}

double *cli_numbers(int64_t count, const char *what)
{
    double *numbers = calloc((size_t)count, sizeof *numbers);
    if (numbers == NULL) {
        cli_fail(CLI_FAILED, "out of memory: %" PRId64 " bytes for %s; make the model smaller",
                 count * (int64_t)sizeof *numbers, what);
    }
    return numbers;
}

int cli_check_regular(const char *path)
{
    struct stat file;
    return stat(path, &file) != 0 || S_ISREG(file.st_mode)
               ? CLI_OK
               : cli_fail(CLI_BAD_INPUT, "%s: it is %s", path,
                          S_ISDIR(file.st_mode) ? "a folder; name a file in it"
                                                : "not a regular file");
}
