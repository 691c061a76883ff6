/* How the ranks of a job communicate: a table of functions in a plugin (core/plugin.h), so that
 * the library does not need the software of the transport. Failures of that software are
 * RCT_ERROR_DEVICE. */
#ifndef RCT_RANKS_TRANSPORT_H
#define RCT_RANKS_TRANSPORT_H

#include "core/plugin.h"
#include "ranks/ranks.h"

/* The identity of a plugin whose table is an rct_transport. */
#define RCT_TRANSPORT_IDENTITY RCT_PLUGIN_IDENTITY(sizeof(rct_error), sizeof(rct_transport))

typedef struct rct_link rct_link; /* a job, as one of its ranks sees it */

/* Functions marked "all" wait for the other ranks without using processor time. */
typedef struct rct_transport {
    /* All. Join the job, which has `count` processes according to its launcher; `number` gets
     * that of this process. NULL on failure: RCT_ERROR_UNSUPPORTED, RCT_ERROR_MEMORY,
     * RCT_ERROR_DEVICE. */
    rct_link *(*join)(int32_t count, int32_t *number, rct_error *error);
    void (*leave)(rct_link *link); /* all */

    /* All. The least of the numbers of all ranks. */
    rct_status (*least)(rct_link *link, int32_t own, int32_t *least, rct_error *error);
    /* All. Send the bytes of rank `from` to the others. */
    rct_status (*spread)(rct_link *link, int32_t from, void *data, int32_t bytes, rct_error *error);
    /* All. As rct_ranks_gather. */
    rct_status (*gather)(rct_link *link, const void *own, int64_t bytes, void *all,
                         rct_error *error);

    /* Shared numbers, zero after joining; as rct_ranks_add and so on. */
    rct_status (*add)(rct_link *link, int32_t which, int64_t amount, int64_t *before,
                      rct_error *error);
    rct_status (*poll)(rct_link *link, rct_error *error);
} rct_transport;

#endif
