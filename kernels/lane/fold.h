/* CRC-32 by products without carry, where the machine has them. Many bytes are folded to 64 bytes
 * with the same effect on the checksum (V. Gopal et al., Fast CRC computation for generic
 * polynomials using PCLMULQDQ instruction, Intel 2009). The polynomial is that of zlib. */
#ifndef RCT_KERNELS_LANE_FOLD_H
#define RCT_KERNELS_LANE_FOLD_H

#include <stdint.h>

enum { RCT_FOLDED = 64 }; /* bytes */

/* Folds the first bytes of `count`, with the checksum `sum` so far, to `folded`: its checksum,
 * begun at 0xffffffff, is that of these bytes. Returns their number: all whole RCT_FOLDED; 0 where
 * the machine has no such products. */
int64_t rct_fold(uint32_t sum, const void *bytes, int64_t count, unsigned char folded[RCT_FOLDED]);

#endif
