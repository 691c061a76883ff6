/* Between label order and the rows of a mixed packing (mixed_holding.h). */
#include "backend/mixed_holding.h"

#include "backend/ground.h"
#include "topology/mixed_rows.h"

#include <math.h>

/* The numbers of link `label`: coordinates at `to`, rates behind them; in the rows fields are `lanes` apart, and
 * rates behind the coordinates of the type of the row that has most. */
void rct_mixed_copy_state(const rct_mixed_packing *packing, int32_t label, double *numbers, int in)
{
    int64_t g;
    int32_t lane;
    const rct_mixed_rows *r = rct_mixed_packing_find(packing, label, &g, &lane);
    const rct_hinge_type kind = (rct_hinge_type)packing->plan->kind[label];
    const int32_t q = rct_hinge_coordinates(kind), u = rct_hinge_freedoms(kind);
    double *row = r->sheaves.state + r->state_at[g] * r->lanes + lane;
    for (int32_t i = 0; i < q + u; i++) {
        double *field = row + (i < q ? i : r->coordinates[g] + i - q) * r->lanes;
        if (in) {
            *field = numbers[i];
        } else {
            numbers[i] = *field;
        }
    }
}

void rct_mixed_scatter_state(const rct_mixed_packing *packing, const double *state)
{
    for (int32_t l = 0; l < packing->plan->links.count; l++) {
        rct_mixed_copy_state(packing, l, (double *)state + packing->plan->state_at[l], 1);
    }
}

void rct_mixed_gather_state(const rct_mixed_packing *packing, double *state)
{
    for (int32_t l = 0; l < packing->plan->links.count; l++) {
        rct_mixed_copy_state(packing, l, state + packing->plan->state_at[l], 0);
    }
}

void rct_mixed_gather_links(const rct_mixed_packing *packing, const int32_t *links, int32_t count,
                            double *state)
{
    for (int32_t k = 0; k < count; k++) {
        rct_mixed_copy_state(packing, links[k], state + packing->plan->state_at[links[k]], 0);
    }
}

void rct_mixed_scatter_loads(const rct_mixed_packing *packing, const int32_t *links, int32_t count,
                             const double *loads)
{
    for (int32_t k = 0; k < count; k++) {
        const int32_t l = links[k];
        int64_t g;
        int32_t lane;
        const rct_mixed_rows *r = rct_mixed_packing_find(packing, l, &g, &lane);
        double *row = r->sheaves.loads + g * LOAD_FIELDS * r->lanes + lane;
        r->has[g] |= HAS_LOAD;
        for (int32_t f = 0; f < LOAD_FIELDS; f++) {
            row[f * r->lanes] = loads[(int64_t)l * LOAD_FIELDS + f];
        }
    }
}

/* The results of a link, fields `lanes` apart; whether its row is narrow. */
static const double *results_of(const rct_mixed_packing *packing, int32_t label, int32_t *lanes,
                                int *narrow)
{
    int64_t g;
    int32_t lane;
    const rct_mixed_rows *r = rct_mixed_packing_find(packing, label, &g, &lane);
    *lanes = r->lanes;
    *narrow = r->result_at[g + 1] - r->result_at[g] == NARROW_RESULT_FIELDS &&
              r->narrow[rct_mixed_rows_sheaf(r, g)];
    return r->sheaves.results + r->result_at[g] * r->lanes + lane;
}

void rct_mixed_gather_accelerations(const rct_mixed_packing *packing, double *accelerations)
{
    for (int32_t l = 0; l < packing->plan->links.count; l++) {
        int32_t lanes;
        int narrow;
        const double *result = results_of(packing, l, &lanes, &narrow);
        for (int32_t i = 0; i < MIXED_RESULT_RATES; i++) {
            accelerations[6 * (int64_t)l + i] = result[i * lanes];
        }
    }
}

void rct_mixed_gather_rates(const rct_mixed_packing *packing, double *rates)
{
    for (int32_t l = 0; l < packing->plan->links.count; l++) {
        int32_t lanes;
        int narrow;
        const double *result = results_of(packing, l, &lanes, &narrow);
        const int32_t u = rct_hinge_freedoms((rct_hinge_type)packing->plan->kind[l]);
        const int32_t first = narrow ? NARROW_RESULT_RATES : MIXED_RESULT_RATES;
        for (int32_t i = 0; i < u; i++) {
            *rates++ = result[(first + i) * lanes];
        }
    }
}

void rct_mixed_gather_forces(const rct_mixed_packing *packing, double *forces)
{
    for (int32_t l = 0; l < packing->plan->links.count; l++) {
        int32_t lanes;
        int narrow;
        const double *result = results_of(packing, l, &lanes, &narrow);
        for (int32_t i = 0; i < 3; i++) {
            forces[3 * (int64_t)l + i] =
                narrow ? result[(NARROW_RESULT_FORCE + i) * lanes] : (double)NAN;
        }
    }
}

/* To the record of the path that begins in a row of a sheaf, in a lane. */
static void leave_ground(const rct_mixed_rows *r, int32_t sheaf, int64_t row, int32_t lane)
{
    const rct_mixed_sheaves *s = &r->sheaves;
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

void rct_mixed_set_ground(rct_mixed_packing *packing, const rct_ground *ground)
{
    const rct_mixed_rows *r = &packing->lanes;
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

rct_sweep_result rct_mixed_settle(const rct_plan *plan, rct_sweep_result result)
{
    while (result.end == SWEEP_NOT_FINITE && plan->parent[result.link] >= 0) {
        result.link = plan->parent[result.link];
    }
    return result;
}
