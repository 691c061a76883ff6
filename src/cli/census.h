/* What a model is made of, counted: hinges by type, what acts at hinges and on bodies, the ground; and its natural scales,
 * what the numbers of its motion are large or small by. */
#ifndef RCT_CLI_CENSUS_H
#define RCT_CLI_CENSUS_H

#include <riccatree/riccatree.h>

#include <stdbool.h>

typedef struct cli_census {
    int64_t hinges[RCT_HINGE_TYPES];
    int64_t hinge_springs; /* hinges with a stiffness                               */
    int64_t hinge_dampers; /* hinges with a damping                                 */
    int64_t hinge_forces;  /* hinges with a constant force or moment                */
    int64_t hinge_rotors;  /* hinges with an armature                               */
    int64_t wrenches;
    int64_t springs; /* between points                                             */
    int64_t dampers; /* those of them that damp                                    */
    int64_t driven;  /* relations that move on their own                           */
    bool moves;      /* the ground                                                 */
    int32_t rows;    /* of the table it moves by, 0: none                          */
    double mass;     /* kg, of all bodies                                          */
    double length;   /* m, root mean square, by mass, of how far a body reaches: its hinge point
                        from that of the parent, its mass from its hinge point     */
    double gravity;  /* m/s^2                                                      */
    double holds; /* J, what gravity and springs may give at most: the weight of all bodies by the
                        length of all, springs stretched by their length or their angle at the start */
} cli_census;

cli_census cli_take_census(const rct_model *model);

enum { CLI_REASONS_TEXT = 128 };

/* What changes the total energy of the model, as "dampers, wrenches"; "" where it is conserved. */
const char *cli_energy_changers(const cli_census *census, char text[CLI_REASONS_TEXT]);

void cli_print_census(const cli_census *census);

#endif
