/* The numbers of a mixed packing (mixed_packing.h): what may change with the values of a model and leaves every link in
 * its place. */
#include "topology/mixed_rows.h"

#include <string.h>

static const double neutral[MIXED_FIELDS] = {
    [MIXED_MASS] = 1.0,        [MIXED_INERTIA] = 1.0,   [MIXED_INERTIA + 1] = 1.0,
    [MIXED_INERTIA + 2] = 1.0, [MIXED_FRAME] = 1.0,     [MIXED_FRAME + 4] = 1.0,
    [MIXED_FRAME + 8] = 1.0,   [MIXED_PARAMETER] = 1.0,
};

typedef struct labelled {
    const rct_mixed_rows *rows;
    const rct_plan *plan;
} labelled;

static void lane_record(const void *context, int64_t row, int32_t lane, double *record)
{
    const labelled *w = context;
    const int32_t label = w->rows->label[row * w->rows->lanes + lane];
    const double *from =
        label < 0 ? neutral : w->plan->mixed_links.record + (int64_t)label * MIXED_FIELDS;
    memcpy(record, from, MIXED_FIELDS * sizeof *record);
}

static void write_neutral(const rct_mixed_rows *r)
{
    const rct_mixed_sheaves *s = &r->sheaves;
    memset(s->state, 0, (size_t)(r->state_at[r->rows] * r->lanes) * sizeof *s->state);
    for (int64_t g = 0; g < r->rows; g++) {
        const int32_t *lanes =
            r->kinds[g] < 0 ? r->kind_lanes + (int64_t)(~r->kinds[g]) * RCT_HINGE_TYPES : NULL;
        const int32_t alike = r->kinds[g] == RCT_HINGE_BALL || r->kinds[g] == RCT_HINGE_FREE;
        const int32_t bits = lanes != NULL ? lanes[RCT_HINGE_BALL] | lanes[RCT_HINGE_FREE] : -alike;
        for (int32_t l = 0; l < r->lanes; l++) {
            s->state[r->state_at[g] * r->lanes + l] = (bits >> l & 1) != 0 ? 1.0 : 0.0;
        }
    }
}

rct_status rct_mixed_rows_renew(rct_mixed_rows *rows, const rct_plan *plan, rct_error *error)
{
    const labelled w = {rows, plan};
    rct_mixed_sheaves *s = &rows->sheaves;
    rct_status status = rct_constants_renew(&rows->constants, rows->rows, lane_record, &w, error);
    if (status == RCT_OK) {
        status = rct_constants_gravity(&rows->own_gravity, &plan->links, rows->label, rows->rows,
                                       rows->lanes, error);
    }
    s->record = rows->constants.record;
    s->shared = rows->constants.shared;
    s->spread = rows->constants.spread;
    s->wide = rows->constants.wide;
    memcpy(s->gravity, plan->gravity, sizeof s->gravity);
    s->own_gravity = rows->own_gravity;
    write_neutral(rows);
    return status;
}

rct_status rct_mixed_packing_renew(rct_mixed_packing *packing, rct_error *error)
{
    const rct_status status = rct_mixed_rows_renew(&packing->links, packing->plan, error);
    return status == RCT_OK ? rct_mixed_rows_renew(&packing->lanes, packing->plan, error) : status;
}
