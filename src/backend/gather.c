/* Between label order and the rows of a packing (gather.h). */
#include "backend/gather.h"

#include "backend/ground.h"
#include "core/numbers.h"
#include "kernels/sweeps/lanes.h"
#include "topology/rows.h"

#include <math.h>
#include <string.h>

/* The numbers of link `label`, coordinates before rates. In its row g they are `lanes` apart from
 * `row` on; rates stand behind the coordinates of the type that has most in the row. */
static void copy_link(const rct_packing *packing, const rct_rows *r, int64_t g, int32_t label,
                      double *row, double *numbers, int in)
{
    const rct_hinge_type kind = (rct_hinge_type)packing->plan->links.kind[label];
    const int32_t q = rct_hinge_coordinates(kind), u = rct_hinge_freedoms(kind);
    for (int32_t i = 0; i < q + u; i++) {
        double *field = row + (i < q ? i : r->coordinates[g] + i - q) * r->lanes;
        if (in) {
            *field = numbers[i];
        } else {
            numbers[i] = *field;
        }
    }
}

void rct_copy_state(const rct_packing *packing, int32_t label, double *numbers, int in)
{
    int64_t g;
    int32_t lane;
    const rct_rows *r = rct_packing_find(packing, label, &g, &lane);
    copy_link(packing, r, g, label, r->sheaves.state + r->state_at[g] * r->lanes + lane, numbers,
              in);
}

/* Work on the link `label` in lane `lane` of row g; `narrow`: of the row. */
typedef void visit_link(const rct_packing *packing, const rct_rows *r, int64_t g, int32_t lane,
                        int32_t label, int narrow, double *numbers);

/* Visits the links of sheaves [first, end), row after row. The visit is known at compile time, so
 * that it becomes part of the loop. */
static inline int visit_rows(const rct_packing *packing, const rct_rows *r, int32_t first,
                             int32_t end, visit_link *visit, double *numbers)
{
    for (int32_t k = first; k < end; k++) {
        for (int64_t g = r->first_row[k]; g < r->first_row[k + 1]; g++) {
            for (int32_t lane = 0; lane < r->lanes; lane++) {
                const int32_t label = r->label[g * r->lanes + lane];
                if (label >= 0) {
                    visit(packing, r, g, lane, label, r->narrow[k], numbers);
                }
            }
        }
    }
    return 1;
}

static inline void scatter_link(const rct_packing *packing, const rct_rows *r, int64_t g,
                                int32_t lane, int32_t label, int narrow, double *state)
{
    const double *numbers = state + rct_link_state(&packing->plan->links, label);
    double *row = r->sheaves.state + r->state_at[g] * r->lanes + lane;
    if (narrow) { /* the same, with a type known at compile time */
        for (int32_t i = 0; i < STATE_FIELDS; i++) {
            row[i * r->lanes] = numbers[i];
        }
    } else {
        copy_link(packing, r, g, label, row, (double *)numbers, 1);
    }
}

static inline void gather_link(const rct_packing *packing, const rct_rows *r, int64_t g,
                               int32_t lane, int32_t label, int narrow, double *state)
{
    double *numbers = state + rct_link_state(&packing->plan->links, label);
    double *row = r->sheaves.state + r->state_at[g] * r->lanes + lane;
    if (narrow) {
        for (int32_t i = 0; i < STATE_FIELDS; i++) {
            numbers[i] = row[i * r->lanes];
        }
    } else {
        copy_link(packing, r, g, label, row, numbers, 0);
    }
}

int rct_scatter_state(const rct_packing *packing, const rct_rows *rows, int32_t first, int32_t end,
                      const rct_arrays *of)
{
    return visit_rows(packing, rows, first, end, scatter_link, of->one);
}

int rct_gather_state(const rct_packing *packing, const rct_rows *rows, int32_t first, int32_t end,
                     const rct_arrays *of)
{
    return visit_rows(packing, rows, first, end, gather_link, of->one);
}

void rct_gather_links(const rct_packing *packing, const int32_t *links, int32_t count,
                      double *state)
{
    for (int32_t k = 0; k < count; k++) {
        rct_copy_state(packing, links[k], state + rct_link_state(&packing->plan->links, links[k]),
                       0);
    }
}

void rct_scatter_loads(const rct_packing *packing, const int32_t *links, int32_t count,
                       const double *loads)
{
    for (int32_t k = 0; k < count; k++) {
        const int32_t l = links[k];
        int64_t g;
        int32_t lane;
        const rct_rows *r = rct_packing_find(packing, l, &g, &lane);
        double *row = r->sheaves.loads + g * LOAD_FIELDS * r->lanes + lane;
        r->has[g] |= HAS_LOAD;
        for (int32_t f = 0; f < LOAD_FIELDS; f++) {
            row[f * r->lanes] = loads[(int64_t)l * LOAD_FIELDS + f];
        }
    }
}

void rct_scatter_rotors(const rct_packing *packing, const int32_t *links, int32_t count,
                        const double *rotors)
{
    for (int32_t k = 0; k < count; k++) {
        int64_t g;
        int32_t lane;
        const rct_rows *r = rct_packing_find(packing, links[k], &g, &lane);
        double *row = r->sheaves.rotors + g * 3 * r->lanes + lane;
        r->has[g] |= HAS_ARMATURE;
        for (int32_t f = 0; f < 3; f++) {
            row[f * r->lanes] = rotors[3 * (int64_t)k + f];
        }
    }
}

static inline void gather_acceleration(const rct_packing *packing, const rct_rows *r, int64_t g,
                                       int32_t lane, int32_t label, int narrow,
                                       double *accelerations)
{
    const double *result = r->sheaves.results + r->result_at[g] * r->lanes + lane;
    (void)packing;
    (void)narrow;
    for (int32_t i = 0; i < WIDE_RESULT_RATES; i++) {
        accelerations[6 * (int64_t)label + i] = result[i * r->lanes];
    }
}

int rct_gather_accelerations(const rct_packing *packing, const rct_rows *rows, int32_t first,
                             int32_t end, const rct_arrays *of)
{
    return visit_rows(packing, rows, first, end, gather_acceleration, of->one);
}

/* The widest kernels of this machine whose lanes divide those of the rows, both powers of 2. */
static const rct_coordinate_kernels *kernels_for(const rct_rows *rows)
{
    const rct_lane_kernels *const *list = rct_lane_kernels_list();
    while ((*list)->lanes > rows->lanes) {
        list++;
    }
    return (*list)->coordinates;
}

void rct_choose_coordinate_kernels(rct_packing *packing)
{
    packing->lanes.coordinate_kernels = kernels_for(&packing->lanes);
    packing->links.coordinate_kernels = kernels_for(&packing->links);
}

int rct_put_coordinates(const rct_packing *packing, const rct_rows *rows, int32_t first,
                        int32_t end, const rct_arrays *of)
{
    return rows->coordinate_kernels->put(&rows->sheaves, rows->lanes, first, end,
                                         &packing->plan->places, of->one, of->two,
                                         rows->sheaves.base);
}

int rct_take_coordinates(const rct_packing *packing, const rct_rows *rows, int32_t first,
                         int32_t end, const rct_arrays *of)
{
    rows->coordinate_kernels->take(&rows->sheaves, rows->lanes, first, end, &packing->plan->places,
                                   rows->sheaves.state, of->one, of->two);
    return 1;
}

int rct_put_efforts(const rct_packing *packing, const rct_rows *rows, int32_t first, int32_t end,
                    const rct_arrays *of)
{
    rows->coordinate_kernels->put_efforts(&rows->sheaves, rows->has, rows->lanes, first, end,
                                          &packing->plan->places, of->one);
    return 1;
}

int rct_take_derivatives(const rct_packing *packing, const rct_rows *rows, int32_t first,
                         int32_t end, const rct_arrays *of)
{
    rows->coordinate_kernels->take_derivatives(&rows->sheaves, rows->lanes, first, end,
                                               &packing->plan->places, of->one);
    return 1;
}

int rct_put_derivatives(const rct_packing *packing, const rct_rows *rows, int32_t first,
                        int32_t end, const rct_arrays *of)
{
    rows->coordinate_kernels->put_derivatives(&rows->sheaves, rows->lanes, first, end,
                                              &packing->plan->places, of->one);
    return 1;
}

int rct_move_coordinates(const rct_packing *packing, const rct_rows *rows, int32_t first,
                         int32_t end, const rct_arrays *of)
{
    (void)packing;
    return rows->coordinate_kernels->move(&rows->sheaves, rows->lanes, first, end, of->by,
                                          rows->sheaves.sum);
}

void rct_largest_derivatives(const rct_rows *rows, int32_t first, int32_t end, double largest[2])
{
    rows->coordinate_kernels->largest(&rows->sheaves, rows->lanes, first, end, largest);
}

int rct_weigh_slopes(const rct_packing *packing, const rct_rows *rows, int32_t first, int32_t end,
                     const rct_arrays *of)
{
    (void)packing;
    rows->coordinate_kernels->weigh(&rows->sheaves, rows->lanes, first, end, of->weighing);
    return 1;
}

int rct_put_rates(const rct_packing *packing, const rct_rows *rows, int32_t first, int32_t end,
                  const rct_arrays *of)
{
    rows->coordinate_kernels->put_rates(&rows->sheaves, rows->has, rows->lanes, first, end,
                                        &packing->plan->places, of->one, of->two,
                                        rct_slot(&rows->sheaves, of->slot));
    return 1;
}

int rct_take_slot(const rct_packing *packing, const rct_rows *rows, int32_t first, int32_t end,
                  const rct_arrays *of)
{
    rows->coordinate_kernels->take(&rows->sheaves, rows->lanes, first, end, &packing->plan->places,
                                   rct_slot(&rows->sheaves, of->slot), of->one, of->two);
    return 1;
}

int rct_hold_balls(const rct_packing *packing, const rct_rows *rows, int32_t first, int32_t end,
                   const rct_arrays *of)
{
    (void)packing;
    rows->coordinate_kernels->hold(&rows->sheaves, rows->lanes, first, end, of->holding);
    return 1;
}

void rct_gather_efforts(const rct_packing *packing, const int32_t *links, int32_t count,
                        double *efforts)
{
    const rct_plan *plan = packing->plan;
    for (int32_t k = 0; k < (links != NULL ? count : plan->links.count); k++) {
        const int32_t label = links != NULL ? links[k] : k;
        int64_t g;
        int32_t lane;
        const rct_rows *r = rct_packing_find(packing, label, &g, &lane);
        const double *from = r->sheaves.loads + (g * LOAD_FIELDS + LOAD_EFFORT) * r->lanes + lane;
        double *to = efforts + rct_plan_rates_at(plan, label);
        for (int i = 0; i < rct_hinge_freedoms((rct_hinge_type)plan->links.kind[label]); i++) {
            to[i] = from[(int64_t)i * r->lanes];
        }
    }
}

double rct_slopes_size(const rct_rows *rows, int32_t first, int32_t end, const rct_weighing *by,
                       double length, double most)
{
    const double size =
        rows->coordinate_kernels->size(&rows->sheaves, rows->lanes, first, end, by, length);
    return size > most ? size : most;
}

void rct_copy_slot(const rct_rows *rows, int to, int from)
{
    const rct_sheaves *s = &rows->sheaves;
    memcpy(rct_slot(s, to), rct_slot(s, from), (size_t)s->slot * sizeof *s->state);
}

static void exchange(double **one, double **other)
{
    double *was = *one;
    *one = *other;
    *other = was;
}

void rct_take_over(rct_packing *packing)
{
    exchange(&packing->lanes.sheaves.state, &packing->lanes.sheaves.base);
    exchange(&packing->links.sheaves.state, &packing->links.sheaves.base);
    packing->trunk.states = packing->lanes.sheaves.state;
}

void rct_take_moved(rct_packing *packing)
{
    exchange(&packing->lanes.sheaves.state, &packing->lanes.sheaves.sum);
    exchange(&packing->links.sheaves.state, &packing->links.sheaves.sum);
    packing->trunk.states = packing->lanes.sheaves.state;
}

/* Leaves the ground in the record of the path that begins in a row of a sheaf, in a lane. */
static void leave_ground(const rct_rows *r, int32_t sheaf, int64_t row, int32_t lane)
{
    const rct_sheaves *s = &r->sheaves;
    const double *own = s->own_gravity + 3 * row * r->lanes + lane;
    const double gravity[3] = {own[0], own[r->lanes], own[2 * r->lanes]};
    double *above = s->paths + (r->path_at[sheaf] + PATH_ABOVE) * r->lanes + lane;
    double linear[3];
    rct_ground_less(linear, &s->ground, gravity);
    for (int i = 0; i < 3; i++) {
        above[i * r->lanes] = linear[i];
        above[(3 + i) * r->lanes] = s->ground.angular[i];
    }
}

void rct_sheaves_set_ground(rct_packing *packing, const rct_ground *ground)
{
    const rct_rows *r = &packing->lanes;
    const int32_t sheaves = r->own_gravity != NULL ? r->sheaves.count : 0;
    packing->lanes.sheaves.ground = *ground;
    packing->links.sheaves.ground = *ground;
    for (int32_t k = 0; k < sheaves; k++) {
        for (int64_t g = r->first_row[k]; g < r->first_row[k + 1]; g++) {
            for (int32_t lane = 0; lane < r->lanes && r->grounded[g] != 0; lane++) {
                if ((r->grounded[g] >> lane & 1) != 0) {
                    leave_ground(r, k, g, lane);
                }
            }
        }
    }
}

int rct_state_is_finite(const rct_plan *plan, int32_t label, const double *numbers)
{
    const int32_t kind = plan->links.kind[label];
    double square = 0.0;
    if (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE) {
        square = numbers[0] * numbers[0] + numbers[1] * numbers[1] + numbers[2] * numbers[2] +
                 numbers[3] * numbers[3];
    }
    return rct_all_finite(numbers, rct_link_state(&plan->links, label + 1) -
                                       rct_link_state(&plan->links, label)) &&
           isfinite(square * square) && rct_plan_is_turned(plan, label, numbers);
}
