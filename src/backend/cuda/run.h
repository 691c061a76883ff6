/* A run on a device from the inside. */
#ifndef RCT_BACKEND_CUDA_RUN_H
#define RCT_BACKEND_CUDA_RUN_H

#include "backend/backend.h"
#include "backend/cuda/lease.h"
#include "kernels/cuda/system.h"
#include "topology/packing.h"

enum { CHAIN_MOST = 8, CHAIN_LEVELS = 12 };

/* Blocks that sweep pieces up to which each may have most of a multiprocessor's shared memory: so many run at once. */
enum { BLOCKS_AT_ONCE = 132 };

/* Chains of wide segments, level by level. */
typedef struct rct_cuda_chains {
    int32_t chain_count, member_count;
    rct_chain *chains;
    rct_member *members;
    int32_t levels;
    int32_t first[CHAIN_LEVELS + 1]; /* where those of a level begin */
} rct_cuda_chains;

/* Runs of pieces: the arrays of rct_runs on the host. */
typedef struct rct_cuda_runs {
    rct_runs shown;
    int32_t *label; /* [pieces] of their first links */
    rct_piece *piece;
    int64_t *record;
    int64_t *first_record;
    int32_t *first_piece; /* [count + 1] */
    int64_t *last_state;  /* [count] where the state of the last link begins */
    rct_pair *lower_pairs, *upper_pairs;
    int32_t *lower, *upper;
    int32_t *first_root;
    rct_root *roots, *top;
} rct_cuda_runs;

/* The trunk of what is left: a node for each run, chain, link and hung task. Its arrays on the host. */
typedef struct rct_cuda_trunk {
    rct_trunk shown;
    int32_t *parent, *row, *kind, *slot, *node_label;
    int64_t *path, *last_state, *follows;
    double *at;
    int32_t
        *slot_of;  /* [slots of the packing's trunk] where what hangs there finds it here       */
    int64_t *hung; /* [hung_count] places of the records that hang on it                        */
    double *turns; /* pinned, [slots][STATE_FIELDS], of a trunk on the host: for narrow paths   */
    double *device_turns;
} rct_cuda_trunk;

/* Paths on the ground, if trees have gravities of their own: what reaches them from there is in their records. */
typedef struct rct_cuda_roots {
    int32_t count;
    int stale;       /* whether the device has that of another ground                            */
    int64_t *places; /* [count] of their records                                                 */
    double *packed;  /* pinned, [PATH_SHARE][count] fields of records; only PATH_ABOVE on is sent */
    int64_t *device_places; /* the same on the device                                            */
    double *device_packed;
} rct_cuda_roots;

/* Numbers on their way between the device and the caller, in an order of his (rct_across), and those of listed links. */
enum { RCT_LISTED = 4096 };
typedef struct rct_cuda_across {
    rct_places_outside places; /* on the device */
    double *numbers;           /* there: of all links                        */
    int32_t *labels;           /* [RCT_LISTED] of links that are listed      */
    int64_t *listed_places;    /* the same, pinned                           */
    double *listed_numbers;    /* [RCT_LISTED][MOST_STATE] pinned            */
    int64_t *device_places;    /* both on the device                         */
    double *device_numbers;
} rct_cuda_across;

/* States kept: copied on the device, then to pinned memory on a stream of their own. */
typedef struct rct_keep {
    cudaStream_t stream;
    cudaEvent_t gathered, copied;
    double *device; /* NULL until it is asked for, as all of this        */
    double *numbers;
    int busy; /* whether a copy may be under way */
} rct_keep;

/* The links whose poses are wanted: nodes of the trunk alone, or these and what carries them. */
typedef struct rct_cuda_wanted {
    int on_trunk;
    int8_t *nodes;  /* [nodes of the trunk] NODE_SHOWN and others */
    int32_t *links; /* [count] ascending                          */
    int32_t count;
} rct_cuda_wanted;

/* What hangs on a trunk on the host is swept inward in this state; then the trunk too, in and out. */
enum { RCT_CUDA_CONDENSED = 1, RCT_CUDA_REACHED };

/* What set_delta was last given. */
typedef struct rct_cuda_yield {
    double delta;
    const int32_t *links;
    int32_t count;
    const double *rotors;
} rct_cuda_yield;

struct rct_run {
    const rct_plan *plan;
    rct_method method;
    rct_partition *partition;
    rct_packing *packing; /* links on the device have no states, results and loads in it          */
    rct_device device;    /* device pointers */
    const rct_device_method *kernels;
    const rct_group_launches *bushes, *segments;
    const rct_trunk_kernels *serial;       /* of a trunk on the host        */
    const rct_junction_launches *junction; /* NULL: the trunk is on the host, or  */
    int alone; /* whether runs on the ground are all there is of it: no trunk is asked for        */
    int bare;  /* whether nothing hangs or acts on links of pieces                               */
    int loaded; /* whether rows on the device may have loads: from the first that come there on  */
    int guide;  /* whether anything asks how the trunk stands                                     */
    int frames; /* whether hanging bushes ask for frames, and whether pieces leave some           */
    int leaves;
    rct_lease lease;
    rct_device_fault *fault; /* pinned, the device's last seen */
    rct_cuda_yield yield;
    double *gathered; /* the state in label order, to look for a fault                          */
    rct_cuda_across across;
    rct_cuda_runs runs;
    rct_cuda_chains chains;
    rct_cuda_trunk trunk;
    rct_cuda_roots roots;
    rct_held_trunk held; /* where loops are held, on the host */
    int condensed;       /* RCT_CUDA_CONDENSED or better      */
    rct_cuda_wanted wanted;
    rct_device_moves *moves; /* pinned */
    int32_t slots;
    int64_t *
        device_above; /* [rows][WARP], [rows of the trunk] (rct_holding), NULL: balls are held on the host */
    rct_keep keep;
    rct_step step;
    rct_ground step_ground; /* on which the step was recorded */
};

/* ---- making a run: what a failure leaves, its destroy releases ------------------------------- */

/* Runs, chains, and the trunk of what is left. */
rct_status rct_cuda_find_runs(rct_run *run, rct_error *error);
rct_status rct_cuda_find_trunk(rct_run *run, rct_error *error);
rct_status rct_cuda_upload(rct_run *run, rct_error *error);
void rct_cuda_free_runs(rct_cuda_runs *runs);
void rct_cuda_free_trunk(rct_run *run);

/* Room for the poses that are wanted, none at first. */
rct_status rct_cuda_create_wanted(rct_run *run, rct_error *error);
void rct_cuda_free_wanted(rct_run *run);
int64_t rct_cuda_wanted_bytes(const rct_run *run);

/* Loads come to links that are swept on the device: choose sweeps that know of some, unless they do. */
void rct_cuda_expect_loads(rct_run *run);

/* What rows have, to the device. 0: it failed. */
int rct_cuda_send_has(rct_run *run, const rct_rows *rows, const rct_sheaves *device);

/* Whether an evaluation never leaves the device. */
int rct_cuda_is_resident(const rct_run *run);

/* What blocks have in shared memory for runs. */
void rct_cuda_share_out(const rct_run *run, rct_runs *runs);

/* Where record k is, of runs and then of chains, behind those of paths; and the numbers of all records. */
int64_t rct_cuda_record(const rct_run *run, int64_t k);
int64_t rct_cuda_records(const rct_run *run);

/* ---- numbers across ------------------------------------------------------------------------- */

rct_status rct_cuda_create_across(rct_run *run, rct_error *error);
void rct_cuda_free_across(rct_run *run);

/* Whether a link is swept on the device. */
int rct_cuda_has_link(const rct_run *run, int32_t link);

/* What crosses, its arrays on the device; and with those of the caller there or back, `coordinates` NULL: none. 0: the device failed. */
int rct_cuda_cross(rct_run *run, rct_across by);
int rct_cuda_put(rct_run *run, rct_across_what what, int slot, const double *coordinates,
                 const double *rates);
int rct_cuda_take(rct_run *run, rct_across_what what, int slot, double *coordinates, double *rates);

/* Of listed links on the device, others passed over: states and efforts to their places among those of all, `links` NULL: of all; loads
 * of all, and of some there, in [links][LOAD_FIELDS]. */
void rct_cuda_list_states(rct_run *run, const int32_t *links, int32_t count, double *state);
void rct_cuda_list_efforts(rct_run *run, const int32_t *links, int32_t count, double *efforts);
void rct_cuda_list_loads(rct_run *run, double *loads);
void rct_cuda_list_loads_in(rct_run *run, const int32_t *links, int32_t count, const double *loads);

/* Around a launch that leaves run->moves: nothing there before; all there after. 0: the device failed. */
int rct_cuda_begin_moves(rct_run *run);
int rct_cuda_end_moves(rct_run *run);

/* ---- faults --------------------------------------------------------------------------------- */

extern const rct_device_fault rct_cuda_no_fault;
rct_sweep_result rct_cuda_fault_of(const rct_device_labels *labels);

/* Tell the device to forget its faults; fetch those it has met since. 0: the device failed. */
int rct_cuda_forget_fault(rct_run *run);
int rct_cuda_see_fault(rct_run *run);

/* The states back to where the last step began. */
void rct_cuda_take_back(rct_run *run);

/* What the faults seen amount to. A step that had begun to advance states is taken back. */
rct_sweep_result rct_cuda_verdict(rct_run *run, int in_step);

/* ---- the operations of the table ------------------------------------------------------------- */

void rct_cuda_write_state(rct_run *run, const double *state);
void rct_cuda_read_state(const rct_run *run, double *state);
int rct_cuda_write_coordinates(rct_run *run, const double *coordinates, const double *rates);
void rct_cuda_read_coordinates(const rct_run *run, double *coordinates, double *rates);
void rct_cuda_read_links(const rct_run *run, const int32_t *links, int32_t count, double *state);
void rct_cuda_want_poses(rct_run *run, const int32_t *links, int32_t count);
int rct_cuda_read_poses(rct_run *run, int all, const rct_pose_of_link *ground, rct_poses poses);
void rct_cuda_set_ground(rct_run *run, const rct_ground *ground);
void rct_cuda_set_time(rct_run *run, double time);
void rct_cuda_write_loads(rct_run *run, const int32_t *links, int32_t count, const double *loads);
void rct_cuda_write_efforts(rct_run *run, const double *efforts);
void rct_cuda_set_delta(rct_run *run, double delta, const int32_t *links, int32_t count,
                        const double *rotors);
void rct_cuda_read_accelerations(const rct_run *run, double *accelerations);
void rct_cuda_read_derivatives(const rct_run *run, double *derivatives);
void rct_cuda_write_derivatives(rct_run *run, const double *derivatives);
void rct_cuda_put_rates(rct_run *run, int slot, const double *of_coordinates,
                        const double *of_rates);
void rct_cuda_take_slot(rct_run *run, int slot, double *coordinates, double *rates);
void rct_cuda_read_efforts(rct_run *run, const int32_t *links, int32_t count, double *efforts);
rct_sweep_result rct_cuda_evaluate(rct_run *run);
rct_sweep_result rct_cuda_condense(rct_run *run);

/* Fields [field, field + count) of the records on a trunk on the host to there. 0: the device failed. */
int rct_cuda_fetch(rct_run *run, int field, int count);
rct_sweep_result rct_cuda_rk4_stage(rct_run *run, int stage, double dt);
rct_sweep_result rct_cuda_rk4_steps(rct_run *run, double dt, int64_t steps, int64_t *done);
rct_status rct_cuda_keep(rct_run *run, rct_error *error);
int rct_cuda_read_kept(rct_run *run, double *state, double *coordinates, double *rates);

/* What the ground set last leaves in the records of roots, to the device before it sweeps. 0: the device failed. */
int rct_cuda_leave_ground(rct_run *run);

void rct_cuda_keep_free(rct_run *run);

extern const rct_dense_operations rct_cuda_dense;
extern const rct_junction_operations rct_cuda_junction; /* junction.c */
extern const rct_move_operations rct_cuda_moves;        /* moves.c */
extern const rct_slope_operations rct_cuda_slopes;

#endif
