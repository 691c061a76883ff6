/* The parts of a model file, each read into the reader's model or into an item that is added to
 * it. */
#ifndef RCT_MODEL_JSON_READ_H
#define RCT_MODEL_JSON_READ_H

#include "model/json/values.h"

#include <riccatree/loop.h>

/* entries.c: add the bodies of an element of "bodies"; `context` is a reader, which moves to the
 * element (rct_json_apart). Returns 0 on failure. When all elements are read, find the parents
 * that came later; put the line of body `id` into the error. */
int rct_json_take_body(void *context, const rct_json *element);
void rct_json_link(rct_json_reader *reader, const rct_json *bodies);
void rct_json_locate_body(rct_json_reader *reader, const rct_json *bodies, int32_t id);

/* body.c: the body at the reader. `body->name` and `parent` live as long as the value; the
 * caller, who knows the other bodies, sets `body->parent`. */
void rct_json_body(rct_json_reader *reader, const rct_json *value, rct_body *body,
                   const char **parent);

/* shapes.c: member "shapes" of the body `object`, body number `body` of the model. */
void rct_json_shapes(rct_json_reader *reader, const rct_json *object, int32_t body);

/* hinge.c: members "hinge" and "initial" of the body `object`; the keys of "initial" depend on
 * the type of `body->hinge`. */
void rct_json_hinge(rct_json_reader *reader, const rct_json *object, rct_body *body);
void rct_json_initial(rct_json_reader *reader, const rct_json *object, rct_body *body);

/* forces.c, loops.c, base.c, events.c: members of the file; their bodies are in the model.
 * Events come last, because hinges that break become loops of the existing model. */
void rct_json_forces(rct_json_reader *reader);
void rct_json_loops(rct_json_reader *reader);
void rct_json_base(rct_json_reader *reader);
void rct_json_events(rct_json_reader *reader);

/* The coordinate of a number, -1 if it is none; and the error if that coordinate does not suit
 * the hinge of `body`, which "body" of `value` names. */
int32_t rct_json_coordinate(double number);
void rct_json_coordinate_trouble(rct_json_reader *reader, const rct_json *value, double number,
                                 int32_t body, const char *trouble);

#endif
