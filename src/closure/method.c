/* Functions shared by the work of all methods (method.h). */
#include "closure/method.h"

#include "core/memory.h"

#include <string.h>

void *rct_closure_work_create(const rct_closures *closures, int64_t size, const char *what,
                              void (*empty)(void *work), rct_error *error)
{
    rct_closure_work *w = rct_allocate(1, size, what, error);
    if (w != NULL) {
        *w = (rct_closure_work){
            .closures = closures, .size = size, .empty = empty, .pool = {.what = what}};
    }
    return w;
}

void rct_closure_work_empty(void *work)
{
    rct_closure_work *w = work, kept = *w;
    if (w->empty != NULL) {
        w->empty(work);
    }
    rct_sparse_system_free(w->system);
    rct_pool_empty(&kept.pool);
    memset(work, 0, (size_t)kept.size);
    *w = (rct_closure_work){.closures = kept.closures,
                            .size = kept.size,
                            .options = kept.options,
                            .empty = kept.empty,
                            .pool = kept.pool};
}

void rct_closure_work_destroy(void *work)
{
    if (work != NULL) {
        rct_closure_work_empty(work);
        rct_release(work);
    }
}

int64_t rct_closure_work_bytes(const void *work)
{
    const rct_closure_work *w = work;
    const int64_t own = w->size + w->pool.bytes;
    return w->system == NULL ? own : own + rct_sparse_system_bytes(w->system);
}

rct_status rct_closure_work_take(void *work, const rct_closure_problem *problem,
                                 rct_status (*make)(void *work, rct_error *error), rct_error *error)
{
    rct_closure_work *w = work;
    rct_status status = RCT_OK;
    const int known = w->version == problem->rows->version;
    if (!known) {
        rct_closure_work_empty(work);
    }
    w->problem = *problem;
    w->version = problem->rows->version;
    if (!known) {
        status = make(work, error);
    }
    if (status != RCT_OK) {
        rct_closure_work_empty(work);
    }
    return status;
}
