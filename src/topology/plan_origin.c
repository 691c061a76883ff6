/* Whether a plan was made from a model: compares the model with what the plan has copied. */
#include "model/forces/force_check.h"
#include "model/model.h"
#include "topology/plan.h"

#include <math.h>
#include <string.h>

/* Directions and quaternions are normalized once more when they are copied. */
static const double rounding = 1e-12;

static int same(const double *a, const double *b, int64_t count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static int near(const double *a, const double *b, int count)
{
    int is = 1;
    for (int i = 0; i < count; i++) {
        is = is && fabs(a[i] - b[i]) <= rounding;
    }
    return is;
}

/* Without their names. */
static int same_bodies(const rct_plan *plan, const rct_model *model)
{
    int is = plan->body_count == model->count;
    for (int32_t b = 0; b < model->count && is; b++) {
        is = plan->bodies->parent[b] == model->bodies->parent[b] &&
             rct_bodies_alike(plan->bodies, b, model->bodies, b);
    }
    return is;
}

static int same_force(const rct_force *a, const rct_force *b)
{
    int is = a->type == b->type && a->body == b->body && a->in_body_axes == b->in_body_axes &&
             a->other == b->other && a->coordinate == b->coordinate && a->over == b->over &&
             a->rows == b->rows && same(a->table, b->table, 2 * a->rows);
    for (int i = 0; i < rct_force_keys.count && is; i++) {
        const rct_key *key = &rct_force_keys.key[i];
        is = same(rct_key_of(key, a), rct_key_of(key, b), key->count > 0 ? key->count : 0);
    }
    return is;
}

/* Without the flag whether they hold, which may have changed since. */
static int same_loop(const rct_loop *a, const rct_loop *b)
{
    int is = a->type == b->type && a->body == b->body && a->other == b->other &&
             a->term_count == b->term_count && same(a->at, b->at, 3) &&
             same(a->other_at, b->other_at, 3) && near(a->orientation, b->orientation, 4) &&
             near(a->other_orientation, b->other_orientation, 4) && near(a->axis, b->axis, 3) &&
             near(a->axis2, b->axis2, 3) && same(&a->length, &b->length, 1) &&
             same(&a->offset, &b->offset, 1) && same(&a->rate, &b->rate, 1) &&
             same(&a->acceleration, &b->acceleration, 1) && same(&a->amplitude, &b->amplitude, 1) &&
             same(&a->angular_frequency, &b->angular_frequency, 1) &&
             same(&a->phase, &b->phase, 1) && a->rows == b->rows &&
             same(a->table, b->table, 2 * a->rows) && same(&a->radius, &b->radius, 1) &&
             same(a->cosine, b->cosine, RCT_LOOP_HARMONICS) &&
             same(a->sine, b->sine, RCT_LOOP_HARMONICS);
    for (int32_t k = 0; is && k < a->term_count; k++) {
        is = a->terms[k].body == b->terms[k].body && a->terms[k].freedom == b->terms[k].freedom &&
             same(&a->terms[k].factor, &b->terms[k].factor, 1);
    }
    return is;
}

static int same_event(const rct_event *a, const rct_event *b)
{
    return a->type == b->type && a->way == b->way && a->body == b->body && a->other == b->other &&
           a->coordinate == b->coordinate && a->of == b->of && a->loop == b->loop &&
           a->state == b->state && a->again == b->again && same(&a->value, &b->value, 1) &&
           same(a->at, b->at, 3) && same(a->other_at, b->other_at, 3);
}

static int same_base(const rct_base *a, const rct_base *b)
{
    return same(a->velocity, b->velocity, 3) && same(a->acceleration, b->acceleration, 3) &&
           near(a->axis, b->axis, 3) && same(&a->rate, &b->rate, 1) &&
           same(&a->angular_acceleration, &b->angular_acceleration, 1) && a->rows == b->rows &&
           same(a->table, b->table, 5 * (int64_t)a->rows);
}

static const char *surroundings_differ(const rct_model *own, const rct_model *model)
{
    int forces = own->force_count == model->force_count;
    int loops = own->loop_count == model->loop_count;
    int events = own->event_count == model->event_count;
    for (int32_t i = 0; i < model->force_count && forces; i++) {
        forces = same_force(&own->forces[i], &model->forces[i]);
    }
    for (int32_t i = 0; i < model->loop_count && loops; i++) {
        loops = same_loop(&own->loops[i], &model->loops[i]);
    }
    for (int32_t i = 0; i < model->event_count && events; i++) {
        events = same_event(&own->events[i], &model->events[i]);
    }
    return !forces                                ? "forces"
           : !loops                               ? "loops"
           : !events                              ? "events"
           : !same_base(&own->base, &model->base) ? "motion of the ground"
                                                  : NULL;
}

const char *rct_plan_differs(const rct_plan *plan, const rct_model *model)
{
    if (!same_bodies(plan, model)) {
        return "bodies";
    }
    if (!same(plan->gravity, model->gravity, 3)) {
        return "gravity";
    }
    return surroundings_differ(plan->surroundings, model);
}
