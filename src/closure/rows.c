/* Constraints of closures (rows.h). With d from the point P on the other body to the point C on the body, E an axis
 * that the other carries and f one that the body carries, w and v those of the two,
 *
 *     phi = d . E     phi' = v_C . E - v_P . E + w_P . (E x d)
 *     phi = f . E     phi' = (w_C - w_P) . (f x E)
 *     phi = (d . d - L^2) / 2 L          phi' = d . d' / L
 *
 * and phi'' is the same of accelerations, of which those of the points are a + alpha x arm + w x (w x arm), and of
 * what turns with the two bodies. */
#include "closure/rows.h"

#include "core/rotation.h"

#include <math.h>
#include <string.h>

void rct_closure_triad(const rct_loop *loop, double axes[3][3])
{
    memcpy(axes[2], loop->axis, sizeof axes[2]);
    memcpy(axes[0], loop->axis2, sizeof axes[0]);
    const int has_second = loop->type == RCT_LOOP_PLANAR_PRISMATIC || loop->type == RCT_LOOP_SLOT;
    if (!has_second &&
        loop->type != RCT_LOOP_UNIVERSAL) { /* any X across Z: off its smallest part */
        int k = 0;
        for (int i = 1; i < 3; i++) {
            k = fabs(axes[2][i]) < fabs(axes[2][k]) ? i : k;
        }
        double across[3] = {0.0, 0.0, 0.0}, length;
        across[k] = 1.0;
        rct_cross(across, axes[2], axes[0]);
        length = sqrt(rct_dot(axes[0], axes[0]));
        for (int i = 0; i < 3; i++) {
            axes[0][i] /= length;
        }
    }
    rct_cross(axes[2], axes[0], axes[1]);
}

/* w x (w x r) */
static void centripetal(const double *w, const double *r, double out[3])
{
    double once[3];
    rct_cross(w, r, once);
    rct_cross(w, once, out);
}

typedef struct pair {
    const rct_closure_frame *p, *c;
    double d[3], speed[3];
} pair;

/* d . E */
static rct_constraint along(const pair *at, const double *E)
{
    rct_constraint row;
    double reach[3], moment[3], turned[3], inward[3];
    for (int i = 0; i < 3; i++) {
        reach[i] = at->p->arm[i] + at->d[i];
        row.own[3 + i] = E[i];
        row.other[3 + i] = -E[i];
    }
    rct_cross(at->c->arm, E, row.own);
    rct_cross(reach, E, moment);
    for (int i = 0; i < 3; i++) {
        row.other[i] = -moment[i];
    }
    rct_cross(at->p->w, E, turned);
    centripetal(at->p->w, E, inward);
    row.phi = rct_dot(at->d, E);
    row.bias = rct_dot(at->c->centripetal, E) - rct_dot(at->p->centripetal, E) +
               2.0 * rct_dot(at->speed, turned) + rct_dot(at->d, inward);
    return row;
}

/* f . E */
static rct_constraint across(const pair *at, const double *f, const double *E)
{
    rct_constraint row;
    double own_turn[3], other_turn[3], own_inward[3], other_inward[3];
    memset(&row, 0, sizeof row);
    rct_cross(f, E, row.own);
    for (int i = 0; i < 3; i++) {
        row.other[i] = -row.own[i];
    }
    rct_cross(at->p->w, E, other_turn);
    rct_cross(at->c->w, f, own_turn);
    centripetal(at->p->w, E, other_inward);
    centripetal(at->c->w, f, own_inward);
    row.phi = rct_dot(f, E);
    row.bias =
        rct_dot(E, own_inward) + rct_dot(f, other_inward) + 2.0 * rct_dot(other_turn, own_turn);
    return row;
}

static rct_constraint apart(const pair *at, double length)
{
    rct_constraint row;
    double e[3], back[3];
    for (int i = 0; i < 3; i++) {
        e[i] = at->d[i] / length;
        back[i] = -e[i];
        row.own[3 + i] = e[i];
        row.other[3 + i] = back[i];
    }
    rct_cross(at->c->arm, e, row.own);
    rct_cross(at->p->arm, back, row.other);
    row.phi = 0.5 * (rct_dot(at->d, at->d) / length - length);
    row.bias = rct_dot(e, at->c->centripetal) - rct_dot(e, at->p->centripetal) +
               rct_dot(at->speed, at->speed) / length;
    return row;
}

/* What a type holds: bits of d along X, Y, Z; z across X and Y; x across Y. */
enum { DX = 1, DY = 2, DZ = 4, LINE = 8, TURN = 16 };

static const int held[RCT_LOOP_TYPES] = {
    [RCT_LOOP_FIXED] = DX | DY | DZ | LINE | TURN,
    [RCT_LOOP_BALL] = DX | DY | DZ,
    [RCT_LOOP_UNIVERSAL] = DX | DY | DZ,
    [RCT_LOOP_REVOLUTE] = DX | DY | DZ | LINE,
    [RCT_LOOP_PRISMATIC] = DX | DY | LINE | TURN,
    [RCT_LOOP_CYLINDRICAL] = DX | DY | LINE,
    [RCT_LOOP_PLANAR] = DZ | LINE,
    [RCT_LOOP_PLANAR_REVOLUTE] = DX | DY,
    [RCT_LOOP_PLANAR_PRISMATIC] = DY | TURN,
    [RCT_LOOP_PLANAR_FIXED] = DX | DY | TURN,
    [RCT_LOOP_SLOT] = DY,
};

int rct_closure_constraints(rct_loop_type type, double length, const rct_closure_frame *other,
                            const rct_closure_frame *own, rct_constraint *out)
{
    const int what = held[type];
    pair at = {.p = other, .c = own};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        at.d[i] = own->point[i] - other->point[i];
        at.speed[i] = own->velocity[i] - other->velocity[i];
    }
    if (type == RCT_LOOP_DISTANCE) {
        out[count++] = apart(&at, length);
    }
    for (int i = 0; i < 3; i++) {
        if (what & (DX << i)) {
            out[count++] = along(&at, other->axes[i]);
        }
    }
    if (type == RCT_LOOP_UNIVERSAL) {
        out[count++] = across(&at, own->axes[0], other->axes[2]);
    }
    if (what & LINE) {
        out[count++] = across(&at, own->axes[2], other->axes[0]);
        out[count++] = across(&at, own->axes[2], other->axes[1]);
    }
    if (what & TURN) {
        out[count++] = across(&at, own->axes[0], other->axes[1]);
    }
    return count;
}

int rct_closure_is_flipped(rct_loop_type type, const rct_closure_frame *other,
                           const rct_closure_frame *own)
{
    const int what = held[type];
    return ((what & LINE) && rct_dot(own->axes[2], other->axes[2]) < 0.0) ||
           ((what & TURN) && rct_dot(own->axes[0], other->axes[0]) < 0.0);
}
