/* One evaluation of a model's initial state by a method or by a reference formulation. */
#ifndef RCT_CLI_ACCELERATIONS_H
#define RCT_CLI_ACCELERATIONS_H

#include <riccatree/riccatree.h>

typedef struct cli_accelerations {
    int64_t count;   /* bodies                                                      */
    double *block;   /* what the four arrays lie in                                 */
    double *linear;  /* [n][3] m/s^2, of the hinge points                           */
    double *angular; /* [n][3] rad/s^2                                              */
    double *force;   /* [n][3] N, from the parent                                   */
    double *moment;  /* [n][3] N m, from the parent, about the hinge point          */
} cli_accelerations;

/* Room for `bodies` rows; CLI_OK, or the exit status with the error printed. */
int cli_accelerations_create(cli_accelerations *rows, int64_t bodies);
void cli_accelerations_free(cli_accelerations *rows);

rct_status cli_accelerations_of_solver(cli_accelerations *rows, rct_solver *solver,
                                       rct_error *error);
rct_status cli_accelerations_of_reference(cli_accelerations *rows, const rct_model *model,
                                          rct_reference reference, rct_error *error);

#endif
