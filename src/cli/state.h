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

/* A force of a body at a place, inertial axes, and how that moves. */
typedef struct cli_pushed {
    double place[3], motion[3], force[3];
} cli_pushed;

enum { CLI_DRAG_POINTS = RCT_DRAG_POINTS + 1 };

/* What a fluid does at points of a slender body, its buoyancy last. */
void cli_drag(const cli_state *state, const rct_force *drag, const double gravity[3],
              cli_pushed pushed[CLI_DRAG_POINTS]);

/* What a spring or cable pulls by, N, from its first end along the unit vector to the second; the part that is the change of its
 * energy, and the rate of the distance, m/s. */
typedef struct cli_pull {
    double place[2][3], along[3], pull, kept, rate;
} cli_pull;

cli_pull cli_pull_of(const cli_state *state, const rct_force *spring);

/* How fast a body turns against what it hangs on, rad/s. */
double cli_slip(const rct_model *model, const cli_state *state, int32_t body);

/* Where the coordinates and the rates of the hinge of each body begin, [bodies][2], to be freed; and by these what force `index`, at a
 * hinge, does in a state, along the rate that it is at: of a ball cli_slip. */
int64_t *cli_hinge_places(const rct_model *model);
rct_force_effort cli_effort(const rct_model *model, const cli_state *state, const int64_t *places,
                            int32_t index, double *rate);

/* Whether a rate of a hinge with axes is along one: m/s, not rad/s. */
bool cli_is_slide(rct_hinge_type hinge, int freedom);

#endif
