/* How wrenches travel inward along the trunk of a tree (trunk.h) and what they move: E and Psi of the path from one link to
 * another (kernels/laws/wide_step.h), of all that hangs on the way, as the sweep inward has left it. Node after node, E'
 * and Psi' of the next one,
 *
 *     E <- E' E          Psi <- Psi + E^T Psi' E
 *
 * A segment is closed by what hangs on its end: E' = E_P K^T, Psi' = K Psi_P.
 */
#ifndef RCT_KERNELS_SWEEPS_TRUNK_THROUGH_H
#define RCT_KERNELS_SWEEPS_TRUNK_THROUGH_H

#include "kernels/sweeps/trunk_ends.h"

/* Numbers of a path where all six components pass. */
typedef struct through_rows {
    six_rows e, psi;
} through_rows;

/* Through the hinge of a link of the trunk. */
LANE_CALL void through_link(const rct_sheaves *rows, const rct_trunk *t, int32_t n, through_rows *x)
{
    double *work = work_of(t, n);
    const wide_handle hanging = wide_handle_load(work + TRUNK_SHARE);
    wide_law law = wide_law_of(&hanging);
    wide_through open = wide_open();
    mask number;
    wide_pass(rows, t->row[n], work + TRUNK_ROW, &law, &open, 0, 0, &number);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            x->e[i][j] = wide_open_record(&open, i, j);
            x->psi[i][j] = open.psi[i < j ? i : j][i < j ? j : i];
        }
    }
}

LANE_CALL void through_wide(const rct_trunk *t, int32_t n, through_rows *x)
{
    open_end end;
    open_end_of(t, n, &end);
    six_rows reached;
    close_through(&end, reached);
    close_rows(&end, end.psi, x->psi);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            x->e[i][j] = reached[j][i];
        }
    }
}

/* Forces at the ball hinge of the end, to what the path hangs on. */
LANE_CALL void through_narrow(const rct_trunk *t, int32_t n, double e[9][3])
{
    abi_handle rest = hanging_on(t, n);
    const narrow_through end = narrow_end_load(t->paths + t->path[n], t->stride, &rest);
    const int32_t m = t->parent[n];
    const vec3 r =
        m >= 0 && t->kind[m] != NODE_NARROW ? vec3_load(t->at + (int64_t)3 * n, 1) : vec3_zero();
    const mat3 f = end.force;
    const sym3 p = end.compliance;
    real size;
    const mat3 moved = abi_meet_all(
        p, rest.s, (mat3){p.xx, p.xy, p.xz, p.xy, p.yy, p.yz, p.xz, p.yz, p.zz}, &size);
    const mat3 through = /* K E^T: E K^T by columns */
        abi_meet_all(p, rest.s, (mat3){f.xx, f.yx, f.zx, f.xy, f.yy, f.zy, f.xz, f.yz, f.zz},
                     &size);
    for (int j = 0; j < 3; j++) {
        const vec3 unit = {j == 0, j == 1, j == 2};
        vec3_store(e[j], 1, mat3_apply(through, unit));
        vec3_store(e[6 + j], 1, mat3_apply(moved, unit));
    }
    for (int j = 0; j < 3; j++) {
        const vec3 turned = vec3_cross(r, (vec3){e[0][j], e[1][j], e[2][j]});
        e[3][j] = turned.x, e[4][j] = turned.y, e[5][j] = turned.z;
    }
}

/* e, psi with `next`, of `passes` components, further inward. */
LANE_INLINE void join_passing(six_rows e, six_rows psi, const double *next, int passes)
{
    const double *next_psi = next + (ptrdiff_t)6 * passes;
    six_rows on, moved;
    memset(on, 0, sizeof on);
    memset(moved, 0, sizeof moved);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < passes; k++) {
            row_add(on[i], next[passes * i + k], e[k]);
        }
    }
    for (int i = 0; i < passes; i++) {
        for (int k = 0; k < passes; k++) {
            row_add(moved[i], next_psi[passes * i + k], e[k]);
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < passes; k++) {
            row_add(psi[i], e[k][i], moved[k]);
        }
        for (int j = 0; j < i; j++) {
            psi[i][j] = psi[j][i];
        }
    }
    memcpy(e, on, sizeof on);
}

LANE_CALL void through_join(six_rows e, six_rows psi, const rct_through *next)
{
    if (next->passes == 3) {
        join_passing(e, psi, next->numbers, 3);
    } else {
        join_passing(e, psi, next->numbers, (int)next->passes);
    }
}

LANE_CALL void trunk_through(const rct_sheaves *rows, const rct_trunk *t, int32_t n,
                             rct_through *to)
{
    to->passes = t->slot[n] < 0 ? 0 : t->kind[n] == NODE_NARROW ? 3 : 6;
    if (to->passes == 3) {
        through_narrow(t, n, (double(*)[3])to->numbers);
    } else if (t->row[n] >= 0) {
        through_link(rows, t, n, (through_rows *)to->numbers);
    } else if (to->passes == 6) {
        through_wide(t, n, (through_rows *)to->numbers);
    }
}

/* From a link of the trunk on. */
LANE_CALL void trunk_walk(const rct_trunk *t, const rct_through *paths, int32_t from, int32_t stop,
                          six_rows e, six_rows psi)
{
    memcpy(e, paths[from].numbers, sizeof(six_rows));
    memcpy(psi, paths[from].numbers + 36, sizeof(six_rows));
    for (int32_t n = t->parent[from]; n != stop; n = t->parent[n]) {
        through_join(e, psi, &paths[n]);
    }
}

/* Adds to `up` what comes further inward of a wrench. */
LANE_INLINE void pass_wrench(const double *e, int passes, const double *wrench, double *up)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < passes; j++) {
            up[i] += e[passes * i + j] * wrench[j];
        }
    }
}

/* Adds to x the motion under a wrench, and under that of what is further inward, `up`, if anything is. */
LANE_INLINE void give_way(const double *e, int passes, const double *wrench, const double *up,
                          double x[6])
{
    const double *psi = e + (ptrdiff_t)6 * passes;
    for (int i = 0; i < passes; i++) {
        for (int j = 0; j < passes; j++) {
            x[j] += wrench[i] * psi[passes * i + j];
        }
    }
    for (int i = 0; i < 6 && up != NULL; i++) {
        for (int j = 0; j < passes; j++) {
            x[j] += up[i] * e[passes * i + j];
        }
    }
}

LANE_CALL void trunk_respond(const rct_trunk *t, const rct_through *paths, double *wrenches,
                             double *motions)
{
    for (int32_t n = t->count - 1; n >= 0; n--) {
        const double *e = paths[n].numbers, *wrench = wrenches + (int64_t)6 * n;
        double *up = wrenches + (int64_t)6 * t->parent[n];
        if (t->parent[n] >= 0 && paths[n].passes == 3) {
            pass_wrench(e, 3, wrench, up);
        } else if (t->parent[n] >= 0 && paths[n].passes == 6) {
            pass_wrench(e, 6, wrench, up);
        }
    }
    for (int32_t n = 0; n < t->count; n++) {
        const double *e = paths[n].numbers, *wrench = wrenches + (int64_t)6 * n;
        const double *up = t->parent[n] >= 0 ? motions + (int64_t)6 * t->parent[n] : NULL;
        double x[6] = {0.0};
        if (paths[n].passes == 3) {
            give_way(e, 3, wrench, up, x);
        } else if (paths[n].passes == 6) {
            give_way(e, 6, wrench, up, x);
        }
        memcpy(motions + (int64_t)6 * n, x, sizeof x);
    }
}

/* `own` and `more`, or `alone` times `more` unless that is 0. */
LANE_CALL double settled(double own, double more, double alone)
{
    return alone == 0.0 ? own + more : alone * more;
}

/* The wrench on the end of segment n takes off what is asked for there. */
LANE_CALL void settle_end(const rct_trunk *t, int32_t n, const double *wrench, double alone)
{
    const int narrow = t->kind[n] == NODE_NARROW, count = narrow ? 3 : 6;
    const int at = PATH_BEYOND + (narrow ? 6 : PATH_HANDLE_FIELDS - 6);
    double asked[6];
    take(t, n, at, asked, count);
    for (int i = 0; i < count; i++) {
        asked[i] = settled(asked[i], -wrench[i], alone);
    }
    leave(t, n, at, asked, count);
}

LANE_CALL void trunk_settle(const rct_trunk *t, const double *wrenches, const double *motions,
                            double alone)
{
    for (int32_t n = 0; n < t->count; n++) {
        const int64_t at = (int64_t)6 * n;
        if (t->slot[n] < 0) {
            continue;
        }
        double *motion = work_of(t, n) + TRUNK_MOTION;
        for (int i = 0; i < 6; i++) {
            motion[i] = settled(motion[i], motions[at + i], alone);
        }
        if (t->row[n] < 0) {
            settle_end(t, n, wrenches + at, alone);
        }
    }
}

#endif
