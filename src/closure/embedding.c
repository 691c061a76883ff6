/* Constraint embedding (method.h): seed 002. Loops are closed in place: the aggregation subgraph of
 * each becomes one body of a tree with its independent rates only (aggregate.h, embed_choice.c);
 * one sweep of articulated bodies inward and one outward solve the rest (embed_factor.c,
 * embed_solve.c). Small loops cost as much as so many bodies, however many loops there are. The
 * cost of a large one is about that of its bodies for each of its independent rates, plus the cube
 * of their number. So a row of mechanisms that share bodies is closed in near linear time; long
 * loops, ladders and meshes are expensive. */
#include "closure/embedding.h"

/* Up to some 20 rates dense and sparse are equally fast. A full matrix of `rates` takes 32 MiB; a
 * dense aggregate has four of them and two of its rows, and its factor takes some 10^10 operations;
 * numbers: 1 GiB; fill: a full J of that many rates and rows. */
static const rct_embed_limits usual_limits = {.few = 20,
                                              .rates = 2048,
                                              .rows = 8192,
                                              .free = 2048,
                                              .numbers = INT64_C(1) << 27,
                                              .fill = INT64_C(1) << 24,
                                              .of_row = 256};

static void empty(void *work)
{
    const rct_embedding *e = work;
    for (int32_t k = 0; e->block != NULL && k < e->aggregation->count; k++) {
        rct_embed_sparse_free(e->block[k].sparse);
    }
    rct_aggregation_free(e->aggregation);
    rct_operator_free(e->sweep);
}

void *rct_embedding_create(const rct_closures *closures, const rct_embed_limits *limits,
                           rct_error *error)
{
    rct_embedding *e =
        rct_closure_work_create(closures, sizeof *e, "constraint embedding", empty, error);
    if (e != NULL) {
        e->base.options = limits;
    }
    return e;
}

static void *create(const rct_closures *closures, rct_error *error)
{
    return rct_embedding_create(closures, &usual_limits, error);
}

static int64_t bytes(const void *work)
{
    const rct_embedding *e = work;
    int64_t all = rct_closure_work_bytes(work);
    for (int32_t k = 0; e->block != NULL && k < e->aggregation->count; k++) {
        all += e->block[k].sparse != NULL ? rct_embed_sparse_bytes(e->block[k].sparse) : 0;
    }
    return all;
}

/* Report the rank, and a dependent row of the first aggregate that has one. */
static void report_rank(rct_embedding *e, rct_closure_report *report)
{
    report->rank = 0;
    report->dependent = -1;
    for (int32_t k = 0; k < e->aggregation->count; k++) {
        const rct_embed_choice *c = &e->block[k].choice;
        report->rank += c->rank;
        if (report->dependent < 0 && c->rank < c->rows) {
            report->dependent = e->aggregation->aggregate[k].row[e->block[k].kind->dependent(e, k)];
        }
    }
}

static rct_status factor(void *work, const rct_closure_problem *problem, rct_closure_report *report,
                         rct_error *error)
{
    rct_embedding *e = work;
    rct_status status = rct_closure_work_take(work, problem, rct_embedding_make, error);
    if (status == RCT_OK) {
        e->sweep->tree = problem->tree;
        status = rct_embedding_factor(e, error);
    }
    if (status == RCT_OK) {
        report_rank(e, report);
    }
    return status;
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
                                                  .by_values = 1,
                                                  .create = create,
                                                  .destroy = rct_closure_work_destroy,
                                                  .bytes = bytes,
                                                  .factor = factor,
                                                  .solve = solve};
