/* Between the relative speeds of the operators and the rates of the public interface
 * (spatial.h): the rates of a ball hinge are absolute, all others are the same; public rates are
 * in body order. */
#include "model/model.h"
#include "reference/spatial/spatial.h"

/* The rows of a ball hinge of C: its own speeds, and the angular part of phi* H* beta of all its
 * ancestors. */
static void write_from(const rct_model *model, const rct_spatial *s, int32_t body, rct_matrix *c)
{
    for (int32_t up = body; up != RCT_GROUND; up = model->bodies->parent[up]) {
        const int32_t k = s->place[up];
        for (int64_t j = s->first[k]; j < s->first[k + 1]; j++) {
            for (int i = 0; i < 3; i++) {
                c->x[(s->row[body] + i) * c->columns + j] = s->H.x[j * s->H.columns + 6 * k + i];
            }
        }
    }
}

/* Its rows of the inverse: subtract the angular velocity of the parent, up to the next absolute
 * one. */
static void write_to(const rct_model *model, const rct_spatial *s, int32_t body, rct_matrix *b)
{
    int absolute = 0;
    for (int32_t up = model->bodies->parent[body]; up != RCT_GROUND && !absolute;
         up = model->bodies->parent[up]) {
        const int32_t k = s->place[up];
        absolute = rct_pose_is_absolute(rct_bodies_at(model->bodies, up));
        for (int64_t j = s->first[k]; j < s->first[k + 1]; j++) {
            const int64_t column = s->row[up] + j - s->first[k];
            for (int i = 0; i < 3; i++) {
                b->x[(s->first[s->place[body]] + i) * b->columns + column] =
                    -s->H.x[j * s->H.columns + 6 * k + i];
            }
        }
    }
}

rct_status rct_spatial_absolute(const rct_model *model, rct_spatial *s, rct_matrix *from,
                                rct_matrix *to, rct_error *error)
{
    const int64_t v = s->first[s->n];
    s->algebra.error = error;
    *from = *rct_algebra_zeros(&s->algebra, v, v);
    *to = *rct_algebra_zeros(&s->algebra, v, v);
    for (int32_t i = 0; i < s->n && s->algebra.status == RCT_OK; i++) {
        const int32_t k = s->place[i];
        if (rct_bodies_at(model->bodies, i)->hinge == RCT_HINGE_BALL) {
            write_from(model, s, i, from);
            write_to(model, s, i, to);
        }
        for (int64_t j = 0; j < s->first[k + 1] - s->first[k]; j++) {
            from->x[(s->row[i] + j) * v + s->first[k] + j] = 1.0;
            to->x[(s->first[k] + j) * v + s->row[i] + j] = 1.0;
        }
    }
    return s->algebra.status;
}

rct_status rct_spatial_mass(const rct_model *model, rct_spatial *s, rct_matrix *mass,
                            rct_matrix *inverse, rct_error *error)
{
    rct_algebra *a = &s->algebra;
    rct_matrix from, to;
    if (rct_spatial_absolute(model, s, &from, &to, error) == RCT_OK) {
        *mass = *rct_algebra_inner(a, &to, rct_algebra_product(a, &s->mass, &to));
        const rct_matrix *half =
            rct_algebra_product(a, &s->inverse, rct_algebra_transposed(a, &from));
        *inverse = *rct_algebra_product(a, &from, half);
    }
    return a->status;
}
