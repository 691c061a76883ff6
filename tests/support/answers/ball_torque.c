/* Moments at ball hinges from energies (ball_torque.h). */
#include "tests/support/answers/ball_torque.h"

/* The angle between 0 and pi/2 with this sine and cosine. */
static quad angle_of(quad sine, quad cosine)
{
    const quad near = atan2((double)sine, (double)cosine);
    quad s, c;
    quad_sine_cosine(near, &s, &c);
    return near + (sine * c - cosine * s);
}

/* w, x, y, z of a rotation, of any length. */
static void quaternion_of(const quad33 *R, quad q[4])
{
    const quad trace = R->a[0][0] + R->a[1][1] + R->a[2][2];
    int most = 0;
    quad size[4] = {trace, R->a[0][0], R->a[1][1], R->a[2][2]};
    for (int i = 1; i < 4; i++) {
        most = size[i] > size[most] ? i : most;
    }
    const quad w[3] = {R->a[2][1] - R->a[1][2], R->a[0][2] - R->a[2][0], R->a[1][0] - R->a[0][1]};
    q[0] = most == 0 ? 1 + trace : w[most - 1];
    for (int i = 0; i < 3; i++) {
        const int k = most - 1;
        q[1 + i] = most == 0 ? w[i] : R->a[i][k] + R->a[k][i] + (i == k ? 1 - trace : 0);
    }
}

quad ball_energy(const rct_body *body, const quad33 *up, const quad33 *own)
{
    const quad33 frame = quad33_rotation(body->hinge_orientation);
    const quad33 hinge = quad33_product(up, &frame, 0);
    quad33 turn = {{{0}}};
    quad q[4], energy = 0;
    for (int i = 0; i < 27; i++) {
        turn.a[i / 9][i / 3 % 3] += hinge.a[i % 3][i / 9] * own->a[i % 3][i / 3 % 3];
    }
    quaternion_of(&turn, q);
    const quad sine = quad_root(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const quad size = quad_root(sine * sine + q[0] * q[0]);
    const quad angle = 2 * angle_of(sine / size, quad_abs(q[0]) / size);
    for (int i = 0; i < 3 && sine > 0; i++) {
        const quad part = angle * q[1 + i] / sine; /* |theta| <= pi: both signs of q are one turn */
        energy += body->stiffness[i] * part * part / 2;
    }
    return energy;
}

quad3 ball_torque(const rct_body *body, const quad33 *up, const quad33 *own, quad3 slip)
{
    const quad h = 1e-10; /* of a third derivative 1e-20 is left */
    quad3 damping = quad33_apply_transposed(own, slip), spring;
    for (int i = 0; i < 3; i++) {
        quad3 axis = {{0, 0, 0}};
        axis.x[i] = 1;
        const quad33 on = quad33_turn(axis, h), back = quad33_turn(axis, -h);
        const quad33 after = quad33_product(&on, own, 0), before = quad33_product(&back, own, 0);
        spring.x[i] = (ball_energy(body, up, &before) - ball_energy(body, up, &after)) / (2 * h);
        damping.x[i] *= -body->damping[i];
    }
    return quad3_add(spring, quad33_apply(own, damping));
}
