/* Collects numbers `first` to `first` + `count` - 1 of each lane into `fields` [count][lanes], and spreads them to
 * the same numbers of `to`. `count` is 1, 2, 3, 4, 7, 10, 18 or 21. */
#ifndef RCT_TESTS_NUMBERS_LANES_H
#define RCT_TESTS_NUMBERS_LANES_H

typedef void numbers_of_lanes(const double *const *from, int first, int count, double *fields,
                              double *const *to);
numbers_of_lanes numbers_lanes_1, numbers_lanes_2, numbers_lanes_4, numbers_lanes_8;

#endif
