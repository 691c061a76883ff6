/* The perturbed start of a family. In: the bodies of one system, unperturbed except at ball hinges,
 * and its seed; out: coordinates and rates.
 *
 * Orientations of ball hinges are absolute, so each is drawn by itself. Rates of hinges with
 * axes are relative: drawn by themselves they would add up along a path to angular velocities
 * that grow with its length and tear a long path apart. So the draw for a turn is the angular
 * velocity that the body gains about the axis; the rate is the draw less the part of the parent.
 * A body comes after its parent, which may have a larger id. */
#include "model/perturb.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "model/body_check.h"
#include "model/families/families.h"
#include "model/hinge_types.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* Body `id` of its system draws from a stream of its own. */
static void draw(rct_body *body, const rct_family *family, int32_t id)
{
    rct_draw stream = rct_draw_start(family->seed, 2 * (uint64_t)id);
    rct_perturb(body, family->perturb, &stream);
}

void rct_layout_perturb_ball(const rct_layout *layout, rct_body *body, int32_t id)
{
    if (body->hinge == RCT_HINGE_BALL && layout->family->perturb > 0.0) {
        draw(body, layout->family, id);
    }
}

/* Components of w in axes turned by `angle` about `axis`. */
static void turn_axes(double w[3], const double axis[3], double angle)
{
    const double c = cos(angle), s = sin(angle), along = (1.0 - c) * rct_dot(axis, w);
    double across[3];
    rct_cross(axis, w, across);
    for (int i = 0; i < 3; i++) {
        w[i] = c * w[i] - s * across[i] + along * axis[i];
    }
}

/* Perturb a body on a hinge with axes. `spin` is in: the perturbation of the angular velocity
 * (rad/s) of the parent, in axes of the parent; out: that of the body, in its own axes. */
static void perturb_relative(rct_body *body, const rct_family *family, int32_t id, double spin[3])
{
    const rct_body plain = *body;
    double frame[3][3], w[3];
    rct_rotation(body->hinge_orientation, frame);
    rct_rotate_back(frame, spin, w);
    draw(body, family, id);
    for (int k = 0; k < rct_hinge_uses(body->hinge, RCT_KEY_RATE); k++) {
        double axis[3];
        rct_hinge_direction(axis, body->hinge, k, body->hinge_axis, body->hinge_axis2);
        if (rct_hinge_turns(body->hinge, k)) {
            body->rate[k] -= rct_dot(axis, w);
            for (int i = 0; i < 3; i++) {
                w[i] += (body->rate[k] - plain.rate[k]) * axis[i];
            }
            turn_axes(w, axis, body->position[k]);
        }
    }
    memcpy(spin, w, sizeof w);
}

/* The bodies on the way from `body` to the ground that have no spin yet, outermost first. */
static int32_t climb(const int32_t *parents, int32_t first, int32_t body, const double *spin,
                     int32_t *path)
{
    int32_t length = 0;
    while (body >= 0 && isnan(spin[3 * (int64_t)body])) {
        path[length++] = body;
        body = parents[body] == RCT_GROUND ? -1 : parents[body] - first;
    }
    return length;
}

static void perturb_all(rct_layout *layout, int32_t first, double *spin, int32_t *path)
{
    rct_bodies *bodies = layout->model->bodies; /* no other owner yet */
    const int32_t *parents = bodies->parent + first;
    for (int64_t i = 0; i < layout->count; i++) {
        spin[3 * i] = NAN;
    }
    for (int32_t i = 0; i < layout->count && layout->status == RCT_OK; i++) {
        for (int32_t k = climb(parents, first, i, spin, path) - 1;
             k >= 0 && layout->status == RCT_OK; k--) {
            const int32_t b = path[k], parent = parents[b];
            rct_body body = rct_bodies_get(bodies, first + b);
            double *own = spin + 3 * (int64_t)b;
            memset(own, 0, 3 * sizeof *own);
            if (parent != RCT_GROUND) {
                memcpy(own, spin + 3 * (int64_t)(parent - first), 3 * sizeof *own);
            }
            perturb_relative(&body, layout->family, b, own);
            layout->status = rct_bodies_put(bodies, first + b, &body, layout->error);
        }
        if (layout->status == RCT_OK) {
            rct_body checked = rct_bodies_get(bodies, first + i);
            layout->status = rct_body_check(&checked, first + i, "", layout->error);
        }
    }
}

static int has_axes(const rct_bodies *bodies, int32_t first, int32_t count)
{
    int any = 0;
    for (int32_t i = 0; i < count; i++) {
        any = any || rct_hinge_uses(rct_bodies_at(bodies, first + i)->hinge, RCT_KEY_AXIS) > 0;
    }
    return any;
}

void rct_layout_perturb_relative(rct_layout *layout)
{
    const int32_t first = (int32_t)layout->system * layout->count;
    if (layout->status != RCT_OK || layout->family->perturb == 0.0 ||
        !has_axes(layout->model->bodies, first, layout->count)) {
        return;
    }
    double *spin = rct_allocate(layout->count, 3 * (int64_t)sizeof *spin, "a model", layout->error);
    int32_t *path = rct_allocate(layout->count, sizeof *path, "a model", layout->error);
    if (spin != NULL && path != NULL) {
        perturb_all(layout, first, spin, path);
    } else {
        layout->status = RCT_ERROR_MEMORY;
    }
    rct_release(spin);
    rct_release(path);
}
