/* What a model is made of, counted (census.h). */
#include "census.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool any(const double v[3])
{
    return v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void count_body(cli_census *census, const rct_body *body)
{
    for (int k = 0; k < 3; k++) {
        const double stretch = body->position[k] - body->rest[k];
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

cli_census cli_take_census(const rct_model *model)
{
    cli_census census = {.moves = false};
    rct_base base;
    double gravity[3], mass = 0.0, size = 0.0;
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_body body;
        if (rct_model_body(model, i, &body, NULL) == RCT_OK) {
            count_body(&census, &body);
            mass += body.mass;
            size += length(body.hinge_at) + length(body.com);
        }
    }
    rct_model_gravity(model, gravity);
    census.holds += mass * length(gravity) * size;
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        rct_force force;
        if (rct_model_force(model, i, &force, NULL) == RCT_OK) {
            count_force(&census, &force);
        }
    }
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        rct_loop loop;
        if (rct_model_loop(model, i, &loop, NULL) == RCT_OK) {
            census.driven += loop.rate != 0.0 || loop.acceleration != 0.0;
        }
    }
    rct_model_base(model, &base);
    census.rows = base.rows;
    census.moves = base.rows > 0 || any(base.velocity) || any(base.acceleration) ||
                   base.rate != 0.0 || base.angular_acceleration != 0.0;
    return census;
}

const char *cli_energy_changers(const cli_census *census, char text[CLI_REASONS_TEXT])
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
    };
    text[0] = '\0';
    for (size_t i = 0; i < sizeof changers / sizeof changers[0]; i++) {
        const size_t used = strlen(text);
        if (changers[i].there) {
            snprintf(text + used, CLI_REASONS_TEXT - used, "%s%s", used > 0 ? ", " : "",
                     changers[i].name);
        }
    }
    return text;
}

void cli_json_census(cli_output *out, const cli_census *census)
{
    char changers[CLI_REASONS_TEXT];
    cli_json_open(out, "hinges", '{');
    for (int t = 0; t < RCT_HINGE_TYPES; t++) {
        cli_json_count(out, rct_hinge_name((rct_hinge_type)t), census->hinges[t]);
    }
    cli_json_close(out, '}');
    cli_json_count(out, "hinge_springs", census->hinge_springs);
    cli_json_count(out, "hinge_dampers", census->hinge_dampers);
    cli_json_count(out, "hinge_forces", census->hinge_forces);
    cli_json_count(out, "hinge_rotors", census->hinge_rotors);
    cli_json_count(out, "wrenches", census->wrenches);
    cli_json_count(out, "springs", census->springs);
    cli_json_bool(out, "ground_moves", census->moves);
    cli_json_count(out, "ground_rows", census->rows);
    cli_json_bool(out, "conservative", cli_energy_changers(census, changers)[0] == '\0');
}

static void count_line(cli_output *out, const char *name, int64_t count)
{
    if (count > 0) {
        cli_print(out, "  %-18s%" PRId64 "\n", name, count);
    }
}

void cli_print_census(cli_output *out, const cli_census *census)
{
    char changers[CLI_REASONS_TEXT];
    cli_energy_changers(census, changers);
    cli_print(out, "hinges\n");
    for (int t = 0; t < RCT_HINGE_TYPES; t++) {
        count_line(out, rct_hinge_name((rct_hinge_type)t), census->hinges[t]);
    }
    count_line(out, "with springs", census->hinge_springs);
    count_line(out, "with dampers", census->hinge_dampers);
    count_line(out, "with forces", census->hinge_forces);
    count_line(out, "with rotors", census->hinge_rotors);
    cli_print(out, "forces              %" PRId64 " wrench%s, %" PRId64 " spring%s\n",
              census->wrenches, census->wrenches == 1 ? "" : "es", census->springs,
              census->springs == 1 ? "" : "s");
    if (census->rows > 0) {
        cli_print(out, "ground              moves by a table of %" PRId32 " rows\n", census->rows);
    } else {
        cli_print(out, "ground              %s\n",
                  census->moves ? "moves, accelerations constant" : "at rest");
    }
    cli_print(out, "energy              %s%s\n",
              changers[0] == '\0' ? "conserved" : "not conserved: ", changers);
}
