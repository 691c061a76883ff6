/* Small models, and checks of what they refuse. */
#ifndef RCT_TESTS_REFUSAL_H
#define RCT_TESTS_REFUSAL_H

#include <riccatree/model.h>

/* A chain on ball hinges. */
rct_model *two_bodies(void);

/* The error is one of the model, and its text contains these words. */
void expect_words(const rct_error *error, const char *says);

/* A call that returned `status` refused an argument with these words. Clears the error. */
void expect_refusal(rct_status status, rct_error *error, const char *says);

#endif
