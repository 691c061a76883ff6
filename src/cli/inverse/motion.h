/* A motion that is given: a table of text, a line a state. */
#ifndef RCT_CLI_INVERSE_MOTION_H
#define RCT_CLI_INVERSE_MOTION_H

#include "cli.h"

/* Rows of the time, all coordinates, all rates and their derivatives. */
typedef struct cli_motion {
    int64_t coordinates, dof, columns;
    int64_t count;
    double *rows; /* [count][columns] */
} cli_motion;

enum {
    CLI_MOTION_FIRST_LINE = 2
}; /* of the file: that of the first row, behind the names of columns */

/* Read all of a table for a model with so many coordinates and rates; what is wrong is told with its line. To be freed in any case. */
bool cli_read_motion(cli_motion *motion, const char *path, const rct_solver_info *info);
void cli_free_motion(cli_motion *motion);

#endif
