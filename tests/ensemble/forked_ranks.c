/* Ranks that are forked processes (forked_ranks.h). */
#include "tests/ensemble/forked_ranks.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 120 };

typedef struct shared_part {
    pthread_barrier_t barrier;
    int64_t number[RCT_SHARED_COUNT];
    rct_status status[FORKED_MOST];
    rct_error error[FORKED_MOST];
} shared_part;

struct rct_ranks {
    shared_part *shared;
    int32_t own, count;
    int64_t polls, overtaken;
};

void *forked_allocate(int64_t bytes)
{
    void *memory =
        mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void forked_release(void *memory, int64_t bytes)
{
    munmap(memory, (size_t)bytes);
}

static void be_rank(rct_ranks *ranks, forked_body *body, void *context)
{
    alarm(SECONDS);
    const int result = body(ranks, context);
    fflush(stdout);
    _exit(result == 0 ? 0 : 1);
}

int forked_run(int32_t count, forked_body *body, void *context)
{
    pthread_barrierattr_t attributes;
    shared_part *shared = forked_allocate(sizeof *shared);
    pid_t children[FORKED_MOST];
    int bad = 0;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->barrier, &attributes, (unsigned)count);
    pthread_barrierattr_destroy(&attributes);
    fflush(stdout);
    for (int32_t r = 0; r < count; r++) {
        rct_ranks ranks = {.shared = shared, .own = r, .count = count};
        children[r] = fork();
        if (children[r] == 0) {
            be_rank(&ranks, body, context);
        }
    }
    for (int32_t r = 0; r < count; r++) {
        int status = 1;
        bad += waitpid(children[r], &status, 0) != children[r] || !WIFEXITED(status) ||
               WEXITSTATUS(status) != 0;
    }
    forked_release(shared, sizeof *shared);
    return bad;
}

/* ---- the functions of ranks --------------------------------------------------------------- */

int32_t rct_ranks_number(const rct_ranks *ranks)
{
    return ranks->own;
}

int32_t rct_ranks_count(const rct_ranks *ranks)
{
    return ranks->count;
}

rct_status rct_ranks_agree(rct_ranks *ranks, rct_status own, rct_error *error)
{
    shared_part *s = ranks->shared;
    rct_status status = RCT_OK;
    s->status[ranks->own] = own;
    if (own != RCT_OK && error != NULL) {
        s->error[ranks->own] = *error;
    }
    pthread_barrier_wait(&s->barrier);
    for (int32_t r = ranks->count - 1; r >= 0; r--) {
        if (s->status[r] != RCT_OK) {
            status = s->status[r];
            if (error != NULL) {
                *error = s->error[r];
                snprintf(error->text, sizeof error->text, "rank %d: %.480s", (int)r,
                         s->error[r].text);
            }
        }
    }
    pthread_barrier_wait(&s->barrier);
    return status;
}

rct_status rct_ranks_begin(rct_ranks *ranks, rct_error *error)
{
    (void)error;
    pthread_barrier_wait(&ranks->shared->barrier);
    memset(ranks->shared->number, 0, sizeof ranks->shared->number);
    pthread_barrier_wait(&ranks->shared->barrier);
    return RCT_OK;
}

int64_t rct_ranks_add(rct_ranks *ranks, int32_t which, int64_t amount)
{
    return __atomic_fetch_add(&ranks->shared->number[which], amount, __ATOMIC_SEQ_CST);
}

int64_t rct_ranks_read(rct_ranks *ranks, int32_t which)
{
    const int64_t others = which == RCT_SHARED_NEXT ? ranks->overtaken : 0;
    return __atomic_fetch_add(&ranks->shared->number[which], others, __ATOMIC_SEQ_CST);
}

void forked_overtake(rct_ranks *ranks, int64_t amount)
{
    ranks->overtaken = amount;
}

void rct_ranks_poll(rct_ranks *ranks)
{
    ranks->polls++;
}

int64_t forked_polls(const rct_ranks *ranks)
{
    return ranks->polls;
}
