/* The partition: which links run in lanes as segments, which in bushes, and the reduced tree of
 * everything else.
 *
 * A path is a run of consecutive labels (label.c). Its links that carry a side subtree of L links
 * or more are junctions; the runs between are cut into segments of about L links. Smaller side
 * subtrees are raked: condensed first, added to the segment link they hang on. These and all other
 * small subtrees without a segment are tasks, which are packed into bushes (planting.h). What
 * remains is the reduced tree: a node for every segment, for every task, and for every link outside
 * both.
 *
 *     P1  tasks     in bushes, in lanes by level                         inward
 *     P2  segments  all at once, in lanes                                inward to two handles
 *     P3  trunk     the rest of the reduced tree, one after the other    inward, then outward
 *     P4  segments                                                       outward
 *     P5  tasks                                                          outward
 *
 * With L = 0 every link is a node and belongs to the trunk: the serial sweep. The partition, and
 * with it every result, depends only on the tree and on L, never on lanes or threads.
 */
#ifndef RCT_TOPOLOGY_PARTITION_H
#define RCT_TOPOLOGY_PARTITION_H

#include "topology/plan.h"

enum {
    SEGMENT_AUTO = -1, /* choose the segment length from the size of the tree          */
    SEGMENT_WHOLE = -2 /* no segments: every tree on the ground is a task, of any size */
};

typedef struct rct_segment {
    int32_t first;  /* label of its inboard link              */
    int32_t length; /* links; their labels follow one another */
    int32_t node;   /* in the reduced tree                    */
} rct_segment;

/* A whole subtree without a segment; `beside` is the label of the segment link it hangs on, or -1
 * if it hangs on the trunk, behind a segment or on the ground. */
typedef struct rct_task {
    int32_t first; /* label of its innermost link            */
    int32_t count; /* links; their labels follow one another */
    int32_t node;  /* in the reduced tree                    */
    int32_t beside;
} rct_task;

typedef struct rct_partition {
    int32_t length;   /* L; 0: no segments                                     */
    int whole;        /* 1: every tree on the ground is a task (SEGMENT_WHOLE) */
    int32_t stations; /* links that loops hold, nodes by themselves (rct_cut)  */

    int32_t segment_count;
    rct_segment *segments; /* by label */

    int32_t task_count;
    rct_task *tasks; /* by label */

    /* the reduced tree, nodes by label: parents before children */
    int32_t nodes;
    int32_t trunk_nodes;  /* nodes that are not tasks                                    */
    int32_t *label;       /* [nodes] label of the link, or of the innermost of the piece */
    int32_t *segment;     /* [nodes] index of the segment, or -1: a link or a task       */
    int32_t *task;        /* [nodes] index of the task, or -1: a link or a segment       */
    int32_t *parent;      /* [nodes] -1: ground, or a task beside a segment              */
    int32_t *child_begin; /* [nodes + 1] into child                                      */
    int32_t *child;       /* by label                                                    */
} rct_partition;

/* NULL on failure (RCT_ERROR_MEMORY). `length`: L >= 1, 0 for the serial sweep, SEGMENT_AUTO or
 * SEGMENT_WHOLE. `narrow`: a few links on other hinges between long runs of ball hinges are left to
 * the trunk, so that these runs are narrow (kernels/sweeps/narrow.h). `stations`: as in rct_cut. */
rct_partition *rct_partition_create(const rct_plan *plan, int64_t length, int narrow, int stations,
                                    rct_error *error);

/* How to cut, where the caller decides it. */
typedef struct rct_cut {
    int32_t length; /* links of a segment, about                                        */
    int32_t rake;   /* side subtrees of fewer links are raked                           */
    int32_t task;   /* other subtrees without a segment are tasks up to this many links */
    /* segments begin at multiples of `step` from where their run begins, 0 counts as 1: then links
     * that repeat in a pattern stand beside links of the same kind in lanes */
    int32_t step;
    int32_t narrow; /* as above, with this many ball hinges or more a run is long; 0: not */
    /* 1: links that loops hold are nodes, and so are the links that join the paths from them to the
     * ground, unless they are many or the tree is small; 0: not */
    int32_t stations;
} rct_cut;

/* All are >= 1, or the length is 0: the serial sweep. NULL on failure (RCT_ERROR_MEMORY). */
rct_partition *rct_partition_create_cut(const rct_plan *plan, const rct_cut *cut, rct_error *error);

/* The cut of SEGMENT_WHOLE, which backends with cuts of their own share. */
static inline rct_cut rct_cut_whole_trees(void)
{
    return (rct_cut){.length = INT32_MAX, .rake = INT32_MAX, .task = INT32_MAX};
}

void rct_partition_free(rct_partition *partition);
int64_t rct_partition_bytes(const rct_partition *partition);

#endif
