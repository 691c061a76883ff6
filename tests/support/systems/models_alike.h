/* Whether two models are equal bit for bit. */
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
           memcmp(&a->length, &b->length, sizeof a->length) == 0 &&
           a->coordinate == b->coordinate && a->over == b->over &&
           memcmp(&a->lower, &b->lower, offsetof(rct_force, rows) - offsetof(rct_force, lower)) ==
               0 && /* doubles */
           a->rows == b->rows &&
           (a->rows == 0 ||
            memcmp(a->table, b->table, 2 * (size_t)a->rows * sizeof *a->table) == 0);
}

static inline int bases_alike(const rct_base *a, const rct_base *b)
{
    return memcmp(a, b, offsetof(rct_base, rows)) == 0 && /* doubles */
           a->rows == b->rows &&
           (a->rows == 0 ||
            memcmp(a->table, b->table, 5 * (size_t)a->rows * sizeof *a->table) == 0);
}

static inline int texts_alike(const char *a, const char *b)
{
    return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

static inline int loops_alike(const rct_loop *a, const rct_loop *b)
{
    int alike =
        memcmp(&a->amplitude, &b->amplitude, 3 * sizeof a->amplitude) == 0 && a->rows == b->rows &&
        (a->rows == 0 || memcmp(a->table, b->table, 2 * (size_t)a->rows * sizeof *a->table) == 0);
    alike = alike && texts_alike(a->name, b->name) && a->type == b->type &&
            a->active == b->active && a->body == b->body &&
            memcmp(a->at, b->at, sizeof a->at) == 0 &&
            memcmp(a->orientation, b->orientation, sizeof a->orientation) == 0 &&
            a->other == b->other && memcmp(a->other_at, b->other_at, sizeof a->other_at) == 0 &&
            memcmp(a->other_orientation, b->other_orientation, sizeof a->other_orientation) == 0 &&
            memcmp(a->axis, b->axis, sizeof a->axis) == 0 &&
            memcmp(a->axis2, b->axis2, sizeof a->axis2) == 0 &&
            memcmp(&a->length, &b->length, sizeof a->length) == 0 &&
            memcmp(&a->offset, &b->offset, sizeof a->offset) == 0 &&
            memcmp(&a->rate, &b->rate, sizeof a->rate) == 0 &&
            memcmp(&a->acceleration, &b->acceleration, sizeof a->acceleration) == 0 &&
            memcmp(&a->radius, &b->radius, sizeof a->radius) == 0 &&
            memcmp(a->cosine, b->cosine, sizeof a->cosine) == 0 &&
            memcmp(a->sine, b->sine, sizeof a->sine) == 0 && a->term_count == b->term_count;
    for (int32_t i = 0; alike && i < a->term_count; i++) {
        const rct_loop_term *s = &a->terms[i], *t = &b->terms[i];
        alike = s->body == t->body && s->freedom == t->freedom &&
                memcmp(&s->factor, &t->factor, sizeof s->factor) == 0;
    }
    return alike;
}

static inline int events_alike(const rct_event *a, const rct_event *b)
{
    return texts_alike(a->name, b->name) && a->type == b->type && a->way == b->way &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0 && a->body == b->body &&
           a->coordinate == b->coordinate && memcmp(a->at, b->at, sizeof a->at) == 0 &&
           a->other == b->other && memcmp(a->other_at, b->other_at, sizeof a->other_at) == 0 &&
           a->of == b->of && a->loop == b->loop && a->state == b->state && a->again == b->again;
}

static inline int models_alike(const rct_model *a, const rct_model *b)
{
    int alike = a->count == b->count && strcmp(a->name, b->name) == 0 &&
                memcmp(a->gravity, b->gravity, sizeof a->gravity) == 0;
    for (int32_t i = 0; alike && i < a->count; i++) {
        rct_body one, other;
        alike = rct_model_body(a, i, &one, NULL) == RCT_OK &&
                rct_model_body(b, i, &other, NULL) == RCT_OK && bodies_alike(&one, &other);
    }
    alike = alike && a->force_count == b->force_count && bases_alike(&a->base, &b->base);
    for (int32_t i = 0; alike && i < a->force_count; i++) {
        alike = forces_alike(&a->forces[i], &b->forces[i]);
    }
    alike = alike && a->loop_count == b->loop_count;
    for (int32_t i = 0; alike && i < a->loop_count; i++) {
        alike = loops_alike(&a->loops[i], &b->loops[i]);
    }
    alike = alike && a->shape_count == b->shape_count &&
            (a->shape_count == 0 ||
             memcmp(a->shapes, b->shapes, (size_t)a->shape_count * sizeof *a->shapes) == 0);
    alike = alike && a->event_count == b->event_count;
    for (int32_t i = 0; alike && i < a->event_count; i++) {
        alike = events_alike(&a->events[i], &b->events[i]);
    }
    return alike;
}

#endif
