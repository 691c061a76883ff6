/* The moment of a ball hinge on its body (include/riccatree/model.h), from rotation matrices by
 * virtual work: the energy of its springs is theta . K theta / 2, and theta changes by Jr^-1
 * times a small turn in the axes of the body,
 *
 *     Jr^-1 = E + theta~ / 2 + (1 / theta^2 - sin theta / (2 theta (1 - cos theta))) theta~^2 */
#include "reference/pose.h"

/* The angle from 0 to pi with this sine and cosine: the angle in double, plus the remainder. */
static quad angle_of(quad sine, quad cosine)
{
    const quad near = atan2((double)sine, (double)cosine);
    quad s, c;
    quad_sine_cosine(near, &s, &c);
    return near + (sine * c - cosine * s);
}

/* The rotation vector of R. If the sine is lost to rounding, its direction is a column of R + E
 * = 2 n n^T. */
static quad3 vector_of(const quad33 *R)
{
    const quad3 sines = {{(R->a[2][1] - R->a[1][2]) / 2, (R->a[0][2] - R->a[2][0]) / 2,
                          (R->a[1][0] - R->a[0][1]) / 2}};
    const quad sine = quad_root(quad3_dot(sines, sines));
    const quad cosine = (R->a[0][0] + R->a[1][1] + R->a[2][2] - 1) / 2;
    const quad angle = angle_of(sine, cosine);
    if (sine > 1e-25 || cosine > 0) {
        return sine > 0 ? quad3_scale(angle / sine, sines) : sines;
    }
    int k = R->a[1][1] > R->a[0][0] ? 1 : 0;
    k = R->a[2][2] > R->a[k][k] ? 2 : k;
    quad3 column = {{R->a[0][k], R->a[1][k], R->a[2][k]}};
    column.x[k] += 1;
    return quad3_scale(angle, quad3_unit(column));
}

/* Jr^-1 */
static quad33 rates_of(quad3 theta)
{
    const quad33 tilde = quad33_tilde(theta);
    const quad33 square = quad33_product(&tilde, &tilde, 0);
    const quad size2 = quad3_dot(theta, theta), size = quad_root(size2);
    quad s, c;
    quad_sine_cosine(size, &s, &c);
    const quad factor = size > 1e-8 ? 1 / size2 - s / (2 * size * (1 - c)) : (quad)1 / 12;
    quad33 rates;
    for (int i = 0; i < 9; i++) {
        rates.a[i / 3][i % 3] =
            (i % 4 == 0) + tilde.a[i / 3][i % 3] / 2 + factor * square.a[i / 3][i % 3];
    }
    return rates;
}

quad3 rct_pose_ball_torque(const rct_body *body, const rct_pose *parent, const rct_pose *own)
{
    const quad33 frame = quad33_rotation(body->hinge_orientation);
    const quad33 hinge = quad33_product(&parent->R, &frame, 0);
    const quad3 slip = quad33_apply_transposed(&own->R, quad3_subtract(own->omega, parent->omega));
    quad33 turn;
    for (int i = 0; i < 3; i++) { /* hinge^T R */
        const quad3 column = {{own->R.a[0][i], own->R.a[1][i], own->R.a[2][i]}};
        const quad3 seen = quad33_apply_transposed(&hinge, column);
        for (int k = 0; k < 3; k++) {
            turn.a[k][i] = seen.x[k];
        }
    }
    const quad3 theta = vector_of(&turn);
    const quad33 rates = rates_of(theta);
    quad3 spring;
    for (int i = 0; i < 3; i++) {
        spring.x[i] = body->stiffness[i] * theta.x[i];
    }
    quad3 torque = quad33_apply_transposed(&rates, spring);
    for (int i = 0; i < 3; i++) {
        torque.x[i] = -torque.x[i] - body->damping[i] * slip.x[i];
    }
    return quad33_apply(&own->R, torque);
}
