/* Loops on the command line: the options of a solver that are about them, and how well they are closed. */
#ifndef RCT_CLI_LOOPS_H
#define RCT_CLI_LOOPS_H

#include "cli.h"
#include "output.h"

/* What was asked for, to the options of a solver. */
void cli_loop_options(const cli_arguments *arguments, rct_solver_options *options);

/* An option that the model, or another option, makes idle is an error. */
bool cli_check_loops(const cli_arguments *arguments, const rct_model *model);

/* Largest violations of states seen. */
typedef struct cli_violation {
    double position, velocity; /* as in rct_loop_info                                            */
    int32_t position_loop, velocity_loop;
} cli_violation;

cli_violation cli_no_violation(void);

/* Take the present state of the solver in. */
void cli_see_loops(cli_violation *seen, const rct_solver *solver);

/* Key "loops", null for a model without; lines of a table, none for such a model. `seen` may be NULL. */
void cli_print_loops(const rct_model *model, const rct_loop_info *info, const cli_violation *seen);

/* How far open the start was before it was closed: keys, and a line if that is more than rounding. The function above
 * writes them too. */
void cli_print_start(const rct_model *model, const rct_loop_info *info);

#endif
