/* Constraint embedding (method.h): seed 002. Loops are closed where they are: each one's aggregation subgraph becomes
 * one body of a tree with the independent rates alone (aggregate.h, embed_choice.c), and one sweep of articulated
 * bodies inward and one outward solve the rest (embed_factor.c, embed_solve.c). Small loops cost as much as so many
 * bodies, however many there are. A loop of m rates costs m^3: long loops, and meshes of loops, are dear. */
#include "closure/embedding.h"
#include "core/error.h"

#include <inttypes.h>

static void empty(void *work)
{
    const rct_embedding *e = work;
    rct_aggregation_free(e->aggregation);
    rct_operator_free(e->sweep);
}

static void *create(const rct_closures *closures, rct_error *error)
{
    return rct_closure_work_create(closures, sizeof(rct_embedding), "constraint embedding", empty,
                                   error);
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
    const rct_status status = rct_closure_work_take(work, problem, rct_embedding_make, error);
    if (status != RCT_OK) {
        return status;
    }
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
    rct_closure_columns_report(&e->columns, gap, change, report);
    return RCT_OK;
}

const rct_closure_method rct_closure_embedding = {.name = "embedding",
                                                  .create = create,
                                                  .destroy = rct_closure_work_destroy,
                                                  .bytes = rct_closure_work_bytes,
                                                  .factor = factor,
                                                  .solve = solve};
