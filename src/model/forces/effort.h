/* Forces at hinges (riccatree/force.h): the effort on a rate, its slopes, and its energy if it
 * has one. */
#ifndef RCT_MODEL_EFFORT_H
#define RCT_MODEL_EFFORT_H

#include "model/forces/force_check.h"

/* The effort of a force at a hinge, whose table has the second derivatives of its spline behind
 * it, at coordinate q and rate u at `time`. A cut-off effort has no slope. The energy is not
 * filled: use rct_force_energy. */
rct_force_effort rct_force_exert(const rct_force *force, double time, double q, double u);

/* Friction at a ball hinge whose link turns by `rate` against its parent. The moment is -across
 * rate. A change of the rate along the rate changes the moment by -along times the change; a
 * change across the rate, by -across times the change. */
typedef struct rct_rubbing {
    double across, along; /* N m s */
} rct_rubbing;
rct_rubbing rct_force_rub(const rct_force *force, const double rate[3]);

/* J, of a force of a model at a hinge: the energy of limits and of curves over the coordinate,
 * up to a constant. */
double rct_force_energy(const rct_force *force, double q);

/* The pull of a spring or cable (N) at this distance (m) and its rate; and its energy (J). */
double rct_force_pull(const rct_force *force, double distance, double rate);
double rct_force_stretch_energy(const rct_force *force, double distance);

#endif
