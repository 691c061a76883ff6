/* Inverse dynamics of a tree (tree.h): velocities and accelerations outward, forces inward. */
#include "operators/inverse_parts.h"
#include "operators/sweep.h"

#include <string.h>

rct_carrier rct_operator_carrier(const rct_operator_tree *tree, const double *velocity,
                                 const double *acceleration, int32_t body)
{
    const int32_t up = tree->parent[body];
    const rct_base_motion *ground = &tree->ground;
    rct_carrier on = {{0.0}, {0.0}};
    if (up != RCT_GROUND) {
        memcpy(on.V, velocity + 6 * (int64_t)up, sizeof on.V);
        memcpy(on.alpha, acceleration + 6 * (int64_t)up, sizeof on.alpha);
    } else if (tree->hinge[body] != RCT_HINGE_FREE) {
        for (int i = 0; i < 3; i++) {
            on.V[i] = ground->angular_velocity[i];
            on.V[3 + i] = ground->velocity[i];
            on.alpha[i] = ground->angular_acceleration[i];
            on.alpha[3 + i] = ground->acceleration[i];
        }
    }
    return on;
}

/* Add the velocity terms of a hinge with motion H* u: w_p x w_r + H'* u and 2 w_p x v_r. Only the
 * second axis of a universal hinge turns in its frame, by the first. */
static void add_coriolis(const rct_operator_tree *tree, int32_t body, const double w[3],
                         double alpha[6])
{
    const int64_t first = tree->first[body];
    double relative[6] = {0.0}, turning[3], coriolis[3];
    operator_add_rates(tree, body, tree->rates, relative);
    rct_cross(w, relative, turning);
    rct_cross(w, relative + 3, coriolis);
    for (int i = 0; i < 3; i++) {
        alpha[i] += turning[i];
        alpha[3 + i] += 2.0 * coriolis[i];
    }
    if (tree->hinge[body] == RCT_HINGE_UNIVERSAL) {
        const double *u = tree->rates + first;
        rct_cross(tree->H + 6 * first, tree->H + 6 * (first + 1), turning);
        for (int i = 0; i < 3; i++) {
            alpha[i] += u[0] * u[1] * turning[i];
        }
    }
}

void rct_operator_move(const rct_operator *m, int32_t body, const double *x, double *velocity)
{
    const rct_operator_tree *tree = m->tree;
    const int ball = tree->hinge[body] == RCT_HINGE_BALL,
              open = tree->hinge[body] == RCT_HINGE_FREE;
    double *V = velocity + 6 * (int64_t)body, *alpha = m->motion + 6 * (int64_t)body;
    const rct_carrier on = rct_operator_carrier(tree, velocity, m->motion, body);
    const double *l = lever_of(tree, body);
    double carried[3], centripetal[3], swept[3];
    rct_cross(on.V, l, carried);
    rct_cross(on.V, carried, centripetal);
    rct_cross(on.alpha, l, swept);
    for (int i = 0; i < 3; i++) {
        V[i] = ball ? 0.0 : on.V[i];
        V[3 + i] = on.V[3 + i] + carried[i];
        alpha[i] = ball ? 0.0 : on.alpha[i];
        alpha[3 + i] = on.alpha[3 + i] + swept[i] + centripetal[i];
    }
    if (!ball && !open) {
        add_coriolis(tree, body, on.V, alpha);
    }
    operator_add_rates(tree, body, tree->rates, V);
    operator_add_rates(tree, body, x, alpha);
}

void rct_operator_ask(const rct_operator *m, int32_t body, const double V[6], double own[6])
{
    const rct_operator_tree *tree = m->tree;
    double felt[6], turning[3], momentum[6] = {0.0}, gyroscopic[3];
    const double spin[6] = {V[0], V[1], V[2], 0.0, 0.0, 0.0};
    const double *gravity = tree->gravity + 3 * (int64_t)(body % tree->systems);
    memcpy(felt, m->motion + 6 * (int64_t)body, sizeof felt);
    for (int i = 0; i < 3; i++) {
        felt[3 + i] -= gravity[i];
    }
    memset(own, 0, 6 * sizeof *own);
    operator_add_momentum(tree, body, felt, own);
    operator_add_momentum(tree, body, spin, momentum); /* m w x c, and J w about the hinge point */
    rct_cross(V, momentum, gyroscopic);
    rct_cross(V, momentum + 3, turning);
    for (int i = 0; i < 3; i++) {
        own[i] += gyroscopic[i];
        own[3 + i] += turning[i];
    }
    for (int i = 0; i < 6 && tree->load != NULL; i++) {
        own[i] -= tree->load[6 * (int64_t)body + i];
    }
}

void rct_operator_inverse(rct_operator *m, const double *x, double *force, double *moment,
                          double *effort)
{
    const rct_operator_tree *tree = m->tree;
    /* the force array holds velocities until forces replace them */
    for (int32_t k = 0; k < tree->n; k++) {
        rct_operator_move(m, m->order[k], x, m->force);
    }
    for (int64_t i = 0; i < tree->n; i++) {
        double V[6];
        memcpy(V, m->force + 6 * i, sizeof V);
        rct_operator_ask(m, (int32_t)i, V, m->force + 6 * i);
    }
    for (int32_t k = tree->n - 1; k >= 0; k--) {
        const int32_t body = m->order[k];
        const double *own = m->force + 6 * (int64_t)body;
        for (int64_t r = tree->first[body]; r < tree->first[body + 1] && effort != NULL; r++) {
            effort[r] = operator_with_rotor(tree, r, x[r], operator_effort(tree, body, r, own));
        }
        operator_pass(m, body, own, 1);
        if (moment != NULL) {
            memcpy(moment + 3 * (int64_t)body, own, 3 * sizeof *moment);
        }
        if (force != NULL) {
            memcpy(force + 3 * (int64_t)body, own + 3, 3 * sizeof *force);
        }
    }
}
