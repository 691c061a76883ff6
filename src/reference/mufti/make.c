/* The matrices and right-hand sides of seed 004, eqs. 1, 4, 10, 24, 43 and 49, from model and pose. */
#include "model/model.h"
#include "reference/mufti/mufti.h"

static const rct_body *body_of(const rct_mufti *s, int32_t i)
{
    return rct_bodies_at(s->model->bodies, s->body[i]);
}

static int32_t parent_of(const rct_mufti *s, int32_t i)
{
    return s->model->bodies->parent[s->body[i]];
}

/* Regular labelling: parents first. */
static void connect(rct_mufti *s)
{
    rct_pose_order(s->model, s->body, s->label);
    for (int32_t i = 0; i < s->n; i++) {
        const rct_body *body = body_of(s, i);
        const int on_ground = parent_of(s, i) == RCT_GROUND;
        s->initial[i] = on_ground ? -1 : s->label[parent_of(s, i)];
        if (body->hinge == RCT_HINGE_FREE) {
            s->arc[i] = -1;
            s->root[i] = s->roots++;
        } else {
            s->arc[i] = s->hinges++;
            s->root[i] = on_ground ? -1 : s->root[s->initial[i]];
        }
    }
}

static void put(rct_matrix *m, int64_t row, int64_t column, double factor, const quad33 *block)
{
    for (int k = 0; k < 9; k++) {
        m->x[(row + k / 3) * m->columns + column + k % 3] = factor * (double)block->a[k / 3][k % 3];
    }
}

/* Put vectors as columns from `at` on. */
static void put_vectors(rct_matrix *m, int64_t row, int64_t *at, int count, const quad3 *v)
{
    for (int k = 0; k < 3 * count; k++) {
        m->x[(row + k % 3) * m->columns + *at + k / 3] = (double)v[k / 3].x[k % 3];
    }
    *at += count;
}

static const quad33 E_3 = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* M, I, and the parts of u_1 and u_2 without hinges: F, G - h^. */
static void fill_body(rct_mufti *s, int32_t i, const rct_load *load)
{
    const int32_t id = s->body[i];
    const rct_pose *pose = &s->pose[id];
    const quad33 I = rct_pose_inertia(&pose->R, body_of(s, i));
    const quad3 h = quad3_cross(pose->omega, quad33_apply(&I, pose->omega));
    put(s->M, 3 * i, 3 * i, body_of(s, i)->mass, &E_3);
    put(s->I, 3 * i, 3 * i, 1.0, &I);
    rct_mufti_add(s->u1, i, load[id].F);
    rct_mufti_add(s->u2, i, quad3_subtract(load[id].G, h));
    if (s->root[i] >= 0) {
        put(s->ones, 3 * i, 3 * s->root[i], 1.0, &E_3);
    }
    for (int32_t l = i; l >= 0 && s->arc[l] >= 0; l = s->initial[l]) {
        put(s->T2, 3 * s->arc[l], 3 * i, -1.0, &E_3);
    }
}

/* Element c_ij of C and L~, and of L^^T 1_n. */
static void fill_end(rct_mufti *s, int32_t j, int32_t i, int c, quad3 l)
{
    const quad33 tilde = quad33_tilde(l);
    put(s->C, 3 * i, 3 * j, c, &E_3);
    put(s->L, 3 * i, 3 * j, c, &tilde);
    rct_mufti_add(s->u3, j, quad3_scale(c, quad3_centripetal(s->pose[s->body[i]].omega, l)));
}

/* The joint forces on the freedoms `columns`, as the vector in their span that does tau on each:
 * for two columns in their plane, by Cramer's rule. The opposite acts on body j+. */
static quad3 known(int count, const quad3 *column, const quad *tau)
{
    if (count == 0) {
        return (quad3){{0, 0, 0}};
    }
    const quad aa = quad3_dot(column[0], column[0]);
    if (count == 1) {
        return quad3_scale(tau[0] / aa, column[0]);
    }
    const quad ab = quad3_dot(column[0], column[1]), bb = quad3_dot(column[1], column[1]);
    const quad det = aa * bb - ab * ab;
    return quad3_add(quad3_scale((tau[0] * bb - tau[1] * ab) / det, column[0]),
                     quad3_scale((tau[1] * aa - tau[0] * ab) / det, column[1]));
}

/* Unit vectors perpendicular to up to three independent columns; returns how many. */
static int perpendicular(int count, const quad3 *column, quad3 *out)
{
    if (count == 0) {
        for (int a = 0; a < 3; a++) {
            out[a] = (quad3){{E_3.a[a][0], E_3.a[a][1], E_3.a[a][2]}};
        }
    } else if (count == 1) {
        out[0] = quad3_across(column[0]);
        out[1] = quad3_unit(quad3_cross(column[0], out[0]));
    } else if (count == 2) {
        out[0] = quad3_unit(quad3_cross(column[0], column[1]));
    }
    return 3 - count;
}

/* The columns of a joint that turn, or that slide, and the joint forces on them. */
static int select_columns(const quad3 *all, const rct_joint *joint, quad3 *column, quad *tau)
{
    int count = 0;
    for (int k = 0; k < joint->freedoms; k++) {
        if (quad3_dot(all[k], all[k]) > 0) {
            column[count] = all[k];
            tau[count++] = joint->tau[k];
        }
    }
    return count;
}

/* Remark 5: a hinge that turns by an angle slides by the pitch times the angle, so a force along
 * its axis and a torque about it that together do no work are one constraint. */
static void couple(rct_mufti *s, int64_t row, quad3 p, quad3 t, int64_t *at)
{
    int64_t same = *at;
    const quad3 against = quad3_scale(-1, p);
    put_vectors(s->tree.torque, row, &same, 1, &t);
    put_vectors(s->tree.force, row, at, 1, &against);
}

/* P, Q, Q_bar of hinge j from columns `at` on, with its constraints from at[3] on; its joint
 * forces, and the terms of its velocities. */
static void fill_joint(rct_mufti *s, int32_t i, int64_t at[4])
{
    const int64_t row = 3 * s->arc[i];
    const rct_body *body = body_of(s, i);
    const rct_pose *pose = &s->pose[s->body[i]];
    quad3 p[3] = {{{0}}}, t[3] = {{{0}}}, q[3], q_bar[3];
    quad turns[3], slides[3];
    int turning = select_columns(pose->joint.p, &pose->joint, p, turns);
    const int sliding = select_columns(pose->joint.t, &pose->joint, t, slides);
    const int coupled = turning + sliding > pose->joint.freedoms; /* a helical hinge */
    quad3 torque = known(turning, p, turns);
    const quad3 force = known(coupled ? 0 : sliding, t, slides);
    if (body->hinge == RCT_HINGE_BALL) {
        torque = pose->torque;
        turning = perpendicular(0, NULL, p);
    }
    const int blocked = perpendicular(turning, p, q), held = perpendicular(sliding, t, q_bar);
    put_vectors(s->P, row, &at[0], turning, p);
    put_vectors(s->Q, row, &at[1], blocked, q);
    put_vectors(s->Q_bar, row, &at[2], held, q_bar);
    put_vectors(s->tree.force, row, &at[3], held, q_bar);
    put_vectors(s->tree.torque, row, &at[3], blocked, q);
    if (coupled) {
        couple(s, row, p[0], t[0], &at[3]);
    }
    rct_mufti_add(s->f, s->arc[i], quad3_scale(-1, force));
    rct_mufti_add(s->g, s->arc[i], quad3_scale(-1, torque));
    rct_mufti_add(s->u3, s->arc[i], pose->joint.t_rest);
    rct_mufti_add(s->P_dot, s->arc[i], pose->joint.p_rest);
    if (s->initial[i] < 0) {
        rct_mufti_add(s->P_dot, s->arc[i], s->ground.omega_dot);
    }
}

static void fill_hinge(rct_mufti *s, int32_t i)
{
    const rct_ground *b_0 = &s->ground;
    const int32_t j = s->arc[i];
    rct_hinge_end end[2];
    rct_pose_ends(s->model, &s->ground, s->pose, s->body[i], end);
    fill_end(s, j, i, -1, end[0].l);
    if (s->initial[i] < 0) {
        rct_mufti_add(s->u3, j,
                      quad3_carried(b_0->acceleration, b_0->omega_dot, b_0->pose.omega, end[1].l));
    } else {
        fill_end(s, j, s->initial[i], 1, end[1].l);
    }
}

/* Drop the columns that stayed empty. */
static void narrow(rct_matrix *m, int64_t columns)
{
    for (int64_t k = 0; k < m->rows * columns; k++) {
        m->x[k] = m->x[k / columns * m->columns + k % columns];
    }
    m->columns = columns;
}

static void fill(rct_mufti *s, const rct_load *load)
{
    int64_t at[4] = {0, 0, 0, 0};
    for (int32_t i = 0; i < s->n; i++) {
        fill_body(s, i, load);
        if (s->arc[i] >= 0) {
            fill_hinge(s, i);
            fill_joint(s, i, at);
        }
    }
    narrow(s->P, at[0]);
    narrow(s->Q, at[1]);
    narrow(s->Q_bar, at[2]);
    narrow(s->tree.force, at[3]);
    narrow(s->tree.torque, at[3]);
}

static void make_matrices(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    const int64_t n = 3 * s->n, h = 3 * s->hinges;
    const struct {
        rct_matrix **matrix;
        int64_t rows, columns;
    } all[] = {{&s->M, n, n},
               {&s->I, n, n},
               {&s->C, n, h},
               {&s->L, n, h},
               {&s->T2, h, n},
               {&s->P, h, h},
               {&s->Q, h, h},
               {&s->Q_bar, h, h},
               {&s->P_dot, h, 1},
               {&s->u1, n, 1},
               {&s->u2, n, 1},
               {&s->u3, h, 1},
               {&s->f, h, 1},
               {&s->g, h, 1},
               {&s->ones, n, 3 * s->roots},
               {&s->tree.force, h, 2 * h},
               {&s->tree.torque, h, 2 * h}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        *all[k].matrix = rct_algebra_zeros(a, all[k].rows, all[k].columns);
    }
}

rct_status rct_mufti_make(rct_mufti *s)
{
    rct_algebra *a = &s->algebra;
    int32_t **const lists[] = {&s->body, &s->label, &s->arc, &s->initial, &s->root};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        *lists[k] = rct_pool_take(&a->pool, s->n, sizeof **lists[k], a->error);
    }
    rct_load *load = rct_pool_take(&a->pool, s->n, sizeof(rct_load), a->error);
    if (load == NULL) {
        return RCT_ERROR_MEMORY;
    }
    connect(s);
    make_matrices(s);
    if (a->status == RCT_OK) {
        rct_load_all(s->model, s->pose, load);
        fill(s, load);
        /* u_1 = F + C f, u_2 = G + L~ f + C g - h^ */
        s->u1 = rct_algebra_sum(a, 1.0, s->u1, 1.0, rct_algebra_product(a, s->C, s->f));
        s->u2 = rct_algebra_sum(a, 1.0, s->u2, 1.0, rct_algebra_product(a, s->L, s->f));
        s->u2 = rct_algebra_sum(a, 1.0, s->u2, 1.0, rct_algebra_product(a, s->C, s->g));
    }
    return a->status;
}
