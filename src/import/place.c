/* Places of frames, and the ways to give a turn. */
#include "import/place.h"

#include "core/rotation.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

rct_place rct_place_none(void)
{
    return (rct_place){.turn = {1.0, 0.0, 0.0, 0.0}};
}

/* Scaled by the largest component, so that squares neither overflow nor underflow. */
double rct_length(const double v[3])
{
    const double most = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (most == 0.0) {
        return 0.0;
    }
    const double s[3] = {v[0] / most, v[1] / most, v[2] / most};
    return most * sqrt(rct_dot(s, s));
}

int rct_unit(double v[3])
{
    const double length = rct_length(v);
    for (int i = 0; i < 3 && length > 0.0; i++) {
        v[i] /= length;
    }
    return length > 0.0;
}

/* Products of many turns would deviate from length 1 by a few ulp each. */
static void normalize(double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4 && length != 1.0; i++) {
        q[i] /= length;
    }
}

void rct_place_vector(double out[3], const rct_place *place, const double v[3])
{
    double m[3][3];
    rct_rotation(place->turn, m);
    rct_rotate(m, v, out);
}

void rct_place_point(double out[3], const rct_place *place, const double p[3])
{
    rct_place_vector(out, place, p);
    for (int i = 0; i < 3; i++) {
        out[i] += place->at[i];
    }
}

rct_place rct_place_in(const rct_place *outer, const rct_place *inner)
{
    rct_place p;
    rct_quaternion_product(outer->turn, inner->turn, p.turn);
    normalize(p.turn);
    rct_place_point(p.at, outer, inner->at);
    return p;
}

rct_place rct_place_inverse(const rct_place *place)
{
    const double *q = place->turn;
    rct_place p = {.turn = {q[0], -q[1], -q[2], -q[3]}};
    double at[3];
    rct_place_vector(at, &p, place->at);
    for (int i = 0; i < 3; i++) {
        p.at[i] = -at[i];
    }
    return p;
}

void rct_turn_about(double turn[4], const double axis[3], double angle)
{
    double a[3] = {axis[0], axis[1], axis[2]};
    rct_unit(a);
    turn[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; i++) {
        turn[i + 1] = sin(0.5 * angle) * a[i];
    }
}

void rct_turn_thrice(double turn[4], const double angles[3], const char letters[3])
{
    double q[4] = {1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const int axis = tolower((unsigned char)letters[i]) - 'x';
        const double along[3] = {axis == 0, axis == 1, axis == 2};
        double one[4];
        rct_turn_about(one, along, angles[i]);
        if (islower((unsigned char)letters[i])) {
            rct_quaternion_product(q, one, turn);
        } else {
            rct_quaternion_product(one, q, turn);
        }
        memcpy(q, turn, sizeof q);
    }
}

/* The largest of the four components comes from the diagonal, the others from sums and
 * differences of the rest. This avoids the root of a small difference. */
void rct_turn_of_axes(double turn[4], const double x[3], const double y[3], const double z[3])
{
    const double m[3][3] = {{x[0], y[0], z[0]}, {x[1], y[1], z[1]}, {x[2], y[2], z[2]}};
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int i = 0;
    i = m[1][1] > m[i][i] ? 1 : i;
    i = m[2][2] > m[i][i] ? 2 : i;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace > m[i][i]) {
        turn[0] = 1.0 + trace;
        turn[1] = m[2][1] - m[1][2];
        turn[2] = m[0][2] - m[2][0];
        turn[3] = m[1][0] - m[0][1];
    } else {
        turn[0] = m[k][j] - m[j][k];
        turn[1 + i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
        turn[1 + j] = m[j][i] + m[i][j];
        turn[1 + k] = m[k][i] + m[i][k];
    }
    normalize(turn);
}

void rct_turn_z_to(double turn[4], const double v[3])
{
    static const double along_x[3] = {1.0, 0.0, 0.0};
    double to[3] = {v[0], v[1], v[2]};
    rct_unit(to);
    const double cross[3] = {-to[1], to[0], 0.0}; /* z x v */
    const double sine = rct_length(cross);
    rct_turn_about(turn, sine > 0.0 ? cross : along_x, atan2(sine, to[2]));
}
