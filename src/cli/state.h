/* The state of a solver as commands read it: all bodies at once, and points of bodies. */
#ifndef RCT_CLI_STATE_H
#define RCT_CLI_STATE_H

#include "cli.h"

typedef struct cli_state {
    int64_t bodies, numbers;                          /* coordinates and rates together */
    double *orientation, *spin, *position, *velocity; /* as rct_solver_get_state        */
    double *coordinates, *rates;                      /* as rct_solver_get_coordinates; one array */
    double time;
} cli_state;

/* Room for the state of a solver, and its present one. */
bool cli_state_create(cli_state *state, const rct_solver *solver);
void cli_state_read(cli_state *state, const rct_solver *solver);
void cli_state_free(cli_state *state);

/* Coordinates and rates of two that have other bits. */
int64_t cli_state_apart(const cli_state *a, const cli_state *b);

/* A vector in body axes to inertial ones; the cross product. */
void cli_turn(const double orientation[4], const double v[3], double turned[3]);
void cli_cross(const double a[3], const double b[3], double product[3]);
double cli_dot(const double a[3], const double b[3]);

/* Where a point of a body is, and how it moves; at = its place from the hinge point in body axes. The ground: inertial space. */
void cli_state_point(const cli_state *state, int32_t body, const double at[3], double place[3],
                     double motion[3]);

/* Whether a rate of a hinge with axes is along one: m/s, not rad/s. */
bool cli_is_slide(rct_hinge_type hinge, int freedom);

#endif
