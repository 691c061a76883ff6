/* Shared by the tests of runs: a chain of revolute links, its solver and the options of a run, in a
 * folder of their own. */
#ifndef RCT_TESTS_RUN_CASE_H
#define RCT_TESTS_RUN_CASE_H

#include <riccatree/riccatree.h>

enum { BODIES = 40, FRAMES = 7, STEPS = 100, NUMBERS = 13 * BODIES };

/* s: the step, and the end of a run. */
static const double dt = 2e-3, t_end = 0.2;

/* Files that runs write. */
static const char record[] = "run.h5", whole_record[] = "run_whole.h5", kept[] = "run.rct";

/* Enter a new folder, and remove it with these files: setup and teardown of a group of tests. */
int run_case_enter(void **state);
int run_case_leave(void **state);
void remove_files(void);

/* Springs at all hinges, and dampers. */
rct_model *chain(double damping);
rct_solver *solver_of(const rct_model *model);

/* In the order of rct_solver_get_state, one after the other. */
void read_state(const rct_solver *solver, double x[NUMBERS]);

/* A run to t_end, FRAMES frames, no files. */
rct_run_options options_of(void);

#endif
