/* Dense systems on an accelerator. */
#ifndef RCT_REFERENCE_LAGRANGE_ACCELERATOR_H
#define RCT_REFERENCE_LAGRANGE_ACCELERATOR_H

#include "backend/dense.h"

/* The operations of the first backend that runs here and has them. NULL: RCT_ERROR_UNSUPPORTED, with the reason. */
const rct_dense_operations *rct_accelerator_find(rct_error *error);

#endif
