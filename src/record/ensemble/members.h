/* The group /members of an ensemble's file: a row a member in every dataset, and the status and checksum that make it valid. */
#ifndef RCT_RECORD_ENSEMBLE_MEMBERS_H
#define RCT_RECORD_ENSEMBLE_MEMBERS_H

#include "record/file/h5.h"

#include <riccatree/ensemble.h>

enum {
    RCT_PENDING_VALUE = 0, /* of the status in the file; others are an rct_status and 1          */
    RCT_ABSENT_SUM = 0,    /* of the checksum in the file: the row is not there                  */
};

/* The datasets, in the order of the file. Status and checksum are written last, one after the other. */
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

/* What a row holds. */
typedef struct rct_member_sizes {
    int64_t members, variations, coordinates, rates, series, tracked;
} rct_member_sizes;

rct_member_sizes rct_member_sizes_of(const rct_ensemble *ensemble,
                                     const rct_ensemble_run_options *run);

typedef struct rct_column {
    rct_table table;
    hid_t dataset, type;
    int64_t bytes; /* of a row; 0: the file has no such column                                   */
    void *rows;    /* [room] of them that wait                                                   */
} rct_column;

typedef struct rct_member_columns {
    int64_t members;
    int64_t room;           /* rows that are written or read together                            */
    int64_t first, waiting; /* rows [first, first + waiting) wait                                */
    rct_column column[RCT_COLUMNS];
} rct_member_columns;

/* Shapes, with no file yet. */
rct_member_columns rct_columns_of(const rct_member_sizes *sizes);
int64_t rct_columns_bytes(const rct_member_columns *columns);

/* The group with its datasets, made or as it is, and room for rows; all closed and freed by the other. */
void rct_columns_have(rct_call *call, hid_t file, rct_member_columns *columns, int create);
void rct_columns_close(rct_call *call, rct_member_columns *columns);

/* Why a result cannot be added: a status that is none, or no numbers where there is a column of them; or NULL. */
const char *rct_columns_trouble(const rct_member_columns *columns, const rct_member_result *result);

/* Let a row wait: `row` is first + waiting, or nothing waits. */
void rct_columns_add(rct_member_columns *columns, int64_t row, const rct_member_result *result);

/* Write what waits: first the rows, then, when they are in the file, their status; last their checksum, with which they are
 * there. */
void rct_columns_write(rct_call *call, hid_t file, rct_member_columns *columns);

/* What such a file stays open to: the bytes of its rows. */
void rct_columns_ranges(rct_call *call, const rct_member_columns *columns, rct_ranges *ranges);

/* ---- rows.c: rows as the file has them ---- */

/* How many of `members` rows are there, and their status, RCT_PENDING_VALUE where there is none (`statuses` may be NULL).
 * `checksum` -1: of a file of version 1, where the status says which are there. */
int64_t rct_member_statuses(rct_call *call, hid_t status, hid_t checksum, int64_t members,
                            int8_t *statuses);

/* CRC-32 of row `row`, the `k`th of those in memory: its number, its numbers column by column, its status. */
uint32_t rct_row_checksum(const rct_member_columns *columns, int64_t row, int64_t k);

/* Read all rows of columns that are open; RCT_ERROR_IO, naming the first that is not as it was written. */
void rct_columns_check(rct_call *call, rct_member_columns *columns);

/* ---- variations.c: the group /variations, a row a variation, nothing where there is none ---- */

void rct_variations_put(rct_call *call, hid_t file, int32_t count, const rct_variation *variations);
int64_t rct_variations_bytes(int32_t count, const rct_variation *variations);

/* So many, whose paths are texts in `paths`; rct_release both. */
rct_variation *rct_variations_get(rct_call *call, hid_t file, int32_t count, char **paths);

#endif
