/* Moments of springs at ball hinges, in lanes of every width, against differences of their energy
 * in quadruple precision: rotations of every size, from zero to almost half a turn, equal and
 * different stiffnesses, rotated frames. */
#include "tests/support/cmocka_all.h"

#include "tests/kernels/bending_lanes.h"
#include "tests/support/answers/ball_torque.h"
#include "tests/support/draw.h"

#include <math.h>
#include <string.h>

typedef void bending_lanes(const double *turn, const double *frame, const double *stiffness,
                           double *moment);

static const struct width {
    int lanes;
    bending_lanes *of;
} widths[] = {
    {1, bending_lanes_1}, {2, bending_lanes_2}, {4, bending_lanes_4}, {8, bending_lanes_8}};

enum { WIDTHS = sizeof widths / sizeof widths[0], MOST = 8 };

/* A link on its hinge: `own` rotated by `angle` about an axis in the frame; `turn` leaves the
 * rotation of the frame out, as in sweeps. */
typedef struct hinge {
    double turn[9];
    rct_body body;
    quad3 moment; /* link axes */
} hinge;

static hinge draw_hinge(uint64_t *random, double angle)
{
    hinge h = {.body = rct_body_default()};
    const quad33 ground = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const quad3 none = {{0, 0, 0}};
    double axis[3];
    draw_numbers(random, h.body.hinge_orientation, 4, 1.0);
    draw_numbers(random, axis, 3, 1.0);
    for (int i = 0; i < 3; i++) {
        h.body.stiffness[i] = pow(10.0, draw_between(random, -3.0, 6.0));
    }
    const quad33 frame = quad33_rotation(h.body.hinge_orientation);
    const quad33 own = quad33_turn(quad3_unit(quad3_of(axis)), angle);
    quad33 turn = quad33_product(&frame, &own, 0);
    for (int i = 0; i < 9; i++) {
        h.turn[i] = (double)turn.a[i / 3][i % 3];
        turn.a[i / 3][i % 3] = h.turn[i];
    }
    h.moment = quad33_apply_transposed(&turn, ball_torque(&h.body, &ground, &turn, none));
    return h;
}

static double largest(const double x[3])
{
    return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
}

static void expect_moments(const hinge h[MOST], double angle)
{
    for (int k = 0; k < WIDTHS; k++) {
        const int lanes = widths[k].lanes;
        for (int at = 0; at < MOST; at += lanes) {
            double turn[9 * MOST], frame[4 * MOST], stiffness[3 * MOST], moment[3 * MOST];
            for (int l = 0; l < lanes; l++) {
                for (int i = 0; i < 9; i++) {
                    turn[i * lanes + l] = h[at + l].turn[i];
                }
                for (int i = 0; i < 4; i++) {
                    frame[i * lanes + l] = h[at + l].body.hinge_orientation[i];
                }
                for (int i = 0; i < 3; i++) {
                    stiffness[i * lanes + l] = h[at + l].body.stiffness[i];
                }
            }
            widths[k].of(turn, frame, stiffness, moment);
            for (int l = 0; l < lanes; l++) {
                const double size = largest(h[at + l].body.stiffness);
                for (int i = 0; i < 3; i++) {
                    const double should = (double)h[at + l].moment.x[i];
                    const double off = fabs(moment[i * lanes + l] - should);
                    if (!(off <= 1e-14 * size)) { /* of rad by 1e-14 */
                        fail_msg("%d lanes, turned by %.17g: off by %.2e of %g N m/rad", lanes,
                                 angle, off, size);
                    }
                }
            }
        }
    }
}

static void test_moments_are_what_energies_change_by(void **state)
{
    (void)state;
    static const double near[] = {0.0,  1e-300, 1e-160, 1e-20, 1e-12, 1e-8, 1e-4,
                                  0.01, 0.5,    1.57,   1.6,   2.5,   3.1,  3.14159};
    uint64_t random = 40;
    for (int n = 0; n < 3000; n++) {
        const int known = n < 14 * 20;
        hinge h[MOST];
        const double angle = known ? near[n % 14] : draw_between(&random, -3.1415, 3.1415);
        for (int l = 0; l < MOST; l++) {
            h[l] = draw_hinge(&random, angle);
        }
        expect_moments(h, angle);
    }
}

/* At half a turn it is one of the two. */
static void test_half_a_turn(void **state)
{
    (void)state;
    const double turn[9] = {-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0};
    const double frame[4] = {1.0, 0.0, 0.0, 0.0}, stiffness[3] = {1.0, 2.0, 3.0};
    double moment[3];
    bending_lanes_1(turn, frame, stiffness, moment);
    assert_true(fabs(fabs(moment[2]) - 3.0 * acos(-1.0)) < 1e-14);
    assert_true(fabs(moment[0]) < 1e-14 && fabs(moment[1]) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments_are_what_energies_change_by),
        cmocka_unit_test(test_half_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
