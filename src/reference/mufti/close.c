/* The constraints of hinges one by one (seed 004, eq. 49 and Remark 5) and those of loops (eqs.
 * 62 to 66), and closing by eq. 73 the loops that a formulation of the tree leaves open: with H*
 * the independent columns of the loops' constraints,
 *
 *     [  J      -H* ] [ q..     ]   [  u_bar  ]
 *     [ -H*^T    0  ] [ lambda* ] = [ -u_bar3 ]
 *
 * by blocks, where J^-1 (u_bar, H*) is the result of the formulation for the columns u and H*. */
#include "core/error.h"
#include "model/model.h"
#include "reference/mufti/mufti.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* For constraints that follow from others: the part of the largest terms that may be left. */
static const double contradiction = 1e-6;

rct_matrix *rct_mufti_columns(rct_algebra *a, const rct_matrix *m, int64_t first, int64_t count)
{
    rct_matrix *part = rct_algebra_zeros(a, m->rows, count);
    for (int64_t i = 0; i < part->rows; i++) {
        memcpy(part->x + i * count, m->x + i * m->columns + first, (size_t)count * sizeof *part->x);
    }
    return part;
}

/* H_r = C force, H_w = L~ force + C torque, rest = force^T u3 + torque^T P_dot */
static void project(rct_mufti *s, rct_mufti_constraints *c)
{
    rct_algebra *a = &s->algebra;
    c->H_r = rct_algebra_product(a, s->C, c->force);
    c->H_w = rct_algebra_sum(a, 1.0, rct_algebra_product(a, s->L, c->force), 1.0,
                             rct_algebra_product(a, s->C, c->torque));
    c->rest = rct_algebra_sum(a, 1.0, rct_algebra_inner(a, c->force, s->u3), 1.0,
                              rct_algebra_inner(a, c->torque, s->P_dot));
}

/* gamma.._k = sum over m of N^-1_km (p_m . (W - p_rest) + t_m . (A - t_rest)), N_km = p_k . p_m + t_k . t_m, and with eqs. 8 and 45
 * A - t_rest = -(C^T r.. + L~^T w. + u3), W - p_rest = -(C^T w. + P_dot): a column of -factor (N^-1 (t, p))_k. */
static void add_term(rct_mufti *s, const rct_loop_term *term, int64_t column)
{
    const rct_joint *joint = &s->pose[term->body].joint;
    const int32_t j = s->arc[s->label[term->body]];
    quad N[3][3] = {{0}}, unit[3] = {0};
    unit[term->freedom] = -(quad)term->factor;
    for (int k = 0; k < joint->freedoms * joint->freedoms; k++) {
        const int i = k / joint->freedoms, m = k % joint->freedoms;
        N[i][m] = quad3_dot(joint->p[i], joint->p[m]) + quad3_dot(joint->t[i], joint->t[m]);
    }
    rct_mufti_eliminate(joint->freedoms, N, unit);
    for (int k = 0; k < joint->freedoms; k++) {
        rct_mufti_add_to(s->loops.force, j, column, quad3_scale(unit[k], joint->t[k]));
        rct_mufti_add_to(s->loops.torque, j, column, quad3_scale(unit[k], joint->p[k]));
    }
}

static void add_ends(rct_mufti *s, int64_t column)
{
    const rct_loop_row *row = &s->row[column];
    for (int end = 0; end < row->ends; end++) {
        const int32_t i = s->label[row->body[end]];
        rct_mufti_add_to(s->loops.H_r, i, column, row->r[end]);
        rct_mufti_add_to(s->loops.H_w, i, column, row->w[end]);
    }
    s->loops.rest->x[column] += (double)row->rest;
}

void rct_mufti_constrain(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const int64_t count = rct_loop_row_count(s->model);
    project(s, &s->tree);
    s->loops.force = rct_algebra_zeros(a, 3 * (int64_t)s->hinges, count);
    s->loops.torque = rct_algebra_zeros(a, 3 * (int64_t)s->hinges, count);
    s->row = rct_pool_take(&a->pool, count, sizeof *s->row, a->error);
    if (s->row == NULL) {
        a->status = a->status == RCT_OK ? RCT_ERROR_MEMORY : a->status;
    }
    if (a->status == RCT_OK) {
        rct_loop_row_write(s->model, &s->ground, s->pose, s->row);
        a->status = rct_loop_row_sort(s->model, s->pose, s->row, count, &s->independent, a->error);
    }
    for (int64_t i = 0; i < count && a->status == RCT_OK; i++) {
        const rct_loop *loop = &s->model->loops[s->row[i].loop];
        for (int32_t k = 0; k < loop->term_count; k++) {
            add_term(s, &loop->terms[k], i);
        }
    }
    project(s, &s->loops);
    for (int64_t i = 0; i < count && a->status == RCT_OK; i++) {
        add_ends(s, i);
    }
}

/* (m, H*) or (m, 0) */
static rct_matrix *widen(rct_mufti *s, const rct_matrix *m, const rct_matrix *H)
{
    rct_algebra *a = &s->algebra;
    const int64_t count = s->independent;
    const rct_matrix *more =
        H != NULL ? rct_mufti_columns(a, H, 0, count) : rct_algebra_zeros(a, m->rows, count);
    return rct_algebra_blocks(a, 1, 2, (const rct_matrix *[]){m, more});
}

void rct_mufti_open(rct_mufti *s)
{
    s->u1 = widen(s, s->u1, s->loops.H_r);
    s->u2 = widen(s, s->u2, s->loops.H_w);
    s->u3 = widen(s, s->u3, NULL);
    s->P_dot = widen(s, s->P_dot, NULL);
    s->tree.rest = widen(s, s->tree.rest, NULL);
}

/* The first column plus the others, times the weights. */
static const rct_matrix *gather(rct_mufti *s, const rct_matrix *m, const rct_matrix *weights)
{
    return m == NULL ? NULL : rct_algebra_product(&s->algebra, m, weights);
}

void rct_mufti_exert(rct_mufti *s, const rct_matrix *lambda)
{
    rct_algebra *a = &s->algebra;
    const rct_mufti_constraints *c = &s->loops;
    const struct {
        rct_matrix **sum;
        const rct_matrix *by;
    } all[] = {{&s->u1, c->H_r}, {&s->u2, c->H_w}, {&s->f, c->force}, {&s->g, c->torque}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const rct_matrix *by = rct_mufti_columns(a, all[k].by, 0, s->independent);
        *all[k].sum = rct_algebra_sum(a, 1.0, *all[k].sum, 1.0, rct_algebra_product(a, by, lambda));
    }
}

/* H^T (r.., w.) of the first `count` constraints of loops. */
static rct_matrix *moved(rct_mufti *s, const rct_mufti_solution *x, int64_t count)
{
    rct_algebra *a = &s->algebra;
    const rct_matrix *H_r = rct_mufti_columns(a, s->loops.H_r, 0, count);
    const rct_matrix *H_w = rct_mufti_columns(a, s->loops.H_w, 0, count);
    return rct_algebra_sum(a, 1.0, rct_algebra_inner(a, H_r, x->r), 1.0,
                           rct_algebra_inner(a, H_w, x->w));
}

void rct_mufti_close(rct_mufti *s, rct_mufti_solution *x)
{
    rct_algebra *a = &s->algebra;
    const int64_t count = s->independent;
    const rct_matrix *both = moved(s, x, count);
    const rct_matrix *gap = rct_algebra_sum(a, -1.0, rct_mufti_columns(a, both, 0, 1), -1.0,
                                            rct_algebra_rows(a, s->loops.rest, 0, count));
    const rct_matrix *lambda = rct_algebra_solve(a, rct_mufti_columns(a, both, 1, count), gap);
    const rct_matrix *weights =
        rct_algebra_blocks(a, 2, 1, (const rct_matrix *[]){rct_algebra_unit(a, 1), lambda});
    *x = (rct_mufti_solution){gather(s, x->r, weights), gather(s, x->w, weights),
                              gather(s, x->f, weights), gather(s, x->g, weights)};
    s->u1 = rct_mufti_columns(a, s->u1, 0, 1);
    s->u2 = rct_mufti_columns(a, s->u2, 0, 1);
    s->u3 = rct_mufti_columns(a, s->u3, 0, 1);
    s->P_dot = rct_mufti_columns(a, s->P_dot, 0, 1);
    s->tree.rest = rct_mufti_columns(a, s->tree.rest, 0, 1);
    rct_mufti_exert(s, lambda);
}

/* The size of the terms of a constraint. */
static double size_of(const rct_matrix *H, int64_t column, const rct_matrix *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < H->rows; i++) {
        sum += fabs(H->x[i * H->columns + column] * x->x[i]);
    }
    return sum;
}

rct_status rct_mufti_expect_loops(rct_mufti *s, const rct_mufti_solution *x)
{
    rct_algebra *a = &s->algebra;
    const rct_mufti_constraints *c = &s->loops;
    const rct_matrix *left = rct_algebra_sum(a, 1.0, moved(s, x, c->rest->rows), 1.0, c->rest);
    double size = 0.0;
    for (int64_t i = 0; i < left->rows && a->status == RCT_OK; i++) {
        size =
            fmax(size, fabs(c->rest->x[i]) + size_of(c->H_r, i, x->r) + size_of(c->H_w, i, x->w));
    }
    for (int64_t i = 0; i < left->rows && a->status == RCT_OK; i++) {
        if (!(fabs(left->x[i]) <= contradiction * size)) {
            char name[RCT_NAME_SIZE];
            rct_model_loop_name(s->model, s->row[i].loop, name);
            a->status =
                rct_fail(a->error, RCT_ERROR_LOOP,
                         "loop %" PRId32
                         " \"%s\" depends on other loops and contradicts them: no accelerations "
                         "close both; give velocities that all loops allow, or leave this loop out",
                         s->row[i].loop, name);
        }
    }
    return a->status;
}
