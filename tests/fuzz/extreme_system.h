/* Random systems at the ends of the physical range: masses over twelve decades, thin rods and
 * balls, arms of a millimetre to ten metres, axes nearly parallel, pitches and rates from tiny to
 * enormous; the same for the same seed on every machine. */
#ifndef RCT_TESTS_EXTREME_SYSTEM_H
#define RCT_TESTS_EXTREME_SYSTEM_H

#include <riccatree/model.h>

enum { EXTREME_BODIES = 10 }; /* at most */

/* Parents come first. `hard`: the share of the twelve decades, from 0, ordinary systems, to 1.
 * Fails the test if the system is refused. */
rct_model *extreme_system(uint64_t seed, double hard);

/* Adds one to four loops of types that a tree of any hinges can have, open in the given state. */
void extreme_add_loops(rct_model *model, uint64_t seed);

/* Brings the system to rest, so that redundant loops contradict nothing, and adds copies of some of
 * its loops, moved by this distance. */
void extreme_add_copies(rct_model *model, uint64_t seed, double apart);

/* The same system moved by about the rounding of elimination in doubles: every number to the next
 * one or unchanged; mass and inertia of a body by an epsilon of everything that it carries; forces
 * added of an epsilon of those that it passes on; points of loops by an epsilon of the reach of
 * their bodies. */
rct_model *extreme_rounded(const rct_model *model, uint64_t seed);

#endif
