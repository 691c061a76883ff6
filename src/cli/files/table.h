/* Numbers that are given: a table of text. */
#ifndef RCT_CLI_FILES_TABLE_H
#define RCT_CLI_FILES_TABLE_H

#include "cli.h"

typedef struct cli_table {
    const char *what;  /* "a motion"                    */
    const char *holds; /* its columns, for errors       */
    int64_t columns, count;
    double *rows; /* [count][columns] */
} cli_table;

enum {
    CLI_TABLE_FIRST_LINE = 2
}; /* of the file: that of the first row, behind the names of columns */

/* Read all rows of a table, of which all but these is known. What is wrong is told with its line. To be freed in any case. */
bool cli_read_table(cli_table *table, const char *path);
void cli_free_table(cli_table *table);

#endif
