/* How much memory a process may still take: what the machine has, and what the control groups allow that the process is in, as those of
 * containers and of batch systems. */
#ifndef RCT_CORE_MEMORY_LEFT_H
#define RCT_CORE_MEMORY_LEFT_H

#include <stdint.h>

/* B, swap counted in; INT64_MAX where the system does not say. Files of the system are looked for in the folder `root`, "": where they
 * are. */
int64_t rct_memory_left(const char *root);

#endif
