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
#include <string.h>

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

typedef double six_rows[6][6];

/* An open end as full matrices. */
typedef struct open_end {
    six_rows e, psi;
    double h[6];
    six_rows s; /* what closes it, less the stand-in */
    double ec[6];
    six_rows l, u;     /* of the rows of 1 + Psi S in this order */
    double inverse[6]; /* of the pivots */
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

/* y += factor x, and y += A x, for rows of matrices. */
LANE_FUNCTION void row_add(double y[6], double factor, const double x[6])
{
    for (int j = 0; j < 6; j++) {
        y[j] += factor * x[j];
    }
}

LANE_FUNCTION void rows_add(double y[6], const double a[6], six_rows x)
{
    for (int k = 0; k < 6; k++) {
        row_add(y, a[k], x[k]);
    }
}

LANE_FUNCTION void exchange_rows(double a[6], double b[6])
{
    for (int j = 0; j < 6; j++) {
        const double was = a[j];
        a[j] = b[j];
        b[j] = was;
    }
}

/* 1 + Psi S; `weight`: of the largest number of each row, inverted. */
LANE_CALL void write_closing(open_end *end, double weight[6])
{
    double all = 0.0;
    for (int i = 0; i < 6; i++) {
        double *row = end->u[i], most = 0.0;
        for (int j = 0; j < 6; j++) {
            row[j] = i == j ? 1.0 : 0.0;
            end->l[i][j] = 0.0;
        }
        rows_add(row, end->psi[i], end->s);
        for (int j = 0; j < 6; j++) {
            const double size = fabs(row[j]);
            most = size > most ? size : most;
            all += size;
        }
        weight[i] = 1.0 / most;
        end->order[i] = i;
    }
    end->how = isfinite(all) ? SWEEP_DONE : SWEEP_NOT_FINITE;
}

/* L U of 1 + Psi S, rows ordered by size; singular where a pivot is rounding of its row. */
LANE_CALL void factor(open_end *end)
{
    double weight[6];
    write_closing(end, weight);
    for (int k = 0; k < 6; k++) {
        int best = k;
        for (int i = k + 1; i < 6; i++) {
            best = fabs(end->u[i][k]) * weight[i] > fabs(end->u[best][k]) * weight[best] ? i : best;
        }
        const double own = weight[best];
        const int row = end->order[best];
        exchange_rows(end->u[k], end->u[best]);
        exchange_rows(end->l[k], end->l[best]);
        weight[best] = weight[k];
        end->order[best] = end->order[k];
        end->order[k] = row;
        if (end->how == SWEEP_DONE && !(fabs(end->u[k][k]) * own > 0x1p-46)) {
            end->how = SWEEP_SINGULAR;
        }
        end->inverse[k] = 1.0 / end->u[k][k];
        for (int i = k + 1; i < 6; i++) {
            const double by = end->u[i][k] * end->inverse[k];
            end->l[i][k] = by;
            row_add(end->u[i], -by, end->u[k]);
            end->u[i][k] = 0.0;
        }
    }
}

/* X = K B */
LANE_CALL void close_rows(const open_end *end, six_rows b, six_rows x)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            x[i][j] = b[end->order[i]][j];
        }
        for (int k = 0; k < i; k++) {
            row_add(x[i], -end->l[i][k], x[k]);
        }
    }
    for (int i = 5; i >= 0; i--) {
        for (int k = i + 1; k < 6; k++) {
            row_add(x[i], -end->u[i][k], x[k]);
        }
        for (int j = 0; j < 6; j++) {
            x[i][j] *= end->inverse[i];
        }
    }
}

/* x = K b */
LANE_CALL void close_one(const open_end *end, const double b[6], double x[6])
{
    for (int i = 0; i < 6; i++) {
        x[i] = b[end->order[i]];
        for (int k = 0; k < i; k++) {
            x[i] -= end->l[i][k] * x[k];
        }
    }
    for (int i = 5; i >= 0; i--) {
        for (int k = i + 1; k < 6; k++) {
            x[i] -= end->u[i][k] * x[k];
        }
        x[i] *= end->inverse[i];
    }
}

/* K E^T */
LANE_CALL void close_through(open_end *end, six_rows x)
{
    six_rows turned;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            turned[j][i] = end->e[i][j];
        }
    }
    close_rows(end, turned, x);
}

/* The open end of node n. */
LANE_CALL void open_end_of(const rct_trunk *t, int32_t n, open_end *end)
{
    double psi[21], stand_in[2];
    wide_handle rest = wide_handle_load(work_of(t, n) + TRUNK_SHARE);
    take(t, n, PATH_THROUGH, &end->e[0][0], 36);
    take(t, n, PATH_FREE, end->h, 6);
    take(t, n, PATH_COMPLIANCE, psi, 21);
    take(t, n, PATH_STAND_IN, stand_in, 2);
    for (int i = 0, k = 0; i < 6; i++) {
        for (int j = i; j < 6; j++, k++) {
            end->psi[i][j] = end->psi[j][i] = psi[k];
        }
    }
    rest.ll.xx -= stand_in[0], rest.ll.yy -= stand_in[0], rest.ll.zz -= stand_in[0];
    rest.aa.xx -= stand_in[1], rest.aa.yy -= stand_in[1], rest.aa.zz -= stand_in[1];
    fill_symmetric(&rest, end->s, end->ec);
    factor(end);
}

/* What a segment, closed, adds to the link it hangs on; its work keeps what reaches its end. */
LANE_CALL wide_handle closed_share(open_end *end, const wide_handle *own, double *work)
{
    six_rows reached, asked, more;
    double whole[6], given[6], passed[6] = {0.0};
    close_through(end, reached);
    memset(asked, 0, sizeof asked);
    memset(more, 0, sizeof more);
    for (int i = 0; i < 6; i++) {
        given[i] = end->h[i];
        for (int j = 0; j < 6; j++) {
            given[i] -= end->psi[i][j] * end->ec[j];
        }
    }
    memcpy(work + TRUNK_CLOSED, reached, sizeof reached);
    close_one(end, given, work + TRUNK_CLOSED + 36);
    for (int i = 0; i < 6; i++) {
        rows_add(asked[i], end->s[i], reached); /* S K E^T */
        whole[i] = end->ec[i];
        for (int j = 0; j < 6; j++) {
            whole[i] += end->s[i][j] * end->h[j];
        }
        row_add(passed, whole[i], reached[i]);
    }
    six x = six_of(own);
    for (int i = 0; i < 6; i++) {
        rows_add(more[i], end->e[i], asked);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            x.s[i][j] += 0.5 * (more[i][j] + more[j][i]);
        }
        x.e[i] += passed[i];
    }
    return six_handle(&x);
}

#endif
