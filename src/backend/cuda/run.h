/* The inside of a run on a device. */
#ifndef RCT_BACKEND_CUDA_RUN_H
#define RCT_BACKEND_CUDA_RUN_H

#include "backend/backend.h"
#include "backend/cuda/lease.h"
#include "kernels/cuda/system.h"
#include "topology/packing.h"

enum { CHAIN_MOST = 8, CHAIN_LEVELS = 12 };

/* Up to this many blocks that sweep pieces, each may have most of a multiprocessor's shared memory:
 * they all run at once. */
enum { BLOCKS_AT_ONCE = 132 };

/* Chains of wide segments, level by level. */
typedef struct rct_cuda_chains {
    int32_t chain_count, member_count;
    rct_chain *chains;
    rct_member *members;
    int32_t levels;
    int32_t first[CHAIN_LEVELS + 1]; /* where those of a level begin */
} rct_cuda_chains;

/* Tasks have up to RCT_TASK links; runs of RCT_NARROW_RUN ball hinges and more are kept narrow. */
enum { RCT_TASK = 256, RCT_NARROW_RUN = 2048 };

/* Runs of pieces: the arrays of rct_runs on the host. */
typedef struct rct_cuda_runs {
    rct_runs shown;
    int32_t *label; /* [pieces] of their first links */
    rct_piece *piece;
    int64_t *record;
    int64_t *first_record;
    int32_t *first_piece; /* [count + 1]                                     */
    int64_t *last_state;  /* [count] where the state of the last link begins */
    rct_pair *lower_pairs, *upper_pairs;
    int32_t *lower, *upper;
    int32_t *first_root;
    rct_root *roots, *top;
} rct_cuda_runs;

/* The trunk of the rest: a node for each run, chain, link and hung task. Its arrays on the host. */
typedef struct rct_cuda_trunk {
    rct_trunk shown;
    int32_t *parent, *row, *kind, *slot, *node_label;
    int64_t *path, *last_state, *follows;
    double *at;
    int32_t *slot_of; /* [slots of the packing's trunk] the slot here of what hangs there        */
    int64_t *hung;    /* [hung_count] places of the records that hang on it                      */
    double *turns;    /* pinned, [slots][STATE_FIELDS], of a trunk on the host: for narrow paths */
    double *device_turns;
} rct_cuda_trunk;

/* Paths on the ground, where trees have gravities of their own: their records have what reaches
 * them from the ground. */
typedef struct rct_cuda_roots {
    int32_t count;
    int stale;       /* whether the device has the values of another ground                       */
    int64_t *places; /* [count] of their records                                                  */
    double *packed;  /* pinned, [PATH_SHARE][count] fields of records; only PATH_ABOVE on is sent */
    int64_t *device_places; /* the same on the device */
    double *device_packed;
} rct_cuda_roots;

/* Numbers on their way between the device and the caller, in the caller's order (rct_across), and
 * numbers of listed links. */
enum { RCT_LISTED = 4096 };
typedef struct rct_cuda_across {
    rct_places_outside places; /* on the device                         */
    double *numbers;           /* there: of all links                   */
    int32_t *labels;           /* [RCT_LISTED] of links that are listed */
    int64_t *listed_places;    /* the same, pinned                      */
    double *listed_numbers;    /* [RCT_LISTED][MOST_STATE] pinned       */
    int64_t *device_places;    /* both on the device                    */
    double *device_numbers;
} rct_cuda_across;

/* States kept: copied on the device, then to pinned memory on a stream of their own. */
typedef struct rct_keep {
    cudaStream_t stream;
    cudaEvent_t gathered, copied;
    double *device; /* NULL, like the rest, until it is needed */
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

/* What hangs on a trunk on the host is swept inward in this state. The trunk too, and its
 * accelerations are known; all of it, in and out. */
enum { RCT_CUDA_CONDENSED = 1, RCT_CUDA_SETTLED, RCT_CUDA_REACHED };

/* The last values given to set_delta. */
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
    rct_packing *packing; /* without states, results and loads of links on the device */
    rct_device device;    /* device pointers                                          */
    const rct_device_method *kernels;
    const rct_group_launches *bushes, *segments;
    const rct_trunk_kernels *serial;       /* of a trunk on the host                           */
    const rct_junction_launches *junction; /* NULL: the trunk is on the host, or there is none */
    int alone;  /* whether it is only runs on the ground: no trunk is needed              */
    int bare;   /* whether nothing hangs or acts on links of pieces                       */
    int loaded; /* whether rows on the device may have loads: from the first such load on */
    int guide;  /* whether anything needs frames of the trunk                             */
    int frames; /* whether hanging bushes need frames, and whether pieces leave some      */
    int leaves;
    rct_lease lease;
    rct_device_fault *fault; /* pinned, as last fetched from the device */
    rct_cuda_yield yield;
    double *gathered; /* the state in label order, to look for a fault */
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
    /* [rows][WARP], [rows of the trunk] (rct_holding), NULL: the host holds balls */
    int64_t *device_above;
    rct_keep keep;
    rct_step step;
    rct_ground step_ground; /* for which the step was recorded */
};

/* ---- making a run: destroy releases what a failure leaves ---------------------------------- */

/* Finds runs, chains, and the trunk of the rest. */
rct_status rct_cuda_find_runs(rct_run *run, rct_error *error);
rct_status rct_cuda_find_trunk(rct_run *run, rct_error *error);
rct_status rct_cuda_upload(rct_run *run, rct_error *error);
void rct_cuda_free_runs(rct_cuda_runs *runs);
void rct_cuda_free_trunk(rct_run *run);

/* Room for the poses that are wanted; none is at first. */
rct_status rct_cuda_create_wanted(rct_run *run, rct_error *error);
void rct_cuda_free_wanted(rct_run *run);
int64_t rct_cuda_wanted_bytes(const rct_run *run);

/* Links that are swept on the device get loads: chooses sweeps with loads, unless they are chosen
 * already. */
void rct_cuda_expect_loads(rct_run *run);

/* Sends what rows have to the device. 0: it failed. */
int rct_cuda_send_has(rct_run *run, const rct_rows *rows, const rct_sheaves *device);

/* Whether an evaluation never leaves the device. */
int rct_cuda_is_resident(const rct_run *run);

/* Sizes of the shared memory that blocks have for runs. */
void rct_cuda_share_out(const rct_run *run, rct_runs *runs);

/* Where record k is, of runs and then of chains, behind those of paths; and the numbers of all
 * records. */
int64_t rct_cuda_record(const rct_run *run, int64_t k);
int64_t rct_cuda_records(const rct_run *run);

/* ---- numbers across ------------------------------------------------------------------------- */

rct_status rct_cuda_create_across(rct_run *run, rct_error *error);
void rct_cuda_free_across(rct_run *run);

/* Whether a link is swept on the device. */
int rct_cuda_has_link(const rct_run *run, int32_t link);

/* rct_cuda_cross: copies between links and arrays on the device. put and take also copy the
 * caller's arrays there or back, `coordinates` NULL: none. 0: the device failed. */
int rct_cuda_cross(rct_run *run, rct_across by);
int rct_cuda_put(rct_run *run, rct_across_what what, int slot, const double *coordinates,
                 const double *rates);
int rct_cuda_take(rct_run *run, rct_across_what what, int slot, double *coordinates, double *rates);

/* Listed links on the device; others are skipped. States and efforts to their places among those of
 * all, `links` NULL: of all links; loads of all links, and loads of some to the device, in
 * [links][LOAD_FIELDS]. */
void rct_cuda_list_states(rct_run *run, const int32_t *links, int32_t count, double *state);
void rct_cuda_list_efforts(rct_run *run, const int32_t *links, int32_t count, double *efforts);
void rct_cuda_list_loads(rct_run *run, double *loads);
void rct_cuda_list_loads_in(rct_run *run, const int32_t *links, int32_t count, const double *loads);

/* Around a launch that leaves run->moves: clears them before, fetches them after. 0: the device
 * failed. */
int rct_cuda_begin_moves(rct_run *run);
int rct_cuda_end_moves(rct_run *run);

/* ---- faults --------------------------------------------------------------------------------- */

extern const rct_device_fault rct_cuda_no_fault;
rct_sweep_result rct_cuda_fault_of(const rct_device_labels *labels);

/* Tells the device to forget its faults; fetches those it has met since. 0: the device failed. */
int rct_cuda_forget_fault(rct_run *run);
int rct_cuda_see_fault(rct_run *run);

/* Takes the states back to where the last step began. */
void rct_cuda_take_back(rct_run *run);

/* The result that the fetched faults mean. A step that had begun to advance states is taken
 * back. */
rct_sweep_result rct_cuda_verdict(rct_run *run, int in_step);

/* ---- the operations of the table ------------------------------------------------------------- */

void rct_cuda_write_state(rct_run *run, const double *state);
void rct_cuda_read_state(const rct_run *run, double *state);
double rct_cuda_predict(const rct_workload *work);
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

/* Fetches fields [field, field + count) of the records on a trunk on the host. 0: the device
 * failed. */
int rct_cuda_fetch(rct_run *run, int field, int count);
rct_sweep_result rct_cuda_rk4_stage(rct_run *run, int stage, double dt);
rct_sweep_result rct_cuda_rk4_steps(rct_run *run, double dt, int64_t steps, int64_t *done);
rct_status rct_cuda_keep(rct_run *run, rct_error *error);
int rct_cuda_read_kept(rct_run *run, double *state, double *coordinates, double *rates);

/* Sends what the last ground leaves in the records of roots, before the device sweeps. 0: the
 * device failed. */
int rct_cuda_leave_ground(rct_run *run);

void rct_cuda_keep_free(rct_run *run);

extern const rct_dense_operations rct_cuda_dense;
extern const rct_junction_operations rct_cuda_junction; /* junction.c */
extern const rct_move_operations rct_cuda_moves;        /* moves.c    */
extern const rct_slope_operations rct_cuda_slopes;

#endif
