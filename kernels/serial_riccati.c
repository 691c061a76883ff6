/* The Riccati transfer matrix recursion over the whole tree, one lane: seed 000, Algorithms A and B.
 * Every link is a body element followed by the hinge element that leads to its parent; links with
 * several outboard links are multi-hinge subsystems with multi-input body. About 2,500 flops a link.
 */
#include "kernels/riccati_step.h"
#include "kernels/serial.h"

static void riccati_store(double *to, const riccati *z)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            lane_store(to + 6 * i + j, z->s.m[i][j]);
        }
        lane_store(to + 36 + i, z->e.v[i]);
    }
}

static riccati riccati_load(const double *from)
{
    riccati z;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            z.s.m[i][j] = lane_load(from + 6 * i + j);
        }
        z.e.v[i] = lane_load(from + 36 + i);
    }
    return z;
}

/* The first input I_1 of link i from its origin O, link axes: where its first outboard link hangs; a
 * tip's free end may be any of its points, its centre of mass makes r_IC = 0. */
static vec3 first_input(const rct_links *links, int64_t i)
{
    const int32_t k = links->child_begin[i];
    if (k < links->child_begin[i + 1]) {
        return vec3_load(links->sweep + links->child[k] * LINK_FIELDS + LINK_AT, 1);
    }
    return vec3_load(links->sweep + i * LINK_FIELDS + LINK_COM, 1);
}

/* Link i as a body element in inertial axes (eq. 5). */
static riccati_body element(const rct_links *links, int64_t i, mat3 r, vec3 rate)
{
    const double *record = links->sweep + i * LINK_FIELDS;
    const vec3 g = {lane_set(links->gravity[0]), lane_set(links->gravity[1]),
                    lane_set(links->gravity[2])};
    const vec3 input = mat3_apply(r, first_input(links, i));
    const vec3 com = mat3_apply(r, vec3_load(record + LINK_COM, 1));
    riccati_body body;
    body.mass = lane_load(record + LINK_MASS);
    body.ic = vec3_sub(com, input);
    body.io = vec3_scale(lane_set(-1.0), input);
    const sym3 j = sym3_load(links->inertia + i * LINK_INERTIA_FIELDS + LINK_COM_INERTIA, 1);
    body.inertia = inertia_shifted(sym3_rotate(r, j), body.mass, body.ic);
    body.rate = rate;
    body.force = vec3_scale(body.mass, g);
    return body;
}

/* (S, e) at the first input of link i: zero at a tip (eq. 34), else the sum over its inputs. */
static riccati gather(const rct_links *links, const double *work, int64_t i, mat3 r, vec3 rate)
{
    const vec3 first = first_input(links, i);
    riccati sum;
    for (int k = 0; k < 6; k++) {
        sum.e.v[k] = lane_set(0.0);
        for (int j = 0; j < 6; j++) {
            sum.s.m[k][j] = lane_set(0.0);
        }
    }
    for (int32_t k = links->child_begin[i]; k < links->child_begin[i + 1]; k++) {
        const int64_t c = links->child[k];
        const riccati z = riccati_load(work + c * RICCATI_FIELDS + RICCATI_HINGE);
        if (k == links->child_begin[i]) {
            sum = z;
        } else {
            const vec3 at = vec3_load(links->sweep + c * LINK_FIELDS + LINK_AT, 1);
            riccati_add_input(&z, mat3_apply(r, vec3_sub(at, first)), rate, &sum);
        }
    }
    return sum;
}

/* Take (S, e) across link i and its hinge. */
static mask transfer(const rct_links *links, const double *state, double *work, int64_t i)
{
    const double *own = state + i * STATE_FIELDS;
    double *mine = work + i * RICCATI_FIELDS;
    const mat3 r = quat_rotation(quat_load(own + STATE_ORIENTATION, 1));
    const vec3 rate = mat3_apply(r, vec3_load(own + STATE_RATE, 1));
    const riccati_body body = element(links, i, r, rate);
    const riccati_row row = riccati_smooth_row();
    riccati z = gather(links, work, i, r, rate);
    riccati_cross_body(&body, &z);
    riccati_store(mine + RICCATI_BODY, &z);
    const riccati_hinge hinge = riccati_cross_hinge(&row, &z);
    riccati_clear_moment(&z);
    riccati_store(mine + RICCATI_HINGE, &z);
    mat3_store(mine + RICCATI_GAIN, 1, hinge.b);
    vec3_store(mine + RICCATI_GAIN + 9, 1, hinge.d);
    mat3_store(mine + RICCATI_ROTATION, 1, r);
    return hinge.regular;
}

/* State vectors of link i from the acceleration of the point it hangs on (eq. 33; beyond the first
 * input eq. 14). At the root r'' = 0. */
static mask recover(const rct_links *links, const double *state, double *work, int64_t i)
{
    double *mine = work + i * RICCATI_FIELDS;
    const int64_t p = links->parent[i];
    vec3 a = vec3_zero();
    if (p >= 0) {
        const double *up = work + p * RICCATI_FIELDS;
        const mat3 r = mat3_load(up + RICCATI_ROTATION, 1);
        const vec3 at = vec3_load(links->sweep + i * LINK_FIELDS + LINK_AT, 1);
        const vec3 rate = vec3_load(state + p * STATE_FIELDS + STATE_RATE, 1);
        a = vec3_load(up + RICCATI_LINEAR, 1);
        a = vec3_add(a, vec3_cross(vec3_load(up + RICCATI_ANGULAR, 1), mat3_apply(r, at)));
        a = vec3_add(a, mat3_apply(r, vec3_centripetal(rate, at)));
    }
    const vec3 alpha = vec3_add(mat3_apply(mat3_load(mine + RICCATI_GAIN, 1), a),
                                vec3_load(mine + RICCATI_GAIN + 9, 1));
    const riccati z = riccati_load(mine + RICCATI_BODY);
    const vec6 zb = vec6_of(a, alpha);
    const vec6 load = mat6_apply(&z.s, &zb);
    for (int k = 0; k < 6; k++) {
        lane_store(mine + RICCATI_LOAD + k, load.v[k] + z.e.v[k]);
    }
    vec3_store(mine + RICCATI_LINEAR, 1, a);
    vec3_store(mine + RICCATI_ANGULAR, 1, alpha);
    vec3_store(mine + RICCATI_RATE, 1,
               mat3_apply_transposed(mat3_load(mine + RICCATI_ROTATION, 1), alpha));
    return lane_finite(alpha.x + alpha.y + alpha.z);
}

rct_sweep_result rct_serial_riccati(const rct_links *links, const double *state, double *work)
{
    for (int32_t i = links->count - 1; i >= 0; i--) {
        if (!lane_all(transfer(links, state, work, i))) {
            return (rct_sweep_result){SWEEP_SINGULAR, i};
        }
    }
    for (int32_t i = 0; i < links->count; i++) {
        if (!lane_all(recover(links, state, work, i))) {
            return (rct_sweep_result){SWEEP_NOT_FINITE, i};
        }
    }
    return (rct_sweep_result){SWEEP_DONE, -1};
}

void rct_serial_riccati_accelerations(const rct_links *links, const double *work,
                                      double *accelerations)
{
    for (int64_t i = 0; i < links->count; i++) {
        const double *mine = work + i * RICCATI_FIELDS;
        vec3_store(accelerations + 6 * i, 1, vec3_load(mine + RICCATI_LINEAR, 1));
        vec3_store(accelerations + 6 * i + 3, 1, vec3_load(mine + RICCATI_ANGULAR, 1));
    }
}

/* At an output q and m are what the link exerts: q = -force on it, m = moment on it (eq. 1). */
void rct_serial_riccati_forces(const rct_links *links, const double *work, double *forces)
{
    for (int64_t i = 0; i < links->count; i++) {
        const double *load = work + i * RICCATI_FIELDS + RICCATI_LOAD;
        vec3_store(forces + 6 * i, 1, vec3_scale(lane_set(-1.0), vec3_load(load + 3, 1)));
        vec3_store(forces + 6 * i + 3, 1, vec3_load(load, 1));
    }
}
