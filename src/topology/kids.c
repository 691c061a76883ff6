/* What hangs on links in lanes: lists of paths by rows (kernels/records/sheaves.h), twigs and
 * others. */
#include "topology/row_writing.h"

int rct_writing_is_twig(const rct_writing *w, int32_t i)
{
    const rct_rows *r = w->rows;
    const int64_t most = r->rows * r->lanes * MOST_STATE; /* numbers that `up` can name */
    if (!is_kid(w, i) || most > INT32_MAX) {
        return 0;
    }
    const int64_t at = place_of(w, i), up = place_of(w, w->links->parent[i]);
    return at >= 0 && up >= 0 && r->narrow[rct_rows_sheaf(r, at / r->lanes)] &&
           r->narrow[rct_rows_sheaf(r, up / r->lanes)];
}

/* Where the records of the twigs of a sheaf are, among those of its group, in numbers of one
 * lane. */
static int64_t twig_record(const rct_rows *r, int64_t sheaf)
{
    const int32_t *first = r->first_sheaf;
    int32_t low = 0, high = r->sheaves.groups;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (first[middle] <= sheaf) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (1 + sheaf - first[low]) * TWIG_FIELDS;
}

/* Writes link `kid`, which hangs on the link at `up`, as a twig in row k of the lists. */
static void write_twig(const rct_writing *w, int32_t kid, int64_t up, int64_t k)
{
    rct_rows *r = w->rows;
    const int64_t at = w->packing->at[kid], row = at / r->lanes, lane = at % r->lanes;
    const int64_t sheaf = rct_rows_sheaf(r, row);
    const int64_t state = r->state_at[up / r->lanes] * r->lanes + up % r->lanes;
    r->up[sheaf * r->lanes + lane] = (int32_t)state;
    const int64_t place = w->role[kid] == TASK_BESIDE ? rct_rows_path(r, at)
                                                      : twig_record(r, sheaf) * r->lanes + lane;
    r->twig[k * r->lanes + up % r->lanes] = (int32_t)place;
    r->twig_label[k * r->lanes + up % r->lanes] = kid;
}

static void write_kids_of(const rct_writing *w, int32_t i)
{
    rct_rows *r = w->rows;
    const int64_t at = place_of(w, i);
    if (at < 0 || w->role[i] == ON_TRUNK) {
        return;
    }
    int64_t row = r->first_kid[at / r->lanes], twig = r->first_twig[at / r->lanes];
    for (int32_t c = w->links->child_begin[i]; c < w->links->child_begin[i + 1]; c++) {
        const int32_t kid = w->links->child[c];
        if (rct_writing_is_twig(w, kid)) {
            write_twig(w, kid, at, twig++);
        } else if (is_kid(w, kid)) {
            r->kid[row++ * r->lanes + at % r->lanes] =
                (int32_t)rct_rows_path(r, w->packing->at[kid]);
        }
    }
}

rct_status rct_write_kids(const rct_writing *w, rct_error *error)
{
    rct_rows *r = w->rows;
    for (int64_t g = 0; g < r->rows; g++) {
        const int kids = r->first_kid[g + 1] > 0, twigs = r->first_twig[g + 1] > 0;
        r->has[g] = (uint16_t)((r->starts[g] != 0 ? HAS_START : 0) | (kids ? HAS_KIDS : 0) |
                               (twigs ? HAS_TWIGS : 0));
        r->first_kid[g + 1] += r->first_kid[g];
        r->first_twig[g + 1] += r->first_twig[g];
    }
    if (rct_rows_allocate(r, KID_ARRAYS, STATE_ARRAYS, "the packing", error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    const int64_t twigs = r->first_twig[r->rows] * r->lanes;
    for (int64_t k = 0; k < twigs; k++) {
        r->twig_label[k] = -1;
    }
    /* All other paths read from their own first link what they do not use: any other link may be
     * written meanwhile. */
    for (int64_t k = 0; k < (int64_t)r->sheaves.count * r->lanes; k++) {
        r->up[k] = (int32_t)(r->state_at[r->first_row[k / r->lanes]] * r->lanes + k % r->lanes);
    }
    for (int32_t i = 0; i < w->links->count; i++) {
        write_kids_of(w, i);
    }
    return RCT_OK;
}
