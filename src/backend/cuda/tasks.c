/* Where tasks meet the rest on the device: beside which links of pieces, or on the trunk. */
#include "backend/cuda/layout.h"
#include "core/memory.h"

static rct_side side_of(const rct_cuda_layout *layout, int32_t task)
{
    const int64_t slot = layout->packing->task_slot[task];
    return (rct_side){.side = slot / WARP * SIDE_FIELDS * WARP + slot % WARP,
                      .node = layout->whole->tasks[task].node};
}

/* Tasks beside one link follow one another in the order of labels. */
static void list_sides(rct_cuda_layout *layout, int32_t *side_of_task)
{
    for (int32_t k = 0; k < layout->whole->task_count; k++) {
        side_of_task[k] = -1;
        if (layout->packing->task_segment[k] < 0) {
            layout->hung[layout->hung_count++] = layout->whole->tasks[k].node;
            continue;
        }
        const int32_t i = layout->side_count++;
        layout->sides[i] = side_of(layout, k);
        side_of_task[k] = i;
        if (i == 0 || layout->sides[i].side != layout->sides[i - 1].side) {
            layout->side_first[layout->side_records++] = i;
        }
    }
    layout->side_first[layout->side_records] = layout->side_count;
}

rct_status rct_cuda_layout_tasks(rct_cuda_layout *layout, rct_error *error)
{
    const int64_t tasks = layout->whole->task_count, one = sizeof(int32_t);
    const char *what = "the device's layout";
    int32_t *side_of_task = rct_allocate(tasks, one, what, error);
    layout->sides = rct_allocate(tasks, sizeof *layout->sides, what, error);
    layout->side_first = rct_allocate(tasks + 1, one, what, error);
    layout->root_side = rct_allocate(tasks, one, what, error);
    layout->hung = rct_allocate(tasks, one, what, error);
    const int room = side_of_task != NULL && layout->sides != NULL && layout->side_first != NULL &&
                     layout->root_side != NULL && layout->hung != NULL;
    if (room) {
        list_sides(layout, side_of_task);
        for (int64_t k = 0; k < tasks; k++) {
            layout->root_side[k] = side_of_task[layout->planted->task[k]];
        }
    }
    rct_release(side_of_task);
    return room ? RCT_OK : RCT_ERROR_MEMORY;
}
