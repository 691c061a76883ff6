/* Natural cubic splines, each lane with its own table (kernels/records/hinge_forces.h): the
 * operations of src/model/forces/spline.c, in the same order. */
#ifndef RCT_KERNELS_LAWS_SPLINE_H
#define RCT_KERNELS_LAWS_SPLINE_H

#include "kernels/lane/lane.h"
#include "kernels/records/hinge_forces.h"

/* In lane l the value and the slope of the spline of table[l] at x; straight before the first row
 * and after the last. The search for the row has no branches, because lanes do not agree. */
LANE_INLINE real spline_at(const rct_hinge_table *const *table, real x, real *slope)
{
    enum { BEGIN, END, ROW_X, ROW_Y, NEXT_X, NEXT_Y, BEND, NEXT_BEND, NUMBERS };
    const double *numbers[LANE_WIDTH];
    double left[NUMBERS][LANE_WIDTH], at[LANE_WIDTH];
    int64_t row[LANE_WIDTH], last[LANE_WIDTH], step = 1, most = 0;
    lane_store(at, x);
    for (int l = 0; l < LANE_WIDTH; l++) {
        row[l] = 0;
        numbers[l] = table[l]->numbers;
        last[l] = table[l]->rows - 1;
        most = last[l] > most ? last[l] : most;
    }
    while (2 * step < most) {
        step *= 2;
    }
    for (; step > 0; step /= 2) {
        LANE_UNROLL
        for (int l = 0; l < LANE_WIDTH; l++) {
            const int64_t to = row[l] + step < last[l] ? row[l] + step : row[l];
            row[l] = numbers[l][2 * to] <= at[l] ? to : row[l];
        }
    }
    for (int l = 0; l < LANE_WIDTH; l++) {
        const double *own = numbers[l] + 2 * row[l],
                     *bend = numbers[l] + 2 * (last[l] + 1) + row[l];
        left[BEGIN][l] = numbers[l][0];
        left[END][l] = numbers[l][2 * last[l]];
        left[ROW_X][l] = own[0];
        left[ROW_Y][l] = own[1];
        left[NEXT_X][l] = own[2];
        left[NEXT_Y][l] = own[3];
        left[BEND][l] = bend[0];
        left[NEXT_BEND][l] = bend[1];
    }
    real n[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        n[i] = lane_load(left[i]);
    }
    const mask before = lane_greater(n[BEGIN], x), behind = lane_greater(x, n[END]);
    const real within = lane_select(before, n[BEGIN], lane_select(behind, n[END], x));
    const real h = n[NEXT_X] - n[ROW_X], s = within - n[ROW_X], a = n[BEND];
    const real v = (n[NEXT_Y] - n[ROW_Y]) / h - h * (2.0 * n[BEND] + n[NEXT_BEND]) / 6.0;
    const real j = (n[NEXT_BEND] - n[BEND]) / h;
    const real on = n[ROW_Y] + s * (v + s * (a / 2.0 + s * j / 6.0));
    *slope = v + s * (a + s * j / 2.0);
    const real beyond = on + *slope * (x - within);
    return lane_select(before, beyond, lane_select(behind, beyond, on));
}

#endif
