/* Forces at the hinges of rows (kernels/records/hinge_forces.h): entries by kind and coordinate,
 * from the lists of links. */
#include "model/forces/force_check.h"
#include "model/model.h"
#include "topology/rows.h"

#include <math.h>
#include <string.h>

enum {
    PLACES = 4,
    KEYS = HINGE_FORCE_KINDS * PLACES,
    MOST_LANES = 32
}; /* the hinge, 3 coordinates */

static int kind_of(const rct_force *f)
{
    switch (f->type) {
    case RCT_FORCE_FRICTION: return f->breakaway != 0.0 ? HINGE_STRIBECK : HINGE_COULOMB;
    case RCT_FORCE_LIMIT: return HINGE_LIMIT;
    case RCT_FORCE_SERVO:
        return f->rows > 0           ? HINGE_SERVO_TABLE
               : f->amplitude != 0.0 ? HINGE_SERVO_SINE
                                     : HINGE_SERVO;
    default: return HINGE_CURVE_COORDINATE + (int)f->over;
    }
}

static int key_of(const rct_plan *plan, int32_t label, const rct_force *f)
{
    const int whole = plan->links.kind[label] == RCT_HINGE_BALL;
    return kind_of(f) * PLACES + (whole ? HINGE_WHOLE : f->coordinate) - HINGE_WHOLE;
}

/* The next force of a key at the hinge of a link, from place *at of the list on; *at becomes the
 * place behind it. -1: none. */
static int32_t next_of(const rct_plan *plan, int32_t label, int key, int32_t *at)
{
    const rct_force *forces = plan->surroundings->forces;
    while (label >= 0 && *at < plan->effort_begin[label + 1]) {
        const int32_t force = plan->effort[(*at)++];
        if (key_of(plan, label, &forces[force]) == key) {
            return force;
        }
    }
    return -1;
}

/* Entries of a key of row g, from `count` on; returns where they end. Their forces go to
 * r->hinge_force, if that is there. */
static int64_t list_key(const rct_rows *r, const rct_plan *plan, int64_t g, int key, int64_t count)
{
    const int32_t *label = r->label + g * r->lanes;
    int32_t at[MOST_LANES], force[MOST_LANES];
    for (int32_t l = 0; l < r->lanes; l++) {
        at[l] = label[l] >= 0 ? plan->effort_begin[label[l]] : 0;
    }
    for (int any = 1; any; count += any) {
        any = 0;
        for (int32_t l = 0; l < r->lanes; l++) {
            force[l] = next_of(plan, label[l], key, &at[l]);
            any = any || force[l] >= 0;
        }
        if (any && r->hinge_force != NULL) {
            memcpy(r->hinge_force + count * r->lanes, force, (size_t)r->lanes * sizeof *force);
            r->hinge_entry[count] = (rct_hinge_force){key / PLACES, key % PLACES + HINGE_WHOLE};
        }
    }
    return count;
}

static int64_t list(const rct_rows *r, const rct_plan *plan)
{
    int64_t count = 0;
    for (int64_t g = 0; g < r->rows; g++) {
        r->first_hinge_force[g] = count;
        for (int key = 0; key < KEYS; key++) {
            count = list_key(r, plan, g, key, count);
        }
        if (count > r->first_hinge_force[g]) {
            r->has[g] |= HAS_HINGE_FORCE;
        }
    }
    r->first_hinge_force[r->rows] = count;
    return count;
}

typedef struct listed {
    const rct_rows *rows;
    const rct_force *forces;
} listed;

/* The numbers of a lane of an entry; a lane without a force gets numbers that do nothing. */
static void lane_numbers(const void *context, int64_t entry, int32_t lane, double *n)
{
    const listed *of = context;
    const int32_t force = of->rows->hinge_force[entry * of->rows->lanes + lane];
    const rct_force plain = {.stribeck = 1.0, .slip = 1.0};
    const rct_force *f = force >= 0 ? &of->forces[force] : &plain;
    memset(n, 0, HINGE_FORCE_FIELDS * sizeof *n);
    switch (of->rows->hinge_entry[entry].kind) {
    case HINGE_COULOMB:
    case HINGE_STRIBECK:
        n[FRICTION_COULOMB] = f->coulomb;
        n[FRICTION_MORE] = f->breakaway != 0.0 ? f->breakaway - f->coulomb : 0.0;
        n[FRICTION_STRIBECK] = f->stribeck != 0.0 ? f->stribeck : 1.0;
        n[FRICTION_SLIP] = f->slip;
        break;
    case HINGE_LIMIT:
        n[LIMIT_STIFFNESS] = f->stiffness;
        n[LIMIT_DAMPING] = f->damping;
        n[LIMIT_LOWER] = f->lower;
        n[LIMIT_UPPER] = f->upper;
        break;
    case HINGE_SERVO:
    case HINGE_SERVO_SINE:
    case HINGE_SERVO_TABLE:
        n[SERVO_STIFFNESS] = f->stiffness;
        n[SERVO_DAMPING] = f->damping;
        n[SERVO_MOST] = f->saturation > 0.0 ? f->saturation : INFINITY;
        n[SERVO_TARGET] = f->target;
        n[SERVO_RATE] = f->target_rate;
        n[SERVO_AMPLITUDE] = f->amplitude;
        n[SERVO_FREQUENCY] = f->angular_frequency;
        n[SERVO_PHASE] = f->phase;
        break;
    default: break;
    }
}

/* The table of each force of the model; without a table 0, as the first is. */
static void list_tables(const rct_rows *r, const rct_force *forces)
{
    static const double zero[6] = {0.0, 0.0, 1.0};
    for (int64_t i = -1; i < r->forces; i++) {
        const int has = i >= 0 && rct_force_is_at_hinge(&forces[i]) && forces[i].rows > 0;
        r->hinge_table[1 + i] =
            has ? (rct_hinge_table){forces[i].table, forces[i].rows} : (rct_hinge_table){zero, 2};
    }
}

rct_status rct_rows_list_hinge_forces(rct_rows *r, const rct_plan *plan, rct_error *error)
{
    const listed of = {r, plan->surroundings->forces};
    const rct_constants *n = &r->hinge_numbers;
    rct_release(r->first_hinge_force);
    rct_release(r->hinge_entry);
    rct_release(r->hinge_force);
    rct_release(r->hinge_table);
    r->first_hinge_force = NULL;
    r->hinge_entry = NULL;
    r->hinge_force = NULL;
    r->hinge_table = NULL;
    r->forces = rct_model_force_count(plan->surroundings);
    rct_status status =
        rct_rows_allocate(r, HINGE_FORCE_ARRAYS, HINGE_FORCE_ARRAYS + 1, "forces at hinges", error);
    if (status == RCT_OK) {
        list(r, plan);
        status =
            rct_rows_allocate(r, HINGE_FORCE_ARRAYS + 1, ROWS_ARRAYS, "forces at hinges", error);
    }
    if (status == RCT_OK) {
        const int64_t count = list(r, plan);
        list_tables(r, of.forces);
        status = rct_constants_renew(&r->hinge_numbers, count, lane_numbers, &of, error);
    }
    r->sheaves.hinge_forces = (rct_hinge_forces){
        .begin = r->first_hinge_force,
        .entry = r->hinge_entry,
        .force = r->hinge_force,
        .number = {n->record, n->shared, n->spread, n->wide},
        .table = r->hinge_table,
    };
    return status;
}
