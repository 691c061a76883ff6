/* The group /members of an ensemble's file: a row a member in every dataset, and the status that makes it valid. */
#ifndef RCT_RECORD_ENSEMBLE_MEMBERS_H
#define RCT_RECORD_ENSEMBLE_MEMBERS_H

#include "record/file/h5.h"

#include <riccatree/ensemble.h>

enum {
    RCT_MEMBER_ROWS = 64,  /* that wait to be written together                                   */
    RCT_COLUMNS = 10,      /* but the status                                                     */
    RCT_PENDING_VALUE = 0, /* of the status in the file; others are an rct_status and 1          */
    RCT_ABSENT_SUM = 0,    /* of the checksum in the file: the row is not there                  */
};

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
    char *rows;    /* [RCT_MEMBER_ROWS] of them that wait                                        */
} rct_column;

/* Ids -1 before. */
typedef struct rct_member_columns {
    rct_column column[RCT_COLUMNS];
    hid_t status, status_type, text_type, checksum;
    int64_t first, waiting; /* rows [first, first + waiting) wait                                */
    int8_t statuses[RCT_MEMBER_ROWS];
    uint32_t checksums[RCT_MEMBER_ROWS];
} rct_member_columns;

/* Shapes, with no file yet. */
rct_member_columns rct_columns_of(const rct_member_sizes *sizes);
int64_t rct_columns_bytes(const rct_member_columns *columns, int64_t members);

/* The group with its datasets, made or as it is, and room for rows; all closed and freed by the last. */
void rct_columns_create(rct_call *call, hid_t file, rct_member_columns *columns, int64_t members);
void rct_columns_open(rct_call *call, hid_t file, rct_member_columns *columns, int64_t members);
void rct_columns_close(rct_call *call, rct_member_columns *columns);

/* Let a row wait: `row` is first + waiting, or nothing waits. */
/* Why a result cannot be added: a status that is none, or no numbers where there is a column of them; or NULL. */
const char *rct_columns_trouble(const rct_member_columns *columns, const rct_member_result *result);
void rct_columns_add(rct_member_columns *columns, int64_t row, const rct_member_result *result);

/* Write what waits: first the rows, then, when they are in the file, their status; last their checksum, with which they are
 * there. */
void rct_columns_write(rct_call *call, hid_t file, rct_member_columns *columns);

/* What such a file stays open to: the bytes of its rows. */
void rct_columns_ranges(rct_call *call, const rct_member_columns *columns, int64_t members,
                        rct_ranges *ranges);

/* ---- rows.c: rows as the file has them ---- */

/* The status of `count` rows from row `first` on; of rows that are not there RCT_PENDING_VALUE. `checksum` -1: of a file of
 * version 1, where the status says which are there. */
void rct_member_statuses(rct_call *call, hid_t status, hid_t checksum, int64_t first, int64_t count,
                         int8_t *statuses);

/* How many of `members` are there, a row being 1 or 0 in `done` (may be NULL). */
int64_t rct_columns_count(rct_call *call, const rct_member_columns *columns, int64_t members,
                          int8_t *done);

/* CRC-32 of row `row`, the `k`th of those in memory: its number, its numbers column by column, its status. */
uint32_t rct_row_checksum(const rct_member_columns *columns, int64_t row, int64_t k);

/* Read all rows of columns that are open; RCT_ERROR_IO, naming the first that is not as it was written. */
void rct_columns_check(rct_call *call, rct_member_columns *columns, int64_t members);

#endif
