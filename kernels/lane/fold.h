/* CRC-32 by products without carry, where the machine has them: what many bytes do to the checksum, 64 others do as well (V. Gopal
 * et al., Fast CRC computation for generic polynomials using PCLMULQDQ instruction, Intel 2009). The polynomial is that of zlib. */
#ifndef RCT_KERNELS_LANE_FOLD_H
#define RCT_KERNELS_LANE_FOLD_H

#include <stdint.h>

enum { RCT_FOLDED = 64 }; /* bytes */

/* `folded`, of checksum 0xffffffff so far, come to the checksum that the first bytes of `count` come to, of checksum `sum` so
 * far. How many these are: all whole RCT_FOLDED of them; 0 where the machine has no such products. */
int64_t rct_fold(uint32_t sum, const void *bytes, int64_t count, unsigned char folded[RCT_FOLDED]);

#endif
