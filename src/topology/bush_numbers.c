/* The numbers of a packing of bushes (bushes.h): what may change with the values of a model and leaves every link in its
 * place. */
#include "topology/bushes.h"

#include <string.h>

static void lane_record(const void *context, int64_t wave, int32_t lane, double *record)
{
    const rct_bush_packing *packing = context;
    rct_constants_link(&packing->segments->plan->links,
                       packing->label[wave * packing->lanes + lane], packing->segments->about_com,
                       record);
}

/* All outboard links but the first, which is in the lane of its own. */
static void write_kids(rct_bush_packing *packing, int64_t at)
{
    const rct_links *links = &packing->segments->plan->links;
    const int32_t i = packing->label[at];
    double *to = packing->kid_at + 3 * packing->first_kid[at / packing->lanes] * packing->lanes +
                 at % packing->lanes;
    for (int32_t c = links->child_begin[i] + 1; c < links->child_begin[i + 1]; c++) {
        const double *hangs = links->sweep + (int64_t)links->child[c] * LINK_FIELDS + LINK_AT;
        for (int f = 0; f < 3; f++, to += packing->lanes) {
            *to = hangs[f];
        }
    }
}

static void write_neutral(const rct_bushes *b, int32_t lanes)
{
    memset(b->state, 0, (size_t)(b->waves * STATE_FIELDS * lanes) * sizeof *b->state);
    for (int64_t g = 0; g < b->waves; g++) {
        for (int32_t l = 0; l < lanes; l++) {
            b->state[(g * STATE_FIELDS + STATE_ORIENTATION) * lanes + l] = 1.0;
        }
    }
}

rct_status rct_bush_packing_renew(rct_bush_packing *packing, rct_error *error)
{
    rct_bushes *b = &packing->bushes;
    const rct_plan *plan = packing->segments->plan;
    rct_status status =
        rct_constants_renew(&packing->constants, b->waves, lane_record, packing, error);
    if (status == RCT_OK) {
        status = rct_constants_gravity(&packing->own_gravity, &plan->links, packing->label,
                                       b->waves, packing->lanes, error);
    }
    b->record = packing->constants.record;
    b->shared = packing->constants.shared;
    b->wide = packing->constants.wide;
    memcpy(b->gravity, plan->gravity, sizeof b->gravity);
    b->own_gravity = packing->own_gravity;
    for (int64_t at = 0; at < b->waves * packing->lanes; at++) {
        if (packing->label[at] >= 0) {
            write_kids(packing, at);
        }
    }
    write_neutral(b, packing->lanes);
    return status;
}
