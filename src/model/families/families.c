/* Benchmark families: their table, what they share (the rod, hinge types), and
 * rct_model_generate, which makes a model from a name and a number of bodies. */
#include "model/families/families.h"

#include "core/error.h"
#include "core/sized.h"
#include "model/hinge_types.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rod_radius = 0.05; /* m */

static const double helical_pitch = 0.1; /* m/rad */

enum {
    ALL_HINGES = (1 << RCT_HINGE_TYPES) - 1,
    BALL = 1 << RCT_HINGE_BALL,
    REVOLUTE = 1 << RCT_HINGE_REVOLUTE,
};

static const struct {
    const char *name;
    int64_t smallest, step; /* bodies: smallest, smallest + step, ... */
    int hinges;             /* 1 << type for every hinge type the family accepts */
    void (*add_bodies)(rct_layout *layout);
} families[] = {
    {"chain", 1, 1, ALL_HINGES, rct_layout_chain},
    {"branch", 7, 1, ALL_HINGES, rct_layout_branch},
    {"fork", 5, 1, ALL_HINGES, rct_layout_fork},
    {"comb", 2, 1, ALL_HINGES, rct_layout_comb},
    {"binary", 1, 1, ALL_HINGES, rct_layout_binary},
    {"random", 1, 1, ALL_HINGES, rct_layout_random},
    {"star", 2, 1, ALL_HINGES, rct_layout_star},
    {"fourbars", 3, 2, BALL | REVOLUTE,
     rct_layout_fourbars}, /* ball is the default and needs no bit */
    {"ladder", 3, 3, BALL | REVOLUTE, rct_layout_ladder},
    {"necklace", 3, 1, BALL, rct_layout_necklace},
    {"hub", 3, 2, BALL | REVOLUTE, rct_layout_hub},
    {"rod", 1, 1, BALL, rct_layout_elastic},
};

enum { FAMILIES = sizeof families / sizeof families[0] };

static const char *const names[FAMILIES + 1] = {
    "chain",    "branch", "fork",     "comb", "binary", "random", "star",
    "fourbars", "ladder", "necklace", "hub",  "rod",    NULL};

const char *const *rct_family_names(void)
{
    return names;
}

void rct_family_init(rct_out out)
{
    const rct_family own = {
        .family = "chain", .bodies = 100, .hinge = RCT_HINGE_BALL, .seed = 1, .systems = 1};
    rct_give(out, &own, rct_whole(sizeof own));
}

/* Moments of a cylinder of mass m, length L and radius r about its centre: m r^2 / 2 about its
 * axis, m (3 r^2 + L^2) / 12 across. */
rct_body rct_layout_cylinder(double mass, double length, int axis)
{
    const double square = rod_radius * rod_radius;
    rct_body body = rct_plain_body;
    body.mass = mass;
    for (int i = 0; i < 3; i++) {
        body.inertia[i] = mass * (3.0 * square + length * length) / 12.0;
    }
    body.inertia[axis] = mass * square / 2.0;
    return body;
}

rct_body rct_layout_rod(int32_t parent, double x, double y, double z)
{
    rct_body body = rct_layout_cylinder(1.0, 1.0, 2);
    body.com[2] = -0.5;
    body.parent = parent;
    body.hinge_at[0] = x;
    body.hinge_at[1] = y;
    body.hinge_at[2] = z;
    return body;
}

/* Hinges with axes: y and x alternate. The start of the layout becomes a start of the hinge: the
 * orientation of a body on the ground becomes that of its hinge frame, angular velocities of
 * `random` become rates. */
static void make_relative(rct_body *body, const rct_family *family, int32_t id)
{
    const rct_body *plain = &rct_plain_body;
    const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    const int odd = id % 2 != 0;
    body->hinge = family->hinge;
    memcpy(body->hinge_axis, odd ? x : y, sizeof x);
    if (rct_hinge_uses(body->hinge, RCT_KEY_AXIS2) > 0) {
        memcpy(body->hinge_axis2, odd ? y : x, sizeof x);
    }
    body->hinge_pitch = rct_hinge_uses(body->hinge, RCT_KEY_PITCH) > 0 ? helical_pitch : 0.0;
    memcpy(body->rate, body->angular_velocity,
           (size_t)rct_hinge_freedoms(body->hinge) * sizeof *body->rate);
    if (body->parent == RCT_GROUND) {
        memcpy(body->hinge_orientation, body->orientation, sizeof body->hinge_orientation);
    }
    memcpy(body->orientation, plain->orientation, sizeof body->orientation);
    memcpy(body->angular_velocity, plain->angular_velocity, sizeof body->angular_velocity);
}

/* Add a body with its name and its parent in the model. */
static void add_named(rct_layout *layout, rct_body body)
{
    const int32_t first = (int32_t)layout->system * layout->count;
    char name[RCT_NAME_SIZE];
    if (body.name != NULL && layout->family->systems > 1) {
        snprintf(name, sizeof name, "system%" PRId64 ".%s", layout->system, body.name);
        body.name = name;
    }
    body.parent += body.parent != RCT_GROUND ? first : 0;
    RCT_THEN(layout->status, rct_model_add_body(layout->model, &body, NULL, layout->error));
}

/* Number of the next body within its system. */
static int32_t next_id(const rct_layout *layout)
{
    return rct_model_body_count(layout->model) - (int32_t)layout->system * layout->count;
}

void rct_layout_add(rct_layout *layout, rct_body body)
{
    const rct_body *plain = &rct_plain_body;
    const rct_hinge_type hinge = layout->family->hinge;
    if (rct_hinge_uses(hinge, RCT_KEY_AXIS) > 0) {
        make_relative(&body, layout->family, next_id(layout));
    } else if (body.parent != RCT_GROUND && hinge == RCT_HINGE_FIXED) {
        body.hinge = RCT_HINGE_FIXED;
        memcpy(body.orientation, plain->orientation, sizeof body.orientation);
        memcpy(body.angular_velocity, plain->angular_velocity, sizeof body.angular_velocity);
    } else {
        memcpy(body.hinge_orientation, plain->hinge_orientation, sizeof body.hinge_orientation);
        rct_layout_perturb_ball(layout, &body, next_id(layout));
    }
    add_named(layout, body);
}

void rct_layout_place(rct_layout *layout, rct_body body)
{
    rct_layout_perturb_ball(layout, &body, next_id(layout));
    add_named(layout, body);
}

void rct_layout_close(rct_layout *layout, rct_loop loop)
{
    const int32_t first = (int32_t)layout->system * layout->count;
    char name[RCT_NAME_SIZE];
    if (loop.name != NULL && layout->family->systems > 1) {
        snprintf(name, sizeof name, "system%" PRId64 ".%s", layout->system, loop.name);
        loop.name = name;
    }
    loop.body += first;
    loop.other += loop.other != RCT_GROUND ? first : 0;
    RCT_THEN(layout->status, rct_model_add_loop(layout->model, &loop, NULL, layout->error));
}

/* The number of the family with this name, or -1 with the error filled. */
static int find_family(const char *name, rct_error *error)
{
    for (int i = 0; name != NULL && i < FAMILIES; i++) {
        if (strcmp(name, families[i].name) == 0) {
            return i;
        }
    }
    char known[128] = "", advice[160], hint[RCT_ERROR_TEXT_SIZE];
    for (int i = 0; i < FAMILIES; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", families[i].name);
    }
    snprintf(advice, sizeof advice, "the families are %s", known);
    rct_fail(error, RCT_ERROR_ARGUMENT, "unknown family \"%.64s\"%s", name != NULL ? name : "",
             rct_did_you_mean(name, names, advice, hint));
    return -1;
}

/* The size of smallest, smallest + step, ... nearest to `bodies`; of two equally near the larger
 * one that a model can hold. */
static int64_t nearest_size(int64_t bodies, int64_t smallest, int64_t step)
{
    const int64_t below = bodies - (bodies - smallest) % step;
    return 2 * (bodies - below) >= step && below + step < INT32_MAX ? below + step : below;
}

static rct_status check_size(const rct_family *family, int kind, rct_error *error)
{
    const int64_t smallest = families[kind].smallest, step = families[kind].step;
    rct_status status = RCT_OK;
    if (family->bodies < smallest) {
        status =
            rct_fail(error, RCT_ERROR_ARGUMENT,
                     "family %s: %" PRId64 " %s too few; the smallest has %" PRId64, family->family,
                     family->bodies, family->bodies == 1 ? "body is" : "bodies are", smallest);
    } else if (family->bodies > INT32_MAX - 1) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT,
                          "family %s: %" PRId64 " bodies are too many; a model holds at most %d",
                          family->family, family->bodies, INT32_MAX - 1);
    } else if ((family->bodies - smallest) % step != 0) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT,
                          "family %s: it cannot have %" PRId64 " bodies; it has %" PRId64
                          ", %" PRId64 ", %" PRId64 " and so on; give %" PRId64 " bodies",
                          family->family, family->bodies, smallest, smallest + step,
                          smallest + 2 * step, nearest_size(family->bodies, smallest, step));
    } else if (family->systems < 0) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT,
                          "family %s: %" PRId64 " systems; give a positive number", family->family,
                          family->systems);
    } else if (family->systems > (INT32_MAX - 1) / family->bodies) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT,
                          "family %s: %" PRId64 " systems of %" PRId64
                          " bodies are too many; a model holds at most %d bodies",
                          family->family, family->systems, family->bodies, INT32_MAX - 1);
    }
    return status;
}

/* Whether a hinge of this type can hang a body on another. */
static int joins_bodies(rct_hinge_type type)
{
    return rct_hinge_uses(type, RCT_KEY_AT) > 0;
}

static rct_status check_hinge(const rct_family *family, int kind, rct_error *error)
{
    rct_status status = RCT_OK;
    int last = RCT_HINGE_TYPES - 1;
    while (!joins_bodies((rct_hinge_type)last)) {
        last--;
    }
    if (rct_hinge_name(family->hinge) == NULL) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT,
                          "family %s: unknown hinge type %d; this version knows 0 (fixed) to %d "
                          "(%s)",
                          family->family, (int)family->hinge, last, rct_hinges[last].name);
    } else if (!joins_bodies(family->hinge)) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT,
                          "family %s: its bodies hang on one another, and free bodies cannot; give "
                          "another hinge type",
                          family->family);
    } else if (!(families[kind].hinges >> family->hinge & 1)) {
        status = rct_fail(
            error, RCT_ERROR_ARGUMENT, "family %s: %s with %s hinges; give %s", family->family,
            families[kind].add_bodies == rct_layout_elastic ? "the rod would not bend"
                                                            : "its loops would not close",
            rct_hinge_name(family->hinge),
            families[kind].hinges & REVOLUTE ? "ball or revolute" : "ball");
    }
    return status;
}

int rct_family_has_rod(const rct_family *f)
{
    return f->length != 0.0 || f->density != 0.0 || f->radius != 0.0 || f->bending[0] != 0.0 ||
           f->bending[1] != 0.0 || f->twist != 0.0 || f->delay != 0.0 || f->pinned != 0;
}

static rct_status check_rod(const rct_family *family, int kind, rct_error *error)
{
    return families[kind].add_bodies == rct_layout_elastic || !rct_family_has_rod(family)
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_ARGUMENT,
                          "family %s: length, density, radius, bending, twist, delay and pinned "
                          "are for the family rod; leave them out",
                          family->family);
}

static rct_status check_family(const rct_family *family, int kind, rct_error *error)
{
    rct_status status = check_size(family, kind, error);
    RCT_THEN(status, check_rod(family, kind, error));
    RCT_THEN(status, check_hinge(family, kind, error));
    if (status == RCT_OK && (!isfinite(family->perturb) || family->perturb < 0.0)) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT,
                          "family %s: perturb is %g; give 0 or a positive number in rad and rad/s",
                          family->family, family->perturb);
    }
    return status;
}

static rct_model *generate(const rct_family *family, rct_error *error)
{
    const int kind = find_family(family->family, error);
    if (kind < 0 || check_family(family, kind, error) != RCT_OK) {
        return NULL;
    }
    rct_model *model = rct_model_create(family->family, error);
    if (model == NULL) {
        return NULL;
    }
    const int64_t systems = family->systems > 1 ? family->systems : 1;
    rct_status status = rct_model_reserve(model, (int32_t)(systems * family->bodies), error);
    for (int64_t k = 0; k < systems && status == RCT_OK; k++) {
        rct_family own = *family;
        own.seed += (uint64_t)k;
        rct_layout layout = {&own, (int32_t)family->bodies, k, model, error, RCT_OK};
        families[kind].add_bodies(&layout);
        rct_layout_perturb_relative(&layout);
        status = layout.status;
    }
    if (status != RCT_OK) {
        rct_model_free(model);
        model = NULL;
    }
    return model;
}

rct_model *rct_model_generate_sized(rct_in family, rct_error *error)
{
    rct_family own = rct_family_default();
    return rct_take(&own, rct_whole(sizeof own), family, "family", error) ? generate(&own, error)
                                                                          : NULL;
}
