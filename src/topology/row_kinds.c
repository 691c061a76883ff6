/* The hinge types of the rows of a packing (rows.h), and how many numbers a row needs for them. */
#include "topology/rows.h"

#include <string.h>

/* Lanes of each hinge type in row g; neutral lanes count with the first type there. Returns the
 * number of types. */
static int sort_lanes(const rct_rows *r, const uint8_t *kinds, int64_t g,
                      int32_t lanes[RCT_HINGE_TYPES], int32_t *first)
{
    int32_t empty = 0;
    int types = 0;
    *first = -1;
    memset(lanes, 0, RCT_HINGE_TYPES * sizeof *lanes);
    for (int32_t lane = 0; lane < r->lanes; lane++) {
        const int32_t label = r->label[g * r->lanes + lane];
        const int32_t bit = (int32_t)(1u << lane);
        if (label < 0) {
            empty |= bit;
            continue;
        }
        const int32_t kind = kinds[label];
        types += lanes[kind] == 0;
        lanes[kind] |= bit;
        *first = *first < 0 ? kind : *first;
    }
    *first = *first < 0 ? RCT_HINGE_REVOLUTE : *first;
    lanes[*first] |= empty;
    return types > 0 ? types : 1;
}

rct_status rct_rows_kinds(rct_rows *r, const uint8_t *kind_of, rct_error *error)
{
    int32_t lanes[RCT_HINGE_TYPES], first, unlike = 0, most = 0, sheaf = 0;
    r->unlike = 0;
    for (int64_t g = 0; g < r->rows; g++) {
        r->unlike += sort_lanes(r, kind_of, g, lanes, &first) > 1;
    }
    if (rct_rows_allocate(r, KIND_ARRAYS, KID_ARRAYS, "the packing", error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t g = 0; g < r->rows; g++) {
        const int types = sort_lanes(r, kind_of, g, lanes, &first);
        int32_t coordinates = 0, freedoms = 0;
        for (int kind = 0; kind < RCT_HINGE_TYPES; kind++) {
            const int32_t q = rct_hinge_coordinates((rct_hinge_type)kind);
            const int32_t u = rct_hinge_freedoms((rct_hinge_type)kind);
            coordinates = lanes[kind] != 0 && q > coordinates ? q : coordinates;
            freedoms = lanes[kind] != 0 && u > freedoms ? u : freedoms;
        }
        r->kinds[g] = types > 1 ? ~unlike : first;
        if (types > 1) {
            memcpy(r->kind_lanes + (int64_t)unlike++ * RCT_HINGE_TYPES, lanes, sizeof lanes);
        }
        r->coordinates[g] = coordinates;
        r->state_at[g + 1] = r->state_at[g] + coordinates + freedoms;
        sheaf += g == r->first_row[sheaf + 1];
        r->result_at[g + 1] = r->result_at[g] + (r->narrow[sheaf] ? NARROW_RESULT_FIELDS
                                                                  : WIDE_RESULT_RATES + freedoms);
        most = freedoms > most ? freedoms : most;
    }
    r->sheaves.row_fields = rct_sheaves_row_fields(most, rct_rows_narrow(r));
    return RCT_OK;
}
