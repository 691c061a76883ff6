/* Models in other units of mass, length and time that differ by powers of two: their numbers are
 * the same except for these powers. */
#ifndef RCT_TESTS_UNITS_H
#define RCT_TESTS_UNITS_H

#include <riccatree/force.h>
#include <riccatree/loop.h>

/* How many of the units there are in a kg, m, s. */
typedef struct test_units {
    double mass, length, time;
} test_units;

test_units test_units_of(const int exponents[3]);

/* The model in the units: bodies, loops, gravity, springs, cables and wrenches, and a ground that moves by no table. Fails the test
 * where it has other forces. Names are left out. */
rct_model *in_units(const rct_model *model, const test_units *units);

/* What numbers of all coordinates or rates [rates], of `order` in time, are multiplied by to be those of the units: 1 for velocities. */
void units_of_rates(const rct_model *model, const test_units *units, int order, double *factor);

#endif
