/* The links that closures hold, which become nodes of the trunk (partition.h). */
#include "topology/cutting.h"

#include <riccatree/loop.h>

#include <string.h>

/* They do up to one link in so many (docs/decisions.md). */
enum { MANY_HELD = 8 };

static void hold(const rct_cutting *cut, const rct_plan *plan, int32_t body)
{
    if (body != RCT_GROUND && plan->link_of[body] != RCT_GROUND) {
        cut->held[plan->link_of[body]] = HELD;
    }
}

/* Whether there are none but closures. */
static int hold_ends(const rct_cutting *cut, const rct_plan *plan)
{
    for (int32_t i = 0; i < rct_model_loop_count(plan->surroundings); i++) {
        rct_loop loop;
        rct_model_loop(plan->surroundings, i, &loop, NULL);
        if (loop.type == RCT_LOOP_RELATION) {
            return 0;
        }
        hold(cut, plan, loop.body);
        hold(cut, plan, loop.other);
    }
    return 1;
}

int32_t rct_mark_held(const rct_cutting *cut, const rct_plan *plan)
{
    const int32_t n = cut->links->count;
    const int closures = hold_ends(cut, plan);
    int32_t count = 0;
    for (int32_t i = n - 1; i >= 0; i--) {
        const int32_t up = cut->links->parent[i];
        count += cut->held[i] == HELD;
        if (cut->held[i] != 0 && up >= 0 && cut->held[up] == 0) {
            cut->held[up] = HELD_BEYOND;
        }
    }
    if (!closures || (int64_t)MANY_HELD * count > n) {
        memset(cut->held, 0, (size_t)n);
        count = 0;
    }
    return count;
}
