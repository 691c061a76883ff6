/* The emulated accelerator behind the backend "cuda", for tests that control it. RICCATREE_PLUGINS
 * must name the folder of its plugin (rct_emulated_test). */
#ifndef RCT_TESTS_EMULATED_H
#define RCT_TESTS_EMULATED_H

#include "tests/emulation/exported.h"

/* Its control. If there is none, emulated_or_none returns NULL, the other function fails the
 * test. */
const emulation_table *emulated_or_none(void);
const emulation_table *emulated(void);

/* Restores the start of the process, with these words of RCT_EMULATION; "" for none. No solver may
 * be alive. */
void emulated_reset(const char *words);

/* Fails unless all resources of freed solvers are released, and no error was reported. */
void emulated_expect_clean(void);

#endif
