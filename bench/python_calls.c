/* The C side of bench/python_calls.py: a solver of a chain of `bodies` on revolute hinges, and
 * calls of it that are timed on demand. Standard input has one request on each line, `step
 * COUNT`, `forward COUNT` or `set COUNT`; standard output gets the nanoseconds per call. usage:
 * python_calls BODIES */
#include <riccatree/riccatree.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 64 };

static const double DT = 1e-3;

static rct_solver *solver;
static double coordinates[MOST], rates[MOST], derivatives[MOST];

static rct_status step(rct_error *error)
{
    return rct_solver_step(solver, DT, 1, error);
}

static rct_status forward(rct_error *error)
{
    return rct_solver_forward(solver, 1, coordinates, rates, NULL, derivatives, error);
}

static rct_status set(rct_error *error)
{
    return rct_solver_set_coordinates(solver, coordinates, rates, error);
}

static const struct {
    const char *name;
    rct_status (*call)(rct_error *error);
} calls[] = {{"step", step}, {"forward", forward}, {"set", set}};

/* Nanoseconds of the thread per call. */
static double timed(rct_status (*call)(rct_error *error), long count, rct_error *error)
{
    struct timespec from, to;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    for (long k = 0; k < count && error->status == RCT_OK; k++) {
        call(error);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) /
           (double)count;
}

static int serve(rct_error *error)
{
    char line[32];
    while (fgets(line, sizeof line, stdin) != NULL && error->status == RCT_OK) {
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            const size_t length = strlen(calls[i].name);
            if (strncmp(line, calls[i].name, length) == 0 && line[length] == ' ') {
                printf("%.3f\n", timed(calls[i].call, strtol(line + length, NULL, 10), error));
                fflush(stdout);
            }
        }
    }
    return error->status != RCT_OK;
}

int main(int count, char **arguments)
{
    rct_error error = {.status = RCT_OK};
    rct_family family = rct_family_default();
    family.family = "chain";
    family.bodies = count > 1 ? strtol(arguments[1], NULL, 10) : 7;
    family.hinge = RCT_HINGE_REVOLUTE;
    family.perturb = 0.1;
    rct_model *model = family.bodies <= MOST ? rct_model_generate(&family, &error) : NULL;
    if (model != NULL) {
        solver = rct_solver_create(model, NULL, &error);
    }
    int failed = 1;
    if (solver != NULL) {
        rct_solver_get_coordinates(solver, coordinates, rates);
        failed = serve(&error);
    }
    if (failed) {
        fprintf(stderr, "python_calls: %s\n", error.text);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    return failed;
}
