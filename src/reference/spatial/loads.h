/* Forces on bodies (force.h) as spatial forces about their hinge points. */
#ifndef RCT_REFERENCE_SPATIAL_LOADS_H
#define RCT_REFERENCE_SPATIAL_LOADS_H

#include "reference/spatial/pose.h"

/* Add those of all forces of the model to `load` of the bodies placed. */
void rct_spatial_loads(const rct_model *model, rct_spatial_pose *pose);

#endif
