/* Writes the rows of a packing: what packing.c places, as the kernels read it. */
#ifndef RCT_TOPOLOGY_ROWS_H
#define RCT_TOPOLOGY_ROWS_H

#include "core/memory.h"
#include "topology/packing.h"

/* Room for the places of `sheaves` sheaves, in `lanes` lanes: groups, sheaves and rows, which the
 * caller writes next, and sheaves.link_fields. RCT_ERROR_MEMORY. */
rct_status rct_rows_begin(rct_rows *rows, int32_t lanes, int64_t sheaves, rct_error *error);

/* Writes the links whose places packing->at gives (one lane: as ~row) into `rows`, whose groups,
 * sheaves and rows are there. */
rct_status rct_rows_write(rct_rows *rows, const rct_packing *packing, rct_error *error);

/* The arrays that rows own, with their counts; arrays of a stage follow one another. */
enum {
    PLACE_ARRAYS = 0,
    ROW_ARRAYS = 3,
    KIND_ARRAYS = 21,
    KID_ARRAYS = 22,
    STATE_ARRAYS = 26,
    LATE_ARRAYS = 31,
    ROTOR_ARRAYS = 32,
    GRAVITY_ARRAYS = 33,
    SLOT_ARRAYS = 34,
    HINGE_FORCE_ARRAYS = 35,
    ROWS_ARRAYS = 39
};
void rct_rows_arrays(rct_rows *rows, rct_array arrays[ROWS_ARRAYS]);

/* Allocate the arrays [begin, end) of these. */
rct_status rct_rows_allocate(rct_rows *rows, int32_t begin, int32_t end, const char *what,
                             rct_error *error);

/* Takes the numbers of the plan, which has been renewed, or is new: constants, neutral states.
 * After RCT_ERROR_MEMORY the rows can only be released. */
rct_status rct_rows_renew(rct_rows *rows, const rct_plan *plan, rct_error *error);

/* Puts forces at hinges into the rows, which then keep them through rct_rows_renew.
 * RCT_ERROR_MEMORY, with the same consequence. */
rct_status rct_rows_list_hinge_forces(rct_rows *rows, const rct_plan *plan, rct_error *error);
void rct_rows_release(rct_rows *rows);
int64_t rct_rows_bytes(const rct_rows *rows);

/* The hinge types of rows whose labels are written, from those of links: kinds, coordinates, where
 * states and results of rows begin, the size of their scratch. RCT_ERROR_MEMORY. */
rct_status rct_rows_kinds(rct_rows *rows, const uint8_t *kind_of, rct_error *error);

/* The label of the only link of the trunk, or of a segment or task, that hangs on the last link of
 * a segment; or one of these two. */
enum { RCT_NONE_FOLLOWS = -1, RCT_SEVERAL_FOLLOW = -2 };
int32_t rct_trunk_follows(const rct_partition *partition, int32_t segment);

/* Whether a segment is narrow, including its end. */
int rct_narrow_segment(const rct_plan *plan, const rct_partition *partition, int32_t segment);

/* The arrays that a packing owns for the trunk, with their counts. */
enum { NODE_ARRAYS = 10, TRUNK_ARRAYS = 11 };
void rct_trunk_arrays(rct_packing *packing, rct_array arrays[TRUNK_ARRAYS]);

/* Makes the trunk, once rows are written; RCT_ERROR_MEMORY. */
rct_status rct_trunk_build(rct_packing *packing, rct_error *error);

/* Writes the stand-ins for what follows the segments, and the places of the hinges there. */
void rct_rows_write_ends(const rct_packing *packing);

/* Whether all sheaves are narrow. */
int rct_rows_narrow(const rct_rows *rows);

/* The sheaf a row is in. */
int32_t rct_rows_sheaf(const rct_rows *rows, int64_t row);

/* Where the record is of the path whose first link stands at row * lanes + lane. */
int64_t rct_rows_path(const rct_rows *rows, int64_t at);

#endif
