/* The numbers of a packing (packing.h): what may change with the values of a model while every link
 * keeps its place. */
#include "model/hinge_types.h"
#include "topology/rows.h"

#include <string.h>

static const double neutral[LINK_ALL_FIELDS] =
    {
        [LINK_MASS] = 1.0,        [LINK_INERTIA] = 1.0,   [LINK_INERTIA + 1] = 1.0,
        [LINK_INERTIA + 2] = 1.0, [LINK_FRAME] = 1.0,     [LINK_FRAME + 4] = 1.0,
        [LINK_FRAME + 8] = 1.0,   [LINK_PARAMETER] = 1.0,
};

typedef struct labelled {
    const rct_rows *rows;
    const rct_plan *plan;
} labelled;

static void lane_record(const void *context, int64_t row, int32_t lane, double *record)
{
    const labelled *w = context;
    const int32_t label = w->rows->label[row * w->rows->lanes + lane];
    const int32_t fields = w->rows->constants.fields, own = w->plan->links.fields;
    memcpy(record, neutral, (size_t)fields * sizeof *record);
    if (label >= 0) {
        memcpy(record, rct_link_record(&w->plan->links, label),
               (size_t)(own < fields ? own : fields) * sizeof *record);
    }
}

/* What acts at the hinge of a lane (EFFORT_FIELDS). */
static void lane_effort(const void *context, int64_t row, int32_t lane, double *effort)
{
    const labelled *w = context;
    const int32_t label = w->rows->label[row * w->rows->lanes + lane];
    memset(effort, 0, EFFORT_FIELDS * sizeof *effort);
    effort[EFFORT_FRAME] = 1.0;
    if (label >= 0) {
        const rct_body *body = rct_bodies_at(w->plan->bodies, w->plan->places.head[label]);
        memcpy(effort + EFFORT_APPLIED, body->applied, sizeof body->applied);
        memcpy(effort + EFFORT_STIFFNESS, body->stiffness, sizeof body->stiffness);
        memcpy(effort + EFFORT_REST, body->rest, sizeof body->rest);
        memcpy(effort + EFFORT_DAMPING, body->damping, sizeof body->damping);
        memcpy(effort + EFFORT_ARMATURE, body->armature, sizeof body->armature);
        if (rct_bends(body)) { /* other bodies are alike in it */
            rct_plan_hinge_frame(w->plan, label, effort + EFFORT_FRAME);
        }
    }
}

/* The wrenches on a link of a lane (WRENCH_FIELDS). */
static void lane_wrench(const void *context, int64_t row, int32_t lane, double *wrench)
{
    const labelled *w = context;
    const int32_t label = w->rows->label[row * w->rows->lanes + lane];
    memset(wrench, 0, WRENCH_FIELDS * sizeof *wrench);
    if (label >= 0) {
        rct_link_wrench(w->plan, label, wrench);
    }
}

/* The gravity of links in trees with their own; nothing where all have the same.
 * RCT_ERROR_MEMORY. */
static rct_status write_gravity(rct_rows *r, const rct_plan *plan, rct_error *error)
{
    const int64_t lanes = r->lanes;
    rct_status status = RCT_OK;
    if (plan->gravities == 0) {
        return RCT_OK;
    }
    if (r->own_gravity == NULL) {
        status = rct_rows_allocate(r, GRAVITY_ARRAYS, SLOT_ARRAYS, "the gravity of trees", error);
    }
    for (int64_t at = 0; at < r->rows * lanes && status == RCT_OK; at++) {
        const int32_t label = r->label[at];
        for (int i = 0; i < 3 && label >= 0; i++) {
            r->own_gravity[(at / lanes * 3 + i) * lanes + at % lanes] =
                rct_plan_gravity(plan, plan->places.head[label])[i];
        }
    }
    return status;
}

/* Whether fields [first, end) of the record of a row are zero in all lanes. */
static int is_nothing(const rct_constants *c, int32_t lanes, int64_t row, int32_t first,
                      int32_t end)
{
    const int32_t k = c->record[row], width = k >= 0 ? 1 : lanes;
    const double *record =
        k >= 0 ? c->shared + (int64_t)k * c->fields : c->wide + (int64_t)(~k) * c->fields * lanes;
    int zeros = 1;
    for (int32_t i = first * width; i < end * width && zeros; i++) {
        zeros = record[i] == 0.0;
    }
    return zeros;
}

/* Sets `bit` in rows where any of fields [first, end) acts. */
static void note_acting(const rct_rows *r, const rct_constants *c, uint16_t bit, int32_t first,
                        int32_t end)
{
    for (int64_t g = 0; g < r->rows; g++) {
        r->has[g] =
            (uint16_t)(is_nothing(c, r->lanes, g, first, end) ? r->has[g] & ~bit : r->has[g] | bit);
    }
}

static rct_row_constants shown(const rct_constants *c)
{
    return (rct_row_constants){c->record, c->shared, c->spread, c->wide};
}

static void write_neutral(const rct_rows *r)
{
    const rct_sheaves *s = &r->sheaves;
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

/* Where twigs hang. */
static void write_twigs(const rct_rows *r, const rct_plan *plan)
{
    const int64_t lanes = r->lanes, twigs = r->first_twig[r->rows] * lanes;
    for (int64_t k = 0; k < twigs; k++) {
        const int64_t label = r->twig_label[k];
        for (int64_t i = 0; i < 3; i++) {
            r->twig_at[(k / lanes * 3 + i) * lanes + k % lanes] =
                label < 0 ? 0.0 : rct_link_record(&plan->links, label)[LINK_AT + i];
        }
    }
}

rct_status rct_rows_renew(rct_rows *rows, const rct_plan *plan, rct_error *error)
{
    const labelled w = {rows, plan};
    rct_sheaves *s = &rows->sheaves;
    rct_status status = rct_constants_renew(&rows->constants, rows->rows, lane_record, &w, error);
    if (status == RCT_OK) {
        status = write_gravity(rows, plan, error);
    }
    if (status == RCT_OK && rct_plan_resists(plan)) {
        status = rct_constants_renew(&rows->efforts, rows->rows, lane_effort, &w, error);
    }
    if (status == RCT_OK && rct_plan_resists(plan)) {
        note_acting(rows, &rows->efforts, HAS_EFFORT, 0, EFFORT_ARMATURE);
        note_acting(rows, &rows->efforts, HAS_ARMATURE,
                    plan->yields ? EFFORT_STIFFNESS : EFFORT_ARMATURE, EFFORT_FRAME);
    }
    if (status == RCT_OK && plan->wrench != NULL) {
        status = rct_constants_renew(&rows->wrenches, rows->rows, lane_wrench, &w, error);
    }
    if (status == RCT_OK && plan->wrench != NULL) {
        note_acting(rows, &rows->wrenches, HAS_WRENCH, 0, WRENCH_FIELDS);
        note_acting(rows, &rows->wrenches, HAS_INERTIAL, WRENCH_INERTIAL_FORCE, WRENCH_INERTIAL_AT);
        note_acting(rows, &rows->wrenches, HAS_COUPLE, WRENCH_INERTIAL_MOMENT, WRENCH_FIELDS);
    }
    if (status == RCT_OK && rows->first_hinge_force != NULL) {
        status = rct_rows_list_hinge_forces(rows, plan, error);
    }
    s->record = rows->constants.record;
    s->shared = rows->constants.shared;
    s->spread = rows->constants.spread;
    s->wide = rows->constants.wide;
    s->effort = shown(&rows->efforts);
    s->moments = s->effort.row != NULL || s->loads != NULL || s->hinge_forces.begin != NULL;
    s->owned = 2 * rows->constants.wide_count > rows->rows;
    s->bends = plan->bends;
    s->wrench = shown(&rows->wrenches);
    memcpy(s->gravity, plan->gravity, sizeof s->gravity);
    s->own_gravity = rows->own_gravity;
    write_twigs(rows, plan);
    write_neutral(rows);
    return status;
}

/* The first link with mass from `link` on along its path, else inward of it. */
static int64_t nearest_mass(const rct_links *links, int64_t link)
{
    int64_t at = link;
    while (rct_link_record(links, at)[LINK_MASS] == 0.0 && at + 1 < links->count &&
           links->parent[at + 1] == at) {
        at++;
    }
    if (rct_link_record(links, at)[LINK_MASS] == 0.0) {
        at = link;
    }
    while (rct_link_record(links, at)[LINK_MASS] == 0.0 && at > 0 && links->parent[at] == at - 1) {
        at--;
    }
    return at;
}

/* The stand-in for what follows each segment on its path: the mass of the next link, or of the
 * nearest link that has mass, and a moment of inertia about the segment's last link. The moment
 * vanishes only where what follows does not affect the spin of that link. And the place of the
 * hinge there. */
void rct_rows_write_ends(const rct_packing *packing)
{
    const rct_partition *p = packing->partition;
    const rct_links *links = &packing->plan->links;
    const int64_t lanes = packing->lanes.lanes;
    for (int32_t s = 0; s < p->segment_count; s++) {
        const int64_t next = (int64_t)p->segments[s].first + p->segments[s].length;
        if (next < links->count && links->parent[next] == next - 1) {
            const double *record = rct_link_record(links, nearest_mass(links, next));
            const double *j = record + LINK_INERTIA, *at = rct_link_record(links, next) + LINK_AT;
            const double arm2 = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
            double *path = packing->lanes.sheaves.paths +
                           rct_rows_path(&packing->lanes, packing->at[p->segments[s].first]);
            path[PATH_STAND_IN * lanes] = record[LINK_MASS];
            path[(PATH_STAND_IN + 1) * lanes] =
                (j[0] + j[1] + j[2]) / 3.0 + record[LINK_MASS] * arm2;
            for (int i = 0; i < 3; i++) {
                path[(PATH_OUT + i) * lanes] = at[i];
            }
        }
    }
}

rct_status rct_packing_renew(rct_packing *packing, rct_error *error)
{
    const rct_status status = rct_rows_renew(&packing->links, packing->plan, error);
    return status == RCT_OK ? rct_rows_renew(&packing->lanes, packing->plan, error) : status;
}
