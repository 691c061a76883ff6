/* Where two models differ, in words. */
#ifndef RCT_RECORD_MODEL_DIFFERENCE_H
#define RCT_RECORD_MODEL_DIFFERENCE_H

#include "model/model.h"
#include "record/file/call.h"

#include <riccatree/solver.h>

/* The model in JSON, a zero behind it, as a step; rct_release. */
char *rct_call_model(rct_call *call, const rct_model *model);

/* RCT_ERROR_ARGUMENT with the first number or name that differs, and `advice`, unless the text of the model in the file is
 * that of `own`: "is of another model: bodies.tip.mass is 1.0 in the file, 2.0 now; ADVICE". Paths are those of variations. */
void rct_check_model(rct_call *call, const char *saved, const rct_model *own, const char *advice);

/* RCT_ERROR_ARGUMENT, saying what differs, unless the solver was made from such a model. */
void rct_check_origin(rct_call *call, const rct_model *model, const rct_solver *solver);

#endif
