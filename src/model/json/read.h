/* The parts of a model file, each read into the reader's model or into what is added to it. */
#ifndef RCT_MODEL_JSON_READ_H
#define RCT_MODEL_JSON_READ_H

#include "model/json/values.h"

/* entries.c: add every body of the array `bodies`, member "bodies" of the root; put the line of body `id` into the error. */
void rct_json_entries(rct_json_reader *reader, const json_t *bodies);
void rct_json_locate_body(rct_json_reader *reader, const json_t *bodies, int32_t id);

/* body.c: the body at the reader's path. `body->name` and `parent` live as long as the JSON value; `body->parent` is left to
 * the caller, who knows the other bodies. */
void rct_json_body(rct_json_reader *reader, const json_t *value, rct_body *body,
                   const char **parent);

/* hinge.c: members "hinge" and "initial" of the body `object`; keys of the latter depend on the type of `body->hinge`. */
void rct_json_hinge(rct_json_reader *reader, const json_t *object, rct_body *body);
void rct_json_initial(rct_json_reader *reader, const json_t *object, rct_body *body);

/* forces.c, loops.c, base.c: members of the root, whose bodies are in the model. */
void rct_json_forces(rct_json_reader *reader, const json_t *root);
void rct_json_loops(rct_json_reader *reader, const json_t *root);
void rct_json_base(rct_json_reader *reader, const json_t *root);

#endif
