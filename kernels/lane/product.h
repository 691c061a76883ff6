/* The innermost loop of products of dense matrices: C += s A B of packed slices, eight rows by six
 * columns at a time. Each number is one sum in the order of the slice, for any number of lanes.
 * rct_lane_kernels_list says which one is best on the machine. */
#ifndef RCT_KERNELS_LANE_PRODUCT_H
#define RCT_KERNELS_LANE_PRODUCT_H

#include <stdint.h>

enum { RCT_PRODUCT_ROWS = 8, RCT_PRODUCT_COLUMNS = 6 };

/* sums [6][8] = sum over k < depth of a[k][8] b[k][6] */
typedef void rct_product_kernel(int64_t depth, const double *a, const double *b, double *sums);

#endif
