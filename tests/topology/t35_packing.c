/* The packing of plans in lanes of 1, 2, 4 and 8, with segments of every length: every link has one
 * place, paths are where the rows say, every link that hangs on another is found there once, hinge
 * types and states of rows are those of their links, the trunk has the rest. One long file, because
 * all checks look at a packing through one view. */
#include "tests/support/cmocka_all.h"

#include "tests/support/systems/hinge_system.h"
#include "topology/rows.h"

#include <stdlib.h>
#include <string.h>

/* One packing, and the places of its links: the label of the first link of every path by the place
 * of its record, and the sheaf and group of every link. */
typedef struct view {
    const rct_plan *plan;
    const rct_packing *k;
    int32_t *first; /* [numbers of records] label, or -1 */
    int32_t *sheaf; /* [links] in lanes, or -1 */
    int32_t *group;
    int32_t *met; /* [links] 1: begins a path, 2: which hangs on something that knows it */
    int64_t records;
} view;

static void *room(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    assert_non_null(memory);
    return memory;
}

static int has(int32_t bits, int32_t lane)
{
    return bits >> lane & 1;
}

/* ---- places ------------------------------------------------------------------------------- */

/* Every link is where the packing finds it, and nothing else is there. */
static void check_places(const view *v)
{
    const rct_rows *both[2] = {&v->k->lanes, &v->k->links};
    int64_t placed = 0;
    for (int32_t i = 0; i < v->plan->links.count; i++) {
        int64_t row;
        int32_t lane;
        const rct_rows *r = rct_packing_find(v->k, i, &row, &lane);
        assert_true(row >= 0 && row < r->rows && lane >= 0 && lane < r->lanes);
        assert_int_equal(r->label[row * r->lanes + lane], i);
    }
    for (int k = 0; k < 2; k++) {
        int64_t padding = 0;
        for (int64_t at = 0; at < both[k]->rows * both[k]->lanes; at++) {
            padding += both[k]->label[at] < 0;
            placed += both[k]->label[at] >= 0;
        }
        assert_int_equal(padding, both[k]->padding);
    }
    assert_int_equal(placed, v->plan->links.count); /* so no two share a place */
    assert_int_equal(v->k->links.padding, 0);
    assert_int_equal(v->k->links.lanes, 1);
}

/* One lane of a sheaf: neutral links, then paths, each link on the one before, to the last row. */
static void check_lane(const view *v, int32_t sheaf, int32_t lane)
{
    const rct_rows *r = &v->k->lanes;
    const int32_t *parent = v->plan->links.parent;
    int32_t before = -1, paths = 0;
    for (int64_t g = r->first_row[sheaf]; g < r->first_row[sheaf + 1]; g++) {
        const int32_t label = r->label[g * r->lanes + lane];
        if (label < 0) {
            assert_int_equal(before, -1);
            assert_false(has(r->starts[g], lane) || has(r->grounded[g], lane));
            continue;
        }
        assert_int_equal(has(r->starts[g], lane), before < 0);
        assert_int_equal(has(r->grounded[g], lane), parent[label] < 0);
        assert_true(before < 0 || parent[label] == before);
        assert_true(before < 0 || label == before + 1);
        if (before < 0) {
            const int64_t at = rct_rows_path(r, g * r->lanes + lane);
            if (r->path_at[sheaf] < r->path_at[sheaf + 1]) {
                assert_true(at > 0 && at < v->records);
                assert_int_equal(v->first[at], -1); /* no two paths have one record */
                v->first[at] = label;
            }
            v->met[label] = 1;
            paths++;
        }
        v->sheaf[label] = sheaf;
        before = label;
    }
    assert_true(paths <= 1);
    assert_true(before < 0 || r->label[(r->first_row[sheaf + 1] - 1) * r->lanes + lane] == before);
}

static void check_sheaves(const view *v)
{
    const rct_rows *r = &v->k->lanes;
    const rct_sheaves *s = &r->sheaves;
    assert_int_equal(r->first_row[0], 0);
    assert_int_equal(r->first_row[s->count], r->rows);
    assert_int_equal(s->first_sheaf[s->groups], s->count);
    assert_in_range(s->hanging, 0, s->bushes);
    assert_in_range(s->bushes, 0, s->groups);
    for (int32_t group = 0; group < s->groups; group++) {
        const int32_t first = s->first_sheaf[group], end = s->first_sheaf[group + 1];
        const int64_t rows = r->first_row[end] - r->first_row[first];
        assert_true(rows > 0 && rows <= s->most_rows);
        assert_true(group < s->bushes || end == first + 1); /* segments: one sheaf */
        for (int32_t sheaf = first; sheaf < end; sheaf++) {
            const int64_t record = s->path_at[sheaf + 1] - s->path_at[sheaf];
            int twigs = 1;
            for (int64_t g = r->first_row[sheaf]; g < r->first_row[sheaf + 1]; g++) {
                twigs = twigs && (r->twigs_begin[g] & ~r->beside[g]) == r->starts[g];
            }
            assert_int_equal(record, group >= s->bushes ? PATH_OPEN_FIELDS
                                     : twigs            ? 0
                                                        : PATH_CLOSED_FIELDS);
            for (int32_t lane = 0; lane < r->lanes; lane++) {
                check_lane(v, sheaf, lane);
            }
        }
    }
    for (int32_t i = 0; i < v->plan->links.count; i++) {
        v->group[i] = 0;
        while (v->sheaf[i] >= 0 && s->first_sheaf[v->group[i] + 1] <= v->sheaf[i]) {
            v->group[i]++;
        }
    }
}

/* ---- what hangs on what ------------------------------------------------------------------- */

/* The twig of a group whose record is at `place` of its scratch, after a record of zeros. */
static int32_t twig_at(const view *v, int32_t group, int32_t place)
{
    const rct_rows *r = &v->k->lanes;
    const int32_t record = place / r->lanes, lane = place % r->lanes, *first = r->first_sheaf;
    const int32_t sheaf = first[group] + record / TWIG_FIELDS - 1;
    assert_int_equal(record % TWIG_FIELDS, 0);
    assert_in_range(sheaf, first[group], first[group + 1] - 1);
    assert_in_range(record / TWIG_FIELDS, 1, r->sheaves.most_sheaves);
    int64_t g = r->first_row[sheaf];
    while (g < r->first_row[sheaf + 1] && !has(r->starts[g], lane)) {
        g++;
    }
    assert_true(g < r->first_row[sheaf + 1]);
    return r->label[g * r->lanes + lane];
}

/* The path whose record is at `place`, on the link in a lane of row g: once, further on in the
 * bush, or in a bush that hangs on a segment; a twig if both are narrow. Returns its first link. */
static int32_t check_kid(const view *v, int64_t g, int32_t lane, int32_t place, int twig)
{
    const rct_rows *r = &v->k->lanes;
    const int32_t label = r->label[g * r->lanes + lane];
    assert_true(label >= 0);
    const int inside = v->group[label] < r->sheaves.bushes;
    const int32_t kid = twig && inside ? twig_at(v, v->group[label], place) : v->first[place];
    assert_true(kid >= 0);
    assert_int_equal(v->plan->links.parent[kid], label);
    if (inside) {
        assert_int_equal(v->group[kid], v->group[label]);
        assert_true(v->sheaf[kid] >= v->sheaf[label]);
        assert_true(v->k->at[kid] / r->lanes > g); /* also in one sheaf */
    } else {
        assert_true(v->group[kid] < r->sheaves.hanging);
    }
    const int64_t row = v->k->at[kid] / r->lanes;
    const int32_t own = (int32_t)(v->k->at[kid] % r->lanes);
    assert_int_equal(twig, r->narrow[v->sheaf[kid]] && r->narrow[v->sheaf[label]]);
    assert_int_equal(has(r->twigs_begin[row], own), twig);
    assert_int_equal(has(r->beside[row], own), twig && !inside);
    assert_int_equal(v->met[kid], 1); /* once */
    v->met[kid] = 2;
    return kid;
}

/* The place where the twig in row k of their lists hangs, on the link in a lane of row g. */
static void check_twig(const view *v, int64_t g, int32_t lane, int64_t k, int32_t kid)
{
    const rct_rows *r = &v->k->lanes;
    const double *record = rct_link_record(&v->plan->links, kid);
    const int64_t up = (int64_t)v->sheaf[kid] * r->lanes + v->k->at[kid] % r->lanes;
    assert_int_equal(r->up[up], r->state_at[g] * r->lanes + lane);
    for (int64_t i = 0; i < 3; i++) {
        assert_true(r->twig_at[(3 * k + i) * r->lanes + lane] == record[LINK_AT + i]);
    }
}

static int64_t check_kids(const view *v)
{
    const rct_rows *r = &v->k->lanes;
    int64_t found = 0;
    for (int64_t g = 0; g < r->rows; g++) {
        const int kids = r->first_kid[g] < r->first_kid[g + 1];
        const int twigs = r->first_twig[g] < r->first_twig[g + 1];
        const int32_t known = (r->twigs_begin[g] & ~r->beside[g]) | r->trunk[g] | r->grounded[g];
        assert_int_equal((r->has[g] & HAS_OTHERS) != 0, r->starts[g] != known);
        assert_int_equal(r->has[g] & (HAS_KIDS | HAS_TWIGS),
                         (kids ? HAS_KIDS : 0) | (twigs ? HAS_TWIGS : 0));
        for (int32_t lane = 0; lane < r->lanes; lane++) {
            for (int64_t k = r->first_kid[g]; k < r->first_kid[g + 1]; k++) {
                const int32_t place = r->kid[k * r->lanes + lane];
                if (place != 0) {
                    check_kid(v, g, lane, place, 0);
                    found++;
                }
            }
            for (int64_t k = r->first_twig[g]; k < r->first_twig[g + 1]; k++) {
                const int32_t place = r->twig[k * r->lanes + lane];
                if (place != 0) {
                    check_twig(v, g, lane, k, check_kid(v, g, lane, place, 1));
                    found++;
                }
            }
        }
    }
    assert_int_equal(r->first_kid[0] + r->first_twig[0], 0);
    return found;
}

/* The last link of node n of the trunk. */
static int32_t last_of(const view *v, int32_t n)
{
    const rct_partition *p = v->k->partition;
    for (int32_t s = 0; s < p->segment_count; s++) {
        if (v->k->trunk.kind[n] != 0 && v->k->trunk.kind[n] != NODE_TWIG &&
            p->segments[s].first == v->k->node_label[n]) {
            return p->segments[s].first + p->segments[s].length - 1;
        }
    }
    return v->k->node_label[n];
}

/* For narrow paths on the trunk, and no others: the place where they find the rotation of the link
 * on which they hang. */
static void check_turn(const view *v, int32_t n)
{
    const rct_rows *r = &v->k->lanes;
    const rct_trunk *t = &v->k->trunk;
    const int32_t label = v->k->node_label[n], up = t->parent[n];
    const int64_t row = v->k->at[label] / r->lanes, lane = v->k->at[label] % r->lanes;
    const int narrow = r->narrow[v->sheaf[label]] && up >= 0;
    assert_int_equal(has(r->trunk[row], (int32_t)lane), narrow);
    if (narrow) {
        assert_int_equal(r->turn[(int64_t)v->sheaf[label] * r->lanes + lane],
                         t->slot[up] * TRUNK_FIELDS + TRUNK_TURN);
        for (int i = 0; i < 3; i++) {
            assert_true(t->at[3 * n + i] == rct_link_record(&v->plan->links, label)[LINK_AT + i]);
        }
    }
}

/* Nodes parents first, each on the last link of its parent; the paths among them have records of their own. */
static int64_t check_trunk(const view *v)
{
    const rct_trunk *t = &v->k->trunk;
    int64_t paths = 0, rows = 0;
    assert_int_equal(t->stride, v->k->lanes.lanes);
    for (int32_t n = 0; n < t->count; n++) {
        const int32_t up = t->parent[n], label = v->k->node_label[n];
        assert_true(up < n);
        assert_int_equal(up >= 0 ? last_of(v, up) : -1, v->plan->links.parent[label]);
        assert_true(up < 0 || t->row[up] >= 0 ||
                    (t->kind[up] != 0 && t->kind[up] != NODE_TWIG)); /* nothing hangs on a task */
        if (t->row[n] >= 0) {
            assert_int_equal(v->k->links.label[t->row[n]], label);
            assert_int_equal(t->kind[n], 0);
            rows++;
        } else {
            assert_int_equal(v->first[t->path[n]], label);
            assert_int_equal(v->met[label], 1);
            v->met[label] = 2;
            check_turn(v, n);
            const int open = v->group[label] >= v->k->lanes.sheaves.bushes;
            const int narrow = v->k->lanes.narrow[v->sheaf[label]];
            assert_int_equal(t->kind[n], open     ? (narrow ? NODE_NARROW : NODE_OPEN)
                                         : narrow ? NODE_TWIG
                                                  : 0);
            paths++;
        }
    }
    assert_int_equal(rows, v->k->links.rows);
    return paths;
}

/* All paths except those on the ground belong to the trunk or hang on a link in lanes. */
static void check_all_hang(const view *v)
{
    int64_t grounded = 0, all = 0;
    const int64_t hung = check_kids(v) + check_trunk(v);
    for (int32_t i = 0; i < v->plan->links.count; i++) {
        all += v->met[i] != 0;
        if (v->met[i] == 1) {
            assert_int_equal(v->plan->links.parent[i], -1);
            assert_true(v->group[i] >= v->k->lanes.sheaves.hanging);
            assert_true(v->group[i] < v->k->lanes.sheaves.bushes);
            grounded++;
        }
    }
    assert_int_equal(all, hung + grounded);
}

/* ---- narrow paths ------------------------------------------------------------------------- */

/* Whether no hinge of another type than ball is behind the end of the segment whose last link is
 * `last`, or only one. */
static int ends_on_ball(const view *v, int32_t last)
{
    const rct_trunk *t = &v->k->trunk;
    int balls = 0, all = 0;
    for (int32_t n = 0; n < t->count; n++) {
        if (t->parent[n] >= 0 && last_of(v, t->parent[n]) == last) {
            balls += v->plan->links.kind[v->k->node_label[n]] == RCT_HINGE_BALL;
            all++;
        }
    }
    return all == balls && all <= 1;
}

/* A path is in a narrow sheaf if it crosses only ball hinges, and otherwise in a wide one. */
static void check_narrow(const view *v)
{
    const rct_rows *r = &v->k->lanes;
    for (int32_t sheaf = 0; sheaf < r->sheaves.count; sheaf++) {
        for (int32_t lane = 0; lane < r->lanes; lane++) {
            int narrow = 1;
            int32_t last = -1;
            for (int64_t g = r->first_row[sheaf]; g < r->first_row[sheaf + 1]; g++) {
                const int32_t label = r->label[g * r->lanes + lane];
                narrow = narrow && (label < 0 || v->plan->links.kind[label] == RCT_HINGE_BALL);
                last = label >= 0 ? label : last;
            }
            if (last >= 0 && v->group[last] >= r->sheaves.bushes) {
                narrow = narrow && ends_on_ball(v, last);
            }
            assert_true(last < 0 || r->narrow[sheaf] == narrow);
        }
    }
    for (int32_t sheaf = 0; sheaf < v->k->links.sheaves.count; sheaf++) {
        assert_false(v->k->links.narrow[sheaf]);
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Hinge types of the lanes of a row, and room for the state of the largest. */
static void check_row(const view *v, const rct_rows *r, int64_t g)
{
    int32_t coordinates = 0, freedoms = 0, all = 0;
    const int32_t *lanes =
        r->kinds[g] < 0 ? r->kind_lanes + (int64_t)(~r->kinds[g]) * RCT_HINGE_TYPES : NULL;
    for (int32_t kind = 0; kind < RCT_HINGE_TYPES && lanes != NULL; kind++) {
        assert_int_equal(all & lanes[kind], 0);
        all |= lanes[kind];
    }
    assert_true(lanes == NULL || all == (1 << r->lanes) - 1);
    for (int32_t lane = 0; lane < r->lanes; lane++) {
        const int32_t label = r->label[g * r->lanes + lane];
        if (label >= 0) {
            const int32_t kind = v->plan->links.kind[label];
            const int32_t q = rct_hinge_coordinates((rct_hinge_type)kind);
            const int32_t u = rct_hinge_freedoms((rct_hinge_type)kind);
            assert_true(lanes != NULL ? has(lanes[kind], lane) : r->kinds[g] == kind);
            coordinates = q > coordinates ? q : coordinates;
            freedoms = u > freedoms ? u : freedoms;
        }
    }
    assert_int_equal(r->coordinates[g], coordinates);
    assert_int_equal(r->state_at[g + 1] - r->state_at[g], coordinates + freedoms);
    const int narrow = r->narrow[rct_rows_sheaf(r, g)];
    assert_int_equal(r->result_at[g + 1] - r->result_at[g],
                     narrow ? NARROW_RESULT_FIELDS : WIDE_RESULT_RATES + freedoms);
    assert_true(rct_sheaves_row_fields(freedoms, narrow) <= r->sheaves.row_fields);
}

/* Field f of a link's record; of a neutral link, label -1, units. */
static double field_of(const rct_plan *plan, int64_t label, int f)
{
    const rct_links *links = &plan->links;
    const int unit = f == LINK_MASS || (f >= LINK_INERTIA && f < LINK_INERTIA + 3) ||
                     (f >= LINK_FRAME && f < LINK_PARAMETER && (f - LINK_FRAME) % 4 == 0) ||
                     f == LINK_PARAMETER;
    return label >= 0 && f < links->fields ? rct_link_record(links, label)[f] : (double)unit;
}

/* Constants: those of the plan; elsewhere neutral ones, of unit mass and inertia. */
static void check_constants(const view *v, const rct_rows *r, int64_t g)
{
    const int64_t k = r->constants.record[g], fields = r->constants.fields;
    assert_int_equal(fields, r->sheaves.link_fields);
    for (int32_t lane = 0; lane < r->lanes; lane++) {
        const int32_t label = r->label[g * r->lanes + lane];
        for (int f = 0; f < fields; f++) {
            const double is = k >= 0 ? r->constants.shared[k * fields + f]
                                     : r->constants.wide[(~k * fields + f) * r->lanes + lane];
            assert_true(k < 0 || r->constants.spread[(k * fields + f) * r->lanes + lane] == is);
            const double should = field_of(v->plan, label, f);
            assert_memory_equal(&is, &should, sizeof is);
        }
    }
}

static void check_rows(const view *v)
{
    const rct_rows *both[2] = {&v->k->lanes, &v->k->links};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(both[k]->state_at[0], 0);
        assert_int_equal(both[k]->result_at[0], 0);
        for (int64_t g = 0; g < both[k]->rows; g++) {
            check_row(v, both[k], g);
            check_constants(v, both[k], g);
        }
    }
}

/* A mass and a moment for the next link of the path, and zero if there is none. */
static void check_stand_ins(const view *v)
{
    const rct_partition *p = v->k->partition;
    const rct_rows *r = &v->k->lanes;
    for (int32_t s = 0; s < p->segment_count; s++) {
        const int32_t first = p->segments[s].first, next = first + p->segments[s].length;
        const int follows = next < v->plan->links.count && v->plan->links.parent[next] == next - 1;
        const double *path = r->sheaves.paths + rct_rows_path(r, v->k->at[first]);
        const double mass = path[PATH_STAND_IN * r->lanes];
        const double moment = path[(PATH_STAND_IN + 1) * r->lanes];
        if (follows) {
            assert_true(mass == rct_link_record(&v->plan->links, next)[LINK_MASS]);
            assert_true(moment > 0.0);
        } else {
            assert_true(mass == 0.0 && moment == 0.0);
        }
    }
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void check(const rct_plan *plan, int64_t length, int32_t lanes, int32_t wanted)
{
    rct_error error = {0};
    rct_partition *partition = rct_partition_create(plan, length, 1, 0, &error);
    assert_non_null(partition);
    rct_packing *k = rct_packing_create(plan, partition, lanes, wanted, 0, &error);
    assert_non_null(k);
    const int64_t links = plan->links.count;
    view v = {.plan = plan, .k = k};
    v.records = k->lanes.path_at[k->lanes.sheaves.count] * lanes;
    v.first = room(v.records, sizeof *v.first);
    v.sheaf = room(links, sizeof *v.sheaf);
    v.group = room(links, sizeof *v.group);
    v.met = room(links, sizeof *v.met);
    memset(v.first, -1, (size_t)v.records * sizeof *v.first);
    memset(v.sheaf, -1, (size_t)links * sizeof *v.sheaf);
    check_places(&v);
    check_sheaves(&v);
    check_all_hang(&v);
    check_rows(&v);
    check_narrow(&v);
    check_stand_ins(&v);
    assert_true(rct_packing_bytes(k) > links * LINK_ALL_FIELDS);
    free(v.first);
    free(v.sheaf);
    free(v.group);
    free(v.met);
    rct_packing_free(k);
    rct_partition_free(partition);
}

static void test_packings(void **state)
{
    (void)state;
    static const int64_t lengths[] = {0, 1, 2, 3, 5, 8, 13, 40, SEGMENT_AUTO};
    static const int hinges[] = {1 << RCT_HINGE_REVOLUTE, 1 << RCT_HINGE_BALL,
                                 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_REVOLUTE, ALL_HINGES,
                                 ALL_HINGES};
    for (uint64_t seed = 1; seed <= 16; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = 3 + (int32_t)(seed * seed),
                                              .fixed = 0.0,
                                              .shuffled = 1,
                                              .seed = seed},
                                     .hinges = hinges[seed % 5],
                                     .floating = seed % 6 == 0};
        rct_error error = {0};
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        rct_plan *plan = rct_plan_create(model, &error);
        assert_non_null(plan);
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            for (int32_t lanes = 1; lanes <= 8; lanes *= 2) {
                check(plan, lengths[l], lanes, seed % 2 ? 8 : 1);
            }
        }
        rct_plan_free(plan);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
