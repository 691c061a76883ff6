/* The bodies and links that loads act on (load_lists.h): they are marked, then listed. */
#include "dynamics/load_lists.h"

#include "core/memory.h"
#include "model/forces/force_check.h"
#include "model/model.h"

#include <riccatree/loop.h>

enum { PUSHED = 1, AT_HINGE = 2, LOADED = 4, POSED = 8, EXERTED = 16 };

typedef struct marks {
    const rct_plan *plan;
    uint8_t *body;
    uint8_t *link;
} marks;

static void push(const marks *m, int32_t body)
{
    if (body != RCT_GROUND) {
        m->body[body] |= PUSHED;
        if (m->plan->link_of[body] != RCT_GROUND) {
            m->link[m->plan->link_of[body]] |= LOADED | POSED;
        }
    }
}

/* Friction at a ball hinge needs the poses of both its links. */
static void mark_hinge(const marks *m, int32_t link, int loaded)
{
    const int32_t up = m->plan->links.parent[link];
    const int ball = m->plan->links.kind[link] == RCT_HINGE_BALL;
    m->link[link] |= EXERTED | (loaded ? LOADED | (ball ? POSED : 0) : 0);
    if (loaded && ball && up != RCT_GROUND) {
        m->link[up] |= POSED;
    }
}

/* Wrenches belong to the sweeps; forces at hinges do on some backends. */
static void mark_forces(const marks *m, int hinges)
{
    for (int32_t i = 0; i < m->plan->surroundings->force_count; i++) {
        const rct_force *f = &m->plan->surroundings->forces[i];
        if (rct_force_is_at_hinge(f)) {
            mark_hinge(m, m->plan->link_of[f->body], hinges);
        } else if (f->type != RCT_FORCE_WRENCH) {
            push(m, f->body);
            push(m, f->other); /* for drag, `other` is the ground */
        }
    }
}

/* Relations act on hinges, the other loops on bodies. */
static void mark_loops(const marks *m)
{
    for (int32_t i = 0; i < rct_model_loop_count(m->plan->surroundings); i++) {
        rct_loop loop;
        rct_model_loop(m->plan->surroundings, i, &loop, NULL);
        for (int32_t k = 0; k < loop.term_count; k++) {
            const int32_t link = m->plan->link_of[loop.terms[k].body];
            const int32_t up = m->plan->links.parent[link];
            m->link[link] |= AT_HINGE | LOADED | POSED;
            if (up != RCT_GROUND) {
                m->link[up] |= POSED;
            }
        }
        if (loop.type != RCT_LOOP_RELATION) {
            push(m, loop.body);
            push(m, loop.other);
        }
    }
}

static int has_any(const uint8_t *marked, int32_t count, int mark)
{
    int32_t i = 0;
    while (i < count && (marked[i] & mark) == 0) {
        i++;
    }
    return i < count;
}

/* The numbers below `count` that have the mark; NULL without memory. */
static int32_t *list(const uint8_t *marked, int32_t count, int mark, int32_t *listed,
                     rct_error *error)
{
    *listed = 0;
    for (int32_t i = 0; i < count; i++) {
        *listed += (marked[i] & mark) != 0;
    }
    int32_t *made = rct_allocate(*listed, sizeof *made, "the loads", error);
    for (int32_t i = 0, k = 0; i < count && made != NULL; i++) {
        if ((marked[i] & mark) != 0) {
            made[k++] = i;
        }
    }
    return made;
}

static rct_status list_all(rct_load_lists *made, const marks *m, rct_error *error)
{
    const int32_t bodies = m->plan->body_count, links = m->plan->links.count;
    made->pushed = list(m->body, bodies, PUSHED, &made->pushed_count, error);
    made->hinges = list(m->link, links, AT_HINGE, &made->hinge_count, error);
    made->links = list(m->link, links, LOADED, &made->link_count, error);
    made->posed = list(m->link, links, POSED, &made->posed_count, error);
    made->exerted = list(m->link, links, EXERTED, &made->exerted_count, error);
    made->rotors =
        rct_allocate(made->exerted_count, 3 * (int64_t)sizeof *made->rotors, "the loads", error);
    const int whole = made->exerted != NULL && made->rotors != NULL && made->pushed != NULL &&
                      made->hinges != NULL && made->links != NULL && made->posed != NULL;
    if (!whole) {
        rct_load_lists_free(made);
    }
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

rct_status rct_load_lists_create(rct_load_lists *lists, const rct_plan *plan, const int32_t *named,
                                 int32_t count, int also, rct_error *error)
{
    const marks m = {plan, rct_allocate(plan->body_count, 1, "the loads", error),
                     rct_allocate(plan->links.count, 1, "the loads", error)};
    rct_status status = m.body == NULL || m.link == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    if (status == RCT_OK) {
        for (int32_t k = 0; k < count; k++) {
            push(&m, named[k]);
        }
        mark_forces(&m, (also & RCT_LOADS_AT_HINGES) != 0);
        lists->besides =
            has_any(m.body, plan->body_count, PUSHED) || has_any(m.link, plan->links.count, LOADED);
        if ((also & RCT_LOADS_OF_LOOPS) != 0) {
            mark_loops(&m);
        }
        for (int32_t l = 0; l < plan->links.count && (also & RCT_POSES_OF_ALL) != 0; l++) {
            m.link[l] |= POSED;
        }
        status = list_all(lists, &m, error);
    }
    rct_release(m.body);
    rct_release(m.link);
    return status;
}

void rct_load_lists_free(rct_load_lists *lists)
{
    rct_release(lists->pushed);
    rct_release(lists->hinges);
    rct_release(lists->links);
    rct_release(lists->posed);
    rct_release(lists->exerted);
    rct_release(lists->rotors);
    *lists = (rct_load_lists){.pushed = NULL};
}

int64_t rct_load_lists_bytes(const rct_load_lists *lists)
{
    return (int64_t)sizeof(int32_t) *
               ((int64_t)lists->pushed_count + lists->hinge_count + lists->link_count +
                lists->posed_count + lists->exerted_count) +
           3 * lists->exerted_count * (int64_t)sizeof *lists->rotors;
}
