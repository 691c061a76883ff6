/* The emulated accelerator behind the backend "cuda", for tests that control it. RICCATREE_PLUGINS
 * must name the folder of its plugin (rct_emulated_test). */
#ifndef RCT_TESTS_EMULATED_H
#define RCT_TESTS_EMULATED_H

#include "tests/emulation/exported.h"

/* Its control. NULL for emulated_or_none, a failure of the test for the other, if there is none. */
const emulation_table *emulated_or_none(void);
const emulation_table *emulated(void);

/* As at the start of the process, but for these words of RCT_EMULATION; "" for none. No solver is alive. */
void emulated_reset(const char *words);

/* Nothing is left of solvers that are gone, and nothing was found wrong. */
void emulated_expect_clean(void);

#endif
