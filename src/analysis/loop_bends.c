/* Loops of a system at rest (statics.h): their rows of the border, and the second derivative of
 * -lambda . phi on motions that keep loops closed. */
#include "analysis/statics.h"

#include "kernels/records/closures.h"
#include "operators/six.h"
#include "operators/symmetric.h"

#include <math.h>
#include <string.h>

/* The least coupling of two bodies that counts, as a fraction of the largest number of a form. */
static const double coupled = 0x1p-44;

/* The rows of one closure, and its form. The form may change by terms that vanish where the rows
 * do: F + J* N + N* J serves for any N. Turns are lengths, by the length of the system, so that
 * small and large do not depend on the metre. */
typedef struct bent {
    int32_t first, rows, body[2];
    int sides;
    double way[6];        /* lengths per 1 rad, 1 m */
    double J[2][6][6];    /* [side][row] wrenches */
    double own[2][6][6];  /* for the motion of one side alone */
    double between[6][6]; /* for the motions of both: 2 x . between y */
} bent;

static void read_bent(const rct_statics *s, int32_t first, int32_t count, bent *b)
{
    const rct_closure_rows *rows = s->rows;
    const double length = s->length;
    *b = (bent){.first = first, .rows = count, .way = {length, length, length, 1.0, 1.0, 1.0}};
    for (int32_t i = 0; i < count; i++) {
        const double lambda = s->lambda[first + i];
        const double *form = s->bend + (int64_t)(first + i) * CLOSURE_BEND;
        const rct_closure_end *end = rows->ends + rows->ends_at[first + i];
        b->sides = rows->ends_at[first + i + 1] - rows->ends_at[first + i];
        for (int side = 0; side < b->sides; side++) {
            b->body[side] = end[side].body;
            for (int k = 0; k < 6; k++) {
                b->J[side][i][k] = end[side].wrench[k] / b->way[k];
            }
        }
        for (int k = 0; k < 36; k++) {
            const int r = k / 6, c = k % 6;
            const double part = lambda / (b->way[r] * b->way[c]);
            b->own[0][r][c] -= part * form[CLOSURE_MOTION * r + c];
            b->own[1][r][c] -= part * form[CLOSURE_MOTION * (6 + r) + 6 + c];
            b->between[r][c] -= part * form[CLOSURE_MOTION * r + 6 + c];
        }
    }
}

/* Choose N so that the coupling vanishes on the rows of one side: N of the other side is -(J J*)^-1
 * J between, with J of this side. */
static void uncouple(bent *b, int side)
{
    double G[6][6] = {{0.0}}, Q[6][6], N[6][6] = {{0.0}};
    double(*J)[6] = b->J[side], (*K)[6] = b->J[1 - side], taken[6][6] = {{0.0}};
    for (int i = 0; i < b->rows; i++) {
        for (int j = 0; j < b->rows; j++) {
            G[i][j] = rct_dot6(J[i], J[j]);
        }
        for (int k = 0; k < 36; k++) {
            const double own = side == 0 ? b->between[k / 6][k % 6] : b->between[k % 6][k / 6];
            taken[i][k % 6] += J[i][k / 6] * own;
        }
    }
    rct_symmetric_eigen(b->rows, G, Q);
    for (int v = 0; v < b->rows; v++) {
        for (int i = 0; i < b->rows; i++) {
            for (int j = 0; j < b->rows; j++) {
                rct_add6(-Q[i][v] * Q[j][v] / G[v][v], taken[j], N[i]);
            }
        }
    }
    for (int i = 0; i < b->rows; i++) {
        for (int k = 0; k < 36; k++) {
            const int r = k / 6, c = k % 6;
            b->between[side == 0 ? r : c][side == 0 ? c : r] += J[i][r] * N[i][c];
            b->own[1 - side][r][c] += K[i][r] * N[i][c] + N[i][r] * K[i][c];
        }
    }
}

/* Add a row of ends whose turns are lengths. */
static void add_row(rct_statics *s, const bent *b, const rct_border_end ends[2], double stiffness)
{
    rct_border_end own[2] = {ends[0], ends[1]};
    for (int side = 0; side < b->sides; side++) {
        for (int k = 0; k < 6; k++) {
            own[side].part[k] *= b->way[k];
        }
    }
    rct_border_add(&s->border, own, b->sides, stiffness);
}

/* 2 x . between y as rows: with u orthonormal, between = sum u (between* u)*, and 2 a b = (a + b)^2
 * - a^2 - b^2. */
static void couple(rct_statics *s, bent *b)
{
    double A[6][6], Q[6][6], size = 0.0;
    for (int k = 0; k < 36; k++) {
        A[k / 6][k % 6] = rct_dot6(b->between[k / 6], b->between[k % 6]);
        size = fmax(size, fmax(fabs(b->own[0][k / 6][k % 6]), fabs(b->own[1][k / 6][k % 6])));
    }
    rct_symmetric_eigen(6, A, Q);
    for (int v = 0; v < 6; v++) {
        rct_border_end ends[2] = {{.body = b->body[0]}, {.body = b->body[1]}};
        for (int k = 0; k < 36; k++) {
            ends[1].part[k % 6] += b->between[k / 6][k % 6] * Q[k / 6][v];
        }
        const double stiffness = sqrt(rct_dot6(ends[1].part, ends[1].part));
        if (!(stiffness > coupled * size)) {
            continue;
        }
        for (int i = 0; i < 6; i++) {
            ends[0].part[i] = Q[i][v];
            ends[1].part[i] /= stiffness;
        }
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 6; i++) {
                rct_add6(-stiffness * ends[side].part[i], ends[side].part, b->own[side][i]);
            }
        }
        add_row(s, b, ends, stiffness);
    }
}

static void add_closure(rct_statics *s, int32_t first, int32_t count)
{
    bent b;
    read_bent(s, first, count, &b);
    if (b.sides == 2) {
        uncouple(&b, 0);
        uncouple(&b, 1);
        couple(s, &b);
    }
    for (int side = 0; side < b.sides; side++) {
        double form[36];
        for (int k = 0; k < 36; k++) {
            form[k] = b.own[side][k / 6][k % 6] * b.way[k / 6] * b.way[k % 6];
        }
        rct_stiffness_add(s->stiffness, b.body[side], form);
    }
    for (int32_t i = 0; i < count; i++) {
        rct_border_end ends[2] = {{.body = b.body[0]}, {.body = b.body[1]}};
        memcpy(ends[0].part, b.J[0][i], sizeof ends[0].part);
        memcpy(ends[1].part, b.J[1][i], sizeof ends[1].part);
        if (s->kept[first + i]) {
            add_row(s, &b, ends, (double)INFINITY);
        }
    }
}

static void add_relation(rct_statics *s, int32_t row)
{
    const rct_closure_rows *rows = s->rows;
    const rct_closure_rate *rate = rows->rates + rows->rates_at[row];
    const int32_t count = (int32_t)(rows->rates_at[row + 1] - rows->rates_at[row]);
    for (int32_t i = 0; i < count; i++) {
        s->terms[i] =
            (rct_border_end){.body = RCT_GROUND, .rate = rate[i].rate, .part = {rate[i].factor}};
    }
    if (s->kept[row]) {
        rct_border_add(&s->border, s->terms, count, (double)INFINITY);
    }
}

void rct_statics_hold_loops(rct_statics *s)
{
    const rct_closure_rows *rows = s->rows;
    for (int32_t i = 0, next = 0; rows != NULL && i < rows->count; i = next) {
        for (next = i + 1; next < rows->count && rows->loop[next] == rows->loop[i];) {
            next++;
        }
        if (rows->ends_at[i] == rows->ends_at[i + 1]) {
            add_relation(s, i);
        } else {
            add_closure(s, i, next - i);
        }
    }
}
