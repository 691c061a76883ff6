/* The Lagrangian system of Mufti (seed 004, eq. 10): every body, every hinge force, nothing
 * eliminated. Names as there, vectors in inertial axes: r.. of the centres of mass, w. = R omega.,
 * hinge forces f_j, and for fixed hinges constraint torques g_j (g^c of the paper), positive on the
 * initial vertex j+ of arc h_j. Arc h_i leads from the parent of body i to body i, so c_ii = -1 and
 * c_pi = 1; the ground is the fictitious body b_0, which has no equations and does not move.
 *
 *     [  M      0     -C    0  ] [ r.. ]   [ F              ]
 *     [  0      I     -L~  -C' ] [ w.  ] = [ G - h^         ]
 *     [ -C^T  -(L~)^T  0    0  ] [ f   ]   [ L^^T 1         ]
 *     [  0    -C'^T    0    0  ] [ g   ]   [ 0              ]
 *
 * The last row is ours: a fixed hinge holds sum_i c_ij w._i = 0, entered as the paper enters the
 * constraint torques; C' has the columns of C of the fixed hinges. */
#include "reference/lagrange.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"

#include <stddef.h>

/* Unknowns of a body, from its first one: r.., w., f, and g where its hinge is fixed. */
enum { AT_R = 0, AT_W = 3, AT_F = 6, AT_G = 9, FREE_SIZE = 9, FIXED_SIZE = 12 };

/* Entries of a body at most: M 3, I 9, and two ends of a hinge with c E and L~, twice. */
enum { ENTRIES = 12 + 2 * 2 * (3 + 6 + 3) };

typedef struct lagrangian {
    const rct_model *model;
    const rct_pose *pose;    /* [n] */
    int64_t *first;          /* [n + 1] first unknown of each body */
    quad *x;                 /* [unknowns] the solution            */
    rct_equations equations; /* eq. 10                             */
} lagrangian;

/* The vector from C_i to a point given from the body's origin in body axes: R_i l_ij. */
static quad3 lever(const lagrangian *s, int32_t body, const double point[3])
{
    const quad3 to_origin = quad3_scale(-1, quad3_of(s->model->bodies[body].com));
    const quad3 to_point = quad3_add(quad3_of(point), to_origin);
    return quad33_apply(&s->pose[body].R, to_point);
}

/* w x (w x l): the part of an acceleration the velocities make (eq. 9). */
static quad3 centripetal(const lagrangian *s, int32_t body, quad3 l)
{
    const quad3 w = s->pose[body].omega;
    return quad3_cross(w, quad3_cross(w, l));
}

static void add_symmetric(rct_equations *equations, int64_t row, int64_t column, quad value)
{
    rct_equations_add(equations, row, column, value);
    rct_equations_add(equations, column, row, value);
}

/* First and second row of eq. 10 without hinges: M r.. = F, I w. = -h^. */
static void add_body(lagrangian *s, int32_t i)
{
    const rct_body *body = &s->model->bodies[i];
    const int64_t at = s->first[i];
    const quad33 I = rct_pose_inertia(&s->pose[i], body);
    const quad3 w = s->pose[i].omega;
    const quad3 h = quad3_cross(w, quad33_apply(&I, w));
    for (int a = 0; a < 3; a++) {
        rct_equations_add(&s->equations, at + AT_R + a, at + AT_R + a, body->mass);
        s->equations.right[at + AT_R + a] = (quad)body->mass * s->model->gravity[a];
        for (int b = 0; b < 3; b++) {
            rct_equations_add(&s->equations, at + AT_W + a, at + AT_W + b, I.a[a][b]);
        }
        s->equations.right[at + AT_W + a] = -h.x[a];
    }
}

/* What hinge j does on body i, c = c_ij, l = R_i l_ij: its columns of C and L~ in eq. 10, their
 * transposes, and its part of L^^T 1. */
static void add_hinge_end(lagrangian *s, int32_t j, int32_t i, int c, quad3 l)
{
    const int64_t body = s->first[i];
    const int64_t hinge = s->first[j];
    const quad33 L = quad33_tilde(quad3_scale(c, l));
    const quad3 L_hat = quad3_scale(c, centripetal(s, i, l));
    for (int a = 0; a < 3; a++) {
        add_symmetric(&s->equations, body + AT_R + a, hinge + AT_F + a, -c);
        for (int b = 0; b < 3; b++) {
            add_symmetric(&s->equations, body + AT_W + a, hinge + AT_F + b, -L.a[a][b]);
        }
        if (s->model->bodies[j].hinge == RCT_HINGE_FIXED) {
            add_symmetric(&s->equations, body + AT_W + a, hinge + AT_G + a, -c);
        }
        s->equations.right[hinge + AT_F + a] += L_hat.x[a];
    }
}

static const double own_origin[3] = {0.0, 0.0, 0.0};

static void assemble(lagrangian *s)
{
    for (int32_t i = 0; i < s->model->count; i++) {
        const rct_body *body = &s->model->bodies[i];
        add_body(s, i);
        add_hinge_end(s, i, i, -1, lever(s, i, own_origin));
        if (body->parent != RCT_GROUND) {
            add_hinge_end(s, i, body->parent, 1, lever(s, body->parent, body->hinge_at));
        }
    }
}

static quad3 unknown(const lagrangian *s, int64_t at)
{
    return (quad3){{s->x[at], s->x[at + 1], s->x[at + 2]}};
}

static void put(double *rows, int32_t i, quad3 v)
{
    for (int a = 0; a < 3 && rows != NULL; a++) {
        rows[3 * (int64_t)i + a] = (double)v.x[a];
    }
}

/* From the paper's unknowns to ours: the hinge point from the centre of mass, and on body i, the
 * final vertex of its arc, act -f and -g. */
static void give_back(const lagrangian *s, rct_reference_result *result)
{
    for (int32_t i = 0; i < s->model->count; i++) {
        const int64_t at = s->first[i];
        const int fixed = s->model->bodies[i].hinge == RCT_HINGE_FIXED;
        const quad3 l = lever(s, i, own_origin);
        const quad3 w_dot = unknown(s, at + AT_W);
        const quad3 turning = quad3_add(quad3_cross(w_dot, l), centripetal(s, i, l));
        put(result->linear, i, quad3_add(unknown(s, at + AT_R), turning));
        put(result->angular, i, w_dot);
        put(result->force, i, quad3_scale(-1, unknown(s, at + AT_F)));
        put(result->moment, i, fixed ? quad3_scale(-1, unknown(s, at + AT_G)) : (quad3){{0}});
    }
}

static rct_status allocate(lagrangian *s, rct_error *error)
{
    const int64_t n = s->model->count;
    s->first = rct_allocate(n + 1, sizeof *s->first, "the unknowns of bodies", error);
    if (s->first == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < n; i++) {
        const int fixed = s->model->bodies[i].hinge == RCT_HINGE_FIXED;
        s->first[i + 1] = s->first[i] + (fixed ? FIXED_SIZE : FREE_SIZE);
    }
    s->x = rct_allocate(s->first[n], sizeof *s->x, "the solution", error);
    if (s->x == NULL) {
        return RCT_ERROR_MEMORY;
    }
    return rct_equations_create(&s->equations, s->first[n], n * ENTRIES, error);
}

rct_status rct_lagrange_evaluate(const rct_model *model, const rct_pose *pose,
                                 rct_factorization factorization, rct_reference_result *result,
                                 rct_error *error)
{
    lagrangian s = {.model = model, .pose = pose};
    rct_status status = allocate(&s, error);
    if (status == RCT_OK) {
        assemble(&s);
        status = rct_equations_solve(&s.equations, factorization, s.x, &result->residual, error);
    }
    if (status == RCT_OK) {
        give_back(&s, result);
    }
    rct_equations_free(&s.equations);
    rct_release(s.x);
    rct_release(s.first);
    return status;
}
