/* Wide open ends in the trunk of a tree, closed by a 6x6 system:
 *
 *     K = (1 + Psi S_C)^-1     S = S_P + E S_C K E^T     e = e_P + E K^T (e_C + S_C h)
 *     A_out = K (E^T A + h - Psi e_C)
 *
 * where S_C, e_C are those of all that hangs on the last link, less what stands in for it. Narrow ones: narrow_trunk.h.
 */
#ifndef RCT_KERNELS_SWEEPS_TRUNK_ENDS_H
#define RCT_KERNELS_SWEEPS_TRUNK_ENDS_H

#include "kernels/records/trunk.h"
#include "kernels/sweeps/table.h"

#include <math.h>

LANE_FUNCTION double *work_of(const rct_trunk *t, int32_t n)
{
    return t->work + (int64_t)t->slot[n] * TRUNK_FIELDS;
}

/* Fields of the record of a path, `stride` apart, and numbers side by side. */
LANE_CALL void take(const rct_trunk *t, int32_t n, int field, double *to, int count)
{
    const double *from = t->paths + t->path[n] + (int64_t)field * t->stride;
    for (int f = 0; f < count; f++) {
        to[f] = from[(int64_t)f * t->stride];
    }
}

LANE_CALL void leave(const rct_trunk *t, int32_t n, int field, const double *from, int count)
{
    double *to = t->paths + t->path[n] + (int64_t)field * t->stride;
    for (int f = 0; f < count; f++) {
        to[(int64_t)f * t->stride] = from[f];
    }
}

/* An open end as full matrices. */
typedef struct open_end {
    double e[6][6], psi[6][6], h[6];
    double s[6][6], ec[6]; /* what closes it, less the stand-in */
    double lu[6][6];       /* of 1 + Psi S                      */
    int order[6];
    rct_sweep_end how;
} open_end;

LANE_CALL void fill_symmetric(const wide_handle *h, double s[6][6], double e[6])
{
    const six x = six_of(h);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            s[i][j] = i <= j ? x.s[i][j] : x.s[j][i];
        }
        e[i] = x.e[i];
    }
}

/* L U of 1 + Psi S, rows ordered by size; singular where a pivot is rounding of its row. */
LANE_CALL void factor(open_end *end)
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
LANE_CALL void solve(const open_end *end, const double b[6], double x[6])
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
LANE_CALL void solve_transposed(const open_end *end, const double b[6], double x[6])
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

LANE_CALL open_end open_end_of(const rct_trunk *t, int32_t n)
{
    open_end end;
    double psi[21], stand_in[2];
    wide_handle rest = wide_handle_load(work_of(t, n) + TRUNK_SHARE);
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
LANE_CALL wide_handle closed_share(const open_end *end, const wide_handle *own)
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
    six x = six_of(own);
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
    return six_handle(&x);
}

#endif
