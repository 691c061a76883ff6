/* What a path of a variation names: numbers of a model, found once and written for every member. */
#ifndef RCT_ENSEMBLE_TARGET_H
#define RCT_ENSEMBLE_TARGET_H

#include <riccatree/force.h>
#include <riccatree/model.h>

/* The numbers of a system that variations write; the rest is the base model's. */
typedef struct rct_member_numbers {
    double gravity[3];
    rct_body *bodies;  /* [bodies of the base model] */
    rct_force *forces; /* [forces of the base model] */
} rct_member_numbers;

typedef struct rct_target {
    enum { TARGET_GRAVITY, TARGET_BODY, TARGET_FORCE } of;
    int32_t index;     /* of the body or force; -1: all bodies that have such numbers            */
    int field;         /* in the table of bodies or of forces                                    */
    int32_t component; /* -1: all that the hinge has a use for                                   */
} rct_target;

/* RCT_ERROR_ARGUMENT, naming the path and what there is instead. */
rct_status rct_target_find(const rct_model *model, const char *path, rct_target *target,
                           rct_error *error);

void rct_target_write(const rct_target *target, int32_t bodies, double value,
                      rct_member_numbers *numbers);

#endif
