/* A system on the device: the data that the host lays out and that the kernels of one evaluation
 * work on. Pointers are device pointers.
 *
 * A thread is a lane of a sheaf, a warp sweeps a group: a sheaf of segments or a bush. Segments are
 * composed, so that the trunk has one node for each run of them end to end. Narrow ones, in the
 * order of their labels, are *pieces*: a block sweeps PIECES of them and composes them in shared
 * memory as far as it can; one block does the upper levels. Wide ones are *chains*, composed level
 * by level.
 *
 *     forces at hinges                                                        a thread each link
 *     frames of wide segments as products, of chains                          compose, spans
 *     show ends        poses of last links of runs, to their records          a thread each run      (trunk on the host)
 *     trunk: frames                                                           one thread, or the host
 *     frames of chains, wide segments, and bushes that hang on them           spans, guide
 *     moments          at hinges behind pieces, where anything acts there     a thread each piece
 *     condense         hanging bushes, wide segments, chains, pieces
 *     junction         upper levels composed, the trunk inward and outward,   one block; or join, the host, part
 *                      upper levels opened
 *     accelerate       chains, pieces, wide segments, then bushes; states advance
 *
 * Between evaluations, a thread each link: states moved (moves.cu), and numbers in and out
 * (across.cu).
 *
 * Steps without work are not launched. A chain of ball hinges takes condense and accelerate, whose
 * blocks do the upper levels themselves, or a block between them where there are too many upper
 * levels. Systems whose trees are all bushes on the ground take only accelerate.
 */
#ifndef RCT_KERNELS_CUDA_SYSTEM_H
#define RCT_KERNELS_CUDA_SYSTEM_H

#include "kernels/records/coordinates.h"
#include "kernels/records/spans.h"
#include "kernels/records/trunk.h"

#include <cuda_runtime_api.h>

enum {
    WARP = 32,
    PIECES = 128,       /* threads of a block that sweeps pieces                   */
    LOWER_LEVELS = 7,   /* levels in which PIECES pieces become one span           */
    SLOTS = 2 * PIECES, /* spans of a block: pieces, and what they make            */
    JOINERS = 256,      /* threads of the block at the junction                    */
    LONERS = 512,       /* threads of the block for runs alone                     */
    SHARE = 4,          /* lanes that share a pair                                 */
    UPPER_MARKS = 32,   /* places where upper levels begin, more than there can be */
    PACKERS = 128       /* threads of a block that gathers records                 */
};

/* ---- runs of pieces ----------------------------------------------------------------------- */

/* Spans number `inboard` and `outboard`, end to end, are span `whole`, from leaf `first` to leaf
 * `last`; the leaf `middle` is the last of the inboard one. */
typedef struct rct_pair {
    int32_t inboard;
    int32_t outboard;
    int32_t whole;
    int32_t first;
    int32_t middle;
    int32_t last;
    int32_t label; /* of the link outboard of the joint */
    int32_t unused;
} rct_pair;

/* A span that is not composed further: its number, its first and its last leaf. */
typedef struct rct_root {
    int32_t span;
    int32_t first;
    int32_t last;
} rct_root;

/* A piece among its neighbours. */
typedef struct rct_piece {
    double stand_in; /* kg, at its inboard end; 0: it begins a run                            */
    int64_t follows; /* the link on the hinge behind it: its place in lanes, or -1: none here */
    int64_t own;     /* the place of its own last link                                        */
    int32_t run;     /* the run that it begins, or -1                                         */
    int32_t end;     /* the run that it ends, or -1                                           */
} rct_piece;

/* Piece i is in lane i % WARP of group lanes.bushes + i / WARP, in its first sheaf; a second sheaf
 * has side paths on pieces of the group (src/topology/sides.h). The inboard handle of a piece that
 * continues another is less the stand-in there, so that neighbours fit. *Leaves* keep what reaches
 * pieces: the acceleration at the inboard end of each, and S, e beyond its outboard end. Leaves are
 * pieces of a block, or, for the upper levels, the spans that blocks have left. A span from leaf a
 * to leaf b is reached by the acceleration of a and S, e of b. */
typedef struct rct_runs {
    int32_t pieces;
    int32_t count;
    int32_t blocks;
    const rct_piece *piece;      /* [pieces]                                                     */
    const int64_t *record;       /* [count] places of the records of runs, behind those of paths */
    const int64_t *first_record; /* [count] places of the records of their first pieces          */
    const int32_t *first_piece;  /* [count + 1]                                                  */
    const rct_pair *lower_pairs; /* [blocks][PIECES] by level                                    */
    const int32_t *lower;        /* [blocks][LOWER_LEVELS + 1] where levels begin                */
    const rct_pair *upper_pairs; /* by level                                                     */
    const int32_t *upper;        /* [UPPER_MARKS] where levels begin                             */
    double *spans;               /* [blocks][SLOTS][SPAN_CORE] of the lower levels               */
    double *upper_spans; /* [upper_count][SPAN_CORE] roots of blocks, then their compositions */
    double *upper_ends;  /* [roots / WARP][END_FIELDS][WARP] of roots, S less the stand-in    */
    const int32_t *first_root; /* [blocks + 1]                            */
    const rct_root *roots;     /* of blocks, in their numbers             */
    const rct_root *top;       /* [count] the whole runs in upper numbers */
    /* [count][3] m, where runs hang on the ground, if they hang on nothing else, or NULL */
    const double *at;
    int32_t by_block; /* 1: each block does the upper levels by itself */
    int32_t upper_levels;
    int32_t root_count;
    int32_t upper_count;  /* roots and their compositions                                     */
    int32_t upper_shared; /* bytes of shared memory for the upper levels, 0: too many of them */
} rct_runs;

/* Shared memory of the blocks that sweep pieces, bytes: spans, pairs, and where levels begin. To
 * accelerate also ends, and upper levels behind them. */
enum {
    LOWER_SHARED = SLOTS * SPAN_CORE * (int)sizeof(double) + PIECES * (int)sizeof(rct_pair) +
                   (LOWER_LEVELS + 1) * (int)sizeof(int32_t),
    ACCELERATE_SHARED = LOWER_SHARED + PIECES * END_FIELDS * (int)sizeof(double)
};

/* ---- chains of wide segments -------------------------------------------------------------- */

/* A span of a chain. */
typedef struct rct_member {
    int64_t place; /* of its record     */
    int32_t label; /* of its first link */
    int32_t unused;
} rct_member;

/* A few spans end to end, segments or chains of the level before; it has a record like that of a
 * segment. */
typedef struct rct_chain {
    int64_t place; /* of its record        */
    int32_t first; /* its innermost member */
    int32_t count;
} rct_chain;

/* Chains [first, end), of one level. */
typedef struct rct_chain_range {
    int32_t first;
    int32_t end;
} rct_chain_range;

typedef enum rct_chain_work {
    COMPOSE_FRAMES,
    COMPOSE_REACH, /* frames and reach */
    OPEN_FRAMES,
    COMPOSE_SPANS,
    OPEN_SPANS
} rct_chain_work;

/* ---- faults ------------------------------------------------------------------------------- */

/* The smallest labels at fault, NO_LABEL if there is none. A singular one is where the device met
 * it; the host finds the true one. */
typedef struct rct_device_labels {
    int32_t singular;
    int32_t not_finite;
} rct_device_labels;

/* The faults since the host looked last. The junction and the last launch of a stage look as well:
 * from then on no state advances. */
typedef struct rct_device_fault {
    rct_device_labels inward;  /* met before the states of a stage advance       */
    rct_device_labels outward; /* met while they do                              */
    int32_t stop;              /* 1: a fault has been seen; set between launches */
    int32_t stage;             /* at which it was seen                           */
    int64_t steps;             /* whole Runge-Kutta steps done                   */
} rct_device_fault;

enum { NO_LABEL = INT32_MAX };

/* Of the last moves of states: the largest derivatives, of rates that turn links at their hinges
 * and of others, or the size of a sum of slopes; whether the result is not a state. */
typedef struct rct_device_moves {
    double largest[2];
    int32_t refused;
} rct_device_moves;

/* ---- numbers across ----------------------------------------------------------------------- */

/* Where the numbers of links are outside: [rows][WARP] of lanes, then of links of the trunk;
 * neutral ones < 0. In arrays of the caller, and among states in label order. */
typedef struct rct_places_outside {
    const int64_t *coordinates, *rates, *state;
} rct_places_outside;

/* What is copied between all links and arrays on the device. In the order of the caller: as
 * rct_coordinate_kernels says (kernels/records/coordinates.h); states are put beside the present
 * ones, and moves->refused is 1 if any is not a state. Or in label order. */
typedef enum rct_across_what {
    RCT_PUT_STATE,
    RCT_TAKE_STATE,
    RCT_TAKE_DERIVATIVES,
    RCT_PUT_DERIVATIVES,
    RCT_PUT_RATES,
    RCT_PUT_EFFORTS,
    RCT_GATHER_STATE,
    RCT_SCATTER_STATE,
    RCT_GATHER_ACCELERATIONS
} rct_across_what;

typedef struct rct_across {
    rct_across_what what;
    int slot; /* of rates that are put, and of what is taken */
    rct_places_outside places;
    double *coordinates, *rates; /* NULL: none; efforts and derivatives are among rates */
    double *numbers;             /* in label order                                      */
} rct_across;

/* The same for some links, each in [MOST_STATE]: states, or loads. */
typedef enum rct_listed_what {
    RCT_LISTED_STATE,
    RCT_LISTED_LOADS,
    RCT_LISTED_LOADS_IN
} rct_listed_what;

typedef struct rct_listed {
    rct_listed_what what;
    const int64_t *places; /* as rct_packing.at has them */
    double *numbers;
} rct_listed;

/* ---- the whole ---------------------------------------------------------------------------- */

typedef struct rct_device {
    rct_sheaves lanes; /* records of runs and chains stand behind those of paths */
    double *scratch;   /* [rows][row_fields][W] (sweep_of_group in lane32.h)     */
    double *twigs;     /* records of twigs, [..][TWIG_FIELDS][W]                 */
    rct_runs runs;
    const rct_chain *chains; /* level after level */
    const rct_member *members;
    rct_sheaves rows; /* the links of the trunk, if that is on the device */
    rct_trunk trunk;
    const int32_t *node_label; /* [trunk.count] */

    /* records that a trunk on the host needs */
    int32_t hung_count;
    int32_t hung_open; /* the first ones, with ends; the other records end at PATH_CLOSED_FIELDS */
    const int64_t *hung;  /* [hung_count] their places      */
    double *hung_records; /* [PATH_OPEN_FIELDS][hung_count] */

    rct_device_fault *fault;
    int32_t *finished; /* blocks of the last launch of a stage that have finished */
    rct_device_moves *moves;
} rct_device;

/* Groups [first, end) of the lanes. */
typedef struct rct_group_range {
    int32_t first;
    int32_t end;
} rct_group_range;

/* `prepare` runs on the device of the thread, before the other functions. `last`: this launch is
 * the last of an evaluation and decides whether the next stage goes on. */

/* The sweeps of bushes and of wide segments, after guiding; groups that have been condensed are not
 * guided again. */
typedef struct rct_group_launches {
    cudaError_t (*prepare)(void);
    cudaError_t (*condense)(const rct_device *device, rct_group_range groups, cudaStream_t stream);
    cudaError_t (*accelerate)(const rct_device *device, rct_group_range groups, int last, int stage,
                              double dt, cudaStream_t stream);
} rct_group_launches;

/* The sweeps of pieces; `bare`: nothing hangs or acts on their links. */
typedef struct rct_piece_launches {
    cudaError_t (*prepare)(void);
    cudaError_t (*condense)(const rct_device *device, int bare, cudaStream_t stream);
    cudaError_t (*accelerate)(const rct_device *device, int bare, int last, int stage, double dt,
                              cudaStream_t stream);
} rct_piece_launches;

/* The junction on the device: frames of the trunk, and the rest. */
typedef struct rct_junction_launches {
    cudaError_t (*prepare)(void);
    cudaError_t (*guide)(const rct_device *device, cudaStream_t stream);
    cudaError_t (*solve)(const rct_device *device, int last, int stage, double dt,
                         cudaStream_t stream);
} rct_junction_launches;

/* The kernels of a method: groups that are all narrow, with only twigs on their links or with
 * anything; groups of any hinges, without rotors or with them; junctions of ball hinges and narrow
 * paths only, or of any. */
typedef struct rct_device_method {
    const rct_group_launches *bare, *narrow, *plain, *armed;
    const rct_piece_launches *pieces;
    const rct_junction_launches *balls, *any;
} rct_device_method;

#ifdef __cplusplus
extern "C" {
#endif

extern const rct_device_method rct_device_abi;
extern const rct_device_method rct_device_riccati;

/* The kernels that are the same for all methods. */
cudaError_t rct_prepare_frames(void);
cudaError_t rct_prepare_chains(void);
cudaError_t rct_prepare_join(void);

/* Forces at the hinges of `rows` rows in lanes. */
cudaError_t rct_launch_exert(const rct_device *device, int64_t rows, cudaStream_t stream);

cudaError_t rct_launch_compose(const rct_device *device, cudaStream_t stream);
cudaError_t rct_launch_guide(const rct_device *device, rct_group_range groups, cudaStream_t stream);
cudaError_t rct_launch_chains(const rct_device *device, rct_chain_work work, rct_chain_range chains,
                              cudaStream_t stream);
cudaError_t rct_launch_show_ends(const rct_device *device, cudaStream_t stream);
cudaError_t rct_launch_moments(const rct_device *device, cudaStream_t stream);

/* Fields [field, field + count) of the records on the trunk, gathered or, if `back`, scattered. */
cudaError_t rct_launch_pack(const rct_device *device, int field, int count, int back,
                            cudaStream_t stream);

/* The upper levels composed to the records of runs, and opened again. */
cudaError_t rct_launch_join(const rct_device *device, cudaStream_t stream);
cudaError_t rct_launch_part(const rct_device *device, cudaStream_t stream);

/* For loops and a trunk on the host: frames and reach of the last links of segments, and of runs;
 * and moves along derivatives of rates, to beside the states, with the largest derivatives. */
cudaError_t rct_launch_span(const rct_device *device, cudaStream_t stream);
cudaError_t rct_launch_reach_runs(const rct_device *device, cudaStream_t stream);
cudaError_t rct_launch_largest(const rct_device *device, cudaStream_t stream);
cudaError_t rct_launch_move(const rct_device *device, const rct_move *by, cudaStream_t stream);

/* Moves by slopes; the size of a sum of them, to moves->largest[0]; and moments at ball hinges.
 * Also for links of the trunk, if that is on the device. */
cudaError_t rct_prepare_moves(void);
cudaError_t rct_launch_weigh(const rct_device *device, const rct_weighing *by, cudaStream_t stream);
cudaError_t rct_launch_size_slopes(const rct_device *device, const rct_weighing *by, double length,
                                   cudaStream_t stream);
cudaError_t rct_launch_hold(const rct_device *device, const rct_holding *by, cudaStream_t stream);

cudaError_t rct_prepare_across(void);
cudaError_t rct_launch_cross(const rct_device *device, const rct_across *by, cudaStream_t stream);
cudaError_t rct_launch_listed(const rct_device *device, const rct_listed *by, int32_t count,
                              cudaStream_t stream);

/* Composes the upper levels and opens them in one launch, for runs without a trunk. */
cudaError_t rct_launch_alone(const rct_device *device, int stage, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
