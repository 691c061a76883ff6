/* Work on many numbers, given to the threads of an owner. Its result must not depend on the
 * sharing. */
#ifndef RCT_CORE_SHARE_H
#define RCT_CORE_SHARE_H

#include <stddef.h>
#include <stdint.h>

/* Work on the numbers [begin, end). */
typedef void rct_range_work(void *context, int64_t begin, int64_t end);

/* Work on all of [0, count), in ranges of at most `range`. */
typedef void rct_share(const void *owner, int64_t range, int64_t count, rct_range_work *work,
                       void *context);

/* The threads of an owner; share NULL: there are none. */
typedef struct rct_sharing {
    rct_share *share;
    const void *owner;
} rct_sharing;

static inline void rct_share_out(rct_sharing sharing, int64_t range, int64_t count,
                                 rct_range_work *work, void *context)
{
    if (sharing.share != NULL && count > range) {
        sharing.share(sharing.owner, range, count, work, context);
    } else if (count > 0) {
        work(context, 0, count);
    }
}

#endif
