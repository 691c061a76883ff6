/* The factor of M^-1 by articulated inertias (seed 001, eqs. 0.25 and 0.26), symmetric to the bit:
 * P by blocks J B; B* M. */
#include "operators/factor.h"
#include "operators/law.h"

static int cross(const rct_operator_hinge *hinge, double P[36], double gain[6][6],
                 double root[6][6])
{
    if (hinge->held) {
        return rct_operator_eliminate_held(hinge->armature, P, gain[0], root[0]);
    }
    return hinge->ball ? rct_operator_eliminate_ball(P, gain[0], root[0])
                       : rct_operator_eliminate(hinge->freedoms, hinge->H[0], hinge->armature, P,
                                                gain[0], root[0]);
}

static void pass(int ball, const double Q[9], const double l[3], const double P[36], double up[36])
{
    double turned[36];
    rct_operator_turn(Q, 1, P + 21, turned + 21);
    if (!ball) {
        rct_operator_turn(Q, 1, P, turned);
        rct_operator_turn(Q, 0, P + 3, turned + 3);
        rct_operator_turn(Q, 0, P + 18, turned + 18);
    }
    rct_operator_pass(ball, l, turned, up);
}

const rct_operator_law rct_operator_articulated = {
    .add_body = rct_operator_add_body, .cross = cross, .pass = pass};
