/* The mobility of a tree: how it gives way to wrenches. Admittance asks the owner of the factor of
 * the tree. Wrenches travel inward from station to station. Stations are bodies with operators of
 * the host (operator_mobility.c), or nodes of the trunk where a backend has condensed what lies
 * between (dynamics/closed/junction.c). The six numbers of a wrench are in the axes of its station,
 * about its point and in the order that the owner has chosen. */
#ifndef RCT_CLOSURE_MOBILITY_H
#define RCT_CLOSURE_MOBILITY_H

#include "closure/closures.h"

#include <riccatree/model.h>

/* The path of a station to the next station of interest, or to the ground; with psi = phi (1 - G H)
 * of each hinge (seed 001, eqs. .38, .43)
 *
 *     E = product of psi                        wrenches u on the station arrive at the next one as E u
 *     Upsilon = sum of (H u)* D^-1 (H u)        how the station gives way to them if the next one
 * rests */
typedef struct rct_reduced_path {
    double (*E)[6]; /* [component][of a unit wrench] */
    double (*Upsilon)[6];
    /* [6] roughly the most that a hinge can give way to each component of a wrench right at it: the
     * largest H H* / D, or the largest on the diagonal of Upsilon, with the length of the system as
     * arm */
    double *ready;
} rct_reduced_path;

typedef struct rct_mobility {
    void *context;
    rct_sharing sharing; /* threads in which `walk` may be called, or none */
    int32_t stations;
    const int32_t *order;   /* [stations] parents first */
    const int32_t *inboard; /* [stations] the next one inboard, or -1: nothing passes on */
    /* [n] station of each body, or -1: on the ground; NULL: the body itself */
    const int32_t *of_body;

    /* Write the path of station `from` to `to`; `stop`: the station where it ends, or -1. */
    void (*walk)(const void *context, int32_t from, int32_t stop, const rct_reduced_path *to);

    /* Turn a wrench on a body (inertial axes, about its hinge point) into one on its station. NULL:
     * they are the same. */
    void (*bring)(const void *context, int32_t body, double wrench[6]);

    /* For an owner that has Lambda itself: the places of its numbers, row <= column, none twice
     * (without room they are only counted), and the numbers; and roughly the most that hinges can
     * give way to each row. NULL: paths are walked. */
    int64_t (*places)(const void *context, int64_t *row, int64_t *column);
    void (*numbers)(const void *context, double *Lambda);
    void (*ready)(const void *context, double *most);

    /* For an owner that moves stations: place for wrenches on them, [stations][6], all 0, which
     * fails as an evaluation; and their motions [stations][6] under these. NULL: `answer`. */
    rct_status (*wrenches)(void *context, double **wrenches, rct_error *error);
    const double *(*respond)(void *context);

    /* J M^-1 J* lambda [rows]; then, if asked for, M^-1 J* lambda [rates] of the same lambda. */
    rct_status (*answer)(void *context, const rct_closure_rows *rows, const double *lambda,
                         double *J_change, rct_error *error);
    rct_status (*change)(void *context, double *change, rct_error *error);
} rct_mobility;

static inline int32_t rct_mobility_station(const rct_mobility *mobility, int32_t body)
{
    return mobility->of_body != NULL && body != RCT_GROUND ? mobility->of_body[body] : body;
}

#endif
