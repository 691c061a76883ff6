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

static inline int forces_alike(const rct_force *a, const rct_force *b)
{
    return a->type == b->type && a->body == b->body && memcmp(a->at, b->at, sizeof a->at) == 0 &&
           a->in_body_axes == b->in_body_axes && memcmp(a->force, b->force, sizeof a->force) == 0 &&
           memcmp(a->moment, b->moment, sizeof a->moment) == 0 && a->other == b->other &&
           memcmp(a->other_at, b->other_at, sizeof a->other_at) == 0 &&
           memcmp(&a->stiffness, &b->stiffness, sizeof a->stiffness) == 0 &&
           memcmp(&a->damping, &b->damping, sizeof a->damping) == 0 &&
           memcmp(&a->length, &b->length, sizeof a->length) == 0;
}

static inline int bases_alike(const rct_base *a, const rct_base *b)
{
    return memcmp(a, b, offsetof(rct_base, rows)) == 0 && /* doubles */
           a->rows == b->rows &&
           (a->rows == 0 ||
            memcmp(a->table, b->table, 5 * (size_t)a->rows * sizeof *a->table) == 0);
}

static inline int models_alike(const rct_model *a, const rct_model *b)
{
    int alike = a->count == b->count && strcmp(a->name, b->name) == 0 &&
                memcmp(a->gravity, b->gravity, sizeof a->gravity) == 0;
    for (int32_t i = 0; alike && i < a->count; i++) {
        alike = bodies_alike(&a->bodies[i], &b->bodies[i]);
    }
    alike = alike && a->force_count == b->force_count && bases_alike(&a->base, &b->base);
    for (int32_t i = 0; alike && i < a->force_count; i++) {
        alike = forces_alike(&a->forces[i], &b->forces[i]);
    }
    return alike;
}

#endif
