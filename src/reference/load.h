/* What acts on the bodies from outside: F and G of seed 004, eq. 10. */
#ifndef RCT_REFERENCE_LOAD_H
#define RCT_REFERENCE_LOAD_H

#include "reference/pose.h"

typedef struct rct_load {
    quad3 F; /* N, at the centre of mass   */
    quad3 G; /* N m, about it              */
} rct_load;

/* Fill load[n]: gravity, and the wrenches and springs of the model. */
void rct_load_all(const rct_model *model, const rct_pose *pose, rct_load *load);

#endif
