/* The mobility of the tree of a solver for loops that the junction holds (backend.h), for
 * admittance (closure/mobility.h). Stations are nodes of the trunk; wrenches are in link axes,
 * about the origin of the link, linear parts first. The rest of the tree was condensed before, so
 * the cost of a loop is that of the trunk.
 *
 * The motion of hinges under J* lambda alone is swept for with J* lambda so large that nothing else
 * counts beside it: sweeps are linear in what acts. */
#include "core/rotation.h"
#include "dynamics/closed/closed.h"
#include "dynamics/solver.h"
#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

static const rct_junction_operations *operations(const rct_closed *c)
{
    return c->solver->backend->junction;
}

static void walk(const void *context, int32_t from, int32_t stop, const rct_reduced_path *to)
{
    const rct_closed *c = context;
    const double square = c->lengths.length[0] * c->lengths.length[0];
    double most = 0.0;
    rct_held_through(c->trunk, from, stop, to->E, to->Upsilon);
    for (int i = 0; i < 6; i++) {
        most = fmax(most, i < 3 ? to->Upsilon[i][i] / square
                                : to->Upsilon[i][i]); /* linear parts first */
    }
    for (int i = 0; i < 6; i++) {
        to->ready[i] = i < 3 ? square * most : most;
    }
}

static void bring(const void *context, int32_t body, double wrench[6])
{
    const rct_solver *s = ((const rct_closed *)context)->solver;
    double m[3][3], force[3], moment[3], turning[3];
    memcpy(m, rct_pose_at(s->poses, s->plan->link_of[body])->rotation, sizeof m);
    rct_rotate_back(m, wrench + 3, force);
    rct_rotate_back(m, wrench, moment);
    rct_cross(rct_plan_seat(s->plan, body)->position, force, turning);
    for (int i = 0; i < 3; i++) {
        wrench[i] = force[i];
        wrench[3 + i] = moment[i] + turning[i];
    }
}

rct_status rct_closed_condense(rct_closed *c, rct_error *error)
{
    c->gone = 0;
    return rct_solver_explain(c->solver, operations(c)->condense(c->solver->run), error);
}

/* ---- what was read of the run ------------------------------------------------------------- */

void rct_closed_show_hinges(rct_closed *c)
{
    const rct_solver *s = c->solver;
    const rct_plan *plan = s->plan;
    const rct_operator_state state = {.orientation = c->orientation, .ground = s->base};
    if (c->hinged_count > 0) {
        s->backend->read_links(s->run, c->turned_links, c->turned_links_count, s->state);
    }
    for (int32_t k = 0; k < c->turned_count && rct_closed_in_junction(c); k++) {
        rct_solver_orientation(s, c->turned[k], c->orientation + 4 * (int64_t)c->turned[k]);
    }
    for (int32_t k = 0; k < c->hinged_count; k++) {
        const int32_t body = c->hinged[k], link = plan->link_of[body];
        const rct_hinge_traits *hinge = &rct_hinges[c->tree->hinge[body]];
        const double *numbers = s->state + rct_link_state(&plan->links, link);
        double *q = c->coordinates + rct_plan_coordinates_at(plan, link);
        memcpy(q, numbers, (size_t)hinge->coordinates * sizeof *q);
        memcpy(c->rates + rct_plan_rates_at(plan, link), numbers + hinge->coordinates,
               (size_t)hinge->freedoms * sizeof *q);
        if (rct_closed_in_junction(c)) {
            rct_operator_tree_refill_body(c->tree, plan->bodies, &state, body, q);
        }
    }
}

void rct_closed_read_junction(const rct_closed *c)
{
    const rct_solver *s = c->solver;
    for (int32_t k = 0; k < c->held_count; k++) {
        const int64_t b = c->held[k];
        if (c->node_of[b] >= 0) {
            const int32_t link = s->plan->link_of[b];
            rct_held_read(c->trunk, c->node_of[b], s->accelerations + 6 * (int64_t)link);
            rct_solver_turn_acceleration(s, link, rct_pose_at(s->poses, link)->rotation);
        }
        rct_solver_body_acceleration(s, b, c->linear + 3 * b, c->angular + 3 * b);
    }
    for (int32_t k = 0; k < c->hinged_count; k++) {
        const int32_t body = c->hinged[k];
        memcpy(c->derivatives + c->tree->first[body],
               rct_held_derivatives(c->trunk, c->node_of[body]),
               (size_t)rct_hinges[c->tree->hinge[body]].freedoms * sizeof *c->derivatives);
    }
}

/* ---- answers ------------------------------------------------------------------------------ */

static rct_status wrenches_on(void *context, double **wrenches, rct_error *error)
{
    rct_closed *c = context;
    const rct_status status = c->gone ? rct_closed_condense(c, error) : RCT_OK;
    *wrenches = rct_held_wrenches(c->trunk);
    return status;
}

static const double *respond(void *context)
{
    return rct_held_respond(((rct_closed *)context)->trunk);
}

/* The last answer is that of `part`. */
void rct_closed_settle_junction(const rct_closed *c)
{
    operations(c)->settle(c->solver->run);
}

rct_status rct_closed_sway(const rct_closed *c, rct_error *error)
{
    return rct_solver_explain(c->solver, operations(c)->sway(c->solver->run), error);
}

/* ---- making ------------------------------------------------------------------------------- */

/* Add a body that a loop holds; the ground may be given. */
static void list_held(rct_closed *c, int32_t body)
{
    const rct_solver *s = c->solver;
    if (body != RCT_GROUND) {
        const int32_t link = s->plan->link_of[body];
        c->held[c->held_count++] = body;
        if (link != RCT_GROUND) {
            c->node_of[body] = c->columns != NULL
                                   ? 0
                                   : rct_held_node(c->trunk->label, c->trunk->trunk->count, link);
            c->held_links[c->held_links_count++] = link;
        }
    }
}

/* Add a body at a hinge that a relation holds. */
static void list_turned(rct_closed *c, int32_t body)
{
    const int32_t link = body != RCT_GROUND ? c->solver->plan->link_of[body] : RCT_GROUND;
    if (body != RCT_GROUND) {
        c->turned[c->turned_count++] = body;
    }
    if (link != RCT_GROUND) {
        c->turned_links[c->turned_links_count++] = link;
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
            list_turned(c, loop.terms[k].body);
            list_turned(c, plan->bodies->parent[loop.terms[k].body]);
            list_held(c, loop.terms[k].body);
            list_held(c, plan->bodies->parent[loop.terms[k].body]);
        }
        if (loop.type != RCT_LOOP_RELATION) {
            list_held(c, loop.body);
            list_held(c, loop.other);
        }
    }
}

/* Count bodies that loops hold, once for each loop that holds them. */
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
    c->trunk = operations(c) != NULL ? operations(c)->held(s->run) : NULL;
    if (c->trunk == NULL && c->columns == NULL) {
        return RCT_OK;
    }
    const int32_t nodes = c->trunk != NULL ? c->trunk->trunk->count : 0;
    int32_t *order = rct_pool_take(&c->pool, nodes, sizeof *order, error);
    int32_t *inboard = rct_pool_take(&c->pool, nodes, sizeof *inboard, error);
    c->node_of = rct_pool_take(&c->pool, n, sizeof *c->node_of, error);
    c->held = rct_pool_take(&c->pool, held, sizeof *c->held, error);
    c->held_links = rct_pool_take(&c->pool, held, sizeof *c->held_links, error);
    c->hinged = rct_pool_take(&c->pool, held, sizeof *c->hinged, error);
    c->turned = rct_pool_take(&c->pool, held, sizeof *c->turned, error);
    c->turned_links = rct_pool_take(&c->pool, held, sizeof *c->turned_links, error);
    if (c->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t k = 0; k < nodes; k++) {
        order[k] = k;
        inboard[k] = c->trunk->trunk->parent[k];
    }
    memset(c->node_of, -1, (size_t)n * sizeof *c->node_of);
    list_loops(c);
    c->junction = (rct_mobility){.context = c,
                                 .sharing = rct_solver_sharing(c->solver),
                                 .stations = nodes,
                                 .order = order,
                                 .inboard = inboard,
                                 .of_body = c->node_of,
                                 .walk = walk,
                                 .bring = bring,
                                 .wrenches = wrenches_on,
                                 .respond = respond};
    return RCT_OK;
}
