/* Forces between two bodies, in derivatives of accelerations (tangent.h). */
#include "operators/tangent_parts.h"

static void add_product(const double A[9], const double x[3], double sign, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] += sign * rct_dot(A + 3 * (int64_t)i, x);
    }
}

static void add_transposed(const double A[9], const double x[3], double sign, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] += sign * (A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2]);
    }
}

static int32_t end_of(const rct_operator_pair *p, int e)
{
    return e == 0 ? p->body : p->other;
}

/* Add force and moment (moment first) to one end, unless it is the ground; the first body gets
 * them, the second the opposite. */
static void take(const rct_operator_pair *p, int e, const double moment[3], const double force[3],
                 double *F)
{
    const int32_t body = end_of(p, e);
    const double sign = e == 0 ? -1.0 : 1.0;
    double arm[3];
    rct_cross(p->arm[e], force, arm);
    for (int i = 0; i < 3 && body != RCT_GROUND; i++) {
        F[6 * (int64_t)body + i] += sign * (moment[i] + arm[i]);
        F[6 * (int64_t)body + 3 + i] += sign * force[i];
    }
}

void rct_tangent_push(const rct_tangent *t, double *F)
{
    for (int64_t k = 0; k < t->laws->pairs; k++) {
        const rct_operator_pair *p = &t->laws->pair[k];
        take(p, 0, p->moment, p->force, F);
        take(p, 1, p->moment, p->force, F);
    }
}

/* Changes of the place and the velocity of an end; the arm changes by D x arm. */
typedef struct moved_end {
    double arm[3], place[3], velocity[3];
} moved_end;

static moved_end move_end(const rct_tangent *t, const rct_operator_pair *p, int e)
{
    const int32_t body = end_of(p, e);
    const double *D = operator_row(t->op->motion, body), *V = operator_row(t->V, body);
    const double *dV = operator_row(t->by_V, body);
    moved_end end;
    rct_cross(D, p->arm[e], end.arm);
    for (int i = 0; i < 3; i++) {
        end.place[i] = D[3 + i] + end.arm[i];
        end.velocity[i] = dV[3 + i];
    }
    operator_add_cross(dV, p->arm[e], end.velocity);
    operator_add_cross(V, end.arm, end.velocity);
    return end;
}

static void change(const rct_tangent *t, const rct_operator_pair *p)
{
    const double *D[2], *dV[2];
    moved_end end[2];
    double force[3] = {0.0}, moment[3] = {0.0};
    for (int e = 0; e < 2; e++) {
        const double sign = e == 0 ? -1.0 : 1.0;
        D[e] = operator_row(t->op->motion, end_of(p, e));
        dV[e] = operator_row(t->by_V, end_of(p, e));
        end[e] = move_end(t, p, e);
        add_product(p->hold, end[e].place, sign, force);
        add_product(p->damp, end[e].velocity, sign, force);
        add_product(p->spin, dV[e], sign, moment);
    }
    add_product(p->turn, D[0], 1.0, force);
    add_product(p->twist, D[0], 1.0, moment);
    add_product(p->back, D[1], 1.0, moment);
    for (int e = 0; e < 2; e++) {
        double all[3] = {moment[0], moment[1], moment[2]};
        operator_add_cross(end[e].arm, p->force, all);
        take(p, e, all, force, t->op->force);
    }
}

void rct_tangent_change(const rct_tangent *t)
{
    for (int64_t k = 0; k < t->laws->pairs; k++) {
        change(t, &t->laws->pair[k]);
    }
}

/* From the weights of the force and the moment of a pair, `force` and `moment`, to those of the
 * place and the velocity of one end. */
static void gather_end(const rct_tangent *t, const rct_operator_pair *p, int e,
                       const double force[3], const double moment[3])
{
    const int32_t body = end_of(p, e);
    const double sign = e == 0 ? -1.0 : 1.0, *V = operator_row(t->V, body);
    const double *Y = operator_row(t->op->motion, body);
    double place[3] = {0.0}, velocity[3] = {0.0}, arm[3];
    if (body == RCT_GROUND) {
        return;
    }
    double *D = t->op->force + 6 * (int64_t)body, *W = t->by_V + 6 * (int64_t)body;
    add_transposed(p->hold, force, sign, place);
    add_transposed(p->damp, force, sign, velocity);
    rct_cross(p->force, Y, arm); /* of the moment by the arm; -sign: the force as above */
    for (int i = 0; i < 3; i++) {
        arm[i] = sign * arm[i] + place[i];
        D[3 + i] += place[i];
        W[3 + i] += velocity[i];
    }
    operator_add_cross(velocity, V, arm);
    operator_add_cross(p->arm[e], arm, D);
    operator_add_cross(p->arm[e], velocity, W);
    add_transposed(p->spin, moment, sign, W);
    add_transposed(e == 0 ? p->twist : p->back, moment, 1.0, D);
    if (e == 0) {
        add_transposed(p->turn, force, 1.0, D);
    }
}

void rct_tangent_gather(const rct_tangent *t)
{
    for (int64_t k = 0; k < t->laws->pairs; k++) {
        const rct_operator_pair *p = &t->laws->pair[k];
        double force[3] = {0.0}, moment[3] = {0.0};
        for (int e = 0; e < 2; e++) { /* -Y . (force and moment) of both ends */
            const double sign = e == 0 ? -1.0 : 1.0;
            const double *Y = operator_row(t->op->motion, end_of(p, e));
            double at_end[3];
            rct_cross(Y, p->arm[e], at_end);
            for (int i = 0; i < 3; i++) {
                force[i] += sign * (Y[3 + i] + at_end[i]);
                moment[i] += sign * Y[i];
            }
        }
        gather_end(t, p, 0, force, moment);
        gather_end(t, p, 1, force, moment);
    }
}
