/* Solvers of fault trees with every division of labour, and the allowed and forbidden effects of a
 * fault on them. */
#ifndef RCT_TESTS_FAULT_SOLVER_H
#define RCT_TESTS_FAULT_SOLVER_H

#include "tests/support/systems/fault_tree.h"

enum { DIVISIONS = 10, FAULT_KINDS = 4 };

/* Divisions with an accelerator, the best backend there is: the junction on the host, on the device, as it chooses. */
enum { ON_DEVICE = DIVISIONS, ALL_DIVISIONS = DIVISIONS + 2, AS_CHOSEN = ALL_DIVISIONS };

/* Trees to try. */
extern const fault_kind fault_kinds[FAULT_KINDS];

/* Threads 1, 2, 3, 8 and lanes 1, 2, 4, 8, each with several of the other; NULL where the machine has no
 * such lanes. */
rct_solver *fault_solver(const rct_model *model, rct_method method, int64_t segment, int division);

/* Evaluation and step fail so, and leave everything as it was, bit for bit; the body named comes back. */
int32_t fault_expect(rct_solver *solver, rct_status status);

/* With the sound state of the tree the solver does what one does that never failed. */
void fault_expect_sound(rct_solver *solver, const fault_tree *tree, rct_method method,
                        int64_t segment, int division);

/* Who was blamed, and how the work was divided: the test fails. */
void fault_fail(const rct_solver *solver, int32_t blamed, const char *instead);

#endif
