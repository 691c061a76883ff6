/* How the tree of a solver gives way to loops that are held in the junction (backend.h), for admittance
 * (closure/mobility.h): stations are nodes of the trunk, wrenches are in link axes about the link's origin, linear parts
 * first. All else of the tree was condensed before, so that a loop costs what the trunk does.
 *
 * What moves under J* lambda alone is swept for with that as a load, so large that nothing else counts beside it: sweeps
 * are linear in what acts. */
#include "closure/aggregate.h"
#include "core/rotation.h"
#include "dynamics/closed.h"
#include "dynamics/solver.h"
#include "model/hinge_types.h"

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

void rct_closed_bring(const rct_closed *c, int32_t body, double wrench[6])
{
    const rct_solver *s = c->solver;
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

static void bring(const void *context, int32_t body, double wrench[6])
{
    rct_closed_bring(context, body, wrench);
}

rct_status rct_closed_condense(const rct_closed *c, rct_error *error)
{
    return rct_solver_explain(c->solver, operations(c)->condense(c->solver->run), error);
}

/* ---- what was read of the run ------------------------------------------------------------- */

void rct_closed_show_held(rct_closed *c)
{
    const rct_solver *s = c->solver;
    const rct_plan *plan = s->plan;
    const rct_operator_state state = {.orientation = c->orientation, .ground = s->base};
    rct_solver_show_some(s, c->held, c->held_count, c->orientation, c->angular_velocity,
                         c->position, c->velocity);
    for (int32_t k = 0; k < c->hinged_count; k++) {
        const int32_t body = c->hinged[k], link = plan->link_of[body];
        const rct_hinge_traits *hinge = &rct_hinges[c->tree->hinge[body]];
        const double *numbers = s->state + plan->links.state_at[link];
        double *q = c->coordinates + rct_plan_coordinates_at(plan, link);
        memcpy(q, numbers, (size_t)hinge->coordinates * sizeof *q);
        memcpy(c->rates + rct_plan_rates_at(plan, link), numbers + hinge->coordinates,
               (size_t)hinge->freedoms * sizeof *q);
        rct_operator_tree_refill_body(c->tree, plan->bodies, &state, body, q);
    }
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
    for (int32_t k = 0; k < c->hinged_count; k++) {
        const int32_t body = c->hinged[k];
        memcpy(c->derivatives + c->tree->first[body],
               operations(c)->derivatives(s->run, c->node_of[body]),
               (size_t)rct_hinges[c->tree->hinge[body]].freedoms * sizeof *c->derivatives);
    }
}

/* ---- answers ------------------------------------------------------------------------------ */

/* What a row takes from a rate: of which link, and which of its hinge. */
int32_t rct_closed_link_of_rate(const rct_closed *c, int64_t rate, int32_t *freedom)
{
    const int32_t body = rct_aggregation_body_of(c->tree, rate);
    *freedom = (int32_t)(rate - c->tree->first[body]);
    return c->solver->plan->link_of[body];
}

static double *load_of(const rct_closed *c, int32_t link)
{
    return c->solver->loads + (int64_t)link * LOAD_FIELDS;
}

/* What a row takes from a body as a wrench on its link; 0: it is on the ground. */
static int wrench_on_link(const rct_closed *c, const rct_closure_end *end, double wrench[6])
{
    if (c->node_of[end->body] < 0) {
        return 0;
    }
    memcpy(wrench, end->wrench, sizeof end->wrench);
    bring(c, end->body, wrench);
    return 1;
}

/* Row i of J* lambda to the loads. */
static void push_row(const rct_closed *c, const rct_closure_rows *rows, int32_t i, double lambda)
{
    for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
        double wrench[6];
        if (wrench_on_link(c, &rows->ends[k], wrench)) {
            double *load = load_of(c, c->solver->plan->link_of[rows->ends[k].body]);
            for (int j = 0; j < 6; j++) {
                load[LOAD_FORCE + j] += lambda * wrench[j];
            }
        }
    }
    for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
        int32_t freedom;
        const int32_t link = rct_closed_link_of_rate(c, rows->rates[k].rate, &freedom);
        load_of(c, link)[LOAD_EFFORT + freedom] += lambda * rows->rates[k].factor;
    }
}

/* Row i of J of what moves, by what acts `beyond_all`. */
static double take_row(const rct_closed *c, const rct_closure_rows *rows, int32_t i)
{
    const rct_run *run = c->solver->run;
    double sum = 0.0;
    for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
        double wrench[6], motion[6];
        if (wrench_on_link(c, &rows->ends[k], wrench)) {
            operations(c)->read(run, c->node_of[rows->ends[k].body], motion);
            for (int j = 0; j < 6; j++) {
                sum += wrench[j] * (motion[j] / beyond_all);
            }
        }
    }
    for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
        int32_t freedom;
        const int32_t link = rct_closed_link_of_rate(c, rows->rates[k].rate, &freedom);
        const int32_t node = c->node_of[c->solver->plan->head[link]];
        sum +=
            rows->rates[k].factor * (operations(c)->derivatives(run, node)[freedom] / beyond_all);
    }
    return sum;
}

/* The run keeps these loads, till it is given others; the solver has those of before. */
void rct_closed_push(const rct_closed *c, const rct_closure_rows *rows, const double *lambda)
{
    const rct_solver *s = c->solver;
    const size_t size = LOAD_FIELDS * sizeof *s->loads;
    for (int32_t k = 0; k < c->held_links_count; k++) {
        memcpy(c->aside + (int64_t)k * LOAD_FIELDS, load_of(c, c->held_links[k]), size);
    }
    for (int32_t i = 0; i < rows->count; i++) {
        push_row(c, rows, i, beyond_all * lambda[i]);
    }
    s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
    for (int32_t k = 0; k < c->held_links_count; k++) {
        memcpy(load_of(c, c->held_links[k]), c->aside + (int64_t)k * LOAD_FIELDS, size);
    }
}

static rct_status answer(void *context, const rct_closure_rows *rows, const double *lambda,
                         double *J_change, rct_error *error)
{
    const rct_closed *c = context;
    rct_closed_push(c, rows, lambda);
    const rct_status status = rct_closed_condense(c, error);
    for (int32_t i = 0; i < rows->count && status == RCT_OK; i++) {
        J_change[i] = take_row(c, rows, i);
    }
    return status;
}

rct_status rct_closed_change(const rct_closed *c, double *change, rct_error *error)
{
    const rct_solver *s = c->solver;
    const rct_status status = rct_solver_explain(s, s->backend->evaluate(s->run), error);
    s->backend->read_derivatives(s->run, change);
    s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
    for (int64_t r = 0; r < s->plan->freedoms; r++) {
        change[r] /= beyond_all;
    }
    return status;
}

static rct_status change_of_answer(void *context, double *change, rct_error *error)
{
    return rct_closed_change(context, change, error);
}

/* ---- making ------------------------------------------------------------------------------- */

/* A body that a loop holds, or the ground. */
static void list_held(rct_closed *c, int32_t body)
{
    const rct_solver *s = c->solver;
    if (body != RCT_GROUND) {
        const int32_t link = s->plan->link_of[body];
        c->held[c->held_count++] = body;
        if (link != RCT_GROUND) {
            c->node_of[body] = c->columns != NULL ? 0 : operations(c)->node_of(s->run, link);
            c->held_links[c->held_links_count++] = link;
        }
    }
}

static void list_loops(rct_closed *c)
{
    const rct_plan *plan = c->solver->plan;
    for (int32_t i = 0; i < rct_model_loop_count(plan->surroundings); i++) {
        rct_loop loop;
        rct_model_loop(plan->surroundings, i, &loop, NULL);
        for (int32_t k = 0; k < loop.term_count; k++) {
            c->hinged[c->hinged_count++] = loop.terms[k].body;
            list_held(c, loop.terms[k].body);
            list_held(c, plan->bodies->parent[loop.terms[k].body]);
        }
        if (loop.type != RCT_LOOP_RELATION) {
            list_held(c, loop.body);
            list_held(c, loop.other);
        }
    }
}

/* Bodies that loops hold, each as often as one does. */
static int64_t count_held(const rct_plan *plan)
{
    int64_t count = 0;
    for (int32_t i = 0; i < rct_model_loop_count(plan->surroundings); i++) {
        rct_loop loop;
        rct_model_loop(plan->surroundings, i, &loop, NULL);
        count += loop.type == RCT_LOOP_RELATION ? 2 * loop.term_count : 2;
    }
    return count;
}

rct_status rct_closed_hold(rct_closed *c, rct_error *error)
{
    const rct_solver *s = c->solver;
    const int64_t n = s->plan->body_count, held = count_held(s->plan);
    const int32_t nodes = operations(c) != NULL ? operations(c)->nodes(s->run) : 0;
    if (nodes == 0 && c->columns == NULL) {
        return RCT_OK;
    }
    int32_t *order = rct_pool_take(&c->pool, nodes, sizeof *order, error);
    int32_t *inboard = rct_pool_take(&c->pool, nodes, sizeof *inboard, error);
    c->node_of = rct_pool_take(&c->pool, n, sizeof *c->node_of, error);
    c->held = rct_pool_take(&c->pool, held, sizeof *c->held, error);
    c->held_links = rct_pool_take(&c->pool, held, sizeof *c->held_links, error);
    c->hinged = rct_pool_take(&c->pool, held, sizeof *c->hinged, error);
    c->aside = rct_pool_take(&c->pool, held * LOAD_FIELDS, sizeof *c->aside, error);
    if (c->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t k = 0; k < nodes; k++) {
        order[k] = k;
        inboard[k] = operations(c)->inboard(s->run, k);
    }
    memset(c->node_of, -1, (size_t)n * sizeof *c->node_of);
    list_loops(c);
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
