/* Random models with everything that a model can hold: every hinge type, forces, loops, motion of
 * the ground. */
#ifndef RCT_TESTS_ANY_MODEL_H
#define RCT_TESTS_ANY_MODEL_H

#include "model/families/draw.h"

#include <riccatree/event.h>
#include <riccatree/force.h>
#include <riccatree/loop.h>
#include <riccatree/shape.h>

/* A body whose hinge of this type has numbers in all fields that it uses, some of them whole, zero
 * or negative zero. A free hinge is on the ground. */
rct_body any_body(rct_draw *draw, rct_hinge_type type, int32_t parent);

rct_force any_force(rct_draw *draw, int32_t bodies);

enum { ANY_TERMS = 4 };

/* A loop of this type among the bodies of the model, not closed. A relation has its terms in
 * `terms`, none if no hinge of the model has axes. */
rct_loop any_loop(rct_draw *draw, const rct_model *model, rct_loop_type type,
                  rct_loop_term terms[ANY_TERMS]);

/* An event about the loops of a model that has some. */
rct_event any_event(rct_draw *draw, const rct_model *model);

/* Constants, or a table of `rows` rows in `table` [rows][5]. */
rct_base any_base(rct_draw *draw, int32_t rows, double *table);

/* Up to `most` bodies, some in runs, some named; NULL with the error filled if one is refused. */
rct_model *any_model(uint64_t seed, int32_t most, rct_error *error);

#endif
