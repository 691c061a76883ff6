/* What the benchmark families share while they add their bodies. */
#ifndef RCT_MODEL_FAMILIES_FAMILIES_H
#define RCT_MODEL_FAMILIES_FAMILIES_H

#include <riccatree/loop.h>

/* One system; ids and parents are counted within it. */
typedef struct rct_layout {
    const rct_family *family; /* its seed is that of the system                          */
    int32_t count;            /* bodies asked for, at least the family's smallest number */
    int64_t system;           /* its number                                              */
    rct_model *model;
    rct_error *error;
    rct_status status; /* after a failure nothing more is added */
} rct_layout;

/* A uniform cylinder of `mass` (kg), `length` (m) and radius 0.05 m along body `axis` (0 x, 1 y,
 * 2 z), hung on the ground at the inertial origin; its centre of mass is at its hinge point. */
rct_body rct_layout_cylinder(double mass, double length, int axis);

/* The rod of all families: a cylinder of 1 kg and 1 m along body -z, hung by its upper end at `at`
 * in the axes of `parent`. */
rct_body rct_layout_rod(int32_t parent, double x, double y, double z);

/* Append `body` with the hinge type the family was asked for, perturbed if that is a ball hinge. Every body of
 * a layout but `random` starts with the orientation of its parent, so a fixed hinge has none, nor
 * has one with axes but on the ground. */
void rct_layout_add(rct_layout *layout, rct_body body);

/* Append `body` with the hinge and the start that it has, perturbed if that is a ball hinge. */
void rct_layout_place(rct_layout *layout, rct_body body);

/* perturb.c: what a ball hinge starts with, body `id` of its system; and, once all bodies are there, all other
 * hinges. */
void rct_layout_perturb_ball(const rct_layout *layout, rct_body *body, int32_t id);
void rct_layout_perturb_relative(rct_layout *layout);

/* Whether the numbers of a rod are given. */
int rct_family_has_rod(const rct_family *family);

/* Append a loop between bodies of the layout. */
void rct_layout_close(rct_layout *layout, rct_loop loop);

/* The families, each documented where it is defined: trees.c, random.c, rod.c, loops.c. */
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
