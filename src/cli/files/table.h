/* Numbers from a text file. */
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
}; /* of the file: that of the first row, after the names of columns */

/* Read all rows into a table whose other fields are set. An error names its line. Free it in any
 * case. */
bool cli_read_table(cli_table *table, const char *path);
void cli_free_table(cli_table *table);

#endif
