/* The factor of M^-1 by either method (law.h), inward from body to body, each in its own axes. In
 * these the constants of bodies are exact, and a slender body keeps the digits of its least
 * inertia, which show a motion that nothing resists. Gains and roots are in inertial axes. */
#include "operators/law.h"
#include "operators/sweep.h"

#include <string.h>

static const double *turn_of(const rct_operator_tree *tree, int64_t body)
{
    return tree->turn + 9 * body;
}

static void rotate(const double R[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
    }
}

static void rotate_back(const double R[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2];
    }
}

/* ---- the hinge of a body --------------------------------------------------------------------- */

/* Rows of H in body axes; for ball and free hinges those of rates in body axes. */
static void rows_of(const rct_operator_tree *tree, int32_t body, double H[6][6])
{
    const int64_t first = tree->first[body];
    for (int k = 0; k < tree->first[body + 1] - first; k++) {
        if (is_absolute(tree, body)) {
            memset(H[k], 0, sizeof H[k]);
            H[k][k] = 1.0;
        } else {
            rotate_back(turn_of(tree, body), tree->H + 6 * (first + k), H[k]);
            rotate_back(turn_of(tree, body), tree->H + 6 * (first + k) + 3, H[k] + 3);
        }
    }
}

/* Write gains and root in inertial axes; for ball and free hinges rates turn too: columns of G and
 * of the root by threes. */
static void give(rct_operator *m, int32_t body, double gain[6][6], double root[6][6])
{
    const double *R = turn_of(m->tree, body);
    const int64_t first = m->tree->first[body];
    const int freedoms = (int)(m->tree->first[body + 1] - first);
    for (int k = 0; k < freedoms; k++) {
        rotate(R, gain[k], m->gain + 6 * (first + k));
        rotate(R, gain[k] + 3, m->gain + 6 * (first + k) + 3);
    }
    memcpy(m->root + 6 * first, root, (size_t)freedoms * sizeof root[0]);
    for (int b = 0; b < freedoms && is_absolute(m->tree, body); b += 3) {
        double *rows = m->gain + 6 * (first + b);
        for (int c = 0; c < 6; c++) {
            const double column[3] = {rows[c], rows[6 + c], rows[12 + c]};
            double turned[3];
            rotate(R, column, turned);
            rows[c] = turned[0], rows[6 + c] = turned[1], rows[12 + c] = turned[2];
        }
        for (int k = 0; k < freedoms; k++) {
            rotate(R, root[k] + b, m->root + 6 * (first + k) + b);
        }
    }
}

/* ---- from a body to its parent --------------------------------------------------------------- */

static void pass(rct_operator *m, const rct_operator_law *law, int32_t body)
{
    const rct_operator_tree *tree = m->tree;
    const int64_t up = tree->parent[body];
    const double *R = turn_of(tree, body), *carrier = turn_of(tree, up);
    double Q[9], l[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            Q[3 * i + j] =
                carrier[i] * R[j] + carrier[3 + i] * R[3 + j] + carrier[6 + i] * R[6 + j];
        }
    }
    rotate_back(carrier, lever_of(tree, body), l);
    law->pass(operator_loosens(tree, body), Q, l, m->inertia + 36 * (int64_t)body,
              m->inertia + 36 * up);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int factor_body(rct_operator *m, const rct_operator_law *law, int32_t body)
{
    const rct_operator_tree *tree = m->tree;
    double *S = m->inertia + 36 * (int64_t)body, gain[6][6], root[6][6];
    rct_operator_hinge hinge = {.ball = operator_loosens(tree, body),
                                .freedoms = (int)(tree->first[body + 1] - tree->first[body]),
                                .armature = operator_rotors(tree, body),
                                .held = operator_is_held(tree, body)};
    rows_of(tree, body, hinge.H);
    law->add_body(tree->mass[body], tree->own_com + 3 * (int64_t)body,
                  tree->own_inertia + 6 * (int64_t)body, S);
    if (!law->cross(&hinge, S, gain, root)) {
        return 0;
    }
    give(m, body, gain, root);
    if (tree->parent[body] != RCT_GROUND) {
        pass(m, law, body);
    }
    return 1;
}

int32_t rct_operator_factor(rct_operator *m, rct_method method)
{
    const rct_operator_law *law = method == RCT_METHOD_RICCATI && !m->tree->holds
                                      ? &rct_operator_riccati
                                      : &rct_operator_articulated;
    memset(m->inertia, 0, (size_t)m->tree->n * 36 * sizeof *m->inertia);
    for (int32_t k = m->tree->n - 1; k >= 0; k--) {
        if (!factor_body(m, law, m->order[k])) {
            return m->order[k];
        }
    }
    return -1;
}
