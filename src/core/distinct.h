/* Records of one size, many of them equal: each distinct record is kept once, and has a number. */
#ifndef RCT_CORE_DISTINCT_H
#define RCT_CORE_DISTINCT_H

#include <riccatree/status.h>

/* All zero except `size` before the first record. */
typedef struct rct_distinct {
    int32_t size; /* bytes of a record, padding included */
    int32_t count;
    int32_t room;
    void *records; /* [room] */
} rct_distinct;

/* Find the number of the record equal to `record`, bit for bit, among those added last, or add it.
 * Records repeat within a few records or not at all, so only the last are compared. `item` is the
 * number of its item, of `items` expected. RCT_ERROR_MEMORY: nothing changes. */
rct_status rct_distinct_put(rct_distinct *distinct, const void *record, int32_t item, int32_t items,
                            int32_t *number, const char *what, rct_error *error);

/* Copy to a set without records. RCT_ERROR_MEMORY. */
rct_status rct_distinct_copy(rct_distinct *distinct, const rct_distinct *from, const char *what,
                             rct_error *error);

void rct_distinct_free(rct_distinct *distinct);
int64_t rct_distinct_bytes(const rct_distinct *distinct);

#endif
