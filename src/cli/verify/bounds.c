/* How far two computations of the same numbers may differ by rounding, relative to natural sizes
 * (docs/accuracy.md).
 *
 * A computed state is known only to its last bits. So every number of it is moved to the next
 * double, up or down, or left as it is, and the accelerations and hinge forces are evaluated
 * again. Recursions also lose digits where heavy bodies are on light ones: as many units in the
 * last place as the heaviest body weighs more than the lightest. The bound is a multiple of
 * both. */
#include "verify/verify.h"

#include <float.h>
#include <math.h>

enum { DRAWS = 4 };

static const double safety = 512.0;

/* Numbers without a pattern, the same in every run. */
static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return *seed >> 33;
}

static void move(double *numbers, int64_t count, uint64_t *seed)
{
    for (int64_t i = 0; i < count; i++) {
        const uint64_t where = draw(seed) % 3;
        const double to = where == 0 ? INFINITY : -INFINITY;
        numbers[i] = where == 2 || numbers[i] == 0.0 ? numbers[i] : nextafter(numbers[i], to);
    }
}

/* The state that is compared, with every number moved. */
static void draw_state(const cli_verification *v, const cli_state *given, cli_state *state,
                       uint64_t *seed)
{
    const double *from =
        v->comparison.coordinates != NULL ? v->comparison.coordinates : given->coordinates;
    for (int64_t k = 0; k < state->numbers; k++) {
        state->coordinates[k] = from[k];
    }
    move(state->coordinates, state->numbers, seed);
}

/* The largest difference from the base over all draws; draws that end in an error are skipped. */
static bool see_draws(cli_verification *v, rct_solver *solver, const cli_state *given, double *seen)
{
    uint64_t seed = 1;
    cli_state state;
    cli_entry entry = {.solver = true, .present = true};
    if (!cli_state_create(&state, solver)) {
        return false;
    }
    bool good = cli_accelerations_create(&entry.rows, v->model);
    for (int i = 0; i < DRAWS && good; i++) {
        draw_state(v, given, &state, &seed);
        if (rct_solver_set_coordinates(solver, state.coordinates, state.rates, NULL) == RCT_OK &&
            cli_accelerations_of_solver(&entry.rows, solver) == RCT_OK) {
            entry.difference = (cli_difference){.worst = 0.0};
            cli_entry_measure(&entry, &v->comparison);
            *seen = fmax(*seen, entry.difference.worst);
        }
    }
    cli_accelerations_free(&entry.rows);
    cli_state_free(&state);
    return good;
}

/* Bodies without mass are left out. */
static double mass_ratio(const rct_model *model)
{
    double least = INFINITY, most = 0.0;
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_body body = rct_body_default();
        rct_model_body(model, i, &body, NULL);
        least = body.mass > 0.0 ? fmin(least, body.mass) : least;
        most = fmax(most, body.mass);
    }
    return most / least;
}

bool cli_verify_find_rounding(cli_verification *v)
{
    cli_state given;
    double seen = 0.0;
    rct_solver *solver = cli_verify_solver(v, RCT_METHOD_ABI, 0);
    if (!cli_have(solver)) {
        return false;
    }
    const bool good = cli_state_create(&given, solver) && see_draws(v, solver, &given, &seen);
    cli_state_free(&given);
    rct_solver_free(solver);
    v->rounding = safety * (seen + DBL_EPSILON * mass_ratio(v->model));
    return good;
}
