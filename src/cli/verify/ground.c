/* Bodies that fixed hinges weld to the ground. They are part of it, move with it, and are in no
 * energy or momentum of a system. */
#include "verify/verify.h"

#include <stdlib.h>

/* The parent by a fixed hinge, or -2: the hinge moves. */
enum { FREE_END = -2 };

static int32_t welded_to(const rct_model *model, int32_t id)
{
    rct_body body = rct_body_default();
    rct_model_body(model, id, &body, NULL);
    return body.hinge == RCT_HINGE_FIXED ? body.parent : FREE_END;
}

/* Find the end of every body over links that are shortened, so that all bodies together take few
 * steps. */
static void follow(int32_t *up, int32_t count, bool *grounded)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t end = up[i];
        while (end >= 0) {
            end = up[end];
        }
        grounded[i] = end == RCT_GROUND;
        for (int32_t b = i, next = up[b]; next >= 0; b = next, next = up[b]) {
            up[b] = end;
        }
    }
}

bool *cli_verify_ground(const rct_model *model)
{
    const int32_t count = rct_model_body_count(model);
    bool *grounded = calloc((size_t)count, sizeof *grounded);
    int32_t *up = calloc((size_t)count, sizeof *up);
    if (!cli_have_memory(grounded) || !cli_have_memory(up)) {
        free(grounded);
        free(up);
        return NULL;
    }
    for (int32_t i = 0; i < count; i++) {
        up[i] = welded_to(model, i);
    }
    follow(up, count, grounded);
    free(up);
    return grounded;
}

bool cli_verify_is_root(const cli_verification *v, const rct_body *body)
{
    return body->parent == RCT_GROUND || v->grounded[body->parent];
}

static bool touches(const cli_verification *v, int32_t body, int32_t other)
{
    return v->grounded[body] || (other != RCT_GROUND && v->grounded[other]);
}

bool cli_verify_touches_ground(const cli_verification *v)
{
    bool found = false;
    for (int32_t i = 0; i < rct_model_force_count(v->model); i++) {
        rct_force force = rct_force_default();
        rct_model_force(v->model, i, &force, NULL);
        found = found || ((force.type == RCT_FORCE_SPRING || force.type == RCT_FORCE_CABLE) &&
                          touches(v, force.body, force.other));
    }
    for (int32_t i = 0; i < rct_model_loop_count(v->model); i++) {
        rct_loop loop = rct_loop_default();
        rct_model_loop(v->model, i, &loop, NULL);
        found = found || (loop.type != RCT_LOOP_RELATION && touches(v, loop.body, loop.other));
    }
    return found;
}
