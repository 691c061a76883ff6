/* Unusual trees for tests of the partition (odd_tree.h). */
#include "tests/support/systems/odd_tree.h"

#include "tests/support/draw.h"

#include <math.h>
#include <stdlib.h>

/* The place of the last of 1 + 2 + ... + k bodies before body i, and k: side chains of growing
 * length. */
static int32_t chain_before(int32_t i, int32_t *length)
{
    int32_t first = 0;
    *length = 1;
    while (first + *length <= i) {
        first += *length;
        (*length)++;
    }
    return first;
}

/* Side chains of 0, 1, 2, ... links: a group is a link of the spine and its side chain. */
static int32_t side_parent(int32_t i)
{
    int32_t length;
    const int32_t first = chain_before(i, &length);
    if (i > first) {
        return i - 1;
    }
    return i == 0 ? RCT_GROUND : first - (length - 1);
}

static int32_t root_parent(int32_t i)
{
    int32_t length;
    return i == chain_before(i, &length) ? RCT_GROUND : i - 1;
}

static int32_t parent_of(odd_tree kind, int32_t i)
{
    switch (kind) {
    case ODD_TWIGS:
    case ODD_WELDED: return i % 2 == 1 ? i - 1 : i - 2 >= 0 ? i - 2 : RCT_GROUND;
    case ODD_TWO_TWIGS: /* spine, twig, chain of two */
        return i % 4 == 0 ? (i >= 4 ? i - 4 : RCT_GROUND) : i % 4 == 3 ? i - 1 : i - i % 4;
    case ODD_JUNCTIONS: return i == 0 ? RCT_GROUND : (i - 1) / 3;
    case ODD_SIDES: return side_parent(i);
    case ODD_ROOTS: return root_parent(i);
    case ODD_KINDS: break;
    }
    return RCT_GROUND;
}

static int is_welded(odd_tree kind, int32_t i)
{
    return kind == ODD_WELDED && (i == 0 || i == 2 || (i % 2 == 0 ? i % 6 == 4 : i % 4 == 1));
}

static rct_body draw_body(uint64_t *random, int welded)
{
    rct_body body = rct_body_default();
    body.mass = draw_between(random, 0.3, 3.0);
    draw_numbers(random, body.com, 3, 0.5);
    draw_numbers(random, body.hinge_at, 3, 1.0);
    for (int p = 0; p < 3; p++) {
        double r[3];
        const double m = body.mass / 3.0;
        draw_numbers(random, r, 3, 0.5);
        body.inertia[0] += m * (r[1] * r[1] + r[2] * r[2]);
        body.inertia[1] += m * (r[0] * r[0] + r[2] * r[2]);
        body.inertia[2] += m * (r[0] * r[0] + r[1] * r[1]);
        body.inertia[3] -= m * r[0] * r[1];
        body.inertia[4] -= m * r[0] * r[2];
        body.inertia[5] -= m * r[1] * r[2];
    }
    if (welded) {
        body.hinge = RCT_HINGE_FIXED;
        draw_numbers(random, body.hinge_orientation, 4, 1.0);
    } else {
        draw_numbers(random, body.orientation, 4, 1.0);
        draw_numbers(random, body.angular_velocity, 3, 2.0);
    }
    return body;
}

rct_model *odd_tree_of(const int32_t *parent, const int *welded, int32_t bodies, uint64_t seed)
{
    uint64_t random = seed;
    rct_model *model = rct_model_create("odd", NULL);
    for (int32_t i = 0; i < bodies; i++) {
        rct_body body = draw_body(&random, welded != NULL && welded[i]);
        body.parent = parent[i];
        if (model == NULL || rct_model_add_body(model, &body, NULL, NULL) != RCT_OK) {
            abort();
        }
    }
    return model;
}

rct_model *odd_tree_create(odd_tree kind, int32_t bodies, uint64_t seed)
{
    int32_t *parent = calloc((size_t)bodies, sizeof *parent);
    int *welded = calloc((size_t)bodies, sizeof *welded);
    if (parent == NULL || welded == NULL) {
        abort();
    }
    for (int32_t i = 0; i < bodies; i++) {
        parent[i] = parent_of(kind, i);
        welded[i] = is_welded(kind, i);
    }
    rct_model *model = odd_tree_of(parent, welded, bodies, seed);
    free(welded);
    free(parent);
    return model;
}
