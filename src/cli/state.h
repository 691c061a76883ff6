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

/* Allocate a state for a solver; and read the present state. */
bool cli_state_create(cli_state *state, const rct_solver *solver);
void cli_state_read(cli_state *state, const rct_solver *solver);
void cli_state_free(cli_state *state);

/* How many coordinates and rates of two states differ in any bit. */
int64_t cli_state_apart(const cli_state *a, const cli_state *b);

/* A vector from body axes to inertial axes; the cross product. */
void cli_turn(const double orientation[4], const double v[3], double turned[3]);
void cli_cross(const double a[3], const double b[3], double product[3]);
double cli_dot(const double a[3], const double b[3]);

/* The place and the motion of a point of a body; `at` is its place from the hinge point in body
 * axes. The ground: inertial space. */
void cli_state_point(const cli_state *state, int32_t body, const double at[3], double place[3],
                     double motion[3]);

/* A force on a body at a place, in inertial axes, and the motion of that place. */
typedef struct cli_pushed {
    double place[3], motion[3], force[3];
} cli_pushed;

enum { CLI_DRAG_POINTS = RCT_DRAG_POINTS + 1 };

/* The forces of a fluid at points of a slender body, its buoyancy last. */
void cli_drag(const cli_state *state, const rct_force *drag, const double gravity[3],
              cli_pushed pushed[CLI_DRAG_POINTS]);

/* The pull of a spring or cable, N, on its first end along the unit vector to the second; the
 * part of the pull that changes its energy; and the rate of the distance, m/s. */
typedef struct cli_pull {
    double place[2][3], along[3], pull, kept, rate;
} cli_pull;

cli_pull cli_pull_of(const cli_state *state, const rct_force *spring);

/* How fast a body turns against its parent, rad/s. */
double cli_slip(const rct_model *model, const cli_state *state, int32_t body);

/* The first coordinate and the first rate of the hinge of each body, [bodies][2], to be freed.
 * With these, the effort of force `index`, at a hinge, in a state, along the rate of its hinge;
 * for a ball hinge the rate is cli_slip. */
int64_t *cli_hinge_places(const rct_model *model);
rct_force_effort cli_effort(const rct_model *model, const cli_state *state, const int64_t *places,
                            int32_t index, double *rate);

/* Whether a rate of a hinge with axes is a slide: m/s, not rad/s. */
bool cli_is_slide(rct_hinge_type hinge, int freedom);

#endif
