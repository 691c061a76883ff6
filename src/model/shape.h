/* Shapes from the inside: their keys, and which bodies have the same shapes. */
#ifndef RCT_MODEL_SHAPE_H
#define RCT_MODEL_SHAPE_H

#include "model/keys.h"
#include "model/model.h"

/* Within a body of a model file; bits: 1 << type. */
extern const rct_keys rct_shape_keys;

/* Whether two bodies have the same shapes, bit for bit. */
int rct_model_shapes_alike(const rct_model *model, int32_t body, int32_t other);

#endif
