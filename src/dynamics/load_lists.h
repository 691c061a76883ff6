/* The bodies and links that loads act on. */
#ifndef RCT_DYNAMICS_LOAD_LISTS_H
#define RCT_DYNAMICS_LOAD_LISTS_H

#include "backend/backend.h"

/* All lists ascend. */
typedef struct rct_load_lists {
    /* [pushed_count] bodies with springs between points, loops or forces of the user */
    int32_t *pushed;
    int32_t *hinges; /* [hinge_count] links whose hinges relations act on */
    /* [link_count] links with loads: those of both lists, and of forces at hinges */
    int32_t *links;
    /* [posed_count] links whose poses are read: those of the bodies above, or all */
    int32_t *posed;
    /* [exerted_count] links with forces at their hinges, whether these are loads or not */
    int32_t *exerted;
    double *rotors; /* [exerted_count][3] rotors that stand for these forces in implicit stages */
    int32_t pushed_count, hinge_count, link_count, posed_count, exerted_count;
    int besides; /* whether anything acts besides loops */
} rct_load_lists;

/* Flags: which kinds act as loads besides forces on bodies, and whether poses of all links are
 * read. */
enum { RCT_LOADS_OF_LOOPS = 1, RCT_LOADS_AT_HINGES = 2, RCT_POSES_OF_ALL = 4 };

/* Make the lists. `named` [count] are the bodies that the user acts on, `also` the flags above.
 * `lists` is all zero before, and again after RCT_ERROR_MEMORY. */
rct_status rct_load_lists_create(rct_load_lists *lists, const rct_plan *plan, const int32_t *named,
                                 int32_t count, int also, rct_error *error);
void rct_load_lists_free(rct_load_lists *lists);
int64_t rct_load_lists_bytes(const rct_load_lists *lists);

#endif
