/* A system as every peer gets it: bodies on revolute and ball hinges or free, closures of loops,
 * gravity, two states; and its text file.
 *
 * Axes of all bodies are parallel at angle zero. Coordinates are relative, body after body,
 * parents first. A revolute hinge has an angle (rad) and its rate about `axis`. A ball hinge has
 * the quaternion w x y z that turns axes of the body into those of the parent, and the angular
 * velocity against the parent, in axes of the body. A free body has also the position of its
 * origin and its velocity, both in axes of the ground. States keep all loops closed. */
#ifndef RCT_BENCH_PEERS_SYSTEM_H
#define RCT_BENCH_PEERS_SYSTEM_H

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_REASON = 256, BENCH_NAME = 64, BENCH_STATES = 2 };

typedef struct bench_body {
    int32_t parent;    /* less than the number of the body; -1: the ground                       */
    int32_t ball;      /* 1: on a ball hinge or free, 0: on a revolute one                       */
    int32_t free;      /* 1: its parent is the ground, on which it has no hinge                  */
    double at[3];      /* m, hinge point in axes of the parent; free: 0                          */
    double axis[3];    /* of length 1; ball: not used                                            */
    double mass;       /* kg                                                                     */
    double com[3];     /* m, centre of mass from the hinge point, body axes                      */
    double inertia[6]; /* kg m^2, xx yy zz xy xz yz about the centre of mass, body axes          */
    int32_t q, u;      /* where its coordinates and rates begin                                  */
} bench_body;

/* A point of a body and a point of another body that coincide. */
typedef struct bench_loop {
    int32_t body, other; /* two different bodies                                                 */
    int32_t ball;        /* 1: 3 constraints; 0: a pin between bodies that move in one plane, 2  */
    double at[3];        /* m, the point in axes of `body`                                       */
    double other_at[3];  /* m, the point in axes of `other`                                      */
    double axis[3];      /* of a pin: perpendicular to the plane, length 1, axes of `other`      */
} bench_loop;

typedef struct bench_system {
    char name[BENCH_NAME]; /* without blanks */
    double gravity[3];     /* m/s^2 */
    int32_t bodies, loops;
    int32_t coordinates, freedoms;
    bench_body *body;
    bench_loop *loop;
    double *q[BENCH_STATES], *u[BENCH_STATES];
    int threads; /* that a library may use; not in the file */
} bench_system;

static inline int bench_coordinates(const bench_body *body)
{
    return body->free ? 7 : body->ball ? 4 : 1;
}

static inline int bench_freedoms(const bench_body *body)
{
    return body->free ? 6 : body->ball ? 3 : 1;
}

/* Unit vectors in axes of `other` along which the points of a loop coincide; returns their
 * number, that of its constraints. */
static inline int bench_loop_rows(const bench_loop *loop, double row[3][3])
{
    const double *z = loop->axis;
    const int flat = z[0] * z[0] > 0.5 ? 1 : 0; /* an axis off z */
    const double size = sqrt(1.0 - z[flat] * z[flat]);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            row[i][k] = i == k ? 1.0 : 0.0;
        }
    }
    for (int k = 0; k < 3 && !loop->ball; k++) {
        row[0][k] = ((k == flat ? 1.0 : 0.0) - z[flat] * z[k]) / size;
    }
    for (int k = 0; k < 3 && !loop->ball; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        row[1][k] = z[next] * row[0][last] - z[last] * row[0][next];
    }
    return loop->ball ? 3 : 2;
}

/* Room for bodies and loops, all zero. NULL: memory is short. */
bench_system *bench_system_create(int32_t bodies, int32_t loops);
/* Find where coordinates begin, and make room for them, once `ball` of every body is known. 0:
 * memory is short. */
int bench_system_count(bench_system *system);
void bench_system_free(bench_system *system);

/* Numbers are written so that reading gives the same bits. On failure `reason` [BENCH_REASON]
 * says why in one line. */
int bench_system_write(const bench_system *system, const char *path, char *reason);
bench_system *bench_system_read(const char *path, char *reason);

#ifdef __cplusplus
}
#endif
#endif
