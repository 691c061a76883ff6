/* One evaluation of a model's initial state by a method or by a reference formulation. */
#ifndef RCT_CLI_ACCELERATIONS_H
#define RCT_CLI_ACCELERATIONS_H

#include <riccatree/reference.h>
#include <riccatree/riccatree.h>

#include <stdbool.h>

typedef enum cli_quantity {
    CLI_LINEAR,
    CLI_ANGULAR,
    CLI_FORCE,
    CLI_MOMENT,
    CLI_QUANTITIES
} cli_quantity;

extern const char *const cli_quantities[CLI_QUANTITIES]; /* the names of the quantities */

typedef struct cli_accelerations {
    int64_t count; /* bodies                                                      */
    int64_t dof;   /* rates of all hinges                                         */
    double *block; /* the memory of the arrays                                    */
    /* [n][3] m/s^2 of the hinge points, rad/s^2; N, N m about the hinge point, exerted by the
     * parent */
    double *vectors[CLI_QUANTITIES];
    rct_loop_info info;  /* of the loops, filled by a solver                            */
    int64_t loops;       /* loops that a solver closed; 0 for references                */
    double *loop_force;  /* [loops][3] N, on `body` of each loop                        */
    double *loop_moment; /* [loops][3] N m, about the point of the closure              */
    double *loop_effort; /* [loops] multipliers of relations                            */
    double *derivatives; /* [dof] derivatives of the rates of all hinges, body by body (model.h) */
} cli_accelerations;

/* Allocate rows for the model. */
bool cli_accelerations_create(cli_accelerations *rows, const rct_model *model);

/* The type of the hinge of body `id`, which exists. */
rct_hinge_type cli_hinge_of(const rct_model *model, int64_t id);
void cli_accelerations_free(cli_accelerations *rows);

/* Print nothing; cli_error has the error. */
rct_status cli_accelerations_of_solver(cli_accelerations *rows, rct_solver *solver);

/* Evaluate at time 0 with coordinates and rates of all hinges; NULL: the model's initial state. */
rct_status cli_accelerations_of_reference(cli_accelerations *rows, const rct_model *model,
                                          rct_reference reference, const double *coordinates,
                                          const double *rates);

#endif
