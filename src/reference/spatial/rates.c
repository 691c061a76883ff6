/* Between the relative speeds of the operators and the rates of the public interface (spatial.h): those of a ball
 * hinge are absolute, all others are the same; and rates stand in body order. */
#include "core/memory.h"
#include "model/model.h"
#include "reference/spatial/spatial.h"

#include <stddef.h>

/* The rows of a ball hinge of C: its own speeds, and the angular part of phi* H* beta of all it hangs on. */
static void write_from(const rct_model *model, const rct_spatial *s, int32_t body, rct_matrix *c)
{
    for (int32_t up = body; up != RCT_GROUND; up = model->bodies[up].parent) {
        const int32_t k = s->place[up];
        for (int64_t j = s->first[k]; j < s->first[k + 1]; j++) {
            for (int i = 0; i < 3; i++) {
                c->x[(s->row[body] + i) * c->columns + j] = s->H.x[j * s->H.columns + 6 * k + i];
            }
        }
    }
}

/* Its rows of the inverse: less the angular velocity of the parent, up to the next that is absolute itself. */
static void write_to(const rct_model *model, const rct_spatial *s, int32_t body, rct_matrix *b)
{
    int absolute = 0;
    for (int32_t up = model->bodies[body].parent; up != RCT_GROUND && !absolute;
         up = model->bodies[up].parent) {
        const int32_t k = s->place[up];
        absolute =
            model->bodies[up].hinge == RCT_HINGE_BALL || model->bodies[up].hinge == RCT_HINGE_FREE;
        for (int64_t j = s->first[k]; j < s->first[k + 1]; j++) {
            const int64_t column = s->row[up] + j - s->first[k];
            for (int i = 0; i < 3; i++) {
                b->x[(s->first[s->place[body]] + i) * b->columns + column] =
                    -s->H.x[j * s->H.columns + 6 * k + i];
            }
        }
    }
}

rct_status rct_spatial_absolute(const rct_model *model, const rct_spatial *s, rct_matrix *from,
                                rct_matrix *to, rct_error *error)
{
    const int64_t v = s->first[s->n];
    *from = *to = (rct_matrix){0, 0, NULL};
    if (!rct_matrix_make(from, v, v, error) || !rct_matrix_make(to, v, v, error)) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < s->n; i++) {
        const int32_t k = s->place[i];
        if (model->bodies[i].hinge == RCT_HINGE_BALL) {
            write_from(model, s, i, from);
            write_to(model, s, i, to);
        }
        for (int64_t j = 0; j < s->first[k + 1] - s->first[k]; j++) {
            from->x[(s->row[i] + j) * v + s->first[k] + j] = 1.0;
            to->x[(s->first[k] + j) * v + s->row[i] + j] = 1.0;
        }
    }
    return RCT_OK;
}

/* out = b* m b; 0 without room. */
static int congruent(const rct_matrix *m, const rct_matrix *b, int transposed, rct_matrix *out,
                     rct_error *error)
{
    rct_matrix half = {0, 0, NULL};
    const int room = rct_matrix_make(&half, m->rows, m->columns, error) &&
                     rct_matrix_make(out, m->rows, m->columns, error);
    if (room) {
        rct_matrix_product(m, 0, b, transposed, &half);
        rct_matrix_product(b, !transposed, &half, 0, out);
    }
    rct_release(half.x);
    return room;
}

rct_status rct_spatial_mass(const rct_model *model, const rct_spatial *s, rct_matrix *mass,
                            rct_matrix *inverse, rct_error *error)
{
    rct_matrix from, to, none = {0, 0, NULL};
    if (mass != NULL) {
        *mass = none;
    }
    if (inverse != NULL) {
        *inverse = none;
    }
    rct_status status = rct_spatial_absolute(model, s, &from, &to, error);
    if (status == RCT_OK && mass != NULL && !congruent(&s->mass, &to, 0, mass, error)) {
        status = RCT_ERROR_MEMORY;
    }
    if (status == RCT_OK && inverse != NULL && !congruent(&s->inverse, &from, 1, inverse, error)) {
        status = RCT_ERROR_MEMORY;
    }
    rct_release(from.x);
    rct_release(to.x);
    return status;
}
