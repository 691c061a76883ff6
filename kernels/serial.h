/* The serial sweeps: one lane, link after link in label order. The plain path that every faster one is
 * tested against, the fastest for small systems, and what holds the segments of large ones together.
 *
 * All arrays are [links.count] records. Work records are in link axes. An abi sweep takes gravity as
 * an acceleration of the ground, A = (acceleration of the hinge point) - g; a riccati sweep as a
 * force on each body.
 */
#ifndef RCT_KERNELS_SERIAL_H
#define RCT_KERNELS_SERIAL_H

#include "kernels/links.h"

/* Work record of an abi sweep: written inward, read outward. */
enum {
    ABI_TURN = 0,     /* 9: rotation, link axes to the parent's (root: to inertial)  (inward)     */
    ABI_HANDLE = 9,   /* 9: S and e of F = S A + e, link axes                        (inward)     */
    ABI_GAIN = 18,    /* 12: G and h of alpha = -(G A + h)                           (inward)     */
    ABI_LINEAR = 30,  /* 3: m/s^2, A of the hinge point, link axes                   (outward)    */
    ABI_ANGULAR = 33, /* 3: rad/s^2, link axes                                      (outward)    */
    ABI_SIDE = 9, /* 27: of a task beside a segment, what it adds to the side record  (inward)    */
    ABI_FIELDS = 36
};

/* Work record of a riccati sweep, link axes, symbols of kernels/riccati_step.h. */
enum {
    RICCATI_TURN = 0,      /* 9: rotation, link axes to the parent's (root: to inertial) (inward) */
    RICCATI_BODY = 9,      /* 42: S (36, by rows) and e at the body's output         (inward)     */
    RICCATI_HINGE = 51,    /* 42: S and e beyond its hinge                           (inward)     */
    RICCATI_GAIN = 93,     /* 12: b and d of W' = b r'' + d across the hinge         (inward)     */
    RICCATI_LINEAR = 105,  /* 3: m/s^2, acceleration of the hinge point              (outward)    */
    RICCATI_ANGULAR = 108, /* 3: rad/s^2                                            (outward)    */
    RICCATI_LOAD = 111,    /* 6: N m, N, m and q at the output                       (outward)    */
    RICCATI_SIDE = 9,      /* 42: of a task beside a segment, as ABI_SIDE            (inward)     */
    RICCATI_FIELDS = 117
};

/* How a sweep ended, and where: `link` is the label of the link at fault, or -1. */
typedef enum rct_sweep_end {
    SWEEP_DONE = 0,
    SWEEP_SINGULAR,   /* the pivot of the link is not positive, or not a number                   */
    SWEEP_NOT_FINITE, /* an acceleration or a new state of the link is not finite                */
    SWEEP_LOST        /* the machine that swept failed                                           */
} rct_sweep_end;

typedef struct rct_sweep_result {
    rct_sweep_end end;
    int32_t link;
} rct_sweep_result;

/* The serial kernels of a method, on a tree or a part of it. Links [first, first + count) are those
 * of one subtree, or a run of them whose outboard links are done; the first is the innermost.
 *
 * In a reduced tree a node n may stand for a segment, its work record in the axes of its first link:
 * `span` are its two handles, fields `stride` apart (kernels/tiles.h), and it has at most one outboard
 * node. */
typedef struct rct_serial_kernels {
    int32_t work_fields; /* numbers in the work record of a link                                 */
    int32_t linear;      /* field of it: what reach leaves, then the acceleration, link axes     */
    int32_t angular;     /* field of it: angular acceleration, link axes                         */

    /* Condense each link to its handle, outermost first, up to the first link at fault. */
    rct_sweep_result (*inward)(const rct_links *links, const double *state, double *work,
                               int32_t first, int32_t count);

    /* Leave with link i the acceleration of the point it hangs on, in its parent's axes: from the
     * parent, or the ground's. */
    void (*reach)(const rct_links *links, const double *state, double *work, int32_t i);

    /* All accelerations, innermost first; the first has been reached. Goes on past a link at fault,
     * and names the first. */
    rct_sweep_result (*outward)(const rct_links *links, const double *state, double *work,
                                int32_t first, int32_t count);

    /* Results of link i in inertial axes: true linear acceleration of the hinge point and angular
     * acceleration; force and moment of the parent on the link, about the hinge point. */
    void (*accelerations)(const rct_links *links, const double *state, const double *work,
                          int32_t i, double row[6]);
    void (*force)(const double *state, const double *work, int32_t i, double row[6]);

    /* Inward: close the span of node n by its outboard node; 0 if the two resist some acceleration of
     * the joint no more than rounding does. Outward, n reached: what the ends of the
     * segment meet (END_FIELDS, `stride` apart); its outboard node is reached. */
    int (*close_segment)(const rct_links *links, double *work, int32_t n, const double *span,
                         int32_t stride);
    void (*open_segment)(const rct_links *links, double *work, int32_t n, const double *span,
                         int32_t stride, double *end);

    /* What a task beside a segment adds to the side record of the link it hangs on: so many numbers of its
     * work record, and where they begin in both. */
    int32_t side_fields, side, side_record;
} rct_serial_kernels;

extern const rct_serial_kernels rct_serial_abi;
extern const rct_serial_kernels rct_serial_riccati;

/* ---- states ------------------------------------------------------------------------------- */

/* -g . R (mass moment) of every link, J: its part of the potential energy (zero where all hinge
 * points would coincide with the origin). [count] */
void rct_serial_potentials(const rct_links *links, const double *state, double *potentials);

/* Energies and momenta from points; `potentials` [count] are those of the reference state, whose
 * potential energy counts as zero: link by link, so that links that have not moved add nothing. */
typedef struct rct_sums {
    double kinetic;             /* J        */
    double potential;           /* J        */
    double momentum[3];         /* kg m/s   */
    double angular_momentum[3]; /* kg m^2/s */
} rct_sums;

/* From the eight numbers of kernels/measure.h. */
void rct_sums_of(const double total[8], rct_sums *sums);

#endif
