/* Constraint embedding (method.h): seed 002. Loops are closed where they are: each one's aggregation subgraph becomes
 * one body of a tree with the independent rates alone (aggregate.h, embed_choice.h), and one sweep of articulated
 * bodies inward and one outward solve the rest (embed_factor.c, embed_solve.c). Small loops cost as much as so many
 * bodies, however many there are. A loop of m rates costs m^3: long loops, and meshes of loops, are dear. */
#include "closure/embedding.h"
#include "core/error.h"
#include "core/memory.h"

#include <inttypes.h>
#include <stddef.h>

static void *create(const rct_closures *closures, rct_error *error)
{
    rct_embedding *e = rct_allocate(1, sizeof *e, "constraint embedding", error);
    if (e != NULL) {
        e->pool.what = "constraint embedding";
        e->closures = closures;
    }
    return e;
}

static void destroy(void *work)
{
    if (work != NULL) {
        rct_embedding_empty(work);
        rct_release(work);
    }
}

static int64_t bytes(const void *work)
{
    const rct_embedding *e = work;
    return (int64_t)sizeof *e + e->pool.bytes;
}

/* Rank, and a dependent row of the first aggregate that has one. */
static void report_rank(const rct_embedding *e, rct_closure_report *report)
{
    report->rank = 0;
    report->dependent = -1;
    for (int32_t k = 0; k < e->aggregation->count; k++) {
        const rct_embed_choice *c = &e->block[k].choice;
        report->rank += c->rank;
        if (report->dependent < 0 && c->rank < c->rows) {
            report->dependent =
                e->aggregation->aggregate[k].row[rct_embed_dependent(c, &e->scratch)];
        }
    }
}

static rct_status factor(void *work, const rct_closure_problem *problem, rct_closure_report *report,
                         rct_error *error)
{
    rct_embedding *e = work;
    rct_status status = RCT_OK;
    if (e->version != problem->rows->version) {
        status = rct_embedding_make(e, problem, error);
    }
    if (status != RCT_OK) {
        return status;
    }
    e->problem = *problem;
    e->sweep->tree = problem->tree;
    const int32_t fault = rct_embedding_factor(e);
    if (fault >= 0) {
        return rct_fail_body(error, RCT_ERROR_SINGULAR, fault,
                             "body %" PRId32
                             ": nothing resists a motion of its hinge, or of the bodies that loops "
                             "tie to it; give what it carries mass and inertia about the hinge",
                             fault);
    }
    report_rank(e, report);
    return RCT_OK;
}

static rct_status solve(void *work, const double *gap, double *lambda, double *change,
                        rct_closure_report *report, rct_error *error)
{
    rct_embedding *e = work;
    (void)error;
    rct_embedding_solve(e, gap, lambda, change);
    if (e->is_long) {
        rct_embedding_polish(e, gap, lambda, change);
    }
    rct_closure_columns_report(&e->columns, &e->problem, gap, change, report);
    return RCT_OK;
}

const rct_closure_method rct_closure_embedding = {.name = "embedding",
                                                  .create = create,
                                                  .destroy = destroy,
                                                  .bytes = bytes,
                                                  .factor = factor,
                                                  .solve = solve};
