/* Checks of one body alone, made when the body is added to a model. */
#ifndef RCT_MODEL_BODY_CHECK_H
#define RCT_MODEL_BODY_CHECK_H

#include <riccatree/model.h>

/* If only the first number of the stiffness or damping of a ball hinge is given, use it about
 * every axis. Done when a body is added; later checks refuse a lone number. */
void rct_body_enter(rct_body *body);

/* Check `body`, which will be body `id` with the name `name`, and normalize its quaternions. */
rct_status rct_body_check(rct_body *body, int32_t id, const char *name, rct_error *error);

#endif
