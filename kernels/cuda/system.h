/* A system on the device: what the host lays out and the kernels of one evaluation work on. Pointers
 * are device pointers unless said otherwise.
 *
 * A thread sweeps one *piece*, a few links of a segment; a warp a tile of 32 of them; neighbours on a
 * path are neighbours in number. Two spans end to end are composed into one, in a tree: the lower
 * levels by the block that swept the pieces, the upper ones by one block, four lanes a pair, in shared
 * memory. What is left is one span a segment, and the trunk that joins them.
 *
 * On the device the inboard handle of a piece is in the axes of the link it hangs on, and S less the
 * stand-in there, so that neighbours fit without more. The first piece of a segment, which hangs on the
 * trunk, has it in its own axes. What reaches pieces, the acceleration at the inboard end of each and S, e
 * beyond its outboard end, is kept by *leaves*: pieces of a block, or for the upper levels the spans that
 * blocks have left. A span from leaf a to leaf b is reached by the acceleration of a and S, e of b.
 *
 *     plant       bushes to the handles of their tasks                        a warp each bush
 *     add_sides   tasks to the pieces they hang beside                        a thread each link there
 *     condense    pieces to their two handles, lower compositions             a block each 128 pieces
 *     junction    upper compositions, the trunk inward and outward,           one block
 *                 upper spans opened
 *     accelerate  lower spans opened, pieces inward again and outward,        a block each 128 pieces
 *                 states advance
 *     harvest     bushes inward again and outward, states advance             a warp each bush
 *
 * The first two and the last only where there are tasks.
 *
 * For a trunk on the host the junction is two launches, join and part, with the spans of segments sent
 * to the host between them and their ends sent back.
 */
#ifndef RCT_KERNELS_CUDA_SYSTEM_H
#define RCT_KERNELS_CUDA_SYSTEM_H

#include "kernels/bushes.h"
#include "kernels/tiles.h"
#include "kernels/trunk.h"

#include <cuda_runtime_api.h>

enum {
    WARP = 32,
    PIECES = 128,       /* threads of a block that sweeps pieces                                */
    LOWER_LEVELS = 7,   /* compositions that make one span of as many                           */
    SLOTS = 2 * PIECES, /* spans of a block: pieces, and what they make                         */
    JOINERS = 256,      /* threads of the block at the junction                                 */
    GROUP = 4,          /* lanes that share a pair                                              */
    UPPER_MARKS = 32    /* places where upper levels begin, room for more than there can be    */
};

/* Spans number `inboard` and `outboard`, end to end, are span `whole`, from leaf `first` to leaf `last`; the
 * leaf `middle` is the last of the inboard one. */
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

/* A span that is not composed any more: its number, its first and its last leaf. */
typedef struct rct_root {
    int32_t span;
    int32_t first;
    int32_t last;
} rct_root;

/* A piece among its neighbours. */
typedef struct rct_piece {
    double stand_in; /* where it hangs; 0: on the trunk                                      */
    int64_t inboard; /* into tiles.state: the link it hangs on, or -1                        */
    int64_t last;    /* and its outermost link                                               */
    int32_t begins;  /* the segment whose first it is, or -1                                 */
    int32_t ends;    /* the segment whose last it is, or -1                                  */
} rct_piece;

/* A task, node of the reduced tree, beside a piece. */
typedef struct rct_side {
    int64_t side; /* into tiles.side: the side record of the link it hangs on */
    int32_t node;
    int32_t unused;
} rct_side;

/* The smallest labels at fault, NO_LABEL if there is none. A singular one is where the device met it; the
 * host finds the true one. */
typedef struct rct_device_labels {
    int32_t singular;
    int32_t not_finite;
} rct_device_labels;

/* What went wrong since the host looked last. The junction looks, too: from then on no state advances. */
typedef struct rct_device_fault {
    rct_device_labels inward;  /* met before the states of a stage advance                        */
    rct_device_labels outward; /* met while they do                                               */
    int32_t stop;              /* 1: the junction has seen one; set between launches              */
    int32_t stage;             /* at which it did                                                 */
    int64_t steps;             /* Runge-Kutta steps begun                                         */
} rct_device_fault;

enum { NO_LABEL = INT32_MAX };

typedef struct rct_device {
    rct_tiles tiles; /* of pieces                                                              */
    const int32_t
        *label; /* [tiles.count][WARP] label of the inboard link of a piece, -1: none     */
    const rct_piece *piece; /* [tiles.count][WARP]                                              */
    double *scratch;        /* [tiles.steps][SCRATCH_FIELDS][WARP]                              */

    const rct_pair *lower_pairs; /* [blocks][PIECES] by level                                */
    const int32_t *lower;        /* [blocks][LOWER_LEVELS + 1] where levels begin            */
    const rct_pair *upper_pairs; /* by level                                                 */
    const int32_t *upper;        /* [UPPER_MARKS] where levels begin                         */
    double *spans;             /* [blocks][SLOTS][SPAN_CORE] of the lower levels                 */
    double *upper_spans;       /* [upper_count][SPAN_CORE] roots of blocks, then what they make  */
    double *upper_ends;        /* [roots / WARP][END_FIELDS][WARP] of roots, S less the stand-in */
    const int32_t *first_root; /* [blocks + 1]                                               */
    const rct_root *roots;     /* of blocks, in their numbers                                */
    const rct_root *top;       /* [segment_count] the whole segments in upper numbers        */
    int32_t upper_levels;
    int32_t root_count;
    int32_t upper_count;  /* roots and what they make                                         */
    int32_t upper_shared; /* bytes of shared memory for the upper levels, 0: too many of them */
    int32_t blocks;
    int32_t segment_count;

    rct_trunk trunk; /* rows of spans and ends: of whole segments                         */
    const int32_t *node_label; /* [trunk.links.count]                                             */

    rct_bushes bushes;         /* of the tasks                                                   */
    double *bush_scratch;      /* [bushes.count][bushes.most_rows][BUSH_FIELDS][WARP]            */
    int32_t side_records;      /* links of pieces with tasks beside them                         */
    const int32_t *side_first; /* [side_records + 1] into sides                                  */
    const rct_side *sides;     /* in the order in which they are added                           */
    const int32_t *root_side;  /* [roots of all bushes] into sides, or -1                        */
    int32_t hung_count;        /* tasks on the trunk or the ground                               */
    const int32_t *hung;       /* [hung_count] nodes                                             */
    double *hung_rows;         /* [hung_count][work_fields] for a trunk on the host              */
    rct_device_fault *fault;
} rct_device;

/* The launches of a method, each on a stream; stage as in kernels/tiles.h. */
typedef struct rct_device_method {
    cudaError_t (*prepare)(void); /* on the thread's device, before the others there */
    cudaError_t (*plant)(const rct_device *device, cudaStream_t stream);
    cudaError_t (*add_sides)(const rct_device *device, cudaStream_t stream);
    cudaError_t (*condense)(const rct_device *device, cudaStream_t stream);
    cudaError_t (*join)(const rct_device *device, cudaStream_t stream);
    cudaError_t (*junction)(const rct_device *device, int stage, double dt, cudaStream_t stream);
    cudaError_t (*part)(const rct_device *device, cudaStream_t stream);
    cudaError_t (*accelerate)(const rct_device *device, int stage, double dt, cudaStream_t stream);
    cudaError_t (*harvest)(const rct_device *device, int stage, double dt, cudaStream_t stream);
} rct_device_method;

#ifdef __cplusplus
extern "C" {
#endif

extern const rct_device_method rct_device_abi;
extern const rct_device_method rct_device_riccati;

#ifdef __cplusplus
}
#endif

#endif
