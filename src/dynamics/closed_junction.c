/* How the tree of a solver gives way to closures that are held in the junction (backend.h), for admittance
 * (closure/mobility.h): stations are nodes of the trunk, wrenches are in link axes about the link's origin, linear parts
 * first. All else of the tree was condensed before, so that a closure costs what the trunk does.
 *
 * What moves under J* lambda alone is swept for with that as a load, so large that nothing else counts beside it: sweeps
 * are linear in what acts. */
#include "core/rotation.h"
#include "dynamics/closed.h"
#include "dynamics/solver.h"

#include <string.h>

/* 2^200: what acts besides is lost in rounding. A power of two, so that it takes no digit. */
static const double beyond_all = 0x1p200;

static const rct_junction_operations *operations(const rct_closed *c)
{
    return c->solver->backend->junction;
}

static rct_reduced_path walk(const void *context, int32_t from, int32_t stop)
{
    const rct_closed *c = context;
    const rct_through x = operations(c)->through(c->solver->run, from, stop);
    rct_reduced_path path = {.ready = 0.0};
    memcpy(path.Upsilon, x.psi, sizeof path.Upsilon);
    for (int i = 0; i < 6; i++) {
        path.ready = x.psi[i][i] > path.ready ? x.psi[i][i] : path.ready;
        for (int j = 0; j < 6; j++) {
            path.Phi[i][j] = x.e[j][i];
        }
    }
    return path;
}

static void bring(const void *context, int32_t body, double wrench[6])
{
    const rct_solver *s = ((const rct_closed *)context)->solver;
    double m[3][3], force[3], moment[3], turning[3];
    memcpy(m, s->poses[s->plan->link_of[body]].rotation, sizeof m);
    rct_rotate_back(m, wrench + 3, force);
    rct_rotate_back(m, wrench, moment);
    rct_cross(rct_plan_seat(s->plan, body)->position, force, turning);
    for (int i = 0; i < 3; i++) {
        wrench[i] = force[i];
        wrench[3 + i] = moment[i] + turning[i];
    }
}

rct_status rct_closed_condense(const rct_closed *c, rct_error *error)
{
    return rct_solver_explain(c->solver, operations(c)->condense(c->solver->run), error);
}

void rct_closed_read_junction(const rct_closed *c)
{
    const rct_solver *s = c->solver;
    for (int32_t k = 0; k < c->held_count; k++) {
        const int64_t b = c->held[k];
        if (c->node_of[b] >= 0) {
            const int32_t link = s->plan->link_of[b];
            operations(c)->read(s->run, c->node_of[b], s->accelerations + 6 * (int64_t)link);
            rct_solver_turn_acceleration(s, link);
        }
        rct_solver_body_acceleration(s, b, c->linear + 3 * b, c->angular + 3 * b);
    }
}

/* What links held by closures are loaded with: J* lambda besides, and as before. */
static void push(const rct_closed *c, const rct_closure_rows *rows, const double *lambda)
{
    const rct_solver *s = c->solver;
    for (int32_t k = 0; k < c->held_links_count; k++) {
        memcpy(c->aside + (int64_t)k * LOAD_FIELDS,
               s->loads + (int64_t)c->held_links[k] * LOAD_FIELDS, LOAD_FIELDS * sizeof *c->aside);
    }
    for (int32_t i = 0; i < rows->count; i++) {
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const int32_t body = rows->ends[k].body;
            double wrench[6];
            memcpy(wrench, rows->ends[k].wrench, sizeof wrench);
            if (c->node_of[body] >= 0) {
                double *load = s->loads + (int64_t)s->plan->link_of[body] * LOAD_FIELDS;
                bring(c, body, wrench);
                for (int j = 0; j < 6; j++) {
                    load[LOAD_FORCE + j] += beyond_all * lambda[i] * wrench[j];
                }
            }
        }
    }
    s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
}

static void put_back(const rct_closed *c)
{
    const rct_solver *s = c->solver;
    for (int32_t k = 0; k < c->held_links_count; k++) {
        memcpy(s->loads + (int64_t)c->held_links[k] * LOAD_FIELDS,
               c->aside + (int64_t)k * LOAD_FIELDS, LOAD_FIELDS * sizeof *c->aside);
    }
}

/* The run keeps the loads of the answer, till it is given others. */
static rct_status answer(void *context, const rct_closure_rows *rows, const double *lambda,
                         double *J_change, rct_error *error)
{
    const rct_closed *c = context;
    push(c, rows, lambda);
    const rct_status status = rct_closed_condense(c, error);
    put_back(c);
    for (int32_t i = 0; i < rows->count && status == RCT_OK; i++) {
        J_change[i] = 0.0;
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const int32_t body = rows->ends[k].body;
            double wrench[6], motion[6];
            memcpy(wrench, rows->ends[k].wrench, sizeof wrench);
            if (c->node_of[body] >= 0) {
                bring(c, body, wrench);
                operations(c)->read(c->solver->run, c->node_of[body], motion);
                for (int j = 0; j < 6; j++) {
                    J_change[i] += wrench[j] * (motion[j] / beyond_all);
                }
            }
        }
    }
    return status;
}

static rct_status change_of_answer(void *context, double *change, rct_error *error)
{
    const rct_closed *c = context;
    const rct_solver *s = c->solver;
    const rct_status status = rct_solver_explain(s, s->backend->evaluate(s->run), error);
    s->backend->read_derivatives(s->run, change);
    s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
    for (int64_t r = 0; r < s->plan->freedoms; r++) {
        change[r] /= beyond_all;
    }
    return status;
}

/* ---- making ------------------------------------------------------------------------------- */

/* A body that a closure holds. */
static void list_held(rct_closed *c, int32_t body)
{
    const rct_solver *s = c->solver;
    const int32_t link = s->plan->link_of[body];
    c->held[c->held_count++] = body;
    if (link != RCT_GROUND) {
        c->node_of[body] = operations(c)->node_of(s->run, link);
        c->held_links[c->held_links_count++] = link;
    }
}

rct_status rct_closed_hold(rct_closed *c, rct_error *error)
{
    const rct_solver *s = c->solver;
    const int32_t loops = rct_model_loop_count(s->plan->surroundings);
    const int64_t n = s->plan->body_count, ends = 2 * (int64_t)loops;
    const int32_t nodes = operations(c) != NULL ? operations(c)->nodes(s->run) : 0;
    if (nodes == 0) {
        return RCT_OK;
    }
    int32_t *order = rct_pool_take(&c->pool, nodes, sizeof *order, error);
    int32_t *inboard = rct_pool_take(&c->pool, nodes, sizeof *inboard, error);
    c->node_of = rct_pool_take(&c->pool, n, sizeof *c->node_of, error);
    c->held = rct_pool_take(&c->pool, ends, sizeof *c->held, error);
    c->held_links = rct_pool_take(&c->pool, ends, sizeof *c->held_links, error);
    c->aside = rct_pool_take(&c->pool, ends * LOAD_FIELDS, sizeof *c->aside, error);
    if (c->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t k = 0; k < nodes; k++) {
        order[k] = k;
        inboard[k] = operations(c)->inboard(s->run, k);
    }
    memset(c->node_of, -1, (size_t)n * sizeof *c->node_of);
    for (int32_t i = 0; i < loops; i++) {
        rct_loop loop;
        rct_model_loop(s->plan->surroundings, i, &loop, NULL);
        list_held(c, loop.body);
        if (loop.other != RCT_GROUND) {
            list_held(c, loop.other);
        }
    }
    c->junction = (rct_mobility){.context = c,
                                 .stations = nodes,
                                 .order = order,
                                 .inboard = inboard,
                                 .of_body = c->node_of,
                                 .walk = walk,
                                 .bring = bring,
                                 .answer = answer,
                                 .change = change_of_answer};
    return RCT_OK;
}
