/* How much memory a process may still take: what the machine has, and what the control groups of
 * the process allow, such as those of containers and batch systems. */
#ifndef RCT_CORE_MEMORY_LEFT_H
#define RCT_CORE_MEMORY_LEFT_H

#include <stdint.h>

/* B, swap included; INT64_MAX if the system does not tell. Files of the system are read below the
 * folder `root`; "": in their usual place. */
int64_t rct_memory_left(const char *root);

#endif
