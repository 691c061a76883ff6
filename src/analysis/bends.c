/* Springs at ball hinges at rest: the first and the second derivative of V = theta . K theta / 2,
 * where theta is the rotation vector of the body against its hinge frame, in the axes of that frame
 * (core/bending.h). A turn eta of the body changes theta by J eta. So the gradient is J* K theta.
 * The second derivative along eta is theta' . K theta' + K theta . theta'', with theta' = J eta and
 * theta'' = J' eta, J' being the derivative along theta'. */
#include "analysis/bends.h"

#include "analysis/statics.h"
#include "core/bending.h"
#include "core/rotation.h"

#include <math.h>
#include <string.h>

typedef struct bent {
    double theta[3], pull[3]; /* K theta */
    const double *stiffness;
    double c, slope;
} bent;

/* The second derivative along eta. */
static double curvature(const bent *b, const double eta[3])
{
    double moved[3], once[3], twice[3], first[3], second[3], third[3], sum = 0.0;
    rct_bending_turn(b->theta, b->c, 1.0, eta, moved);
    rct_cross(b->theta, eta, once);
    rct_cross(b->theta, once, twice);
    rct_cross(moved, eta, first);
    rct_cross(moved, once, second);
    rct_cross(b->theta, first, third);
    const double stretched = b->slope * rct_dot(b->theta, moved);
    for (int i = 0; i < 3; i++) {
        const double again = -0.5 * first[i] + stretched * twice[i] + b->c * (second[i] + third[i]);
        sum += b->stiffness[i] * moved[i] * moved[i] + b->pull[i] * again;
    }
    return sum;
}

/* It is 2 x . H y = curvature(x + y) - curvature(x) - curvature(y). */
static void second_derivative(const bent *b, double H[3][3])
{
    for (int i = 0; i < 3; i++) {
        double eta[3] = {0.0};
        eta[i] = 1.0;
        H[i][i] = curvature(b, eta);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        double both[3] = {0.0};
        both[i] = both[j] = 1.0;
        H[i][j] = H[j][i] = 0.5 * (curvature(b, both) - H[i][i] - H[j][j]);
    }
}

/* Axes of the hinge frame of a body to inertial ones. */
static void frame_of(const rct_solver *solver, int32_t body, double W[3][3])
{
    const int32_t parent = solver->plan->bodies->parent[body];
    double own[3][3], up[3][3];
    rct_rotation(rct_bodies_at(solver->plan->bodies, body)->hinge_orientation, own);
    if (parent == RCT_GROUND) {
        rct_rotation(solver->base.orientation, up);
    } else {
        const rct_body_pose pose = rct_solver_body_pose(solver, parent);
        memcpy(up, pose.rotation, sizeof up);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            W[i][j] = up[i][0] * own[0][j] + up[i][1] * own[1][j] + up[i][2] * own[2][j];
        }
    }
}

void rct_bend_at(const rct_solver *solver, int32_t body, double gradient[3], double A[3][3])
{
    const rct_body *own = rct_bodies_at(solver->plan->bodies, body);
    const rct_body_pose pose = rct_solver_body_pose(solver, body);
    bent b = {.stiffness = own->stiffness};
    double W[3][3], turned[3][3], q[4], H[3][3], along[3];
    frame_of(solver, body, W);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            turned[i][j] = W[0][i] * pose.rotation[0][j] + W[1][i] * pose.rotation[1][j] +
                           W[2][i] * pose.rotation[2][j];
        }
    }
    rct_quaternion_along(turned, q);
    rct_rotation_vector(q, b.theta);
    rct_bending_factors(b.theta, &b.c, &b.slope);
    for (int i = 0; i < 3; i++) {
        b.pull[i] = b.stiffness[i] * b.theta[i];
    }
    rct_bending_turn(b.theta, b.c, -1.0, b.pull, along);
    rct_rotate(W, along, gradient);
    second_derivative(&b, H);
    for (int i = 0; i < 3; i++) { /* W H W* */
        for (int j = 0; j < 3; j++) {
            A[i][j] = 0.0;
            for (int k = 0; k < 9; k++) {
                A[i][j] += W[i][k / 3] * H[k / 3][k % 3] * W[j][k % 3];
            }
        }
    }
}

void rct_statics_bend(rct_statics *s, int32_t body)
{
    const double *k = rct_bodies_at(s->solver->plan->bodies, body)->stiffness;
    double gradient[3], H[3][3];
    rct_bend_at(s->solver, body, gradient, H);
    for (int i = 0; i < 3; i++) {
        s->carried[s->tree->first[body] + i] += fmax(k[0], fmax(k[1], k[2]));
    }
    rct_stiffness_bend(s->stiffness, body, gradient, (const double(*)[3])H);
}
