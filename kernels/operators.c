/* Operators of a tree of ball hinges (operators.h). */
#include "kernels/operators.h"
#include "kernels/abi_step.h"

static vec3 column(const double *x, int64_t i)
{
    return vec3_load(x + 3 * i, 1);
}

static mat3 turn_of(const double *operators, int64_t i)
{
    return mat3_load(operators + i * OPERATOR_FIELDS + OPERATOR_TURN, 1);
}

static vec3 constant(const rct_links *links, int64_t i, int field)
{
    return vec3_load(rct_link_record(links, i) + field, 1);
}

void rct_operators_turn(const rct_links *links, const double *state, double *operators)
{
    for (int64_t i = links->count - 1; i >= 0; i--) {
        const int64_t p = links->parent[i];
        mat3 r = quat_rotation(quat_load(state + i * STATE_FIELDS + STATE_ORIENTATION, 1));
        if (p >= 0) {
            r = mat3_transposed_times(
                quat_rotation(quat_load(state + p * STATE_FIELDS + STATE_ORIENTATION, 1)), r);
        }
        mat3_store(operators + i * OPERATOR_FIELDS + OPERATOR_TURN, 1, r);
    }
}

/* ---- M^-1 ---------------------------------------------------------------------------------- */

static void store_pivot(double *to, ldl3 f)
{
    const real numbers[6] = {f.ix, f.iy, f.iz, f.lyx, f.lzx, f.lzy};
    for (int k = 0; k < 6; k++) {
        lane_store(to + k, numbers[k]);
    }
}

static ldl3 load_pivot(const double *from)
{
    return (ldl3){from[0], from[1], from[2], from[3], from[4], from[5], 1};
}

int32_t rct_operators_factor(const rct_links *links, double *operators, double *handles)
{
    for (int64_t i = links->count - 1; i >= 0; i--) {
        const double *record = rct_link_record(links, i);
        abi_body body = abi_body_alone(record[LINK_MASS], vec3_load(record + LINK_COM, 1),
                                       sym3_load(record + LINK_INERTIA, 1), vec3_zero());
        for (int32_t k = links->child_begin[i]; k < links->child_begin[i + 1]; k++) {
            const int64_t c = links->child[k];
            const abi_handle handle = {sym3_load(handles + 6 * c, 1), vec3_zero()};
            abi_add_outboard(&body, abi_turn(turn_of(operators, c), handle),
                             constant(links, c, LINK_AT), vec3_zero());
        }
        abi_handle own;
        abi_gain gain;
        const ldl3 pivot = abi_eliminate(&body, &own, &gain);
        if (!lane_all(pivot.regular)) {
            return (int32_t)i;
        }
        sym3_store(handles + 6 * i, 1, own.s);
        mat3_store(operators + i * OPERATOR_FIELDS + OPERATOR_GAIN, 1, gain.g);
        store_pivot(operators + i * OPERATOR_FIELDS + OPERATOR_PIVOT, pivot);
    }
    return -1;
}

/* Inward, with b1 the sum of e and b2 that of r x e less the moment Q:
 *     h = A22^-1 b2      e = b1 - A12 h = b1 - G^T b2
 * and outward alpha = -(G A + h), A = 0 at the ground. scratch: e, then A; h in y until alpha is. */
void rct_operators_solve(const rct_links *links, const double *operators, const double *x,
                         double *y, double *scratch)
{
    for (int64_t i = links->count - 1; i >= 0; i--) {
        const double *own = operators + i * OPERATOR_FIELDS;
        vec3 b1 = vec3_zero();
        vec3 b2 = vec3_scale(-1.0, column(x, i));
        for (int32_t k = links->child_begin[i]; k < links->child_begin[i + 1]; k++) {
            const int64_t c = links->child[k];
            const vec3 e = mat3_apply(turn_of(operators, c), column(scratch, c));
            b1 = vec3_add(b1, e);
            b2 = vec3_add(b2, vec3_cross(constant(links, c, LINK_AT), e));
        }
        const vec3 h = ldl3_solve(load_pivot(own + OPERATOR_PIVOT), b2);
        const vec3 e = vec3_sub(b1, mat3_apply_transposed(mat3_load(own + OPERATOR_GAIN, 1), b2));
        vec3_store(scratch + 3 * i, 1, e);
        vec3_store(y + 3 * i, 1, h);
    }
    for (int64_t i = 0; i < links->count; i++) {
        const int64_t p = links->parent[i];
        vec3 a = vec3_zero();
        if (p >= 0) {
            const vec3 above =
                vec3_add(column(scratch, p), vec3_cross(column(y, p), constant(links, i, LINK_AT)));
            a = mat3_apply_transposed(turn_of(operators, i), above);
        }
        const mat3 g = mat3_load(operators + i * OPERATOR_FIELDS + OPERATOR_GAIN, 1);
        const vec3 alpha = vec3_scale(-1.0, vec3_add(mat3_apply(g, a), column(y, i)));
        vec3_store(scratch + 3 * i, 1, a);
        vec3_store(y + 3 * i, 1, alpha);
    }
}

/* ---- M, J, and the forces of a motion -------------------------------------------------------- */

void rct_operators_points(const rct_links *links, const double *operators, const double *x,
                          double *velocities)
{
    for (int64_t i = 0; i < links->count; i++) {
        const int64_t p = links->parent[i];
        vec3 v = vec3_zero();
        if (p >= 0) {
            const vec3 above = vec3_add(column(velocities, p),
                                        vec3_cross(column(x, p), constant(links, i, LINK_AT)));
            v = mat3_apply_transposed(turn_of(operators, i), above);
        }
        vec3_store(velocities + 3 * i, 1, v);
    }
}

void rct_operators_gather(const rct_links *links, const double *operators, double *loads, double *y)
{
    for (int64_t i = links->count - 1; i >= 0; i--) {
        vec3 f = vec3_load(loads + 6 * i, 1);
        vec3 moment = vec3_load(loads + 6 * i + 3, 1);
        for (int32_t k = links->child_begin[i]; k < links->child_begin[i + 1]; k++) {
            const int64_t c = links->child[k];
            const vec3 out = mat3_apply(turn_of(operators, c), vec3_load(loads + 6 * c, 1));
            f = vec3_add(f, out);
            moment = vec3_add(moment, vec3_cross(constant(links, c, LINK_AT), out));
        }
        vec3_store(loads + 6 * i, 1, f);
        vec3_store(y + 3 * i, 1, moment);
    }
}

/* y = J^T (inertia of each link) J x: what the forces of inertia amount to. */
void rct_operators_mass(const rct_links *links, const double *operators, const double *x, double *y,
                        double *scratch)
{
    double *points = scratch + 6 * (int64_t)links->count;
    rct_operators_points(links, operators, x, points);
    for (int64_t i = 0; i < links->count; i++) {
        const double *record = rct_link_record(links, i);
        const vec3 a = column(points, i), alpha = column(x, i);
        const vec3 mc = vec3_scale(record[LINK_MASS], vec3_load(record + LINK_COM, 1));
        const vec3 f = vec3_add(vec3_scale(record[LINK_MASS], a), vec3_cross(alpha, mc));
        const vec3 moment =
            vec3_add(sym3_apply(sym3_load(record + LINK_INERTIA, 1), alpha), vec3_cross(mc, a));
        vec3_store(scratch + 6 * i, 1, f);
        vec3_store(scratch + 6 * i + 3, 1, moment);
    }
    rct_operators_gather(links, operators, scratch, y);
}

/* Outward A = (acceleration of the hinge point) - g, inward
 *     F = m (A + alpha x c + w x (w x c)) + sum F_c
 *     T = J alpha + w x J w + m c x A + sum (r_c x F_c + T_c) */
void rct_operators_inverse(const rct_links *links, const double *gravity, const double *operators,
                           const double *state, const double *x, double *loads, double *scratch)
{
    for (int64_t i = 0; i < links->count; i++) {
        const int64_t p = links->parent[i];
        vec3 above = vec3_scale(-1.0, vec3_load(gravity + 3 * i, 1));
        if (p >= 0) {
            above = point_acceleration(column(scratch, p), column(x, p),
                                       vec3_load(state + p * STATE_FIELDS + STATE_RATE, 1),
                                       constant(links, i, LINK_AT));
        }
        vec3_store(scratch + 3 * i, 1, mat3_apply_transposed(turn_of(operators, i), above));
    }
    for (int64_t i = links->count - 1; i >= 0; i--) {
        const double *record = rct_link_record(links, i);
        const vec3 a = column(scratch, i), alpha = column(x, i);
        const vec3 w = vec3_load(state + i * STATE_FIELDS + STATE_RATE, 1);
        const vec3 c = vec3_load(record + LINK_COM, 1);
        const sym3 j = sym3_load(record + LINK_INERTIA, 1);
        vec3 f = vec3_scale(record[LINK_MASS], point_acceleration(a, alpha, w, c));
        vec3 moment = vec3_add(vec3_add(sym3_apply(j, alpha), sym3_gyroscopic(j, w)),
                               vec3_scale(record[LINK_MASS], vec3_cross(c, a)));
        for (int32_t k = links->child_begin[i]; k < links->child_begin[i + 1]; k++) {
            const int64_t o = links->child[k];
            const mat3 turn = turn_of(operators, o);
            const vec3 out = mat3_apply(turn, vec3_load(loads + 6 * o, 1));
            f = vec3_add(f, out);
            moment = vec3_add(moment, vec3_add(vec3_cross(constant(links, o, LINK_AT), out),
                                               mat3_apply(turn, vec3_load(loads + 6 * o + 3, 1))));
        }
        vec3_store(loads + 6 * i, 1, f);
        vec3_store(loads + 6 * i + 3, 1, moment);
    }
}
