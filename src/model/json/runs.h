/* Runs of like bodies, which a model file holds as one `repeat`. */
#ifndef RCT_MODEL_JSON_RUNS_H
#define RCT_MODEL_JSON_RUNS_H

#include "model/model.h"

typedef struct rct_json_run {
    int32_t first;
    int32_t count;            /* bodies; 1: not repeated                                  */
    int previous;             /* each hangs on the body before it, else all on one parent */
    char name[RCT_NAME_SIZE]; /* NAME of bodies NAME.1, NAME.2, ..., or "": unnamed        */
} rct_json_run;

/* The longest run that starts with body `first`. For a single body, `name` is its own. */
rct_json_run rct_json_run_at(const rct_model *model, int32_t first);

#endif
