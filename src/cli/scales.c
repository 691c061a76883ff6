/* Natural scales: masses and lengths of bodies, added up (scales.h). */
#include "scales.h"

#include "cli.h"

#include <math.h>
#include <stdlib.h>

double cli_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* m^2: of a root the hinge point is where the tree stands, not how large it is. */
static double reach_squared(const rct_body *body)
{
    const double *com = body->com, *hinge = body->hinge_at, *inertia = body->inertia;
    const double spread = 0.5 * (inertia[0] + inertia[1] + inertia[2]) / body->mass;
    const double to_mass = com[0] * com[0] + com[1] * com[1] + com[2] * com[2];
    const double to_hinge = hinge[0] * hinge[0] + hinge[1] * hinge[1] + hinge[2] * hinge[2];
    return spread + to_mass + (body->parent == RCT_GROUND ? 0.0 : to_hinge);
}

/* Every link that is followed becomes shorter, so that all bodies together take few steps. */
static int32_t root_of(int32_t *parent, int32_t body)
{
    while (parent[body] != RCT_GROUND && parent[parent[body]] != RCT_GROUND) {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    return parent[body] != RCT_GROUND ? parent[body] : body;
}

static double heaviest_tree(const double *mass, int32_t *parent, double *tree, int32_t count)
{
    double heaviest = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double *sum = &tree[root_of(parent, i)];
        *sum += mass[i];
        heaviest = fmax(heaviest, *sum);
    }
    return heaviest;
}

int cli_take_scales(cli_scales *scales, const rct_model *model)
{
    const int32_t count = rct_model_body_count(model);
    double gravity[3], moments = 0.0;
    double *numbers = cli_numbers(3 * (int64_t)count, "the masses of trees");
    if (numbers == NULL) {
        return CLI_FAILED;
    }
    double *mass = numbers, *tree = numbers + count;
    int32_t *parent = (int32_t *)(numbers + 2 * (int64_t)count);
    *scales = (cli_scales){.mass = 0.0};
    for (int32_t i = 0; i < count; i++) {
        rct_body body = rct_body_default();
        rct_model_body(model, i, &body, NULL);
        parent[i] = body.parent;
        mass[i] = body.mass;
        scales->mass += body.mass;
        moments += body.mass * reach_squared(&body);
    }
    rct_model_gravity(model, gravity);
    scales->tree = heaviest_tree(mass, parent, tree, count);
    scales->gravity = cli_length(gravity);
    scales->length = sqrt(moments / scales->mass);
    free(numbers);
    return CLI_OK;
}
