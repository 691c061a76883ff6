/* A model in an HDF5 file, the group /model: its bodies (bodies.c), forces and the motion of the ground (forces.c), loops
 * (loops.c), events (events.c), shapes (shapes.c), one dataset a field. Recordings have it, and model files that end in .h5 (file.c). docs/trajectory-file.md
 * describes it. */
#ifndef RCT_RECORD_MODEL_MODEL_H
#define RCT_RECORD_MODEL_MODEL_H

#include "record/file/fields.h"

#include <riccatree/model.h>

enum {
    RCT_NAME_ROWS = 4096,    /* names compressed together                                        */
    RCT_DATASET_BYTES = 1536 /* most of a dataset or group without its numbers: attributes       */
};

/* Write /model; `columns`: with those of /frames/coordinates and rates where the numbers of a body begin. */
void rct_record_model(rct_call *call, hid_t file, const rct_model *model, int columns);

/* The bytes it takes, without names, which are compressed, and a bound on those of the names. */
int64_t rct_model_group_bytes(const rct_model *model, int columns);
int64_t rct_model_names_bytes(const rct_model *model);

/* Add what /model has to a model that is empty. RCT_ERROR_MODEL as rct_model_add_body. */
void rct_recall_model(rct_call *call, hid_t file, rct_model *model);

/* Names of bodies, if any has one, by a block of RCT_NAME_ROWS of them. */
void rct_record_names(rct_call *call, hid_t group, const rct_model *model, char *block);

/* Names, NULL or a text each, whose pointers stand `stride` bytes apart in rows of another kind. */
typedef struct rct_name_column {
    const void *first;
    size_t stride;
    int64_t count; /* > 0 */
} rct_name_column;

/* The column "name" of names of `what`s, if any has one; the bytes it takes. */
void rct_put_name_column(rct_call *call, hid_t group, const rct_name_column *names,
                         const char *what);
int64_t rct_name_column_bytes(const rct_name_column *names);

/* Tables of `count` things of `size` bytes: where in a thing are its number of rows, int64_t, and the pointer to its table [rows][2]. */
typedef struct rct_tables {
    void *things;
    size_t size;
    int64_t count;
    size_t rows, table;
} rct_tables;

/* All rows; and their columns "rows" and "table", if there are any. */
int64_t rct_tables_rows(const rct_tables *tables);
void rct_put_tables(rct_call *call, hid_t group, const rct_tables *tables, const char *description);
int64_t rct_tables_bytes(const rct_tables *tables);

/* The dataset "table" of rows of `width` numbers; tables to things that have as many as `part`, of the group called `where`. What is given
 * back is behind them, to be released. */
double *rct_get_table(rct_call *call, hid_t group, int width, int64_t *rows);
double *rct_get_tables(rct_call *call, const rct_part *part, const char *where,
                       const rct_tables *tables);

/* Of forces and the motion of the ground, where there are any. */
void rct_record_forces(rct_call *call, hid_t group, const rct_model *model);
int64_t rct_force_group_bytes(const rct_model *model);
void rct_recall_forces(rct_call *call, hid_t group, rct_model *model);

/* Of loops, where there are any. */
void rct_record_loops(rct_call *call, hid_t group, const rct_model *model);
int64_t rct_loop_group_bytes(const rct_model *model);
void rct_recall_loops(rct_call *call, hid_t group, rct_model *model);

/* Of events, where there are any. */
void rct_record_events(rct_call *call, hid_t group, const rct_model *model);
int64_t rct_event_group_bytes(const rct_model *model);
void rct_recall_events(rct_call *call, hid_t group, rct_model *model);

/* Of shapes, where there are any. */
void rct_record_shapes(rct_call *call, hid_t group, const rct_model *model);
int64_t rct_shape_group_bytes(const rct_model *model);
void rct_recall_shapes(rct_call *call, hid_t group, rct_model *model);

/* Fail as `why` has it, behind the path, unless it is RCT_OK. */
void rct_recall_status(rct_call *call, rct_status status, const rct_error *why);

#endif
