/* What can be seen on one body alone, checked when it is added to a model. */
#ifndef RCT_MODEL_BODY_CHECK_H
#define RCT_MODEL_BODY_CHECK_H

#include <riccatree/model.h>

/* Of a ball hinge the first number alone of its stiffness, or of its damping, is that about every axis. Made so when a body is
 * added; nothing that is checked may be so. */
void rct_body_enter(rct_body *body);

/* Check `body`, which will be body `id` called `name`, and normalize its quaternions. */
rct_status rct_body_check(rct_body *body, int32_t id, const char *name, rct_error *error);

#endif
