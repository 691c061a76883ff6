/* Whether this process was started as one of several, according to the environment that its
 * launcher sets. */
#ifndef RCT_RANKS_LAUNCHER_H
#define RCT_RANKS_LAUNCHER_H

#include <stdint.h>

/* 1, with the number of the process among `count`, if mpirun started it; else 0. Processes
 * started by a batch system alone do not know each other and do not count. */
int rct_launched(int32_t *number, int32_t *count);

/* The number of the process among those of its machine, according to mpirun or a batch system; 0
 * if neither gives one. */
int32_t rct_launched_here(void);

#endif
