/* The model from the inside: bodies in the order they were added, and the index of their names. */
#ifndef RCT_MODEL_MODEL_H
#define RCT_MODEL_MODEL_H

#include "core/nearest.h"
#include "model/bodies.h"

#include <riccatree/event.h>
#include <riccatree/force.h>
#include <riccatree/loop.h>
#include <riccatree/model.h>
#include <riccatree/shape.h>

struct rct_names; /* model/names.h */

struct rct_model {
    char name[RCT_NAME_SIZE];
    double gravity[3]; /* m/s^2, inertial axes                                                   */

    /* Systems side by side (ensemble/batch_solver.c): body b, force i and loop l are of numbers b, i and l mod `systems`; 0 in
     * models of users. Where each has a gravity of its own, that array, which the batch keeps; else NULL. */
    int32_t systems;
    const double *own_gravity; /* [systems][3]                                                   */

    int32_t count;      /* bodies                                                               */
    rct_bodies *bodies; /* to be changed once they are own (rct_bodies_own)                      */
    struct rct_names *names;
    int32_t force_count, force_capacity;
    rct_force *forces; /* tables owned                                                          */
    int32_t loop_count, loop_capacity;
    rct_loop *loops; /* [loop_count]; names in `loop_names`, or NULL; terms owned                */
    struct rct_names *loop_names;
    int32_t event_count, event_capacity;
    rct_event *events; /* [event_count]; names in `event_names`, or NULL                         */
    struct rct_names *event_names;
    int32_t shape_count, shape_capacity;
    rct_shape *shapes; /* [shape_count] by their bodies; NULL: none has any                      */
    rct_base base;     /* its table is `table`                                                  */
    double *table;     /* [base.rows][5], or NULL                                               */
    double *curves;    /* [base.rows][4] second derivatives of the splines through the table    */
};

/* What rct_body_init gives. */
extern const rct_body rct_plain_body;

/* The names of all bodies, for a hint of which one was meant. */
void rct_model_offer_bodies(const rct_model *model, rct_nearest *nearest);

/* Own room for `more` bodies. Asked for one at a time it grows by half, which keeps the largest models
 * within memory. */
rct_status rct_model_reserve(rct_model *model, int64_t more, rct_error *error);

/* The name of body `id` in `names`; NULL: it has none. */
static inline const char *rct_model_own_name(const rct_model *model, int64_t id)
{
    return id < model->bodies->named_room ? model->bodies->name[id] : NULL;
}

/* As rct_fail_body; the text goes on from `body 3 "NAME"`. */
__attribute__((format(printf, 5, 6))) rct_status rct_model_fail_body(const rct_model *model,
                                                                     int32_t id, rct_error *error,
                                                                     rct_status status,
                                                                     const char *format, ...);

/* Room for one more than `count` items of `size` bytes in the array whose pointer is at `items`; asked for one at a time it
 * doubles. `what` they are: "forces". */
rct_status rct_model_room(void *items, int32_t count, int32_t *capacity, int64_t size,
                          const char *what, rct_error *error);

/* Bytes held by the model. */
int64_t rct_model_bytes(const rct_model *model);

/* What rct_model_write writes, `size` bytes and a zero, to be freed by rct_release. NULL on failure. */
char *rct_model_text(const rct_model *model, int64_t *size, rct_error *error);

/* Check a force as rct_model_add_force does as number `index`, and clear what its type has no use for. */
rct_status rct_force_check(rct_force *force, int32_t index, rct_error *error);

/* Append the loops of `from`, and the events that are about them, to a model that has neither. */
rct_status rct_model_copy_loops(rct_model *model, const rct_model *from, rct_error *error);
rct_status rct_model_copy_events(rct_model *model, const rct_model *from, rct_error *error);

/* The shapes of `from`, of bodies that a model without shapes has as well. */
rct_status rct_model_copy_shapes(rct_model *model, const rct_model *from, rct_error *error);

void rct_model_free_loops(rct_model *model);
void rct_model_free_forces(rct_model *model);
void rct_model_drop_forces(rct_model *model); /* their room stays */
int64_t rct_model_force_bytes(const rct_model *model);

/* What is wrong with a coordinate of a body that exists in a relation, as the end of "its <type> hinge ...", or NULL. */
const char *rct_loop_term_trouble(const rct_model *model, const rct_loop_term *term);

/* The same of a force at a hinge. */
const char *rct_force_coordinate_trouble(const rct_model *model, const rct_force *force);

/* As rct_model_loosen, of a body that is there and a model that is checked. */
rct_status rct_model_loosen_hinge(rct_model *model, int32_t body, int32_t *loop, rct_error *error);

/* Whether the motion of the ground is another than the default, bit for bit. */
int rct_model_has_base(const rct_model *model);

#endif
