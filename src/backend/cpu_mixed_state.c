/* States, loads and results of a mixed run on the CPU: between label order and rows. */
#include "backend/cpu_mixed.h"

/* The numbers of link `label`: coordinates at `to`, rates behind them; in the rows fields are `lanes` apart, and
 * rates behind the coordinates of the type of the row that has most. */
void rct_cpu_mixed_copy(const rct_mixed_run *run, int32_t label, double *numbers, int in)
{
    int64_t g;
    int32_t lane;
    const rct_mixed_rows *r = rct_mixed_packing_find(run->packing, label, &g, &lane);
    const rct_hinge_type kind = (rct_hinge_type)run->plan->kind[label];
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

void rct_cpu_mixed_write_state(rct_mixed_run *run, const double *state)
{
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        rct_cpu_mixed_copy(run, l, (double *)state + run->plan->state_at[l], 1);
    }
}

void rct_cpu_mixed_read_state(const rct_mixed_run *run, double *state)
{
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        rct_cpu_mixed_copy(run, l, state + run->plan->state_at[l], 0);
    }
}

void rct_cpu_mixed_set_ground(rct_mixed_run *run, const rct_ground *ground)
{
    run->packing->lanes.sheaves.ground = *ground;
    run->packing->links.sheaves.ground = *ground;
}

void rct_cpu_mixed_write_loads(rct_mixed_run *run, const double *loads)
{
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        int64_t g;
        int32_t lane;
        const rct_mixed_rows *r = rct_mixed_packing_find(run->packing, l, &g, &lane);
        double *row = r->sheaves.loads + g * LOAD_FIELDS * r->lanes + lane;
        for (int32_t f = 0; f < LOAD_FIELDS; f++) {
            row[f * r->lanes] = loads[(int64_t)l * LOAD_FIELDS + f];
        }
    }
}

static const double *results_of(const rct_mixed_run *run, int32_t label, int32_t *lanes)
{
    int64_t g;
    int32_t lane;
    const rct_mixed_rows *r = rct_mixed_packing_find(run->packing, label, &g, &lane);
    *lanes = r->lanes;
    return r->sheaves.results + r->result_at[g] * r->lanes + lane;
}

void rct_cpu_mixed_read_accelerations(const rct_mixed_run *run, double *accelerations)
{
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        int32_t lanes;
        const double *result = results_of(run, l, &lanes);
        for (int32_t i = 0; i < MIXED_RESULT_RATES; i++) {
            accelerations[6 * (int64_t)l + i] = result[i * lanes];
        }
    }
}

void rct_cpu_mixed_read_rates(const rct_mixed_run *run, double *rates)
{
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        int32_t lanes;
        const double *result = results_of(run, l, &lanes);
        const int32_t u = rct_hinge_freedoms((rct_hinge_type)run->plan->kind[l]);
        for (int32_t i = 0; i < u; i++) {
            *rates++ = result[(MIXED_RESULT_RATES + i) * lanes];
        }
    }
}
