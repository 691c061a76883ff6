/* The natural scales of a model: what the numbers of its motion are large or small by. */
#ifndef RCT_CLI_SCALES_H
#define RCT_CLI_SCALES_H

#include <riccatree/model.h>

typedef struct cli_scales {
    double mass;    /* kg, of all bodies                                                        */
    double tree;    /* kg, of the heaviest tree on the ground                                   */
    double length;  /* m, root mean square, by mass, of how far a body reaches: its hinge point
                       from that of the parent, its mass from its hinge point                   */
    double gravity; /* m/s^2                                                                    */
} cli_scales;

/* CLI_OK, or the exit status with the error printed. */
int cli_take_scales(cli_scales *scales, const rct_model *model);

double cli_length(const double v[3]);

#endif
