/* Planting: which task goes to which bush, which link to which wave and lane (bushes.h). What bushes.c
 * starts from; freed when the packing stands. */
#ifndef RCT_TOPOLOGY_PLANTING_H
#define RCT_TOPOLOGY_PLANTING_H

#include "topology/bushes.h"

/* Ranks and numbers of outboard links beyond it are not told apart. */
enum { RCT_ALIKE = 63 };

typedef struct rct_planting {
    rct_bush_packing *packing;
    const rct_links *links;
    const rct_task *tasks;
    int32_t
        *height;   /* [links] links on the longest path from it to a tip, in a task; else 0      */
    int32_t *rank; /* [links] its number among its siblings                                      */
    int64_t *at;   /* [links] wave * lanes + lane                                                */
    int32_t
        *sorted;    /* [links] labels of a bush by precedence                                     */
    int32_t *key;   /* [links] of an item to sort                                                 */
    int32_t *other; /* [links] room to sort                                                       */
    int32_t *
        begin; /* [links + RCT_ALIKE + 2] room to sort, zero in between                                 */
    int32_t *free; /* [links + 1] from a wave of a bush on towards the next with a free lane     */
    int32_t *used; /* [links + 1] lanes taken of a wave of a bush                                */
} rct_planting;

/* Fill what is by label, and of the packing the order of the tasks, bushes.count and hanging, first_root
 * and first_wave. All arrays are there, and zero. */
void rct_plant(const rct_planting *planting);

#endif
