/* Comparing what a file was made from with what is asked for, in words. */
#ifndef RCT_RECORD_DIFFERENCE_H
#define RCT_RECORD_DIFFERENCE_H

#include "model/model.h"
#include "record/file/call.h"

#include <riccatree/solver.h>

/* RCT_ERROR_ARGUMENT with the first line that differs, unless the texts of facts are equal: "is
 * of another `what`". */
void rct_check_text(rct_call *call, const char *what, const char *saved, const char *own);

/* The same for lines "NAME VALUE": the error names the fact that differs, both values, and
 * `advice`. */
void rct_check_facts(rct_call *call, const char *saved, const char *own, const char *advice);

/* RCT_ERROR_UNSUPPORTED, naming both builds, if `build` is not this one. */
void rct_check_same_build(rct_call *call, const char *build);

/* ---- model_difference.c ---- */

/* The model in JSON with a zero behind it, as a step; free by rct_release. */
char *rct_call_model(rct_call *call, const rct_model *model);

/* RCT_ERROR_ARGUMENT with the first number or name that differs, and `advice`, unless the text
 * of the model in the file is that of `own`: "is of another model: bodies.tip.mass is 1.0 in the
 * file, 2.0 now; ADVICE". Paths are those of variations. */
void rct_check_model(rct_call *call, const char *saved, const rct_model *own, const char *advice);

/* RCT_ERROR_ARGUMENT with the difference, unless the solver was made from such a model. */
void rct_check_origin(rct_call *call, const rct_model *model, const rct_solver *solver);

#endif
