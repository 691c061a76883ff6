/* The bodies of a model file. */
#ifndef RCT_MODEL_JSON_ENTRIES_H
#define RCT_MODEL_JSON_ENTRIES_H

#include "model/json/values.h"

/* Add every body of the array `bodies`, member "bodies" of the root, to the reader's model. */
rct_status rct_json_entries(rct_json_reader *reader, const json_t *bodies);

/* Put the line of body `id` into the reader's error. */
void rct_json_locate_body(rct_json_reader *reader, const json_t *bodies, int32_t id);

#endif
