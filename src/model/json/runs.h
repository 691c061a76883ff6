/* Runs of like bodies. A model file writes a run as one `repeat`. */
#ifndef RCT_MODEL_JSON_RUNS_H
#define RCT_MODEL_JSON_RUNS_H

#include "model/model.h"

typedef struct rct_json_run {
    int32_t first;
    int32_t count;            /* bodies; 1: not repeated                                  */
    int previous;             /* each hangs on the body before it, otherwise all on one parent */
    char name[RCT_NAME_SIZE]; /* NAME of bodies NAME.1, NAME.2, ..., or "": unnamed        */
} rct_json_run;

/* The longest run that starts at body `first`. For a single body, `name` is its own. */
rct_json_run rct_json_run_at(const rct_model *model, int32_t first);

#endif
