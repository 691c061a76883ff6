/* What a model is made of, counted and weighed. */
#ifndef RICCATREE_CENSUS_H
#define RICCATREE_CENSUS_H

#include <riccatree/force.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RCT_CHANGERS_SIZE = 256 };

/* Hinges by type, what acts at hinges and on bodies, the ground; and natural scales, by which the numbers of a motion are large or
 * small. */
typedef struct rct_census {
    int64_t hinges[RCT_HINGE_TYPES];
    int64_t hinge_springs; /* hinges with a stiffness                               */
    int64_t hinge_dampers; /* hinges with a damping                                 */
    int64_t hinge_forces;  /* hinges with a constant force or moment                */
    int64_t hinge_rotors;  /* hinges with an armature                               */
    int64_t forces[RCT_FORCE_TYPES];
    int64_t dampers;     /* of springs, cables and limits those that damp               */
    int64_t losing;      /* curves over rate or time                                    */
    int64_t driven;      /* relations that move on their own                            */
    int64_t impacts;     /* events that attach a loop                                   */
    int ground_moves;    /* 1 or 0                                                     */
    int32_t ground_rows; /* of the table it moves by, 0: none                       */
    const char *kinks;   /* why a motion has kinks, NULL: it has none; events aside       */
    double mass;         /* kg, of all bodies                                           */
    double length;       /* m, root mean square, by mass, of how far a body reaches: its hinge point
                        from that of the parent, its mass from its hinge point      */
    double gravity;      /* m/s^2                                                       */
    double holds; /* J, what gravity and springs may give at most: the weight of all bodies by the
                        length of all, springs stretched by their length or their angle at the start */
    char changers
        [RCT_CHANGERS_SIZE]; /* of the total energy, as "dampers, wrenches"; "" where it is conserved */
} rct_census;

/* Count and weigh. */
RCT_API void rct_model_take_census_sized(const rct_model *model, rct_out census);
static inline void rct_model_take_census(const rct_model *model, rct_census *census)
{
    rct_model_take_census_sized(model, rct_out_of(census, sizeof *census, 0, 0));
}

#ifdef __cplusplus
}
#endif
#endif
