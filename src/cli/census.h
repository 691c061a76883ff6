/* What a model is made of, counted: hinges by type, what acts at hinges and on bodies, the ground. */
#ifndef RCT_CLI_CENSUS_H
#define RCT_CLI_CENSUS_H

#include "output.h"

#include <riccatree/riccatree.h>

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
    double holds; /* J, what gravity and springs may give at most: the weight of all bodies by the
                        length of all, springs stretched by their length or their angle at the start */
} cli_census;

cli_census cli_take_census(const rct_model *model);

enum { CLI_REASONS_TEXT = 128 };

/* What changes the total energy of the model, as "dampers, wrenches"; "" where it is conserved. */
const char *cli_energy_changers(const cli_census *census, char text[CLI_REASONS_TEXT]);

/* The census by keys, or as lines of a table. */
void cli_json_census(cli_output *out, const cli_census *census);
void cli_print_census(cli_output *out, const cli_census *census);

#endif
