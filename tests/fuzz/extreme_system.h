/* Random systems at the ends of the physical range: masses over twelve decades, thin rods and
 * balls, arms of a millimetre to ten metres, axes nearly parallel, pitches and rates from tiny to
 * enormous; the same for the same seed on every machine. */
#ifndef RCT_TESTS_EXTREME_SYSTEM_H
#define RCT_TESTS_EXTREME_SYSTEM_H

#include <riccatree/model.h>

enum { EXTREME_BODIES = 10 }; /* at most */

/* Parents come first. `hard`: the share of those decades, from 0, ordinary systems, to 1. Fails the test if it is refused. */
rct_model *extreme_system(uint64_t seed, double hard);

/* Add one to four loops of types that a tree of any hinges has, open as the state is. */
void extreme_add_loops(rct_model *model, uint64_t seed);

/* Bring the system to rest, so that redundant loops contradict nothing, and add copies of some of its loops, moved by so much. */
void extreme_add_copies(rct_model *model, uint64_t seed, double apart);

/* The same system moved by about as much as elimination in doubles rounds: every number to the next one or left as it is; mass
 * and inertia of a body by an epsilon of all that it carries; forces added of an epsilon of those that it passes on; points of
 * loops by one of how far their bodies reach. */
rct_model *extreme_rounded(const rct_model *model, uint64_t seed);

#endif
