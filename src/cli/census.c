/* What a model is made of, counted and weighed. */
#include "cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool any(const double v[3])
{
    return v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0;
}

static double squared(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* m^2: of a root the hinge point is where the tree stands, not how large it is. */
static double reach_squared(const rct_body *body)
{
    const double *inertia = body->inertia;
    const double spread = 0.5 * (inertia[0] + inertia[1] + inertia[2]) / body->mass;
    return spread + squared(body->com) +
           (body->parent == RCT_GROUND ? 0.0 : squared(body->hinge_at));
}

static void count_body(cli_census *census, const rct_body *body)
{
    for (int k = 0; k < 3; k++) {
        const double stretch =
            body->hinge == RCT_HINGE_BALL ? acos(-1.0) : body->position[k] - body->rest[k];
        census->holds += body->stiffness[k] * stretch * stretch;
    }
    census->hinges[body->hinge]++;
    census->hinge_springs += any(body->stiffness);
    census->hinge_dampers += any(body->damping);
    census->hinge_forces += any(body->applied);
    census->hinge_rotors += any(body->armature);
}

static void count_force(cli_census *census, const rct_force *force)
{
    census->wrenches += force->type == RCT_FORCE_WRENCH;
    census->springs += force->type == RCT_FORCE_SPRING;
    census->dampers += force->damping != 0.0;
    census->holds +=
        force->type == RCT_FORCE_SPRING ? force->stiffness * force->length * force->length : 0.0;
}

static void name_changers(cli_census *census)
{
    const struct {
        bool there;
        const char *name;
    } changers[] = {
        {census->hinge_dampers + census->dampers > 0, "dampers"},
        {census->hinge_forces > 0, "forces applied at hinges"},
        {census->wrenches > 0, "wrenches"},
        {census->driven > 0, "prescribed motion"},
        {census->moves, "a ground that moves"},
        {census->impacts > 0, "impacts"},
    };
    for (size_t i = 0; i < sizeof changers / sizeof changers[0]; i++) {
        const size_t used = strlen(census->changers);
        if (changers[i].there) {
            snprintf(census->changers + used, sizeof census->changers - used, "%s%s",
                     used > 0 ? ", " : "", changers[i].name);
        }
    }
}

cli_census cli_take_census(const rct_model *model)
{
    cli_census census = {.moves = false};
    rct_base base;
    rct_body body = rct_body_default();
    double gravity[3], size = 0.0, moments = 0.0;
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_model_body(model, i, &body, NULL);
        count_body(&census, &body);
        census.mass += body.mass;
        size += cli_length(body.hinge_at) + cli_length(body.com);
        moments += body.mass * reach_squared(&body);
    }
    rct_model_gravity(model, gravity);
    census.gravity = cli_length(gravity);
    census.length = sqrt(moments / census.mass);
    census.holds += census.mass * census.gravity * size;
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        rct_force force = rct_force_default();
        rct_model_force(model, i, &force, NULL);
        count_force(&census, &force);
    }
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        rct_loop loop = rct_loop_default();
        rct_model_loop(model, i, &loop, NULL);
        census.driven += loop.rate != 0.0 || loop.acceleration != 0.0;
    }
    for (int32_t i = 0; i < rct_model_event_count(model); i++) {
        rct_event event = rct_event_default();
        rct_model_event(model, i, &event, NULL);
        census.impacts += event.state != RCT_LOOP_RELEASED;
    }
    rct_model_base(model, &base);
    census.rows = base.rows;
    census.moves = base.rows > 0 || any(base.velocity) || any(base.acceleration) ||
                   base.rate != 0.0 || base.angular_acceleration != 0.0;
    name_changers(&census);
    return census;
}

/* In a table only what there is. */
static void few(const char *key, const char *label, int64_t count)
{
    cli_json_count(key, count);
    if (count > 0) {
        cli_print("  %-18s%" PRId64 "\n", label, count);
    }
}

void cli_print_census(const cli_census *census)
{
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
    cli_json_count("wrenches", census->wrenches);
    cli_json_count("springs", census->springs);
    cli_line("forces", "%s, %s", cli_counted(census->wrenches, "wrench", first),
             cli_counted(census->springs, "spring", second));
    cli_json_bool("ground_moves", census->moves);
    cli_json_count("ground_rows", census->rows);
    if (census->rows > 0) {
        cli_line("ground", "moves by a table of %s", cli_counted(census->rows, "row", first));
    } else {
        cli_line("ground", census->moves ? "moves, accelerations constant" : "at rest");
    }
    cli_json_bool("conservative", conserved);
    cli_line("energy", "%s%s", conserved ? "conserved" : "not conserved: ", census->changers);
}
