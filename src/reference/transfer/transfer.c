/* The plain transfer matrix method (seed 000, eqs. 3-19, 56) in double precision. The rows of
 * the overall transfer equation give the states of the tips' free ends, where m = q = 0 and r..,
 * W. are unknown; the same products once more give all other states. They lose digits with every
 * body, which is why the Riccati recursion exists; nothing here tries to save them. A damper at
 * a ball hinge is a known moment on both bodies.
 *
 * Signs (before eq. 1): q_O is the force the body exerts on the next element, so that the parent's
 * force on the body is -q_O; m_O is the moment the next element exerts on the body. */
#include "reference/transfer/transfer.h"

#include "core/error.h"
#include "core/numbers.h"
#include "model/model.h"

#include <inttypes.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { UNKNOWNS = 6 }; /* of a tip: r.., W. */

typedef struct solution {
    rct_transfer_tree tree;
    rct_ground ground;
    quad3 *torque;  /* [n] N m, of the parent on the body */
    int64_t *rate;  /* [n] first rate of each body        */
    double *x;      /* [unknowns]                         */
    double largest; /* acceleration                       */
    const rct_reference_result *result;
    rct_pool pool;
} solution;

/* The loads on the bodies, including springs and dampers of their hinges. */
static rct_status act(solution *s, rct_error *error)
{
    const rct_model *model = s->tree.model;
    rct_load *load = rct_pool_take(&s->pool, model->count, sizeof *load, error);
    s->torque = rct_pool_take(&s->pool, model->count, sizeof *s->torque, error);
    s->rate = rct_pool_take(&s->pool, model->count, sizeof *s->rate, error);
    if (s->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    int64_t rate = 0;
    rct_load_all(model, s->tree.pose, load);
    for (int32_t i = 0; i < model->count; i++) {
        const rct_body *body = rct_bodies_at(model->bodies, i);
        const int32_t parent = model->bodies->parent[i];
        s->torque[i] = s->tree.pose[i].torque;
        load[i].G = quad3_add(load[i].G, s->torque[i]);
        if (parent != RCT_GROUND) {
            load[parent].G = quad3_subtract(load[parent].G, s->torque[i]);
        }
        s->rate[i] = rate;
        rate += rct_hinge_freedoms(body->hinge);
    }
    s->tree.load = load;
    return RCT_OK;
}

/* The unknowns or, if they are known, the states of the tips' free ends, with m = q = 0; others
 * are added on the way. */
static void begin(const solution *s, rct_transfer_states *states)
{
    const int64_t width = states->width;
    memset(states->z, 0, (size_t)(s->tree.tips * STATE_SIZE * width) * sizeof *states->z);
    for (int64_t t = 0; t < s->tree.tips; t++) {
        double *z = states->z + t * STATE_SIZE * width;
        for (int64_t k = 0; k < UNKNOWNS; k++) { /* a state begins with r.. and W. */
            z[k * width + (width > 1 ? UNKNOWNS * t + k : 0)] =
                width > 1 ? 1.0 : s->x[UNKNOWNS * t + k];
        }
        z[STATE_ONE * width + width - 1] = 1.0;
    }
}

static rct_status take_states(solution *s, int64_t width, rct_transfer_states *states,
                              rct_error *error)
{
    const int64_t tips = s->tree.tips;
    *states = (rct_transfer_states){.width = width, .x = s->x, .count = s->tree.unknowns};
    states->z = rct_pool_take(&s->pool, (tips + 1) * STATE_SIZE * width, sizeof(double), error);
    states->rows = rct_pool_take(&s->pool, states->count * width, sizeof(double), error);
    if (s->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    begin(s, states);
    return RCT_OK;
}

/* Solve rows x + last column = 0. */
static rct_status solve(solution *s, const rct_transfer_states *states, rct_error *error)
{
    const int64_t n = s->tree.unknowns;
    double *matrix = rct_pool_take(&s->pool, n * n, sizeof *matrix, error);
    lapack_int *pivots = rct_pool_take(&s->pool, n, sizeof *pivots, error);
    s->x = rct_pool_take(&s->pool, n, sizeof *s->x, error);
    if (s->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    if (!rct_all_finite(states->rows, n * (n + 1))) {
        return rct_fail(error, RCT_ERROR_SINGULAR,
                        "the product of the transfer matrices has overflowed: the chain is too "
                        "long for this reference; use the lagrange reference");
    }
    for (int64_t i = 0; i < n; i++) {
        memcpy(matrix + i * n, states->rows + i * (n + 1), (size_t)n * sizeof *matrix);
        s->x[i] = -states->rows[i * (n + 1) + n];
    }
    const lapack_int size = (lapack_int)n;
    const lapack_int info = LAPACKE_dgesv(LAPACK_ROW_MAJOR, size, 1, matrix, size, pivots, s->x, 1);
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) {
        return rct_fail_memory(error, n * n * (int64_t)sizeof *matrix,
                               "the overall transfer equation");
    }
    if (info != 0) {
        return rct_fail(error, RCT_ERROR_SINGULAR,
                        "the boundary conditions of the transfer matrix product are singular; use "
                        "the lagrange reference");
    }
    return RCT_OK;
}

/* Write z_O of one body into its row of the result. */
static rct_status give_back(void *at, int32_t body, const double *z, rct_error *error)
{
    solution *s = at;
    const rct_reference_result *result = s->result;
    const int32_t rates = rct_hinge_freedoms(rct_bodies_at(s->tree.model->bodies, body)->hinge);
    double moment[3],
        *derivatives = result->derivatives != NULL ? result->derivatives + s->rate[body] : NULL;
    for (int a = 0; a < 3; a++) {
        moment[a] = z[STATE_M + a] + (double)s->torque[body].x[a];
        s->largest = fmax(s->largest, fabs(z[STATE_R + a]));
    }
    const struct {
        double *row;
        const double *from;
        int sign;
    } all[] = {{result->linear, z + STATE_R, 1},
               {result->angular, z + STATE_W, 1},
               {result->force, z + STATE_Q, -1},
               {result->moment, moment, 1}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        for (int a = 0; a < 3 && all[k].row != NULL; a++) {
            all[k].row[3 * (int64_t)body + a] = all[k].sign * all[k].from[a];
        }
    }
    for (int a = 0; a < rates && derivatives != NULL; a++) {
        derivatives[a] = z[a < 3 ? STATE_W + a : STATE_R + a - 3];
    }
    return rct_all_finite(z, STATE_SIZE)
               ? RCT_OK
               : rct_model_fail_body(s->tree.model, body, error, RCT_ERROR_SINGULAR,
                                     ": its state is not finite: the chain is too long for plain "
                                     "transfer matrices; use the lagrange reference");
}

/* The residual of the acceleration rows with the states inserted. */
static double left_over(const solution *s, const rct_transfer_states *states)
{
    double left = 0.0;
    for (int64_t k = 0; k < states->accelerations; k++) {
        left = fmax(left, fabs(states->rows[k]));
    }
    return s->largest > 0.0 ? left / s->largest : 0.0;
}

rct_status rct_transfer_evaluate(const rct_model *model, double time, const rct_pose *pose,
                                 rct_reference_result *result, rct_error *error)
{
    solution s = {.tree = {.model = model, .pose = pose},
                  .ground = rct_pose_ground(model, time),
                  .result = result,
                  .pool = {.what = "plain transfer matrices"}};
    rct_transfer_states states;
    s.tree.ground = &s.ground;
    rct_status status = act(&s, error);
    RCT_THEN(status, rct_transfer_tree_make(&s.tree, error));
    RCT_THEN(status, take_states(&s, s.tree.unknowns + 1, &states, error));
    RCT_THEN(status, rct_transfer_pass(&s.tree, &states, NULL, NULL, error));
    RCT_THEN(status, solve(&s, &states, error));
    RCT_THEN(status, take_states(&s, 1, &states, error));
    RCT_THEN(status, rct_transfer_pass(&s.tree, &states, give_back, &s, error));
    if (status == RCT_OK) {
        result->residual = left_over(&s, &states);
    }
    rct_pool_empty(&s.tree.pool);
    rct_pool_empty(&s.pool);
    return status;
}
