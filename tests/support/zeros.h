/* Arrays of numbers. */
#ifndef RCT_TESTS_ZEROS_H
#define RCT_TESTS_ZEROS_H

#include <stdint.h>

/* `count` zeros, to be freed by free(). */
double *zeros(int64_t count);

#endif
