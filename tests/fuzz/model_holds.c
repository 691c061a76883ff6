/* Requirements of a model that a reader has accepted (model_holds.h). */
#include "tests/fuzz/model_holds.h"

#include "tests/fuzz/fuzz.h"
#include "tests/support/systems/models_alike.h"

#include <riccatree/solver.h>

#include <ctype.h>
#include <math.h>
#include <string.h>

enum {
    MOST_SOLVED = 40, /* bodies */
    REFUSED_SOLVERS = 1 << RCT_ERROR_MODEL | 1 << RCT_ERROR_LOOP | 1 << RCT_ERROR_SINGULAR |
                      1 << RCT_ERROR_UNSUPPORTED | 1 << RCT_ERROR_DIVERGED,
    REFUSED_STEPS = REFUSED_SOLVERS | 1 << RCT_ERROR_ARGUMENT
};

int model_is_huge(const char *text, int64_t size)
{
    const char *const end = text + size;
    int huge = 0;
    for (const char *at = text; at + 9 < end && !huge; at++) {
        if (memcmp(at, "\"repeat\"", 8) == 0) {
            const char *digit = at + 8;
            while (digit < end && strchr(" \t\r\n:", *digit) != NULL) {
                digit++;
            }
            const char *first = digit;
            while (digit < end &&
                   (isalnum((unsigned char)*digit) || *digit == '.' || *digit == '+')) {
                huge = huge || *digit == 'e' || *digit == 'E' || digit - first >= 4;
                digit++;
            }
        }
    }
    return huge;
}

static void holds_written(const rct_model *model)
{
    rct_error error = {.text = ""};
    const char *path = fuzz_path("again.json");
    const rct_status status = rct_model_write(model, path, &error);
    fuzz_must(status == RCT_OK, error.text);
    rct_model *again = rct_model_read(path, &error);
    fuzz_must(again != NULL, error.text);
    fuzz_must(models_alike(model, again), "a model written and read again is another");
    rct_model_free(again);
}

static int all_finite(const double *numbers, int64_t count)
{
    int finite = 1;
    for (int64_t i = 0; i < count; i++) {
        finite = finite && isfinite(numbers[i]);
    }
    return finite;
}

/* Coordinates and rates; results may overflow, such as the velocity of the end of a long arm. */
static int state_is_finite(const rct_solver *solver)
{
    double coordinates[7 * MOST_SOLVED], rates[6 * MOST_SOLVED];
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    rct_solver_get_coordinates(solver, coordinates, rates);
    return all_finite(coordinates, info.coordinates) && all_finite(rates, info.dof);
}

/* Given states are finite; a refused one leaves a finite state. */
static void holds_solved(const rct_model *model)
{
    const int32_t bodies = rct_model_body_count(model);
    double angular[3 * MOST_SOLVED], linear[3 * MOST_SOLVED];
    rct_error error = {.text = ""};
    rct_solver_options options = rct_solver_options_default();
    options.threads = 1;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fuzz_refused(&error, REFUSED_SOLVERS);
        return;
    }
    fuzz_must(state_is_finite(solver), "the state of a new solver is not finite");
    if (rct_solver_evaluate(solver, &error) == RCT_OK) {
        rct_solver_get_accelerations(solver, angular, linear);
        fuzz_must(all_finite(angular, 3 * (int64_t)bodies) &&
                      all_finite(linear, 3 * (int64_t)bodies),
                  "accelerations that are not finite, with status 0");
    } else {
        fuzz_refused(&error, REFUSED_STEPS);
    }
    if (rct_solver_step(solver, 1e-3, 2, &error) != RCT_OK) {
        fuzz_refused(&error, REFUSED_STEPS);
    }
    fuzz_must(state_is_finite(solver), "a state that is not finite");
    rct_solver_free(solver);
}

void model_holds(const rct_model *model)
{
    rct_error error = {.text = ""};
    fuzz_must(rct_model_check(model, &error) == RCT_OK, error.text);
    holds_written(model);
    if (rct_model_body_count(model) <= MOST_SOLVED) {
        holds_solved(model);
    }
}
