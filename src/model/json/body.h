/* One body of a model file. */
#ifndef RCT_MODEL_JSON_BODY_H
#define RCT_MODEL_JSON_BODY_H

#include "model/json/values.h"

/* Read the body at the reader's path. `body->name` and `parent` live as long as the JSON value;
 * `body->parent` is left to the caller, who knows the other bodies. */
rct_status rct_json_body(rct_json_reader *reader, const json_t *value, rct_body *body,
                         const char **parent);

#endif
