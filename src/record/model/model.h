/* A model in an HDF5 file, the group /model: its bodies (bodies.c), forces and the motion of the
 * ground (forces.c), loops (loops.c), events (events.c) and shapes (shapes.c), one dataset for
 * each field. Recordings have it, and model files that end in .h5 (file.c).
 * docs/trajectory-file.md describes it. */
#ifndef RCT_RECORD_MODEL_MODEL_H
#define RCT_RECORD_MODEL_MODEL_H

#include "record/file/fields.h"

#include <riccatree/model.h>

enum {
    RCT_NAME_ROWS = 4096,    /* names compressed together                                        */
    RCT_DATASET_BYTES = 1536 /* upper bound of a dataset or group without its numbers: attributes */
};

/* Write /model; `columns`: with the columns that say where the numbers of a body begin in
 * /frames/coordinates and rates. */
void rct_record_model(rct_call *call, hid_t file, const rct_model *model, int columns);

/* The bytes of the group: exact except for names, which are compressed and counted by an upper
 * bound. */
int64_t rct_model_group_bytes(const rct_model *model, int columns);
int64_t rct_model_names_bytes(const rct_model *model);

/* Add the content of /model to an empty model. RCT_ERROR_MODEL as rct_model_add_body. */
void rct_recall_model(rct_call *call, hid_t file, rct_model *model);

/* Write the names of bodies, if any has one, in blocks of RCT_NAME_ROWS. */
void rct_record_names(rct_call *call, hid_t group, const rct_model *model, char *block);

/* Names, each a text or NULL, whose pointers are `stride` bytes apart in an array of structs. */
typedef struct rct_name_column {
    const void *first;
    size_t stride;
    int64_t count; /* > 0 */
} rct_name_column;

/* Write the column "name" of `what`s, if any has a name; the bytes it takes. */
void rct_put_name_column(rct_call *call, hid_t group, const rct_name_column *names,
                         const char *what);
int64_t rct_name_column_bytes(const rct_name_column *names);

/* The tables of `count` things of `size` bytes: the offsets, in a thing, of its number of rows,
 * int64_t, and of the pointer to its table [rows][2]. */
typedef struct rct_tables {
    void *things;
    size_t size;
    int64_t count;
    size_t rows, table;
} rct_tables;

/* The number of all rows; the columns "rows" and "table", if there are rows. */
int64_t rct_tables_rows(const rct_tables *tables);
void rct_put_tables(rct_call *call, hid_t group, const rct_tables *tables, const char *description);
int64_t rct_tables_bytes(const rct_tables *tables);

/* The dataset "table" of rows of `width` numbers; and tables for the things of `part` in the
 * group that errors call `where`. The returned memory holds the tables and must be released. */
double *rct_get_table(rct_call *call, hid_t group, int width, int64_t *rows);
double *rct_get_tables(rct_call *call, const rct_part *part, const char *where,
                       const rct_tables *tables);

/* Forces and the motion of the ground, if the model has any. */
void rct_record_forces(rct_call *call, hid_t group, const rct_model *model);
int64_t rct_force_group_bytes(const rct_model *model);
void rct_recall_forces(rct_call *call, hid_t group, rct_model *model);

/* Loops, if the model has any. */
void rct_record_loops(rct_call *call, hid_t group, const rct_model *model);
int64_t rct_loop_group_bytes(const rct_model *model);
void rct_recall_loops(rct_call *call, hid_t group, rct_model *model);

/* Events, if the model has any. */
void rct_record_events(rct_call *call, hid_t group, const rct_model *model);
int64_t rct_event_group_bytes(const rct_model *model);
void rct_recall_events(rct_call *call, hid_t group, rct_model *model);

/* Shapes, if the model has any. */
void rct_record_shapes(rct_call *call, hid_t group, const rct_model *model);
int64_t rct_shape_group_bytes(const rct_model *model);
void rct_recall_shapes(rct_call *call, hid_t group, rct_model *model);

/* Fail as `why` says, after the path, unless `status` is RCT_OK. */
void rct_recall_status(rct_call *call, rct_status status, const rct_error *why);

#endif
