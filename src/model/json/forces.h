/* What acts on the bodies of a model file: forces, and the motion of the ground. */
#ifndef RCT_MODEL_JSON_FORCES_H
#define RCT_MODEL_JSON_FORCES_H

#include "model/json/values.h"

/* Read member "forces" of the root into the reader's model, which has its bodies. */
rct_status rct_json_forces(rct_json_reader *reader, const json_t *root);

/* Read member "base" of the root into the reader's model. */
rct_status rct_json_base(rct_json_reader *reader, const json_t *root);

#endif
