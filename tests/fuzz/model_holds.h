/* Requirements of a model that a reader has accepted. */
#ifndef RCT_TESTS_MODEL_HOLDS_H
#define RCT_TESTS_MODEL_HOLDS_H

#include <riccatree/model.h>

/* The model passes its check. Written as JSON it is read back with the same bits. Its solver is
 * made or refused with a message, and steps to finite numbers or says why not. */
void model_holds(const rct_model *model);

/* Whether a text may ask for so many bodies that reading it tests only memory: "repeat" and six
 * digits or an exponent. */
int model_is_huge(const char *text, int64_t size);

#endif
