/* Writes the rows of a packing (rows.h). */
#include "topology/row_writing.h"

#include "core/error.h"

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

int rct_rows_narrow(const rct_rows *rows)
{
    const int32_t count = rows->sheaves.count;
    return count == 0 || memchr(rows->narrow, 0, (size_t)count) == NULL;
}

int32_t rct_rows_sheaf(const rct_rows *rows, int64_t row)
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

int64_t rct_rows_path(const rct_rows *rows, int64_t at)
{
    const int32_t sheaf = rct_rows_sheaf(rows, at / rows->lanes);
    return rows->path_at[sheaf] * rows->lanes + at % rows->lanes;
}

/* ---- links -------------------------------------------------------------------------------- */

static int64_t last(const int64_t *begin, int64_t count)
{
    return begin != NULL ? begin[count] : 0;
}

void rct_rows_arrays(rct_rows *r, rct_array arrays[ROWS_ARRAYS])
{
    rct_sheaves *s = &r->sheaves;
    const int64_t rows = r->rows, lanes = r->lanes, sheaves = s->count;
    const int64_t state = last(r->state_at, rows) * lanes,
                  twigs = last(r->first_twig, rows) * lanes;
    const rct_array all[ROWS_ARRAYS] = {
        /* places */
        RCT_ARRAY(r->first_sheaf, r->room + 1),
        RCT_ARRAY(r->first_row, r->room + 1),
        RCT_ARRAY(r->narrow, r->room),
        /* rows */
        RCT_ARRAY(r->path_at, sheaves + 1),
        RCT_ARRAY(r->up, sheaves * lanes),
        RCT_ARRAY(r->turn, sheaves * lanes),
        RCT_ARRAY(r->label, rows * lanes),
        RCT_ARRAY(r->kinds, rows),
        RCT_ARRAY(r->starts, rows),
        RCT_ARRAY(r->grounded, rows),
        RCT_ARRAY(r->inside, rows),
        RCT_ARRAY(r->coordinates, rows),
        RCT_ARRAY(r->has, rows),
        RCT_ARRAY(r->twigs_begin, rows),
        RCT_ARRAY(r->beside, rows),
        RCT_ARRAY(r->trunk, rows),
        RCT_ARRAY(r->behind, rows),
        RCT_ARRAY(r->state_at, rows + 1),
        RCT_ARRAY(r->result_at, rows + 1),
        RCT_ARRAY(r->first_kid, rows + 1),
        RCT_ARRAY(r->first_twig, rows + 1),
        /* kinds */
        RCT_ARRAY(r->kind_lanes, r->unlike * RCT_HINGE_TYPES),
        /* kids */
        RCT_ARRAY(r->kid, last(r->first_kid, rows) * lanes),
        RCT_ARRAY(r->twig, twigs),
        RCT_ARRAY(r->twig_label, twigs),
        RCT_ARRAY(r->twig_at, 3 * twigs),
        /* states */
        RCT_ARRAY(s->state, state),
        RCT_ARRAY(s->base, state),
        RCT_ARRAY(s->sum, state),
        RCT_ARRAY(s->results, last(r->result_at, rows) * lanes),
        RCT_ARRAY(s->paths, last(r->path_at, sheaves) * lanes),
        /* where loads are wanted */
        RCT_ARRAY(s->loads, rows * lanes * LOAD_FIELDS),
        RCT_ARRAY(s->rotors, rows * lanes * 3),
        RCT_ARRAY(r->own_gravity, 3 * rows * lanes),
        RCT_ARRAY(s->slots, r->slots * s->slot),
        /* forces at hinges */
        RCT_ARRAY(r->first_hinge_force, rows + 1),
        RCT_ARRAY(r->hinge_entry, last(r->first_hinge_force, rows)),
        RCT_ARRAY(r->hinge_force, last(r->first_hinge_force, rows) * lanes),
        RCT_ARRAY(r->hinge_table, r->forces + 1),
    };
    memcpy(arrays, all, sizeof all);
}

rct_status rct_rows_allocate(rct_rows *r, int32_t begin, int32_t end, const char *what,
                             rct_error *error)
{
    rct_array arrays[ROWS_ARRAYS];
    rct_rows_arrays(r, arrays);
    return rct_allocate_arrays(arrays + begin, end - begin, what, error);
}

rct_status rct_rows_begin(rct_rows *r, int32_t lanes, int64_t sheaves, rct_error *error)
{
    r->lanes = r->constants.lanes = r->efforts.lanes = r->wrenches.lanes = lanes;
    r->hinge_numbers.lanes = lanes;
    r->hinge_numbers.fields = HINGE_FORCE_FIELDS;
    r->efforts.fields = EFFORT_FIELDS;
    r->wrenches.fields = WRENCH_FIELDS;
    r->room = sheaves;
    return rct_rows_allocate(r, PLACE_ARRAYS, ROW_ARRAYS, "the packing", error);
}

/* Labels, where paths begin, and the most that hang on a link of each row. */
static void write_links(const rct_writing *w)
{
    rct_rows *r = w->rows;
    r->padding = r->rows * r->lanes;
    for (int64_t at = 0; at < r->padding; at++) {
        r->label[at] = -1;
    }
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

/* Numbers of the record of a path in sheaf k. The records of links of the trunk are not used. */
static int record_fields(const rct_writing *w, int32_t k)
{
    const rct_rows *r = w->rows;
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
    rct_rows *r = w->rows;
    r->path_at[0] = PATH_CLOSED_FIELDS; /* the first is of zeros */
    for (int32_t k = 0; k < r->sheaves.count; k++) {
        r->path_at[k + 1] = r->path_at[k] + record_fields(w, k);
    }
    if (r->path_at[r->sheaves.count] * r->lanes > INT32_MAX) {
        return rct_fail(error, RCT_ERROR_MEMORY,
                        "the system has too many small subtrees for one plan; divide the system");
    }
    return RCT_OK;
}

/* Needed by ball hinges, whose states are absolute, and by wrenches in inertial axes. */
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
    rct_rows *r = w->rows;
    rct_sheaves *s = &r->sheaves;
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
    s->slot = r->state_at[r->rows] * r->lanes;
    s->first_kid = r->first_kid;
    s->kid = r->kid;
    s->twigs = (rct_twigs){r->twigs_begin, r->up,    r->first_twig, r->twig, r->twig_at,
                           r->beside,      r->trunk, r->turn,       NULL,    r->behind};
}

/* Gives back unused room of places. */
static rct_status fit_places(rct_rows *r, rct_error *error)
{
    const char *what = "the packing";
    const int64_t count = r->sheaves.count, groups = r->sheaves.groups;
    const int64_t room = count > groups ? count : groups, ends = room + 1;
    int32_t *sheaf = rct_widen(r->first_sheaf, groups + 1, ends, sizeof *sheaf, what, error);
    r->first_sheaf = sheaf != NULL ? sheaf : r->first_sheaf;
    int64_t *row = rct_widen(r->first_row, count + 1, ends, sizeof *row, what, error);
    r->first_row = row != NULL ? row : r->first_row;
    int8_t *narrow = rct_widen(r->narrow, count, room, sizeof *narrow, what, error);
    r->narrow = narrow != NULL ? narrow : r->narrow;
    r->room = room;
    return sheaf != NULL && row != NULL && narrow != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

rct_status rct_rows_write(rct_rows *rows, const rct_packing *packing, rct_error *error)
{
    rct_writing w = {.rows = rows, .packing = packing, .links = &packing->plan->links};
    rows->constants.fields = rows->sheaves.link_fields;
    rows->rows = rows->first_row[rows->sheaves.count];
    w.role = rct_allocate(w.links->count, sizeof *w.role, "the packing", error);
    rct_status status = w.role == NULL ? RCT_ERROR_MEMORY : fit_places(rows, error);
    if (status == RCT_OK) {
        status = rct_rows_allocate(rows, ROW_ARRAYS, KIND_ARRAYS, "the packing", error);
    }
    if (status == RCT_OK) {
        write_roles(&w);
        write_links(&w);
        status = write_paths(&w, error);
    }
    if (status == RCT_OK) {
        status = rct_rows_kinds(rows, w.links->kind, error);
    }
    if (status == RCT_OK) {
        status = rct_write_kids(&w, error);
    }
    if (status == RCT_OK) {
        status = rct_rows_allocate(rows, STATE_ARRAYS, LATE_ARRAYS, "the state", error);
    }
    if (status == RCT_OK) {
        show(&w);
        status = rct_rows_renew(rows, packing->plan, error);
    }
    rct_release(w.role);
    return status;
}

void rct_rows_release(rct_rows *r)
{
    rct_array arrays[ROWS_ARRAYS];
    rct_rows_arrays(r, arrays);
    rct_release_arrays(arrays, ROWS_ARRAYS);
    rct_constants_free(&r->constants);
    rct_constants_free(&r->efforts);
    rct_constants_free(&r->wrenches);
    rct_constants_free(&r->hinge_numbers);
}

int64_t rct_rows_bytes(const rct_rows *r)
{
    rct_rows seen = *r;
    rct_array arrays[ROWS_ARRAYS];
    rct_rows_arrays(&seen, arrays);
    return rct_array_bytes(arrays, ROWS_ARRAYS) + rct_constants_bytes(&r->constants, r->rows) +
           rct_constants_bytes(&r->efforts, r->rows) + rct_constants_bytes(&r->wrenches, r->rows) +
           rct_constants_bytes(&r->hinge_numbers, last(r->first_hinge_force, r->rows));
}
