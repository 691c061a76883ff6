/* The plain transfer matrix product (seed 000, eqs. 3, 18, 19) in double precision: U_n ... U_1
 * from the tip's free end, where m = q = 0, to the root's output end, where r.. = 0. It loses
 * digits with every body, which is what the Riccati recursion was made for; nothing here tries to
 * save them.
 *
 * A gap in the paper: the hinge matrix (eq. 10) makes m_O = 0 of its outboard body, the next
 * towards the root. So nobody imposes m_{1,O} = 0 of the first body, while m_{n,O} = 0 of the last
 * one holds for any tip: with the six boundary rows as printed, r.._{n,O} = 0 and m_{n,O} = 0, the
 * system for the six unknowns r.., W. of the tip has rank 3. The missing rows are m_{1,O} = 0, used
 * here.
 *
 * Signs (before eq. 1): q_O is the force the body exerts on the next element, so that the parent's
 * force on the body is -q_O; m_O is the moment the next element exerts on the body. */
#include "reference/transfer/transfer.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "model/model.h"

#include <inttypes.h>
#include <lapacke.h>
#include <math.h>

enum { UNKNOWNS = 6 };

static rct_status unsupported(const rct_model *model, int32_t body, const char *why,
                              rct_error *error)
{
    return rct_model_fail_body(
        model, body, error, RCT_ERROR_UNSUPPORTED,
        " %s; the plain transfer matrices take one chain of ball hinges from "
        "ground to one tip, use the lagrange reference",
        why);
}

rct_status rct_transfer_order(const rct_model *model, int32_t *order, rct_error *error)
{
    const int32_t n = model->count;
    int32_t *place = rct_allocate(n, sizeof *place, "the order of a chain", error);
    rct_status status = place != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    if (status == RCT_OK) {
        rct_pose_order(model, order, place); /* from the root */
    }
    for (int32_t k = 0; k < n && status == RCT_OK; k++) {
        const int32_t parent = model->bodies->parent[order[k]];
        if (rct_bodies_at(model->bodies, order[k])->hinge != RCT_HINGE_BALL) {
            status = unsupported(model, order[k], "has no ball hinge", error);
        } else if (k > 0 && parent == RCT_GROUND) {
            status = unsupported(model, order[k], "is a second body on the ground", error);
        } else if (k > 0 && parent != order[k - 1]) {
            status = unsupported(model, parent, "has two children", error);
        }
    }
    for (int32_t i = 0; i < n && status == RCT_OK; i++) {
        order[n - 1 - place[i]] = i;
    }
    rct_release(place);
    return status;
}

/* The matrix of the k-th body of the chain; the input end is where its child hangs, and at the tip
 * the centre of mass: any point of the body can be the free end. */
static void body_matrix(const rct_model *model, const rct_pose *pose, const int32_t *order,
                        int32_t k, rct_transfer_matrix *matrix)
{
    const rct_body *body = rct_bodies_at(model->bodies, order[k]);
    const double *input = k == 0 ? body->com : rct_bodies_at(model->bodies, order[k - 1])->hinge_at;
    rct_transfer_body(body, &pose[order[k]], input, model->gravity, matrix);
}

static rct_status hinge_matrix(const rct_model *model, int32_t outboard_body,
                               const rct_transfer_matrix *outboard, rct_transfer_matrix *matrix,
                               rct_error *error)
{
    if (rct_transfer_hinge(outboard, matrix)) {
        return RCT_OK;
    }
    return rct_model_fail_body(
        model, outboard_body, error, RCT_ERROR_SINGULAR,
        ": its u_{3,2} is singular: a force where its child hangs leaves its "
        "own hinge point at rest, or it has no inertia about some axis; use "
        "the lagrange reference");
}

rct_status rct_transfer_product(const rct_model *model, const rct_pose *pose, const int32_t *order,
                                rct_transfer_matrix *product, rct_transfer_matrix *first,
                                rct_error *error)
{
    body_matrix(model, pose, order, 0, first);
    *product = *first;
    rct_status status = RCT_OK;
    for (int32_t k = 1; k < model->count && status == RCT_OK; k++) {
        rct_transfer_matrix body, hinge;
        body_matrix(model, pose, order, k, &body);
        status = hinge_matrix(model, order[k], &body, &hinge, error);
        if (status == RCT_OK) {
            rct_transfer_multiply(&hinge, product);
            rct_transfer_multiply(&body, product);
        }
    }
    return status;
}

/* The unknowns r.., W. of the tip from r.._{n,O} = 0 and m_{1,O} = 0, into its state z. */
static rct_status solve_boundary(const rct_transfer_matrix *product,
                                 const rct_transfer_matrix *first, double z[STATE_SIZE],
                                 rct_error *error)
{
    double matrix[UNKNOWNS][UNKNOWNS];
    lapack_int pivots[UNKNOWNS];
    int finite = 1;
    for (int i = 0; i < UNKNOWNS; i++) {
        const double *row = i < 3 ? product->u[STATE_R + i] : first->u[STATE_M + i - 3];
        for (int k = 0; k < UNKNOWNS; k++) {
            matrix[i][k] = row[k];
            finite = finite && isfinite(row[k]);
        }
        z[i] = -row[STATE_ONE];
        finite = finite && isfinite(z[i]);
    }
    if (!finite) {
        return rct_fail(error, RCT_ERROR_SINGULAR,
                        "the product of the transfer matrices has overflowed: the chain is too "
                        "long for it; use the lagrange reference");
    }
    const lapack_int info =
        LAPACKE_dgesv(LAPACK_ROW_MAJOR, UNKNOWNS, 1, matrix[0], UNKNOWNS, pivots, z, 1);
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) {
        return rct_fail_memory(error, sizeof matrix, "the boundary conditions of a chain");
    }
    if (info != 0) {
        return rct_fail(error, RCT_ERROR_SINGULAR,
                        "the boundary conditions of the transfer matrix product are singular; use "
                        "the lagrange reference");
    }
    return RCT_OK;
}

/* z_{k,O} of one body into its row of the result; gives 0 if it is not finite. */
static int give_back(const double z[STATE_SIZE], int32_t body, rct_reference_result *result)
{
    const struct {
        double *rows;
        int from, sign;
    } all[] = {{result->linear, STATE_R, 1},
               {result->angular, STATE_W, 1},
               {result->derivatives, STATE_W, 1}, /* ball hinges alone: three rates a body */
               {result->force, STATE_Q, -1},
               {result->moment, STATE_M, 1}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        for (int a = 0; a < 3 && all[k].rows != NULL; a++) {
            all[k].rows[3 * (int64_t)body + a] = all[k].sign * z[all[k].from + a];
        }
    }
    return rct_all_finite(z, STATE_SIZE);
}

static double largest_acceleration(const double z[STATE_SIZE])
{
    return fmax(fabs(z[STATE_R]), fmax(fabs(z[STATE_R + 1]), fabs(z[STATE_R + 2])));
}

/* z_k = U_k ... U_1 z_1 for every element, from the tip's state on: plain and unstable. */
static rct_status recover(const rct_model *model, const rct_pose *pose, const int32_t *order,
                          double z[STATE_SIZE], rct_reference_result *result, rct_error *error)
{
    rct_status status = RCT_OK;
    double largest = largest_acceleration(z);
    for (int32_t k = 0; k < model->count && status == RCT_OK; k++) {
        rct_transfer_matrix body, hinge;
        body_matrix(model, pose, order, k, &body);
        if (k > 0) {
            status = hinge_matrix(model, order[k], &body, &hinge, error);
            if (status == RCT_OK) {
                rct_transfer_apply(&hinge, z);
            }
        }
        rct_transfer_apply(&body, z);
        if (status == RCT_OK && !give_back(z, order[k], result)) {
            status = rct_fail_body(error, RCT_ERROR_SINGULAR, order[k],
                                   "body %" PRId32 ": its state is not finite: the chain is too "
                                   "long for plain transfer matrices; use the lagrange reference",
                                   order[k]);
        }
        largest = fmax(largest, largest_acceleration(z));
    }
    result->residual = largest > 0.0 ? largest_acceleration(z) / largest : 0.0;
    return status;
}

rct_status rct_transfer_evaluate(const rct_model *model, const rct_pose *pose,
                                 rct_reference_result *result, rct_error *error)
{
    int32_t *order = rct_allocate(model->count, sizeof *order, "the order of a chain", error);
    if (order == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_transfer_matrix product, first;
    double z[STATE_SIZE] = {[STATE_ONE] = 1.0};
    rct_status status = rct_transfer_order(model, order, error);
    RCT_THEN(status, rct_transfer_product(model, pose, order, &product, &first, error));
    RCT_THEN(status, solve_boundary(&product, &first, z, error));
    RCT_THEN(status, recover(model, pose, order, z, result, error));
    rct_release(order);
    return status;
}
