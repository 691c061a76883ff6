/* Solvers of fault trees with every division of labour, and the allowed and forbidden effects of a
 * fault on them. */
#ifndef RCT_TESTS_FAULT_SOLVER_H
#define RCT_TESTS_FAULT_SOLVER_H

#include "tests/support/systems/fault_tree.h"

enum { DIVISIONS = 10, FAULT_KINDS = 4 };

/* Divisions with an accelerator, the best available backend: the junction on the host, on the
 * device, by default. */
enum { ON_DEVICE = DIVISIONS, ALL_DIVISIONS = DIVISIONS + 2, AS_CHOSEN = ALL_DIVISIONS };

/* Trees to try. */
extern const fault_kind fault_kinds[FAULT_KINDS];

/* Threads 1, 2, 3, 8 and lanes 1, 2, 4, 8, each with several of the other; NULL if the machine has
 * no such lanes. */
rct_solver *fault_solver(const rct_model *model, rct_method method, int64_t segment, int division);

/* Evaluation and step fail in this way, and leave everything unchanged, bit for bit; returns the
 * named body. */
int32_t fault_expect(rct_solver *solver, rct_status status);

/* With the sound state of the tree the solver works as one that never failed. */
void fault_expect_sound(rct_solver *solver, const fault_tree *tree, rct_method method,
                        int64_t segment, int division);

/* Fails the test, and says which body the error names and how the work was divided. */
void fault_fail(const rct_solver *solver, int32_t blamed, const char *instead);

#endif
