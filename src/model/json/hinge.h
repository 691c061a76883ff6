/* The hinge of a body in a model file, and the state it starts with. */
#ifndef RCT_MODEL_JSON_HINGE_H
#define RCT_MODEL_JSON_HINGE_H

#include "model/json/values.h"

/* Read member "hinge" of the body `object`, at the reader's path. */
rct_status rct_json_hinge(rct_json_reader *reader, const json_t *object, rct_body *body);

/* Read member "initial", of which the keys depend on the type of `body->hinge`. */
rct_status rct_json_initial(rct_json_reader *reader, const json_t *object, rct_body *body);

#endif
