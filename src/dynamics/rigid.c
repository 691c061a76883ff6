/* One rigid body (rigid.h). */
#include "dynamics/rigid.h"

#include "core/numbers.h"
#include "core/rotation.h"

#include <math.h>
#include <string.h>

/* A length this close to 1 is kept, so that a state that is read and set again keeps its bits. */
static const double unit_slack = 1e-15;

void rct_carry(const double *a, const double *alpha, const double *w, const double *r,
               double out[3])
{
    double turned[3], inner[3], outer[3];
    rct_cross(alpha, r, turned);
    rct_cross(w, r, inner);
    rct_cross(w, inner, outer);
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + turned[i] + outer[i];
    }
}

void rct_inertia_times(const double j[6], const double v[3], double out[3])
{
    out[0] = j[0] * v[0] + j[3] * v[1] + j[4] * v[2];
    out[1] = j[3] * v[0] + j[1] * v[1] + j[5] * v[2];
    out[2] = j[4] * v[0] + j[5] * v[1] + j[2] * v[2];
}

void rct_newton_euler(const rct_body *body, const double gravity[3], double m[3][3],
                      const double rate[3], const double a[3], const double alpha[3],
                      double load[6])
{
    double com[3], ac[3], wb[3], ab[3], jw[3], ja[3], gyroscopic[3], spin[3], moment[3];
    rct_rotate(m, body->com, com);
    rct_carry(a, alpha, rate, com, ac);
    for (int i = 0; i < 3; i++) {
        load[i] = body->mass * (ac[i] - gravity[i]);
    }
    rct_rotate_back(m, rate, wb);
    rct_rotate_back(m, alpha, ab);
    rct_inertia_times(body->inertia, wb, jw);
    rct_inertia_times(body->inertia, ab, ja);
    rct_cross(wb, jw, gyroscopic);
    for (int i = 0; i < 3; i++) {
        ja[i] += gyroscopic[i];
    }
    rct_rotate(m, ja, spin);
    rct_cross(com, load, moment);
    for (int i = 0; i < 3; i++) {
        load[3 + i] = moment[i] + spin[i];
    }
}

/* Divides by the largest component first, so that no length overflows or vanishes; 0 if all
 * components are 0. */
static int make_unit(const double orientation[4], double quaternion[4])
{
    double largest = 0.0, square = 0.0;
    for (int i = 0; i < 4; i++) {
        largest = fmax(largest, fabs(orientation[i]));
    }
    if (!rct_all_finite(orientation, 4) || largest == 0.0) {
        return 0;
    }
    for (int i = 0; i < 4; i++) {
        square += (orientation[i] / largest) * (orientation[i] / largest);
    }
    for (int i = 0; i < 4; i++) {
        quaternion[i] = orientation[i] / largest / sqrt(square);
    }
    return 1;
}

int rct_attitude(const double orientation[4], const double rate[3], double quaternion[4],
                 double own_rate[3])
{
    double square = 0.0, m[3][3];
    for (int i = 0; i < 4; i++) {
        square += orientation[i] * orientation[i];
    }
    if (fabs(square - 1.0) <= 2.0 * unit_slack) {
        memcpy(quaternion, orientation, 4 * sizeof *quaternion);
    } else if (!make_unit(orientation, quaternion)) {
        return 0;
    }
    rct_rotation(quaternion, m);
    rct_rotate_back(m, rate, own_rate); /* not finite if the rate is not */
    return rct_all_finite(own_rate, 3);
}
