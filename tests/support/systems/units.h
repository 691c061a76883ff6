/* Models in other units of mass, length and time that differ by powers of two: their numbers are
 * the same except for these powers. */
#ifndef RCT_TESTS_UNITS_H
#define RCT_TESTS_UNITS_H

#include <riccatree/force.h>
#include <riccatree/loop.h>

/* How many of the new units are in a kg, m, s. */
typedef struct test_units {
    double mass, length, time;
} test_units;

test_units test_units_of(const int exponents[3]);

/* The model in the new units: bodies, loops, gravity, springs, cables and wrenches, and a moving
 * ground without a table. Fails the test if the model has other forces. Names are left out. */
rct_model *in_units(const rct_model *model, const test_units *units);

/* The factors of all coordinates or rates [rates], of `order` in time, for conversion to the new
 * units: order 1 for velocities. */
void units_of_rates(const rct_model *model, const test_units *units, int order, double *factor);

#endif
