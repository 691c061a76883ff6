/* A system as every peer gets it: bodies on revolute and ball hinges, gravity, one state; and the text file it stands in.
 *
 * Axes of all bodies are parallel at angle zero. Coordinates are relative, body after body, parents first: of a revolute
 * hinge an angle (rad) and its rate about `axis`; of a ball hinge the quaternion w x y z that turns axes of the body into
 * those of the parent, and the angular velocity against the parent, in axes of the body. */
#ifndef RCT_BENCH_PEERS_SYSTEM_H
#define RCT_BENCH_PEERS_SYSTEM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_REASON = 256, BENCH_NAME = 64 };

typedef struct bench_body {
    int32_t parent;    /* less than the number of the body; -1: the ground                       */
    int32_t ball;      /* 1: on a ball hinge, 0: on a revolute one                               */
    double at[3];      /* m, hinge point in axes of the parent                                   */
    double axis[3];    /* of length 1; ball: not used                                            */
    double mass;       /* kg                                                                     */
    double com[3];     /* m, centre of mass from the hinge point, body axes                      */
    double inertia[6]; /* kg m^2, xx yy zz xy xz yz about the centre of mass, body axes          */
    int32_t q, u;      /* where its coordinates and rates begin                                  */
} bench_body;

typedef struct bench_system {
    char name[BENCH_NAME]; /* without blanks */
    double gravity[3];     /* m/s^2 */
    int32_t bodies;
    int32_t coordinates, freedoms;
    bench_body *body;
    double *q, *u; /* the state */
    int threads;   /* that a library may use; no part of the file */
} bench_system;

/* Room for so many bodies, all zero. NULL: no memory. */
bench_system *bench_system_create(int32_t bodies);
/* Where coordinates begin, and room for them, once `ball` of every body is known. 0: no memory. */
int bench_system_count(bench_system *system);
void bench_system_free(bench_system *system);

/* Numbers are written so that reading gives the same bits. On failure `reason` [BENCH_REASON] says why in one line. */
int bench_system_write(const bench_system *system, const char *path, char *reason);
bench_system *bench_system_read(const char *path, char *reason);

#ifdef __cplusplus
}
#endif
#endif
