/* What the benchmark families share to add their bodies. */
#ifndef RCT_MODEL_FAMILIES_FAMILIES_H
#define RCT_MODEL_FAMILIES_FAMILIES_H

#include <riccatree/loop.h>

/* One system; ids and parents are counted within the system. */
typedef struct rct_layout {
    const rct_family *family; /* with the seed of the system                             */
    int32_t count;            /* bodies asked for, at least the smallest number of the family */
    int64_t system;           /* number of the system                                    */
    rct_model *model;
    rct_error *error;
    rct_status status; /* after a failure no body is added */
} rct_layout;

/* A uniform cylinder of `mass` (kg), `length` (m) and radius 0.05 m along body `axis` (0 x, 1 y,
 * 2 z), on the ground at the inertial origin; its centre of mass is at its hinge point. */
rct_body rct_layout_cylinder(double mass, double length, int axis);

/* The rod of all families: a cylinder of 1 kg and 1 m along body -z, hung by its upper end at `at`
 * in the axes of `parent`. */
rct_body rct_layout_rod(int32_t parent, double x, double y, double z);

/* Append `body` with the hinge type asked for; a ball hinge is perturbed. Except in `random`,
 * every body starts with the orientation of its parent, so bodies on fixed hinges, and on hinges
 * with axes except on the ground, have no orientation of their own. */
void rct_layout_add(rct_layout *layout, rct_body body);

/* Append `body` with its own hinge and start; a ball hinge is perturbed. */
void rct_layout_place(rct_layout *layout, rct_body body);

/* perturb.c: perturb the start of body `id` of its system, which is on a ball hinge; and, once
 * all bodies exist, that of all others. */
void rct_layout_perturb_ball(const rct_layout *layout, rct_body *body, int32_t id);
void rct_layout_perturb_relative(rct_layout *layout);

/* Whether the family has numbers of a rod. */
int rct_family_has_rod(const rct_family *family);

/* Append a loop between bodies of the layout. */
void rct_layout_close(rct_layout *layout, rct_loop loop);

/* The families, each documented at its definition: trees.c, random.c, rod.c, loops.c. */
void rct_layout_chain(rct_layout *layout);
void rct_layout_branch(rct_layout *layout);
void rct_layout_fork(rct_layout *layout);
void rct_layout_comb(rct_layout *layout);
void rct_layout_binary(rct_layout *layout);
void rct_layout_random(rct_layout *layout);
void rct_layout_star(rct_layout *layout);
void rct_layout_elastic(rct_layout *layout);
void rct_layout_fourbars(rct_layout *layout);
void rct_layout_ladder(rct_layout *layout);
void rct_layout_necklace(rct_layout *layout);
void rct_layout_hub(rct_layout *layout);

#endif
