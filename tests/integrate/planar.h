/* Links swinging in the x-y plane: their Lagrange equations in absolute angles, integrated in long
 * double with code of its own, to compare spatial solutions with. */
#ifndef RCT_TESTS_PLANAR_H
#define RCT_TESTS_PLANAR_H

enum { PLANAR_LINKS = 4 };

/* The centre of mass of body k lies at sum_j lever[k][j] (cos phi_j, sin phi_j). */
typedef struct planar_system {
    int links;
    long double gravity; /* m/s^2, along -y                  */
    long double mass[PLANAR_LINKS];
    long double inertia[PLANAR_LINKS];             /* about the centre of mass         */
    long double lever[PLANAR_LINKS][PLANAR_LINKS]; /* m */
} planar_system;

typedef struct planar_state {
    long double angle[PLANAR_LINKS]; /* rad   */
    long double rate[PLANAR_LINKS];  /* rad/s */
} planar_state;

/* `steps` steps of the classical Runge-Kutta method. */
planar_state planar_run(const planar_system *system, planar_state start, long double dt, int steps);

#endif
