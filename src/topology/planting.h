/* Planting: which task goes to which bush, which path to which sheaf and lane (bushes.h). What bushes.c
 * starts from; freed when the packing stands. */
#ifndef RCT_TOPOLOGY_PLANTING_H
#define RCT_TOPOLOGY_PLANTING_H

#include "topology/bushes.h"

/* Outboard links of a path besides its own, beyond which more are not told apart. */
enum { RCT_ALIKE = 63 };

typedef struct rct_planting {
    rct_bush_packing *packing;
    const rct_links *links;
    const rct_task *tasks;
    const int32_t *kind; /* [links] of a mixed plan: hinge types; else NULL                       */
    int narrow;          /* whether paths of ball hinges alone stand in sheaves apart             */
    int8_t *apart;       /* [sheaves] those sheaves, if so                                        */
    int32_t *height; /* [links] links on the longest path from it to a tip, in a task; else 0     */
    int64_t *at;     /* [links] wave * lanes + lane                                               */
    int32_t *sorted; /* [links] labels where the paths of a bush begin                            */
    int32_t *key;    /* [links] of an item to sort                                                */
    int32_t *other;  /* [links] room to sort                                                      */
    int32_t *begin;  /* [links + RCT_ALIKE + 2] room to sort, zero in between                     */
} rct_planting;

/* Whether link i begins a path. */
static inline int rct_begins_path(const rct_links *links, int32_t i)
{
    return i == 0 || links->parent[i] != i - 1;
}

/* Fill what is by label, and of the packing the order of the tasks, bushes.count and hanging, first_root,
 * first_sheaf and first_wave. All arrays are there, and zero. */
void rct_plant(const rct_planting *planting);

#endif
