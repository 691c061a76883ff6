/* The Lagrangian system of Mufti (seed 004, eqs. 10 and 49) for every hinge: every body, every
 * hinge force and torque, nothing eliminated. Names as there, vectors in inertial axes: r.. of
 * the centres of mass, w. = R omega., forces f_j and torques g_j of hinge j, positive on the
 * initial vertex j+ of arc h_j, at the hinge point of body j. Arc h_i leads from the parent of
 * body i to body i, so c_ii = -1 and c_pi = 1; the ground is the fictitious body b_0 of Remark
 * 3, which has no equations and a prescribed motion.
 *
 *     [  M      0     -C    0    0  ] [ r..     ]   [ F                 ]
 *     [  0      I     -L~  -C'   0  ] [ w.      ]   [ G + C g - h^      ]
 *     [ -C^T  -(L~)^T  0    0   -T  ] [ f       ] = [ L^^T 1 + t_rest   ]  + motion of the ground
 *     [  0    -C'^T    0    0   -P  ] [ g       ]   [ p_rest            ]  + motion of the ground
 *     [  0      0    -T^T -P^T   D  ] [ gamma.. ]   [ tau               ]
 *
 * P is that of eq. 43 and T the same for translations, one column for each freedom of a relative
 * hinge (pose.h); L ends at the hinge point of body j on both sides. The third and fourth rows
 * give the relative acceleration of the two sides of a hinge. The last row gives the action of
 * the hinge on its freedoms (eq. 54 with joint forces), less the part of its rotors, with
 * inertia D on the diagonal. So the directions that the paper calls q_jk need not be chosen. C'
 * has the columns of C of the relative hinges. A ball hinge has only f, and its known torque in
 * C g; a free one neither f nor g.
 *
 * Closed loops (eqs. 63 to 73) add a row and its transpose, a multiplier, for every constraint
 * that does not follow from others (lagrange.h): 0 = row . (r.., w., gamma..) + rest. The
 * dependent ones are checked in the solution. */
#include "reference/lagrange/lagrange.h"

#include "core/error.h"
#include "model/model.h"

/* Upper bounds of entries: of a body 3 in M, 9 in I, and for two ends of a hinge c E, L~ and c
 * E, twice; of a freedom a column of T and of P, twice, and D. */
enum { BODY_ENTRIES = 12 + 2 * 2 * (3 + 6 + 3), FREEDOM_ENTRIES = 2 * 6 + 1 };

static int has_force(const rct_body *body)
{
    return body->hinge != RCT_HINGE_FREE;
}

static int64_t unknowns_of(const rct_body *body)
{
    if (!rct_pose_is_absolute(body)) {
        return AT_GAMMA + rct_hinge_freedoms(body->hinge);
    }
    return has_force(body) ? AT_G : AT_F;
}

static void add_right(rct_lagrangian *s, int64_t row, quad3 v)
{
    for (int a = 0; a < 3; a++) {
        s->equations.right[row + a] += v.x[a];
    }
}

/* First and second row of eq. 10 without hinges: M r.. = F, I w. = G - h^. */
static void add_body(rct_lagrangian *s, int32_t i)
{
    const rct_body *body = rct_bodies_at(s->model->bodies, i);
    const int64_t at = s->first[i];
    const quad33 I = rct_pose_inertia(&s->pose[i].R, body);
    const quad3 w = s->pose[i].omega;
    const quad3 h = quad3_cross(w, quad33_apply(&I, w));
    for (int a = 0; a < 3; a++) {
        s->equations.scale[at + AT_R + a] = 1.0 / s->units.root_mass;
        s->equations.scale[at + AT_W + a] = 1.0 / (s->units.root_mass * s->units.length);
        rct_equations_add(&s->equations, at + AT_R + a, at + AT_R + a, body->mass);
        for (int b = 0; b < 3; b++) {
            rct_equations_add(&s->equations, at + AT_W + a, at + AT_W + b, I.a[a][b]);
        }
    }
    add_right(s, at + AT_R, s->load[i].F);
    add_right(s, at + AT_W, quad3_subtract(s->load[i].G, h));
}

/* The action of hinge j on body i, c = c_ij, l = R_i l_ij: its columns of C and L~ in eq. 10,
 * their transposes, its part of L^^T 1, and C g if g is known. */
static void add_hinge_end(rct_lagrangian *s, int32_t j, int32_t i, int c, quad3 l)
{
    const rct_body *body = rct_bodies_at(s->model->bodies, j);
    const int64_t at = s->first[i];
    const int64_t hinge = s->first[j];
    const quad33 L = quad33_tilde(quad3_scale(c, l));
    for (int a = 0; a < 3; a++) {
        rct_lagrangian_add(s, at + AT_R + a, hinge + AT_F + a, -c);
        for (int b = 0; b < 3; b++) {
            rct_lagrangian_add(s, at + AT_W + a, hinge + AT_F + b, -L.a[a][b]);
        }
        if (!rct_pose_is_absolute(body)) {
            rct_lagrangian_add(s, at + AT_W + a, hinge + AT_G + a, -c);
        }
    }
    add_right(s, hinge + AT_F, quad3_scale(c, quad3_centripetal(s->pose[i].omega, l)));
    if (body->hinge == RCT_HINGE_BALL) {
        add_right(s, at + AT_W, quad3_scale(-c, s->pose[j].torque)); /* g acts on its parent */
    }
}

/* The part of the motion of b_0 where hinge j is on it, l from its origin: the acceleration of
 * the hinge point, and the angular acceleration. */
static void add_ground_end(rct_lagrangian *s, int32_t j, quad3 l)
{
    const rct_ground *ground = &s->ground;
    add_right(s, s->first[j] + AT_F,
              quad3_carried(ground->acceleration, ground->omega_dot, ground->pose.omega, l));
    if (!rct_pose_is_absolute(rct_bodies_at(s->model->bodies, j))) {
        add_right(s, s->first[j] + AT_G, ground->omega_dot);
    }
}

/* Columns of T and P, their transposes, and the right-hand sides of a relative hinge. */
static void add_joint(rct_lagrangian *s, int32_t j)
{
    const rct_joint *joint = &s->pose[j].joint;
    const int64_t at = s->first[j];
    for (int k = 0; k < joint->freedoms; k++) {
        for (int a = 0; a < 3; a++) {
            rct_lagrangian_add(s, at + AT_F + a, at + AT_GAMMA + k, -joint->t[k].x[a]);
            rct_lagrangian_add(s, at + AT_G + a, at + AT_GAMMA + k, -joint->p[k].x[a]);
        }
        if (joint->armature[k] != 0) {
            rct_equations_add(&s->equations, at + AT_GAMMA + k, at + AT_GAMMA + k,
                              joint->armature[k]);
        }
        s->equations.right[at + AT_GAMMA + k] = joint->tau[k];
    }
    add_right(s, at + AT_F, joint->t_rest);
    add_right(s, at + AT_G, joint->p_rest);
}

static void add_hinge(rct_lagrangian *s, int32_t j)
{
    rct_hinge_end end[2];
    if (!has_force(rct_bodies_at(s->model->bodies, j))) {
        return;
    }
    rct_pose_ends(s->model, &s->ground, s->pose, j, end);
    add_hinge_end(s, j, j, -1, end[0].l);
    if (end[1].body == RCT_GROUND) {
        add_ground_end(s, j, end[1].l);
    } else {
        add_hinge_end(s, j, end[1].body, 1, end[1].l);
    }
    if (!rct_pose_is_absolute(rct_bodies_at(s->model->bodies, j))) {
        add_joint(s, j);
    }
}

/* Derivatives of the rates of hinge i: gamma.., or absolute ones. */
static void put_derivatives(const rct_lagrangian *s, int32_t i, quad3 w_dot, quad3 a, double *out)
{
    const rct_body *body = rct_bodies_at(s->model->bodies, i);
    if (!rct_pose_is_absolute(body)) {
        for (int k = 0; k < rct_hinge_freedoms(body->hinge); k++) {
            out[k] = (double)s->x[s->first[i] + AT_GAMMA + k];
        }
    } else {
        quad3_give(w_dot, out, 0);
    }
    if (body->hinge == RCT_HINGE_FREE) {
        quad3_give(a, out, 1);
    }
}

/* From the paper's unknowns to results: from the centre of mass to the hinge point; -f and -g
 * act on body i, the final vertex of its arc. */
static void give_back(const rct_lagrangian *s, rct_reference_result *result)
{
    const quad3 none = {{0, 0, 0}};
    int64_t freedom = 0;
    for (int32_t i = 0; i < s->model->count; i++) {
        const rct_body *body = rct_bodies_at(s->model->bodies, i);
        const int64_t at = s->first[i];
        const quad3 l = quad3_subtract(none, quad33_apply(&s->pose[i].R, quad3_of(body->com)));
        const quad3 w_dot = rct_lagrangian_unknown(s, at + AT_W);
        const quad3 a =
            quad3_carried(rct_lagrangian_unknown(s, at + AT_R), w_dot, s->pose[i].omega, l);
        const quad3 f = has_force(body) ? rct_lagrangian_unknown(s, at + AT_F) : none;
        const quad3 g = rct_pose_is_absolute(body) ? quad3_subtract(none, s->pose[i].torque)
                                                   : rct_lagrangian_unknown(s, at + AT_G);
        quad3_give(a, result->linear, i);
        quad3_give(w_dot, result->angular, i);
        quad3_give(quad3_subtract(none, f), result->force, i);
        quad3_give(quad3_subtract(none, g), result->moment, i);
        if (result->derivatives != NULL) {
            put_derivatives(s, i, w_dot, a, result->derivatives + freedom);
        }
        freedom += rct_hinge_freedoms(body->hinge);
    }
}

static rct_status allocate(rct_lagrangian *s, rct_error *error)
{
    const int64_t n = s->model->count;
    int64_t entries = 0;
    s->load = rct_pool_take(&s->pool, n, sizeof *s->load, error);
    s->first = rct_pool_take(&s->pool, n + 1, sizeof *s->first, error);
    if (s->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < n; i++) {
        s->first[i + 1] = s->first[i] + unknowns_of(rct_bodies_at(s->model->bodies, i));
        entries += BODY_ENTRIES + (int64_t)FREEDOM_ENTRIES * s->pose[i].joint.freedoms;
    }
    entries += rct_lagrangian_loop_entries(s);
    s->x = rct_pool_take(&s->pool, s->first[n] + s->rank, sizeof *s->x, error);
    return rct_equations_create(&s->equations, s->first[n] + s->rank, entries, &s->pool, error);
}

rct_status rct_lagrange_evaluate(const rct_model *model, double time, const rct_pose *pose,
                                 rct_factorization factorization, rct_reference_result *result,
                                 rct_error *error)
{
    rct_lagrangian s = {.model = model,
                        .pose = pose,
                        .ground = rct_pose_ground(model, time),
                        .units = rct_lagrange_units_of(model),
                        .pool = {.what = "the Lagrangian system"}};
    rct_status status = rct_lagrangian_take_loops(&s, error);
    RCT_THEN(status, allocate(&s, error));
    if (status == RCT_OK) {
        rct_load_all(model, pose, s.load);
        for (int32_t i = 0; i < model->count; i++) {
            add_body(&s, i);
            add_hinge(&s, i);
        }
        rct_lagrangian_add_loops(&s);
        status = rct_equations_solve(&s.equations, factorization, s.x, &result->residual, error);
    }
    RCT_THEN(status, rct_lagrangian_expect_loops(&s, error));
    if (status == RCT_OK) {
        give_back(&s, result);
    }
    rct_pool_empty(&s.pool);
    return status;
}
