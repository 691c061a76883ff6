/* Writing the rows of a mixed packing (mixed_rows.h). */
#include "topology/mixed_writing.h"

#include "core/error.h"
#include "core/memory.h"

#include <string.h>

static void write_roles(const rct_writing *w)
{
    const rct_partition *p = w->packing->partition;
    for (int32_t t = 0; t < p->task_count; t++) {
        memset(w->role + p->tasks[t].first, IN_TASK, (size_t)p->tasks[t].count);
        w->role[p->tasks[t].first] = p->tasks[t].beside >= 0 ? TASK_BESIDE : TASK_ROOT;
    }
    for (int32_t s = 0; s < p->segment_count; s++) {
        memset(w->role + p->segments[s].first, IN_SEGMENT, (size_t)p->segments[s].length);
        w->role[p->segments[s].first] = SEGMENT_FIRST;
    }
}

int32_t rct_mixed_rows_sheaf(const rct_mixed_rows *rows, int64_t row)
{
    int32_t low = 0, high = rows->sheaves.count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (rows->first_row[middle] <= row) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int64_t rct_mixed_rows_path(const rct_mixed_rows *rows, int64_t at)
{
    const int32_t sheaf = rct_mixed_rows_sheaf(rows, at / rows->lanes);
    return rows->path_at[sheaf] * rows->lanes + at % rows->lanes;
}

/* ---- links -------------------------------------------------------------------------------- */

static rct_status allocate_rows(rct_mixed_rows *r, rct_error *error)
{
    const char *what = "the packing";
    const int64_t rows = r->rows, number = sizeof(int32_t), wide = sizeof(int64_t);
    r->path_at = rct_allocate((int64_t)r->sheaves.count + 1, wide, what, error);
    r->label = rct_allocate(rows * r->lanes, number, what, error);
    r->kinds = rct_allocate(rows, number, what, error);
    r->starts = rct_allocate(rows, number, what, error);
    r->grounded = rct_allocate(rows, number, what, error);
    r->inside = rct_allocate(rows, number, what, error);
    r->coordinates = rct_allocate(rows, number, what, error);
    r->has = rct_allocate(rows, sizeof *r->has, what, error);
    r->state_at = rct_allocate(rows + 1, wide, what, error);
    r->result_at = rct_allocate(rows + 1, wide, what, error);
    r->first_kid = rct_allocate(rows + 1, wide, what, error);
    r->first_twig = rct_allocate(rows + 1, wide, what, error);
    r->twigs_begin = rct_allocate(rows, number, what, error);
    r->up = rct_allocate((int64_t)r->sheaves.count * r->lanes, number, what, error);
    r->beside = rct_allocate(rows, number, what, error);
    r->trunk = rct_allocate(rows, number, what, error);
    r->behind = rct_allocate(rows, number, what, error);
    r->turn = rct_allocate((int64_t)r->sheaves.count * r->lanes, number, what, error);
    const int whole = r->path_at != NULL && r->label != NULL && r->kinds != NULL &&
                      r->starts != NULL && r->grounded != NULL && r->inside != NULL &&
                      r->coordinates != NULL && r->has != NULL && r->state_at != NULL &&
                      r->result_at != NULL && r->first_kid != NULL && r->first_twig != NULL &&
                      r->twigs_begin != NULL && r->up != NULL && r->beside != NULL &&
                      r->trunk != NULL && r->behind != NULL && r->turn != NULL;
    for (int64_t i = 0; whole && i < rows * r->lanes; i++) {
        r->label[i] = -1;
    }
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Labels, where paths begin, how many hang on the links of a row at most. */
static void write_links(const rct_writing *w)
{
    rct_mixed_rows *r = w->rows;
    r->padding = r->rows * r->lanes;
    for (int32_t i = 0; i < w->links->count; i++) {
        const int64_t at = place_of(w, i);
        if (at < 0) {
            continue;
        }
        const int64_t row = at / r->lanes;
        const int32_t bit = (int32_t)(1u << (at % r->lanes));
        int64_t kids = 0, twigs = 0;
        r->label[at] = i;
        r->padding--;
        r->starts[row] |= starts_path(w, i) ? bit : 0;
        r->inside[row] |= is_kid(w, i) && w->role[i] != TASK_BESIDE ? bit : 0;
        r->twigs_begin[row] |= rct_writing_is_twig(w, i) ? bit : 0;
        r->beside[row] |= rct_writing_is_twig(w, i) && w->role[i] == TASK_BESIDE ? bit : 0;
        r->grounded[row] |= w->links->parent[i] < 0 ? bit : 0;
        for (int32_t c = w->links->child_begin[i]; c < w->links->child_begin[i + 1]; c++) {
            const int twig = rct_writing_is_twig(w, w->links->child[c]);
            twigs += twig;
            kids += is_kid(w, w->links->child[c]) - twig;
        }
        if (w->role[i] != ON_TRUNK) {
            r->first_kid[row + 1] = kids > r->first_kid[row + 1] ? kids : r->first_kid[row + 1];
            r->first_twig[row + 1] =
                twigs > r->first_twig[row + 1] ? twigs : r->first_twig[row + 1];
        }
    }
}

/* ---- states ------------------------------------------------------------------------------- */

/* Numbers of the record of a path in sheaf k; those of links of the trunk are not used. */
static int record_fields(const rct_writing *w, int32_t k)
{
    const rct_mixed_rows *r = w->rows;
    int twigs = 1;
    for (int64_t g = r->first_row[k]; g < r->first_row[k + 1] && twigs; g++) {
        twigs = r->starts[g] == (r->twigs_begin[g] & ~r->beside[g]);
    }
    if (r == &w->packing->links) {
        return 0;
    }
    return k >= r->first_sheaf[r->sheaves.bushes] ? PATH_OPEN_FIELDS
           : twigs                                ? 0
                                                  : PATH_CLOSED_FIELDS;
}

/* Where the records of paths begin. */
static rct_status write_paths(const rct_writing *w, rct_error *error)
{
    rct_mixed_rows *r = w->rows;
    r->path_at[0] = PATH_CLOSED_FIELDS; /* the first is of zeros */
    for (int32_t k = 0; k < r->sheaves.count; k++) {
        r->path_at[k + 1] = r->path_at[k] + record_fields(w, k);
    }
    if (r->path_at[r->sheaves.count] * r->lanes > INT32_MAX) {
        return rct_fail(error, RCT_ERROR_MEMORY,
                        "too many small subtrees for one system; divide it");
    }
    return RCT_OK;
}

static rct_status allocate_states(rct_mixed_rows *r, rct_error *error)
{
    rct_mixed_sheaves *s = &r->sheaves;
    const int64_t lane = r->lanes * (int64_t)sizeof(double);
    const int64_t state = r->state_at[r->rows];
    s->state = rct_allocate(state, lane, "the state", error);
    s->base = rct_allocate(state, lane, "the state", error);
    s->sum = rct_allocate(state, lane, "the state", error);
    s->results = rct_allocate(r->result_at[r->rows], lane, "the results", error);
    s->paths = rct_allocate(r->path_at[s->count], lane, "the handles", error);
    const int whole = s->state != NULL && s->base != NULL && s->sum != NULL && s->results != NULL &&
                      s->paths != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Of ball hinges, whose states are absolute, and of wrenches in inertial axes. */
static int needs_attitude(const rct_plan *plan)
{
    int needs = plan->has_inertial_wrenches;
    for (int32_t i = 0; i < plan->links.count; i++) {
        needs = needs || (plan->links.kind[i] == RCT_HINGE_BALL && plan->links.parent[i] >= 0);
    }
    return needs;
}

static void show(const rct_writing *w)
{
    rct_mixed_rows *r = w->rows;
    rct_mixed_sheaves *s = &r->sheaves;
    s->attitude = needs_attitude(w->packing->plan);
    for (int32_t g = 0; g < s->groups; g++) {
        const int64_t rows = r->first_row[r->first_sheaf[g + 1]] - r->first_row[r->first_sheaf[g]];
        const int32_t sheaves = r->first_sheaf[g + 1] - r->first_sheaf[g];
        s->most_rows = rows > s->most_rows ? (int32_t)rows : s->most_rows;
        s->most_sheaves = sheaves > s->most_sheaves ? sheaves : s->most_sheaves;
    }
    s->first_sheaf = r->first_sheaf;
    s->first_row = r->first_row;
    s->path_at = r->path_at;
    s->narrow = r->narrow;
    s->label = r->label;
    s->kinds = r->kinds;
    s->kind_lanes = r->kind_lanes;
    s->starts = r->starts;
    s->grounded = r->grounded;
    s->inside = r->inside;
    s->coordinates = r->coordinates;
    s->has = r->has;
    s->state_at = r->state_at;
    s->result_at = r->result_at;
    s->first_kid = r->first_kid;
    s->kid = r->kid;
    s->twigs = (rct_twigs){r->twigs_begin, r->up,    r->first_twig, r->twig, r->twig_at,
                           r->beside,      r->trunk, r->turn,       NULL,    r->behind};
}

rct_status rct_mixed_rows_write(rct_mixed_rows *rows, const rct_mixed_packing *packing,
                                const rct_mixed_layout *layout, rct_error *error)
{
    rct_writing w = {.rows = rows, .packing = packing, .links = &packing->plan->links};
    rows->lanes = rows->constants.lanes = layout->lanes;
    rows->efforts.lanes = rows->wrenches.lanes = layout->lanes;
    rows->constants.fields = rows->sheaves.link_fields = layout->link_fields;
    rows->efforts.fields = EFFORT_FIELDS;
    rows->wrenches.fields = WRENCH_FIELDS;
    rows->first_sheaf = layout->first_sheaf;
    rows->first_row = layout->first_row;
    rows->narrow = layout->narrow;
    rows->room = layout->room;
    rows->rows = layout->first_row[layout->count];
    rows->sheaves.groups = layout->groups;
    rows->sheaves.bushes = layout->bushes;
    rows->sheaves.hanging = layout->hanging;
    rows->sheaves.narrow_end = layout->narrow_end;
    rows->sheaves.count = layout->count;
    w.role = rct_allocate(w.links->count, sizeof *w.role, "the packing", error);
    rct_status status = w.role == NULL ? RCT_ERROR_MEMORY : allocate_rows(rows, error);
    if (status == RCT_OK) {
        write_roles(&w);
        write_links(&w);
        status = write_paths(&w, error);
    }
    if (status == RCT_OK) {
        status = rct_mixed_rows_kinds(rows, packing->plan->links.kind, error);
    }
    if (status == RCT_OK) {
        status = rct_write_kids(&w, error);
    }
    if (status == RCT_OK) {
        status = allocate_states(rows, error);
    }
    if (status == RCT_OK) {
        show(&w);
        status = rct_mixed_rows_renew(rows, packing->plan, error);
    }
    rct_release(w.role);
    return status;
}

void rct_mixed_rows_release(rct_mixed_rows *r)
{
    rct_release(r->first_sheaf);
    rct_release(r->first_row);
    rct_release(r->path_at);
    rct_release(r->label);
    rct_release(r->kinds);
    rct_release(r->kind_lanes);
    rct_release(r->starts);
    rct_release(r->grounded);
    rct_release(r->inside);
    rct_release(r->coordinates);
    rct_release(r->narrow);
    rct_release(r->state_at);
    rct_release(r->result_at);
    rct_release(r->first_kid);
    rct_release(r->kid);
    rct_release(r->twigs_begin);
    rct_release(r->up);
    rct_release(r->beside);
    rct_release(r->trunk);
    rct_release(r->behind);
    rct_release(r->turn);
    rct_release(r->first_twig);
    rct_release(r->twig);
    rct_release(r->twig_label);
    rct_release(r->twig_at);
    rct_release(r->own_gravity);
    rct_release(r->has);
    rct_constants_free(&r->constants);
    rct_constants_free(&r->efforts);
    rct_constants_free(&r->wrenches);
    rct_release(r->sheaves.state);
    rct_release(r->sheaves.base);
    rct_release(r->sheaves.sum);
    rct_release(r->sheaves.results);
    rct_release(r->sheaves.paths);
    rct_release(r->sheaves.loads);
}

int64_t rct_mixed_rows_bytes(const rct_mixed_rows *r)
{
    const int64_t loads = r->sheaves.loads != NULL ? r->rows * LOAD_FIELDS : 0;
    const int64_t numbers = 3 * r->state_at[r->rows] + r->result_at[r->rows] +
                            r->path_at[r->sheaves.count] + loads +
                            (r->own_gravity != NULL ? 3 * r->rows : 0);
    const int64_t acting =
        (r->efforts.record != NULL ? rct_constants_bytes(&r->efforts, r->rows) : 0) +
        (r->wrenches.record != NULL ? rct_constants_bytes(&r->wrenches, r->rows) : 0);
    return rct_constants_bytes(&r->constants, r->rows) + acting +
           numbers * r->lanes * (int64_t)sizeof(double) +
           r->sheaves.count * (int64_t)sizeof *r->path_at +
           r->room * (int64_t)(sizeof *r->first_sheaf + sizeof *r->first_row + sizeof *r->narrow) +
           r->unlike * RCT_HINGE_TYPES * (int64_t)sizeof *r->kind_lanes +
           r->rows * (1 + 9 * (int64_t)sizeof(int32_t) + 4 * (int64_t)sizeof(int64_t)) +
           (r->rows + r->first_kid[r->rows] + 2 * (int64_t)r->sheaves.count) * r->lanes *
               (int64_t)sizeof(int32_t) +
           r->first_twig[r->rows] * r->lanes *
               (int64_t)(2 * sizeof *r->twig + 3 * sizeof *r->twig_at);
}
