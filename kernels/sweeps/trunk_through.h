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

/* Through the hinge of a link of the trunk. */
LANE_CALL void through_link(const rct_sheaves *rows, const rct_trunk *t, int32_t n, rct_through *x)
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

LANE_CALL void through_wide(const rct_trunk *t, int32_t n, rct_through *x)
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
LANE_CALL void through_narrow(const rct_trunk *t, int32_t n, rct_through *x)
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
    const mat3 e = /* K E^T: E K^T by columns */
        abi_meet_all(p, rest.s, (mat3){f.xx, f.yx, f.zx, f.xy, f.yy, f.zy, f.xz, f.yz, f.zz},
                     &size);
    memset(x, 0, sizeof *x);
    x->passes = 3;
    for (int j = 0; j < 3; j++) {
        vec3_store(&x->psi[j][0], 1, mat3_apply(moved, (vec3){j == 0, j == 1, j == 2}));
        vec3_store(&x->e[j][0], 1, mat3_apply(e, (vec3){j == 0, j == 1, j == 2}));
    }
    for (int j = 0; j < 3; j++) {
        const vec3 turned = vec3_cross(r, (vec3){x->e[0][j], x->e[1][j], x->e[2][j]});
        x->e[3][j] = turned.x, x->e[4][j] = turned.y, x->e[5][j] = turned.z;
    }
}

/* e, psi with `next` further inward. */
LANE_CALL void through_join(six_rows e, six_rows psi, const rct_through *next)
{
    six_rows on, moved;
    memset(on, 0, sizeof on);
    memset(moved, 0, sizeof moved);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < next->passes; k++) {
            row_add(on[i], next->e[i][k], e[k]);
        }
    }
    for (int i = 0; i < next->passes; i++) {
        for (int k = 0; k < next->passes; k++) {
            row_add(moved[i], next->psi[i][k], e[k]);
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < next->passes; k++) {
            row_add(psi[i], e[k][i], moved[k]);
        }
        for (int j = 0; j < i; j++) {
            psi[i][j] = psi[j][i];
        }
    }
    memcpy(e, on, sizeof on);
}

LANE_CALL void trunk_through(const rct_sheaves *rows, const rct_trunk *t, int32_t n,
                             rct_through *to)
{
    to->passes = 6;
    if (t->slot[n] < 0) {
        memset(to, 0, sizeof *to);
    } else if (t->row[n] >= 0) {
        through_link(rows, t, n, to);
    } else if (t->kind[n] == NODE_OPEN) {
        through_wide(t, n, to);
    } else {
        through_narrow(t, n, to);
    }
}

LANE_CALL void trunk_walk(const rct_trunk *t, const rct_through *paths, int32_t from, int32_t stop,
                          six_rows e, six_rows psi)
{
    memcpy(e, paths[from].e, sizeof paths->e);
    memcpy(psi, paths[from].psi, sizeof paths->psi);
    for (int32_t n = t->parent[from]; n != stop; n = t->parent[n]) {
        through_join(e, psi, &paths[n]);
    }
}

LANE_CALL void trunk_respond(const rct_trunk *t, const rct_through *paths, double *wrenches,
                             double *motions)
{
    for (int32_t n = t->count - 1; n >= 0; n--) {
        const rct_through *own = &paths[n];
        const double *wrench = wrenches + (int64_t)6 * n;
        double *up = wrenches + (int64_t)6 * t->parent[n];
        for (int i = 0; i < 6 && t->parent[n] >= 0; i++) {
            for (int j = 0; j < own->passes; j++) {
                up[i] += own->e[i][j] * wrench[j];
            }
        }
    }
    for (int32_t n = 0; n < t->count; n++) {
        const rct_through *own = &paths[n];
        const double *up = motions + (int64_t)6 * t->parent[n];
        double x[6] = {0.0};
        for (int j = 0; j < own->passes; j++) {
            row_add(x, wrenches[(int64_t)6 * n + j], own->psi[j]);
        }
        for (int j = 0; j < 6 && own->passes > 0 && t->parent[n] >= 0; j++) {
            row_add(x, up[j], own->e[j]);
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
