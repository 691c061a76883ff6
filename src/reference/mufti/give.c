/* From the unknowns of seed 004 to rows in body order: accelerations of hinge points, the whole
 * wrench at each hinge, derivatives of the rates, and the residual of the constraints. */
#include "model/model.h"
#include "reference/mufti/mufti.h"

#include <math.h>

/* The acceleration of a point of body b_i at l from its centre of mass. */
static quad3 accelerate(const rct_mufti *s, const rct_mufti_solution *x, int32_t i, quad3 l)
{
    return quad3_carried(rct_mufti_block(x->r, i), rct_mufti_block(x->w, i),
                         s->pose[s->body[i]].omega, l);
}

void rct_mufti_eliminate(int n, quad A[3][3], quad b[3])
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            const quad factor = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) {
                A[i][j] -= factor * A[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            b[k] -= A[k][j] * b[j];
        }
        b[k] /= A[k][k];
    }
}

/* gamma.. from sum of p_k gamma_k.. = W, sum of t_k gamma_k.. = A, by least squares: 6 equations of rank
 * `freedoms`. */
static void fit(const rct_joint *joint, quad3 W, quad3 A, double *out)
{
    quad normal[3][3] = {{0}}, right[3] = {0};
    for (int k = 0; k < joint->freedoms; k++) {
        right[k] = quad3_dot(joint->p[k], W) + quad3_dot(joint->t[k], A);
        for (int m = 0; m < joint->freedoms; m++) {
            normal[k][m] =
                quad3_dot(joint->p[k], joint->p[m]) + quad3_dot(joint->t[k], joint->t[m]);
        }
    }
    rct_mufti_eliminate(joint->freedoms, normal, right);
    for (int k = 0; k < joint->freedoms; k++) {
        out[k] = (double)right[k];
    }
}

static void put_derivatives(const rct_mufti *s, const rct_mufti_solution *x, int32_t i, quad3 a,
                            double *out)
{
    const rct_pose *pose = &s->pose[s->body[i]];
    const rct_hinge_type type = rct_bodies_at(s->model->bodies, s->body[i])->hinge;
    if (rct_pose_is_absolute(rct_bodies_at(s->model->bodies, s->body[i]))) {
        quad3_give(rct_mufti_block(x->w, i), out, 0);
    } else {
        const rct_ground *b_0 = &s->ground;
        const int32_t p = s->initial[i];
        rct_hinge_end end[2];
        rct_pose_ends(s->model, b_0, s->pose, s->body[i], end);
        /* of the hinge point on the initial vertex of hinge i */
        const quad3 w_initial = p < 0 ? b_0->omega_dot : rct_mufti_block(x->w, p);
        const quad3 a_initial =
            p < 0 ? quad3_carried(b_0->acceleration, b_0->omega_dot, b_0->pose.omega, end[1].l)
                  : accelerate(s, x, p, end[1].l);
        const quad3 W = quad3_subtract(rct_mufti_block(x->w, i), w_initial);
        const quad3 A = quad3_subtract(a, a_initial);
        fit(&pose->joint, quad3_subtract(W, pose->joint.p_rest),
            quad3_subtract(A, pose->joint.t_rest), out);
    }
    if (type == RCT_HINGE_FREE) {
        quad3_give(a, out, 1);
    }
}

/* The largest acceleration that the hinges forbid, relative to the largest of all: of H^T (r..,
 * w.) + rest, eqs. 8 and 48. */
static double violation(rct_mufti *s, const rct_mufti_solution *x)
{
    rct_algebra *a = &s->algebra;
    double worst = 0.0, largest = 0.0;
    const rct_matrix *sum = rct_algebra_sum(a, 1.0, rct_algebra_inner(a, s->tree.H_r, x->r), 1.0,
                                            rct_algebra_inner(a, s->tree.H_w, x->w));
    sum = rct_algebra_sum(a, 1.0, sum, 1.0, s->tree.rest);
    for (int64_t k = 0; k < sum->rows; k++) {
        worst = fabs(sum->x[k]) <= worst ? worst : fabs(sum->x[k]);
    }
    for (int64_t k = 0; k < x->r->rows; k++) {
        largest = fmax(largest, fmax(fabs(x->r->x[k]), fabs(x->w->x[k])));
    }
    return worst == 0.0 ? 0.0 : worst / largest;
}

/* f and g of the constraints if the formulation does not give them. */
static void find_forces(rct_mufti *s, rct_mufti_solution *x)
{
    rct_algebra *a = &s->algebra;
    if (x->f == NULL) { /* C f = M r.. - u_1, T2 C = E */
        const rct_matrix *left = rct_algebra_product(a, s->M, x->r);
        x->f = rct_algebra_product(a, s->T2, rct_algebra_sum(a, 1.0, left, -1.0, s->u1));
    }
    if (x->g == NULL) { /* C g = I w. - L~ f - u_2 */
        const rct_matrix *left = rct_algebra_product(a, s->I, x->w);
        left = rct_algebra_sum(a, 1.0, left, -1.0, rct_algebra_product(a, s->L, x->f));
        x->g = rct_algebra_product(a, s->T2, rct_algebra_sum(a, 1.0, left, -1.0, s->u2));
    }
}

void rct_mufti_give_back(rct_mufti *s, const rct_mufti_solution *solution,
                         rct_reference_result *result)
{
    const quad3 none = {{0, 0, 0}};
    rct_mufti_solution x = *solution;
    int64_t freedom = 0;
    find_forces(s, &x);
    const double worst = s->algebra.status == RCT_OK ? violation(s, &x) : 0.0;
    for (int32_t id = 0; id < s->n && s->algebra.status == RCT_OK; id++) {
        const int32_t i = s->label[id], j = s->arc[i];
        const rct_body *body = rct_bodies_at(s->model->bodies, id);
        const quad3 c = quad33_apply(&s->pose[id].R, quad3_of(body->com));
        const quad3 a = accelerate(s, &x, i, quad3_subtract(none, c));
        const quad3 f =
            j >= 0 ? quad3_add(rct_mufti_block(x.f, j), rct_mufti_block(s->f, j)) : none;
        const quad3 g =
            j >= 0 ? quad3_add(rct_mufti_block(x.g, j), rct_mufti_block(s->g, j)) : none;
        quad3_give(a, result->linear, id);
        quad3_give(rct_mufti_block(x.w, i), result->angular, id);
        quad3_give(quad3_subtract(none, f), result->force, id); /* on body j-: -f, -g */
        quad3_give(quad3_subtract(none, g), result->moment, id);
        if (result->derivatives != NULL) {
            put_derivatives(s, &x, i, a, result->derivatives + freedom);
        }
        freedom += rct_hinge_freedoms(body->hinge);
        result->residual = worst;
    }
}
