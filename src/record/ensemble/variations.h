/* The group /variations of an ensemble's file: a row a variation, nothing where there is none. */
#ifndef RCT_RECORD_ENSEMBLE_VARIATIONS_H
#define RCT_RECORD_ENSEMBLE_VARIATIONS_H

#include "record/file/h5.h"

#include <riccatree/ensemble.h>

void rct_variations_put(rct_call *call, hid_t file, int32_t count, const rct_variation *variations);
int64_t rct_variations_bytes(int32_t count, const rct_variation *variations);

/* So many, the texts of their paths behind them; rct_release. */
rct_variation *rct_variations_get(rct_call *call, hid_t file, int32_t count);

#endif
