/* What forces at hinges do (riccatree/force.h): the effort on a rate, its slopes, and its energy where it has one. */
#ifndef RCT_MODEL_EFFORT_H
#define RCT_MODEL_EFFORT_H

#include "model/forces/force_check.h"

/* Of a force of a model that is at a hinge, whose table has the second derivatives of its spline behind it; at the coordinate q and
 * rate u, at `time`. No slope where an effort is cut off; no energy:
 * that is rct_force_energy. */
rct_force_effort rct_force_exert(const rct_force *force, double time, double q, double u);

/* Friction at a ball hinge whose link turns by `rate` against what it hangs on. Its moment is -across rate; by a change of the rate along
 * it the moment changes by -along times that, by one across it by -across times that. */
typedef struct rct_rubbing {
    double across, along; /* N m s */
} rct_rubbing;
rct_rubbing rct_force_rub(const rct_force *force, const double rate[3]);

/* J, of a force of a model at a hinge: of limits and curves over the coordinate, but for a constant. */
double rct_force_energy(const rct_force *force, double q);

/* What a spring or cable of such a distance (m) and its rate pulls by, N; and its energy, J. */
double rct_force_pull(const rct_force *force, double distance, double rate);
double rct_force_stretch_energy(const rct_force *force, double distance);

#endif
