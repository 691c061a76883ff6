/* The ranks of a job. A process alone has plain numbers as shared ones and needs nothing else;
 * otherwise a transport in a plugin joins the ranks. A failure where the caller takes no error
 * is kept until the ranks agree. */
#include "ranks/ranks.h"

#include "core/error.h"
#include "core/memory.h"
#include "ranks/launcher.h"
#include "ranks/transport.h"

#include <inttypes.h>
#include <string.h>

struct rct_ranks {
    int32_t number, count;
    int64_t shared[RCT_SHARED_COUNT]; /* without a link                              */
    const rct_transport *transport;   /* NULL: only this process                     */
    rct_link *link;
    rct_error lost; /* the first failure since ranks last agreed; status RCT_OK: none */
};

static rct_status cannot_join(const rct_ranks *ranks, const char *reason, rct_error *error)
{
    const int told = strchr(reason, ';') != NULL; /* has advice */
    return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                    "this is process %" PRId32 " of %" PRId32
                    " that mpirun started, but MPI cannot join them: %s%s or start one process",
                    ranks->number + 1, ranks->count, reason,
                    told ? "," : "; build with MPI (install libopenmpi-dev)");
}

static rct_status join(rct_ranks *ranks, rct_error *error)
{
    const int32_t identity[] = RCT_TRANSPORT_IDENTITY;
    const char *reason = NULL;
    ranks->transport = rct_plugin_open("mpi", identity, RCT_PLUGIN_GLOBAL, &reason);
    if (ranks->transport == NULL) {
        return ranks->count == 1 ? RCT_OK : cannot_join(ranks, reason, error);
    }
    rct_error failure;
    ranks->link = ranks->transport->join(ranks->count, &ranks->number, &failure);
    if (ranks->link == NULL && error != NULL) {
        *error = failure;
    }
    return ranks->link != NULL ? RCT_OK : failure.status;
}

rct_ranks *rct_ranks_open(rct_error *error)
{
    rct_ranks *ranks = rct_allocate(1, sizeof *ranks, "the ranks of a job", error);
    if (ranks == NULL) {
        return NULL;
    }
    if (!rct_launched(&ranks->number, &ranks->count)) {
        ranks->number = 0;
        ranks->count = 1;
    } else if (join(ranks, error) != RCT_OK) {
        rct_release(ranks);
        return NULL;
    }
    return ranks;
}

void rct_ranks_close(rct_ranks *ranks)
{
    if (ranks != NULL) {
        if (ranks->link != NULL) {
            ranks->transport->leave(ranks->link);
        }
        rct_release(ranks);
    }
}

int32_t rct_ranks_number(const rct_ranks *ranks)
{
    return ranks != NULL ? ranks->number : 0;
}

int32_t rct_ranks_count(const rct_ranks *ranks)
{
    return ranks != NULL ? ranks->count : 0;
}

static void keep(rct_ranks *ranks, rct_status status, const rct_error *failure)
{
    if (status != RCT_OK && ranks->lost.status == RCT_OK) {
        ranks->lost = *failure;
    }
}

/* What this rank reports: its own failure, else a kept one. */
static rct_error said(rct_ranks *ranks, rct_status own, const rct_error *error)
{
    rct_error words = ranks->lost;
    ranks->lost.status = RCT_OK;
    if (own != RCT_OK && error != NULL && error->status == own) {
        words = *error;
    } else if (own != RCT_OK) {
        rct_fail(&words, own, "%s", rct_status_name(own));
    }
    return words;
}

static rct_status tell(const rct_ranks *ranks, int32_t from, const rct_error *words,
                       rct_error *error)
{
    if (error != NULL) {
        *error = *words;
    }
    if (ranks->count > 1) {
        rct_error_prefix(error, "rank %" PRId32 ": ", from);
    }
    return words->status;
}

rct_status rct_ranks_agree(rct_ranks *ranks, rct_status own, rct_error *error)
{
    if (!rct_given(ranks, "ranks", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (ranks->link == NULL) {
        return own;
    }
    rct_error words = said(ranks, own, error);
    const int32_t none = ranks->count;
    int32_t first = none;
    rct_status status = ranks->transport->least(
        ranks->link, words.status == RCT_OK ? none : ranks->number, &first, error);
    if (status == RCT_OK && first < none) {
        status = ranks->transport->spread(ranks->link, first, &words, (int32_t)sizeof words, error);
        RCT_THEN(status, tell(ranks, first, &words, error));
    }
    return status;
}

void rct_ranks_gather(rct_ranks *ranks, const void *own, int64_t bytes, void *all)
{
    if (ranks == NULL || own == NULL || bytes <= 0) {
        return;
    }
    if (ranks->link != NULL) {
        rct_error failure;
        keep(ranks, ranks->transport->gather(ranks->link, own, bytes, all, &failure), &failure);
    } else if (all != NULL) {
        memcpy(all, own, (size_t)bytes);
    }
}

int64_t rct_ranks_add(rct_ranks *ranks, int32_t which, int64_t amount)
{
    int64_t before = ranks->shared[which];
    if (ranks->link == NULL) {
        ranks->shared[which] += amount;
        return before;
    }
    rct_error failure;
    const rct_status status = ranks->transport->add(ranks->link, which, amount, &before, &failure);
    keep(ranks, status, &failure);
    return status == RCT_OK ? before : RCT_SHARED_LOST;
}

int64_t rct_ranks_read(rct_ranks *ranks, int32_t which)
{
    return rct_ranks_add(ranks, which, 0);
}

void rct_ranks_poll(rct_ranks *ranks)
{
    if (ranks->link != NULL) {
        rct_error failure;
        keep(ranks, ranks->transport->poll(ranks->link, &failure), &failure);
    }
}

rct_status rct_ranks_begin(rct_ranks *ranks, rct_error *error)
{
    rct_status status = rct_ranks_agree(ranks, RCT_OK, error); /* all are done with the old ones */
    for (int32_t i = 0; i < RCT_SHARED_COUNT && status == RCT_OK && ranks->number == 0; i++) {
        const int64_t old = rct_ranks_read(ranks, i);
        if (old != 0) {
            rct_ranks_add(ranks, i, -old);
        }
    }
    return status == RCT_OK ? rct_ranks_agree(ranks, RCT_OK, error) : status;
}
