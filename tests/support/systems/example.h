/* Models of examples/. Programs that use this file define RCT_EXAMPLES, the folder. */
#ifndef RCT_TESTS_EXAMPLE_H
#define RCT_TESTS_EXAMPLE_H

#include <riccatree/model.h>

/* The model of examples/NAME.json; fails the test if it cannot be read. */
rct_model *example(const char *name);

#endif
