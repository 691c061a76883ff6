/* Model files written and read again, in a file of the test's own: make_model_file and remove_model_file set up and tear down a
 * group. */
#ifndef RCT_TESTS_ROUND_TRIP_H
#define RCT_TESTS_ROUND_TRIP_H

#include <riccatree/model.h>

extern char model_file[]; /* its path */

int make_model_file(void **state);
int remove_model_file(void **state);

/* Writes, reads and compares; returns the number of bytes written. */
long round_trip(const rct_model *model);

#endif
