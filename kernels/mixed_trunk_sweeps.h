/* The trunk of a mixed tree, node after node (mixed_trunk.h), for the method of the including translation unit. Links go
 * by the steps of the lane kernels in single lanes; segments are closed by a 6x6 system:
 *
 *     K = (1 + Psi S_C)^-1     S = S_P + E S_C K E^T     e = e_P + E K^T (e_C + S_C h)
 *     A_out = K (E^T A + h - Psi e_C)
 *
 * where S_C, e_C are those of all that hangs on the last link, less what stands in for it.
 */
#ifndef RCT_KERNELS_MIXED_TRUNK_SWEEPS_H
#define RCT_KERNELS_MIXED_TRUNK_SWEEPS_H

#include "kernels/mixed_trunk.h"

#include "kernels/mixed_lanes.h"
#include "kernels/narrow_trunk.h"

#include <math.h>
#include <string.h>

static double *work_of(const rct_mixed_trunk *t, int32_t n)
{
    return t->work + (int64_t)t->slot[n] * TRUNK_FIELDS;
}

/* Fields of the record of a path, `stride` apart, and numbers side by side. */
static void take(const rct_mixed_trunk *t, int32_t n, int field, double *to, int count)
{
    const double *from = t->paths + t->path[n] + (int64_t)field * t->stride;
    for (int f = 0; f < count; f++) {
        to[f] = from[(int64_t)f * t->stride];
    }
}

static void leave(const rct_mixed_trunk *t, int32_t n, int field, const double *from, int count)
{
    double *to = t->paths + t->path[n] + (int64_t)field * t->stride;
    for (int f = 0; f < count; f++) {
        to[(int64_t)f * t->stride] = from[f];
    }
}

/* ---- frames ------------------------------------------------------------------------------- */

static mixed_frame frame_above(const rct_mixed_sheaves *rows, const rct_mixed_trunk *t, int32_t n)
{
    return t->parent[n] < 0 ? mixed_ground_frame(rows)
                            : mixed_frame_load(work_of(t, t->parent[n]) + TRUNK_FRAME);
}

/* The frame of the last link of a narrow segment: a ball hinge forgets what it hangs on. */
static mixed_frame end_of_narrow(const rct_mixed_trunk *t, int32_t n)
{
    const int64_t row = t->last[n] / t->stride, lane = t->last[n] % t->stride;
    const double *state = t->lanes->state + t->lanes->state_at[row] * t->stride + lane;
    return (mixed_frame){quat_rotation(quat_load(state, t->stride)),
                         vec3_load(state + (int64_t)STATE_RATE * t->stride, t->stride)};
}

/* R P and P^T w + w_P, but P and w_P where an absolute hinge forgets what it hangs on. */
static mixed_frame end_of_segment(const rct_mixed_trunk *t, int32_t n, mixed_frame above)
{
    double product[12], absolute;
    take(t, n, PATH_PRODUCT, product, 12);
    take(t, n, PATH_ABSOLUTE, &absolute, 1);
    mixed_frame own = mixed_frame_load(product);
    if (absolute == 0.0) {
        own.rate = vec3_add(mat3_apply_transposed(own.rotation, above.rate), own.rate);
        own.rotation = mat3_product(above.rotation, own.rotation);
    }
    return own;
}

/* The moment at the ball hinge behind the narrow end of node n, in the axes of the last link, which moves as `last`. */
static void leave_moment(const rct_mixed_sheaves *rows, const rct_mixed_trunk *t, int32_t n,
                         const mixed_frame *last)
{
    const int in_lanes = t->follows[n] >= 0;
    const int64_t place = in_lanes ? t->follows[n] : ~t->follows[n];
    double left[3] = {0.0, 0.0, 0.0};
    if (t->follows[n] != NOTHING_FOLLOWS) {
        vec3_store(left, 1,
                   in_lanes ? narrow_moment(t->lanes, place, t->stride, last)
                            : narrow_moment(rows, place, 1, last));
    }
    leave(t, n, PATH_END_MOMENT, left, 3);
}

static void trunk_guide(const rct_mixed_sheaves *rows, const rct_mixed_trunk *t)
{
    for (int32_t n = 0; n < t->count; n++) {
        const mixed_frame above = frame_above(rows, t, n);
        mixed_frame own;
        if (t->row[n] >= 0) {
            own = mixed_move_on(rows, t->row[n], above, rows->attitude,
                                work_of(t, n) + TRUNK_ROW + ROW_MOTION);
        } else {
            double left[12];
            mat3_store(left, 1, above.rotation);
            vec3_store(left + 9, 1, above.rate);
            leave(t, n, PATH_FRAME, left, 12);
            if (!t->open[n]) {
                continue;
            }
            own = t->open[n] == NODE_NARROW ? end_of_narrow(t, n) : end_of_segment(t, n, above);
        }
        mat3_store(work_of(t, n) + TRUNK_FRAME, 1, own.rotation);
        vec3_store(work_of(t, n) + TRUNK_FRAME + 9, 1, own.rate);
        if (t->open[n] == NODE_NARROW) {
            leave_moment(rows, t, n, &own);
        }
    }
}

/* ---- closing segments --------------------------------------------------------------------- */

/* An open end as full matrices. */
typedef struct open_end {
    double e[6][6], psi[6][6], h[6];
    double s[6][6], ec[6]; /* what closes it, less the stand-in */
    double lu[6][6];       /* of 1 + Psi S                      */
    int order[6];
    rct_sweep_end how;
} open_end;

static void fill_symmetric(const mixed_handle *h, double s[6][6], double e[6])
{
    const mixed_six x = mixed_six_of(h);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            s[i][j] = i <= j ? x.s[i][j] : x.s[j][i];
        }
        e[i] = x.e[i];
    }
}

/* L U of 1 + Psi S, rows ordered by size; singular where a pivot is rounding of its row. */
static void factor(open_end *end)
{
    double size[6], all = 0.0;
    for (int i = 0; i < 6; i++) {
        size[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < 6; k++) {
                sum += end->psi[i][k] * end->s[k][j];
            }
            end->lu[i][j] = sum;
            size[i] = fmax(size[i], fabs(sum));
            all += fabs(sum);
        }
        end->order[i] = i;
    }
    end->how = isfinite(all) ? SWEEP_DONE : SWEEP_NOT_FINITE;
    for (int k = 0; k < 6; k++) {
        int best = k;
        for (int i = k + 1; i < 6; i++) {
            const double now = fabs(end->lu[end->order[i]][k]) / size[end->order[i]];
            best = now > fabs(end->lu[end->order[best]][k]) / size[end->order[best]] ? i : best;
        }
        const int row = end->order[best];
        end->order[best] = end->order[k];
        end->order[k] = row;
        if (end->how == SWEEP_DONE && !(fabs(end->lu[row][k]) > 0x1p-46 * size[row])) {
            end->how = SWEEP_SINGULAR;
        }
        for (int i = k + 1; i < 6; i++) {
            double *below = end->lu[end->order[i]];
            below[k] /= end->lu[row][k];
            for (int j = k + 1; j < 6; j++) {
                below[j] -= below[k] * end->lu[row][j];
            }
        }
    }
}

/* x = K b */
static void solve(const open_end *end, const double b[6], double x[6])
{
    for (int i = 0; i < 6; i++) {
        double sum = b[end->order[i]];
        for (int j = 0; j < i; j++) {
            sum -= end->lu[end->order[i]][j] * x[j];
        }
        x[i] = sum;
    }
    for (int i = 5; i >= 0; i--) {
        for (int j = i + 1; j < 6; j++) {
            x[i] -= end->lu[end->order[i]][j] * x[j];
        }
        x[i] /= end->lu[end->order[i]][i];
    }
}

/* x = K^T b */
static void solve_transposed(const open_end *end, const double b[6], double x[6])
{
    double y[6];
    for (int i = 0; i < 6; i++) {
        double sum = b[i];
        for (int j = 0; j < i; j++) {
            sum -= end->lu[end->order[j]][i] * y[j];
        }
        y[i] = sum / end->lu[end->order[i]][i];
    }
    for (int i = 5; i >= 0; i--) {
        for (int j = i + 1; j < 6; j++) {
            y[i] -= end->lu[end->order[j]][i] * y[j];
        }
    }
    for (int i = 0; i < 6; i++) {
        x[end->order[i]] = y[i];
    }
}

static open_end open_end_of(const rct_mixed_trunk *t, int32_t n)
{
    open_end end;
    double psi[21], stand_in[2];
    mixed_handle rest = mixed_handle_load(work_of(t, n) + TRUNK_SHARE);
    take(t, n, PATH_THROUGH, &end.e[0][0], 36);
    take(t, n, PATH_FREE, end.h, 6);
    take(t, n, PATH_COMPLIANCE, psi, 21);
    take(t, n, PATH_STAND_IN, stand_in, 2);
    for (int i = 0, k = 0; i < 6; i++) {
        for (int j = i; j < 6; j++, k++) {
            end.psi[i][j] = end.psi[j][i] = psi[k];
        }
    }
    rest.ll.xx -= stand_in[0], rest.ll.yy -= stand_in[0], rest.ll.zz -= stand_in[0];
    rest.aa.xx -= stand_in[1], rest.aa.yy -= stand_in[1], rest.aa.zz -= stand_in[1];
    fill_symmetric(&rest, end.s, end.ec);
    factor(&end);
    return end;
}

/* What a segment, closed, adds to the link it hangs on. */
static mixed_handle closed_share(const open_end *end, const mixed_handle *own)
{
    double s[6][6], e[6], kt[6][6], te[6][6], whole[6], passed[6];
    fill_symmetric(own, s, e);
    for (int i = 0; i < 6; i++) {                /* columns of K^T E^T: rows i of E */
        solve_transposed(end, end->s[i], kt[i]); /* row i of K^T S: T is symmetric */
    }
    for (int i = 0; i < 6; i++) {
        whole[i] = end->ec[i];
        for (int j = 0; j < 6; j++) {
            whole[i] += end->s[i][j] * end->h[j];
        }
    }
    solve_transposed(end, whole, passed);
    for (int i = 0; i < 6; i++) { /* T E^T */
        for (int j = 0; j < 6; j++) {
            te[i][j] = 0.0;
            for (int k = 0; k < 6; k++) {
                te[i][j] += 0.5 * (kt[i][k] + kt[k][i]) * end->e[j][k];
            }
        }
    }
    mixed_six x = mixed_six_of(own);
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            for (int k = 0; k < 6; k++) {
                x.s[i][j] += end->e[i][k] * te[k][j];
            }
        }
        for (int k = 0; k < 6; k++) {
            x.e[i] += end->e[i][k] * passed[k];
        }
    }
    return mixed_handle_of(&x);
}

/* ---- inward ------------------------------------------------------------------------------- */

/* What hangs on a narrow end, of the point there. */
static abi_handle hanging_on(const rct_mixed_trunk *t, int32_t n)
{
    const mixed_handle share = mixed_handle_load(work_of(t, n) + TRUNK_SHARE);
    return (abi_handle){share.ll, share.e.l};
}

/* What node n adds to the one it hangs on. */
static rct_sweep_end node_share(const rct_mixed_sheaves *rows, const rct_mixed_trunk *t, int32_t n,
                                mixed_handle *share)
{
    if (t->row[n] < 0) {
        double numbers[PATH_HANDLE_FIELDS];
        take(t, n, PATH_SHARE, numbers, PATH_HANDLE_FIELDS);
        *share = mixed_handle_load(numbers);
        if (!t->open[n]) {
            return SWEEP_DONE;
        }
        leave(t, n, PATH_BEYOND, work_of(t, n) + TRUNK_SHARE, PATH_HANDLE_FIELDS);
        if (t->open[n] == NODE_NARROW) {
            abi_handle rest = hanging_on(t, n);
            const narrow_through end = narrow_end_load(t->paths + t->path[n], t->stride, &rest);
            return narrow_close(&end, rest, share);
        }
        const open_end end = open_end_of(t, n);
        *share = closed_share(&end, share);
        return end.how;
    }
    double *work = work_of(t, n);
    const mixed_handle hanging = mixed_handle_load(work + TRUNK_SHARE);
    mixed_law law = mixed_law_of(&hanging);
    mask number;
    const mask regular = mixed_pass(rows, t->row[n], work + TRUNK_ROW, &law, NULL, 1, &number);
    *share = mixed_law_record(&law);
    return regular ? SWEEP_DONE : number ? SWEEP_SINGULAR : SWEEP_NOT_FINITE;
}

static rct_sweep_result trunk_inward(const rct_mixed_sheaves *rows, const rct_mixed_trunk *t)
{
    for (int32_t k = 0; k < t->slots; k++) {
        memset(t->work + (int64_t)k * TRUNK_FIELDS + TRUNK_SHARE, 0,
               PATH_HANDLE_FIELDS * sizeof(double));
    }
    for (int32_t n = t->count - 1; n >= 0; n--) {
        mixed_handle share;
        const rct_sweep_end end = node_share(rows, t, n, &share);
        if (end != SWEEP_DONE) {
            return (rct_sweep_result){end, n};
        }
        if (t->parent[n] >= 0) {
            double *up = work_of(t, t->parent[n]) + TRUNK_SHARE;
            mixed_handle sum = mixed_handle_load(up);
            mixed_add(&sum, &share);
            mixed_handle_store(up, &sum);
        }
    }
    return (rct_sweep_result){SWEEP_DONE, -1};
}

/* ---- outward ------------------------------------------------------------------------------ */

static spatial motion_above(const rct_mixed_sheaves *rows, const rct_mixed_trunk *t, int32_t n)
{
    return t->parent[n] < 0 ? mixed_ground_motion(rows)
                            : spatial_load(work_of(t, t->parent[n]) + TRUNK_MOTION, 1);
}

/* The acceleration of the last link of a segment, or of its narrow end. */
static spatial reach_end(const rct_mixed_trunk *t, int32_t n, spatial above)
{
    if (t->open[n] == NODE_NARROW) {
        abi_handle rest = hanging_on(t, n);
        const narrow_through narrow = narrow_end_load(t->paths + t->path[n], t->stride, &rest);
        return narrow_reach(&narrow, rest, above);
    }
    const open_end end = open_end_of(t, n);
    double a[6], b[6], x[6];
    mixed_list(above, a);
    for (int i = 0; i < 6; i++) {
        b[i] = end.h[i];
        for (int j = 0; j < 6; j++) {
            b[i] += end.e[j][i] * a[j] - end.psi[i][j] * end.ec[j];
        }
    }
    solve(&end, b, x);
    return mixed_unlist(x);
}

static rct_sweep_result trunk_outward(const rct_mixed_sheaves *rows, const rct_mixed_trunk *t,
                                      int stage, double dt)
{
    const rk4_weights weights = rk4_stage_weights(stage, dt);
    rct_sweep_result result = {SWEEP_DONE, -1};
    for (int32_t n = 0; n < t->count; n++) {
        spatial a = motion_above(rows, t, n);
        if (t->row[n] >= 0) {
            const mixed_link link = mixed_row_link(rows, t->row[n]);
            mask good;
            a = mixed_finish_row(rows, t->row[n], &link, work_of(t, n) + TRUNK_ROW, a, stage,
                                 weights, &good);
            const int finite = good && isfinite(a.l.x + a.l.y + a.l.z + a.a.x + a.a.y + a.a.z);
            if (!finite && result.end == SWEEP_DONE) { /* go on: the base must be whole */
                result = (rct_sweep_result){SWEEP_NOT_FINITE, n};
            }
        } else {
            double above[6];
            mixed_list(a, above);
            leave(t, n, PATH_ABOVE, above, 6);
            if (!t->open[n]) {
                continue;
            }
            a = reach_end(t, n, a);
        }
        spatial_store(work_of(t, n) + TRUNK_MOTION, 1, a);
    }
    return result;
}

#define MIXED_TRUNK_TABLE                                                                          \
    {                                                                                              \
        .guide = trunk_guide, .inward = trunk_inward, .outward = trunk_outward                     \
    }

#endif
