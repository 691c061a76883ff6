/* The group /members of the file of an ensemble: one row for each member in every dataset, with
 * the status and the checksum that make the row valid. */
#ifndef RCT_RECORD_ENSEMBLE_MEMBERS_H
#define RCT_RECORD_ENSEMBLE_MEMBERS_H

#include "record/file/h5.h"

#include <riccatree/ensemble.h>

enum {
    RCT_PENDING_VALUE = 0, /* status in the file; other statuses are an rct_status plus 1        */
    RCT_ABSENT_SUM = 0,    /* checksum in the file: the row does not exist                       */
};

/* The datasets, in the order of the file. The status is written last but one, the checksum last. */
typedef enum rct_column_id {
    RCT_COLUMN_TIME,
    RCT_COLUMN_ENERGY,
    RCT_COLUMN_DRIFT,
    RCT_COLUMN_PARAMETERS,
    RCT_COLUMN_COORDINATES,
    RCT_COLUMN_RATES,
    RCT_COLUMN_SERIES_ENERGY,
    RCT_COLUMN_SERIES_POSITION,
    RCT_COLUMN_BODY,
    RCT_COLUMN_TEXT,
    RCT_COLUMN_STATUS,
    RCT_COLUMN_CHECKSUM,
    RCT_COLUMNS
} rct_column_id;

/* The sizes of a row. */
typedef struct rct_member_sizes {
    int64_t members, variations, coordinates, rates, series, tracked;
} rct_member_sizes;

rct_member_sizes rct_member_sizes_of(const rct_ensemble *ensemble,
                                     const rct_ensemble_run_options *run);

typedef struct rct_column {
    rct_table table;
    hid_t dataset, type;
    int64_t bytes; /* of a row; 0: the file does not have this column                            */
    void *rows;    /* [room] rows that wait                                                      */
} rct_column;

typedef struct rct_member_columns {
    int64_t members;
    int64_t room;           /* rows that are written or read together                            */
    int64_t first, waiting; /* rows [first, first + waiting) wait                                */
    rct_column column[RCT_COLUMNS];
} rct_member_columns;

/* The shapes of the columns, without a file. */
rct_member_columns rct_columns_of(const rct_member_sizes *sizes);
int64_t rct_columns_bytes(const rct_member_columns *columns);

/* Make the group with its datasets or open it, and make room for rows; the second function
 * closes and frees all. */
void rct_columns_have(rct_call *call, hid_t file, rct_member_columns *columns, int create);
void rct_columns_close(rct_call *call, rct_member_columns *columns);

/* Why a result cannot be added: an invalid status, or missing numbers of a column; or NULL. */
const char *rct_columns_trouble(const rct_member_columns *columns, const rct_member_result *result);

/* Let a row wait for writing: `row` is first + waiting, or no row waits. */
void rct_columns_add(rct_member_columns *columns, int64_t row, const rct_member_result *result);

/* Write the waiting rows: first the rows, then, when these are in the file, their status, and
 * last their checksum, which makes them valid. */
void rct_columns_write(rct_call *call, hid_t file, rct_member_columns *columns);

/* The ranges of such a file that stay open to writing: the bytes of its rows. */
void rct_columns_ranges(rct_call *call, const rct_member_columns *columns, rct_ranges *ranges);

/* ---- rows.c: rows as the file has them ---- */

/* Count the rows from `begin` to `end` that exist, and find their status [end - begin],
 * RCT_PENDING_VALUE for missing rows (`statuses` may be NULL). `checksum` -1: a file of version 1,
 * whose status says which rows exist. */
int64_t rct_member_statuses(rct_call *call, hid_t status, hid_t checksum, int64_t begin,
                            int64_t end, int8_t *statuses);

/* The same of rows of a file, which has checksums if it is `sealed`. */
int64_t rct_rows_statuses(rct_call *call, hid_t file, int sealed, int64_t begin, int64_t end,
                          int8_t *statuses);

/* `width` numbers of each of the rows from `first` on become NaN where the row is pending: the file
 * has zeros there. */
void rct_rows_blank(rct_call *call, hid_t file, int sealed, int64_t first, int64_t count,
                    int64_t width, double *values);

/* CRC-32 of row `row`, row `k` in memory: its number, its numbers column by column, its status. */
uint32_t rct_row_checksum(const rct_member_columns *columns, int64_t row, int64_t k);

/* Read all rows of open columns. RCT_ERROR_IO with the first row that is not as it was written. */
void rct_columns_check(rct_call *call, rct_member_columns *columns);

/* ---- variations.c: the group /variations, one row for each; it is missing if there are none
 * ---- */

void rct_variations_put(rct_call *call, hid_t file, int32_t count, const rct_variation *variations);
int64_t rct_variations_bytes(int32_t count, const rct_variation *variations);

/* Read `count` variations, whose paths are texts in `paths`; free both by rct_release. */
rct_variation *rct_variations_get(rct_call *call, hid_t file, int32_t count, char **paths);

#endif
