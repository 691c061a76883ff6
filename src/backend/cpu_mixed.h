/* A run of a mixed plan on the CPU from the inside. */
#ifndef RCT_BACKEND_CPU_MIXED_H
#define RCT_BACKEND_CPU_MIXED_H

#include "backend/backend.h"
#include "core/team.h"
#include "topology/mixed_packing.h"

struct rct_mixed_run {
    const rct_plan *plan;
    const rct_mixed_kernels *kernels;
    const rct_mixed_trunk_kernels *serial;
    int is_serial; /* no segments and no lanes: one tree after the other                 */
    rct_partition *partition;
    rct_mixed_packing *packing;
    rct_team *team;
    double *scratch; /* [members][scratch_size]                             */
    int64_t scratch_size;
    rct_sweep_result *faults; /* [members] the first fault each member met, by label */
    double imbalance;         /* largest share of rows of a member over the mean      */
    int advanced;             /* whether the last sweep came to where states advance */
};

/* The numbers of link `label` to or from where its row has them. */
void rct_cpu_mixed_copy(const rct_mixed_run *run, int32_t label, double *numbers, int in);

/* Writes `imbalance`. */
rct_status rct_cpu_mixed_share(rct_mixed_run *run, rct_error *error);

/* As the backend table has them. */
void rct_cpu_mixed_write_state(rct_mixed_run *run, const double *state);
void rct_cpu_mixed_read_state(const rct_mixed_run *run, double *state);
void rct_cpu_mixed_read_links(const rct_mixed_run *run, const int32_t *links, int32_t count,
                              double *state);
void rct_cpu_mixed_set_ground(rct_mixed_run *run, const rct_ground *ground);
void rct_cpu_mixed_write_loads(rct_mixed_run *run, const int32_t *links, int32_t count,
                               const double *loads);
void rct_cpu_mixed_read_accelerations(const rct_mixed_run *run, double *accelerations);
void rct_cpu_mixed_read_rates(const rct_mixed_run *run, double *rates);
void rct_cpu_mixed_read_forces(const rct_mixed_run *run, double *forces);
rct_status rct_cpu_mixed_renew(rct_mixed_run *run, rct_error *error);

#endif
