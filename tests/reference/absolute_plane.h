/* Newton's and Euler's equations of bodies in a plane, in absolute coordinates of the centres of
 * mass, every hinge a constraint with multipliers, in one dense system in long double:
 *
 *     m a - J^T lambda = f,    J a = right
 *
 * For bodies whose motion is given (the ground) m a is replaced by a. Code of its own, to compare
 * with. */
#ifndef RCT_TESTS_ABSOLUTE_PLANE_H
#define RCT_TESTS_ABSOLUTE_PLANE_H

enum { PLANE_MOST_BODIES = 64, PLANE_MOST_CONSTRAINTS = 160 };

typedef struct plane_vector {
    long double x, y;
} plane_vector;

typedef struct plane_body {
    long double m, J; /* kg, kg m^2                                                  */
    long double x[3]; /* of the centre of mass; angle                                */
    long double v[3];
    long double f[3]; /* force, moment about the centre of mass; given: acceleration */
    int given;
} plane_body;

typedef enum plane_constraint_type {
    PLANE_PIN,  /* two points coincide                                                  */
    PLANE_TURN, /* both bodies have the same rotation                                   */
    PLANE_LINE, /* the point of `one` stays on the line along h through the point of `other` */
    PLANE_CAM,  /* the point of `one` stays on the outline about that of `other`        */
} plane_constraint_type;

typedef struct plane_constraint {
    plane_constraint_type type;
    int one, other;
    plane_vector at, other_at; /* from the centre of mass, body axes          */
    plane_vector h;            /* unit vector, axes of `other`                */
    /* The outline: radius at a polar angle in the axes of `other`, s[1], s[2] its derivatives. */
    void (*outline)(long double angle, long double s[3]);
} plane_constraint;

typedef struct plane_system {
    int bodies, constraints;
    plane_body body[PLANE_MOST_BODIES];
    plane_constraint constraint[PLANE_MOST_CONSTRAINTS];
    long double a[PLANE_MOST_BODIES][3]; /* the solution */
} plane_system;

plane_vector plane_turn(long double angle, plane_vector v);

/* Place, velocity and acceleration (of the solution) of a point given from the centre of mass, body axes. */
plane_vector plane_place(const plane_system *system, int body, plane_vector at);
plane_vector plane_velocity(const plane_system *system, int body, plane_vector at);
plane_vector plane_acceleration(const plane_system *system, int body, plane_vector at);

/* Adds a force at a place given in inertial axes. */
void plane_push(plane_system *system, int body, plane_vector place, plane_vector force);

void plane_constrain(plane_system *system, plane_constraint constraint);

/* Fills `a`; 0 if the matrix is singular. */
int plane_solve(plane_system *system);

#endif
