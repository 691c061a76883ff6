/* Statistics of a model. */
#ifndef RICCATREE_CENSUS_H
#define RICCATREE_CENSUS_H

#include <riccatree/force.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RCT_CHANGERS_SIZE = 256 };

/* Numbers of hinges by type and of what acts at hinges and on bodies, the motion of the ground, and
 * natural scales of the model, against which the numbers of a motion are large or small. */
typedef struct rct_census {
    int64_t hinges[RCT_HINGE_TYPES];
    int64_t hinge_springs; /* hinges with a stiffness */
    int64_t hinge_dampers; /* hinges with a damping */
    int64_t hinge_forces;  /* hinges with a constant force or moment */
    int64_t hinge_rotors;  /* hinges with an armature */
    int64_t forces[RCT_FORCE_TYPES];
    int64_t dampers;                  /* springs, cables and limits that damp */
    int64_t losing;                   /* curves over rate or time */
    int64_t driven;                   /* relations that depend on time */
    int64_t impacts;                  /* events that attach a loop */
    int ground_moves;                 /* 1 or 0 */
    int32_t ground_rows;              /* rows of the table that moves the ground; 0: none */
    const char *kinks;                /* why a motion has kinks; NULL: it has none; events not
                                       * considered */
    double mass;                      /* kg, of all bodies */
    double length;                    /* m, root mean square, weighted by mass, of the reach of a
                                       * body: from the parent's hinge point to its own, and from
                                       * there to its mass */
    double gravity;                   /* m/s^2 */
    double holds;                     /* J, bound of the energy that gravity and springs can
                                       * give: the weight of all bodies times the length of all,
                                       * and springs stretched by their length or by their angle
                                       * at the start */
    char changers[RCT_CHANGERS_SIZE]; /* what changes the total energy, such as "dampers,
                                       * wrenches"; "" where it is conserved */
} rct_census;

/* Take the statistics of a model. */
RCT_API void rct_model_take_census_sized(const rct_model *model, rct_out census);
static inline void rct_model_take_census(const rct_model *model, rct_census *census)
{
    rct_model_take_census_sized(model, rct_out_of(census, sizeof *census, 0, 0));
}

#ifdef __cplusplus
}
#endif
#endif
