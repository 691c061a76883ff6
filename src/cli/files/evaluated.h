/* Quantities that recordings do not hold: a solver evaluates the recorded states, with the loops
 * that held. Forces that a program has applied by functions are not known. */
#ifndef RCT_CLI_FILES_EVALUATED_H
#define RCT_CLI_FILES_EVALUATED_H

#include "cli.h"

/* Of bodies: hinge points and bodies, and what parents exert through hinges; of loops. All in
 * inertial axes. */
enum {
    CLI_VELOCITY,
    CLI_ACCELERATION,
    CLI_ANGULAR_ACCELERATION,
    CLI_HINGE_FORCE,
    CLI_HINGE_MOMENT,
    CLI_LOOP_FORCE,
    CLI_LOOP_MOMENT,
    CLI_LOOP_EFFORT,
    CLI_EVALUATED
};

/* Quantity number `which`; the number of the one called `name`, or -1. */
const rct_quantity *cli_evaluated_quantity(int which);
int cli_find_evaluated(const char *name);

/* Whether a quantity has one row for each loop. */
bool cli_is_of_loops(const rct_quantity *quantity);

typedef struct cli_evaluated cli_evaluated;

/* Make ready for those `wanted`. NULL: the error is printed. File and model must outlive it. */
cli_evaluated *cli_evaluated_create(rct_recording *file, const rct_model *model,
                                    const bool wanted[CLI_EVALUATED]);
void cli_evaluated_free(cli_evaluated *evaluated); /* NULL does nothing */

/* Evaluate the state of a frame; false: the error is printed. Then read quantity `which`,
 * [bodies or loops][width]. */
bool cli_evaluate_frame(cli_evaluated *evaluated, int64_t frame, double time);
const double *cli_evaluated_numbers(const cli_evaluated *evaluated, int which);

#endif
