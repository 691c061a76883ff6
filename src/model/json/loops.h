/* The loops of a model file. */
#ifndef RCT_MODEL_JSON_LOOPS_H
#define RCT_MODEL_JSON_LOOPS_H

#include "model/json/values.h"

/* Read member "loops" of the root into the reader's model, which has its bodies. */
rct_status rct_json_loops(rct_json_reader *reader, const json_t *root);

#endif
