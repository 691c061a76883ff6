/* Whether this process was started as one of several, by what its launcher leaves in the environment. */
#ifndef RCT_RANKS_LAUNCHER_H
#define RCT_RANKS_LAUNCHER_H

#include <stdint.h>

/* 1, with the number of the process among `count`, if mpirun has started it; else 0. Processes that a batch system
 * alone starts know nothing of each other, and are none. */
int rct_launched(int32_t *number, int32_t *count);

/* The number of the process among those of its machine, by the word of mpirun or of a batch system; 0 where neither
 * has one. */
int32_t rct_launched_here(void);

#endif
