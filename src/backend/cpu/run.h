/* The inside of a run on the CPU. */
#ifndef RCT_BACKEND_CPU_RUN_H
#define RCT_BACKEND_CPU_RUN_H

#include "backend/backend.h"
#include "core/team.h"
#include "topology/columns.h"
#include "topology/packing.h"

#include <stdatomic.h>

/* The links whose poses are wanted; NULL all where there will be no loads. */
typedef struct rct_wanted {
    int64_t *end;  /* [sheaves] end of the wanted rows, without last links of segments */
    int8_t *spans; /* [groups] whether the group is segments on the way                */
    int8_t *nodes; /* [trunk.count] wanted links, and segments with wanted last links  */
    int paths[2];  /* whether any rows are wanted, of bushes and of segments           */
} rct_wanted;

/* The rest of a member's share in a phase, on a cache line of its own. */
typedef struct rct_cursor {
    _Alignas(64) atomic_int next;
    int32_t end;
} rct_cursor;

/* The products of wide segments belong to the present state. The poses read last belong to the
 * present state and ground: the wanted ones, or all. */
enum { RCT_COMPOSED = 1 };
enum { RCT_POSED_WANTED = 1, RCT_POSED };

/* The poses in the columns belong to the present state; so do the motions in the scratch of groups,
 * under what acts. */
enum { RCT_MOVED = 1, RCT_FRAMED };

/* What hangs on the trunk is swept inward: in a state near this one, or in this state. The trunk
 * too, and its accelerations are known; all of it, in and out. */
enum { RCT_NEARLY = 1, RCT_CONDENSED, RCT_SETTLED, RCT_REACHED };

struct rct_run {
    const rct_plan *plan;
    const rct_sweep_kernels *kernels;
    const rct_trunk_kernels *serial;
    const rct_column_kernels *column_kernels;
    int is_serial; /* no segments and no lanes: one tree after the other */
    rct_partition *partition;
    rct_packing *packing;
    rct_team *team;
    double *scratch; /* [members][scratch_size] */
    int64_t scratch_size;
    /* [group_scratch_size] of whole trees with columns, or of bushes that are kept; else NULL */
    double *group_scratch;
    int64_t group_scratch_size;
    int32_t kept; /* the first bushes, whose way inward is kept for the way outward (backend.c) */
    rct_sweep_result *faults; /* [members] the first fault each member met, by label */
    rct_cursor *cursors;      /* [members]                                           */
    double *most;             /* [members][2] of moves                               */
    rct_wanted wanted;
    rct_row_columns *columns; /* or NULL */
    rct_held_trunk held;
    int composed;  /* what is known of the state: RCT_COMPOSED, or nothing          */
    int posed;     /* what is known of poses                                        */
    int moved;     /* of poses in the columns: RCT_MOVED, or RCT_FRAMED, or nothing */
    int condensed; /* of what hangs on the trunk: RCT_NEARLY or better, or nothing  */
    int advanced;  /* whether the last sweep got as far as advancing states         */
};

/* Nothing is known of the state. */
static inline void rct_cpu_forget(rct_run *run)
{
    run->composed = run->condensed = run->posed = run->moved = 0;
}

/* The numbers of link `label` to or from its row. */
void rct_cpu_copy(const rct_run *run, int32_t label, double *numbers, int in);

/* The link at fault in the segment of node n, which could not be closed. */
int32_t rct_cpu_blame(rct_run *run, int32_t n);

/* The result of a sweep as it is reported. A pivot may fail because the state is no longer finite:
 * then the fault is that, at the first such link. */
rct_sweep_result rct_cpu_judge(const rct_run *run, rct_sweep_result result);

/* Members of the team claim groups [first, end) until none is left. */
typedef void rct_group_work(void *context, int32_t group, int32_t member);
void rct_cpu_claim(const rct_run *run, int32_t first, int32_t end, rct_group_work *work,
                   void *context);

/* Members claim ranges of [0, count). */
void rct_cpu_share(const rct_run *run, int64_t range, int64_t count, rct_range_work *work,
                   void *context);

/* The largest share of rows of a member over the mean. */
double rct_cpu_imbalance(const rct_run *run);

/* Room for the links whose poses are wanted; none is at first. */
rct_status rct_cpu_create_wanted(rct_run *run, rct_error *error);
void rct_cpu_free_wanted(rct_run *run);
int64_t rct_cpu_wanted_bytes(const rct_run *run);

/* Room for what loops in the junction need, if any are held there. */
rct_status rct_cpu_create_held(rct_run *run, rct_error *error);

/* Operations of the tables. */
rct_sweep_result rct_cpu_condense(rct_run *run, int paths); /* `paths`: find those of loops, too */
rct_sweep_result rct_cpu_sway(rct_run *run);
void rct_cpu_take_back(rct_run *run);
void rct_cpu_want_poses(rct_run *run, const int32_t *links, int32_t count);
int rct_cpu_read_poses(rct_run *run, int all, const rct_pose_of_link *ground, rct_poses poses);
void rct_cpu_write_state(rct_run *run, const double *state);
void rct_cpu_read_state(const rct_run *run, double *state);
int rct_cpu_write_coordinates(rct_run *run, const double *coordinates, const double *rates);
void rct_cpu_read_coordinates(const rct_run *run, double *coordinates, double *rates);
void rct_cpu_read_links(const rct_run *run, const int32_t *links, int32_t count, double *state);
void rct_cpu_set_ground(rct_run *run, const rct_ground *ground);
void rct_cpu_write_loads(rct_run *run, const int32_t *links, int32_t count, const double *loads);
void rct_cpu_set_time(rct_run *run, double time);
void rct_cpu_set_delta(rct_run *run, double delta, const int32_t *links, int32_t count,
                       const double *rotors);
void rct_cpu_write_efforts(rct_run *run, const double *efforts);
void rct_cpu_read_accelerations(const rct_run *run, double *accelerations);
void rct_cpu_read_derivatives(const rct_run *run, double *derivatives);
void rct_cpu_read_forces(const rct_run *run, double *forces);
rct_sweep_result rct_cpu_evaluate(rct_run *run);
rct_sweep_result rct_cpu_rk4_stage(rct_run *run, int stage, double dt);
rct_status rct_cpu_renew(rct_run *run, rct_error *error);
double rct_cpu_predict(const rct_workload *work);

extern const rct_junction_operations rct_cpu_junction; /* junction.c */
extern const rct_column_operations rct_cpu_columns;    /* sweep.c    */
extern const rct_move_operations rct_cpu_moves;        /* state.c    */
extern const rct_slope_operations rct_cpu_slopes;

#endif
