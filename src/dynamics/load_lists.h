/* What loads touch. */
#ifndef RCT_DYNAMICS_LOAD_LISTS_H
#define RCT_DYNAMICS_LOAD_LISTS_H

#include "backend/backend.h"

/* All ascending. */
typedef struct rct_load_lists {
    int32_t
        *pushed; /* [pushed_count] bodies that springs between points, loops or the user act on  */
    int32_t
        *hinges; /* [hinge_count] links whose hinges relations act on                            */
    int32_t
        *links; /* [link_count] links with loads: of both, and those that forces at hinges act on */
    int32_t *posed; /* [posed_count] links whose poses are asked for: of those bodies, or all    */
    int32_t *exerted; /* [exerted_count] links that forces at their hinges act on, loads or not   */
    double *rotors;   /* [exerted_count][3] what those come to in implicit stages                */
    int32_t pushed_count, hinge_count, link_count, posed_count, exerted_count;
} rct_load_lists;

/* What acts by loads, besides forces on bodies; and that poses of all are asked for. */
enum { RCT_LOADS_OF_LOOPS = 1, RCT_LOADS_AT_HINGES = 2, RCT_POSES_OF_ALL = 4 };

/* `named` [count]: bodies that the user acts on; `also`: RCT_LOADS_OF_LOOPS and others. `lists` is all zero. RCT_ERROR_MEMORY, then
 * zero again. */
rct_status rct_load_lists_create(rct_load_lists *lists, const rct_plan *plan, const int32_t *named,
                                 int32_t count, int also, rct_error *error);
void rct_load_lists_free(rct_load_lists *lists);
int64_t rct_load_lists_bytes(const rct_load_lists *lists);

#endif
