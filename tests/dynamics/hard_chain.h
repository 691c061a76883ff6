/* Chains on which a sweep can lose digits: rods of 1 m and 5 cm radius, the same on every
 * machine. */
#ifndef RCT_TESTS_HARD_CHAIN_H
#define RCT_TESTS_HARD_CHAIN_H

#include <riccatree/model.h>

typedef enum hard_chain {
    HARD_STRAIGHT, /* leaning, except for small bends          */
    HARD_CRUMPLED, /* every rod in a random direction          */
    HARD_SPINNING, /* crumpled, up to 100 rad/s                */
    HARD_UNEQUAL,  /* crumpled, rods of 1 kg and 1 mg in turn  */
    HARD_TAUT,     /* straight, rods of 1 kg and 1 mg in turn  */
    HARD_HEAVY,    /* crumpled, rods of 1,000 kg, 1 g and 1 g in turn */
    HARD_TIP,      /* crumpled, the last rod 1e6 kg            */
    HARD_KINDS
} hard_chain;

/* `bend`: the approximate angle, in rad, between each rod of a straight chain and the common
 * direction. Aborts without memory. */
rct_model *hard_chain_create(hard_chain kind, int32_t bodies, double bend);

/* The kind called straight, crumpled, spinning, unequal, taut, heavy or tip, or -1. */
int hard_chain_find(const char *name);

/* The model's state, with every number randomly moved to the next double up or down or left
 * unchanged: orientation [n][4], rate [n][3]. */
void hard_chain_rounded_state(const rct_model *model, double *orientation, double *rate);

#endif
