/* Whether two models are the same bit for bit. */
#ifndef RCT_TESTS_MODELS_ALIKE_H
#define RCT_TESTS_MODELS_ALIKE_H

#include "model/model.h"

#include <stddef.h>
#include <string.h>

static inline int bodies_alike(const rct_body *a, const rct_body *b)
{
    const size_t start = offsetof(rct_body, hinge_at); /* from here on all members are doubles */
    return a->parent == b->parent && a->hinge == b->hinge &&
           (a->name == NULL) == (b->name == NULL) &&
           (a->name == NULL || strcmp(a->name, b->name) == 0) &&
           memcmp((const char *)a + start, (const char *)b + start, sizeof *a - start) == 0;
}

static inline int models_alike(const rct_model *a, const rct_model *b)
{
    int alike = a->count == b->count && strcmp(a->name, b->name) == 0 &&
                memcmp(a->gravity, b->gravity, sizeof a->gravity) == 0;
    for (int32_t i = 0; alike && i < a->count; i++) {
        alike = bodies_alike(&a->bodies[i], &b->bodies[i]);
    }
    return alike;
}

#endif
