/* Requirements of a model that a reader has accepted. */
#ifndef RCT_TESTS_MODEL_HOLDS_H
#define RCT_TESTS_MODEL_HOLDS_H

#include <riccatree/model.h>

/* It passes its check; written as JSON it is read again with the same bits; a solver of it is made or refused in words, and steps to
 * finite numbers or says why not. */
void model_holds(const rct_model *model);

/* Whether a text may ask for so many bodies that reading it is about memory alone: "repeat" and six digits or an exponent. */
int model_is_huge(const char *text, int64_t size);

#endif
