/* The model from the inside: bodies in the order of adding, and the index of their names. */
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

    /* Systems side by side (ensemble/batch_solver.c): body b, force i and loop l belong to
     * systems b, i and l mod `systems`. 0 in models of users. If each system has its own
     * gravity, that array, which belongs to the batch; else NULL. */
    int32_t systems;
    const double *own_gravity; /* [systems][3]                                                   */

    int32_t count;      /* bodies                                                               */
    rct_bodies *bodies; /* changed only once they are own (rct_bodies_own)                       */
    struct rct_names *names;
    int32_t force_count, force_capacity;
    rct_force *forces; /* owns the tables                                                       */
    int32_t loop_count, loop_capacity;
    rct_loop *loops; /* [loop_count]; names in `loop_names`, or NULL; owns the terms             */
    struct rct_names *loop_names;
    int32_t event_count, event_capacity;
    rct_event *events; /* [event_count]; names in `event_names`, or NULL                         */
    struct rct_names *event_names;
    int32_t shape_count, shape_capacity;
    rct_shape *shapes; /* [shape_count] sorted by body; NULL: no shapes                          */
    rct_base base;     /* its table is `table`                                                  */
    double *table;     /* [base.rows][5], or NULL                                               */
    double *curves;    /* [base.rows][4] second derivatives of the splines through the table    */
};

/* What rct_body_init gives. */
extern const rct_body rct_plain_body;

/* Offer the names of all bodies as candidates for a hint. */
void rct_model_offer_bodies(const rct_model *model, rct_nearest *nearest);

/* Make own room for `more` bodies. Room for one at a time grows by half, so that the largest
 * models fit in memory. */
rct_status rct_model_reserve(rct_model *model, int64_t more, rct_error *error);

/* The name of body `id` in `names`; NULL if it has none. */
static inline const char *rct_model_own_name(const rct_model *model, int64_t id)
{
    return id < model->bodies->named_room ? model->bodies->name[id] : NULL;
}

/* As rct_fail_body; the text follows `body 3 "NAME"`. */
__attribute__((format(printf, 5, 6))) rct_status rct_model_fail_body(const rct_model *model,
                                                                     int32_t id, rct_error *error,
                                                                     rct_status status,
                                                                     const char *format, ...);

/* Make room for one more than `count` items of `size` bytes in the array whose pointer is at
 * `items`; the room doubles. `what` names the items: "forces". */
rct_status rct_model_room(void *items, int32_t count, int32_t *capacity, int64_t size,
                          const char *what, rct_error *error);

/* Bytes held by the model. */
int64_t rct_model_bytes(const rct_model *model);

/* The text that rct_model_write writes, `size` bytes and a zero; free it by rct_release. NULL on
 * failure. */
char *rct_model_text(const rct_model *model, int64_t *size, rct_error *error);

/* Check a force as rct_model_add_force does for number `index`, and clear the fields its type
 * does not use. */
rct_status rct_force_check(rct_force *force, int32_t index, rct_error *error);

/* Append the loops of `from` and the events about them to a model that has neither. */
rct_status rct_model_copy_loops(rct_model *model, const rct_model *from, rct_error *error);
rct_status rct_model_copy_events(rct_model *model, const rct_model *from, rct_error *error);

/* Copy the shapes of `from` to a model without shapes; its bodies include theirs. */
rct_status rct_model_copy_shapes(rct_model *model, const rct_model *from, rct_error *error);

void rct_model_free_loops(rct_model *model);
void rct_model_free_forces(rct_model *model);
void rct_model_drop_forces(rct_model *model); /* keeps their room */
int64_t rct_model_force_bytes(const rct_model *model);

/* What is wrong with a coordinate of an existing body in a relation, as the end of "its <type>
 * hinge ...", or NULL. */
const char *rct_loop_term_trouble(const rct_model *model, const rct_loop_term *term);

/* The same for a force at a hinge. */
const char *rct_force_coordinate_trouble(const rct_model *model, const rct_force *force);

/* As rct_model_loosen, for an existing body and a checked model. */
rct_status rct_model_loosen_hinge(rct_model *model, int32_t body, int32_t *loop, rct_error *error);

/* Whether the motion of the ground differs from the default in any bit. */
int rct_model_has_base(const rct_model *model);

#endif
