/* The links that loops hold, which become nodes of the trunk (partition.h). */
#include "topology/cutting.h"

#include <riccatree/loop.h>

#include <string.h>

/* Held links become nodes if they are at most one link in this many (docs/decisions.md). */
enum { MANY_HELD = 8 };

static void hold(const rct_cutting *cut, int32_t link)
{
    if (link != RCT_GROUND) {
        cut->held[link] = HELD;
    }
}

/* Marks the links of a closure, and those on both sides of the hinges of a relation. */
static void hold_ends(const rct_cutting *cut, const rct_plan *plan, const rct_loop *loop)
{
    for (int32_t k = 0; k < loop->term_count; k++) {
        const int32_t link = plan->link_of[loop->terms[k].body];
        hold(cut, link);
        hold(cut, cut->links->parent[link]);
    }
    if (loop->type != RCT_LOOP_RELATION) {
        hold(cut, plan->link_of[loop->body]);
        hold(cut, rct_plan_link(plan, loop->other));
    }
}

int32_t rct_mark_held(const rct_cutting *cut, const rct_plan *plan)
{
    const int32_t n = cut->links->count;
    int32_t count = 0;
    for (int32_t i = 0; i < rct_model_loop_count(plan->surroundings); i++) {
        rct_loop loop;
        rct_model_loop(plan->surroundings, i, &loop, NULL);
        hold_ends(cut, plan, &loop);
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        const int32_t up = cut->links->parent[i];
        count += cut->held[i] == HELD;
        if (cut->held[i] != 0 && up >= 0 && cut->held[up] == 0) {
            cut->held[up] = HELD_BEYOND;
        }
    }
    if ((int64_t)MANY_HELD * count > n) {
        memset(cut->held, 0, (size_t)n);
        count = 0;
    }
    return count;
}
