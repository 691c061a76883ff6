/* Sheaves: paths of a tree side by side in lanes. The contract between a layout and the lane
 * kernels.
 *
 * A path is a run of consecutive labels, each link hung on the one before. A sheaf holds as many as
 * there are lanes, their outermost links in one row; shorter ones begin further out, behind neutral
 * links (unit mass and inertia, at rest). A path is closed, down to a tip, or open: a segment with
 * two handles, from which other paths continue. With W lanes, field f, lane l of a record of row g
 * lies at (g FIELDS + f) W + l. Records of paths, one per lane of a sheaf, are laid out in the same
 * way.
 *
 * A path knows its surroundings through its record alone: the link it hangs on leaves there how it
 * moves and, later, its acceleration; the path leaves what it adds to that link. All of it is in
 * the axes of that link, about its origin, so a link needs to know neither the hinge nor the place
 * of what hangs on it.
 *
 * A group is what one thread sweeps at a time: one sheaf of segments, or those of a bush, whole
 * small subtrees whose paths hang on one another, longer ones in earlier sheaves.
 */
#ifndef RCT_KERNELS_RECORDS_SHEAVES_H
#define RCT_KERNELS_RECORDS_SHEAVES_H

#include "kernels/records/columns.h"
#include "kernels/records/hinge_forces.h"
#include "kernels/records/poses.h"
#include "kernels/records/sweep_end.h"

/* The record of a path. A path that begins on the ground reads rct_ground instead; where trees have
 * a gravity of their own, the record has what reaches the path. */
enum {
    /* 12: of the link it hangs on, rotation to inertial (if anything needs it) and rate */
    PATH_FRAME = 0,
    PATH_ABOVE = 12, /* 6: acceleration of that link (outward)                     */
    PATH_SHARE = 18, /* 27: what it adds to that link: S by 21 and e by 6 (inward) */
    /* 9: of a narrow path on the trunk S and e at its hinge instead, e with S w x (w x r), axes of
     * that link; then 3, the moment there (inward) */
    PATH_HINGE = 18,
    PATH_CLOSED_FIELDS = 45,
    PATH_THROUGH = 45,    /* 36: E by rows: inboard there, outboard at the last link (inward) */
    PATH_FREE = 81,       /* 6: h (inward)                                                    */
    PATH_COMPLIANCE = 87, /* 21: Psi, upper half by rows (inward)                             */
    /* 27: S and e of all that hangs on the last link, its axes (trunk); at a narrow end 9: at the
     * hinge there */
    PATH_BEYOND = 108,
    PATH_END_MOMENT = 135, /* 3: the moment at the ball hinge there, its axes (trunk)         */
    PATH_STAND_IN = 138,   /* 2: mass and inertia that stand in for it (constant)             */
    PATH_OUT = 140,        /* 3: where the ball hinge that follows is, its axes (constant)    */
    PATH_PRODUCT = 143,    /* 12: frame of the last link if the one it hangs on were inertial */
    /* 1: the product is the frame itself, whatever the path hangs on; 2: and its place */
    PATH_ABSOLUTE = 155,
    /* 6: reach: from the link it hangs on, in its axes, to its first absolute hinge, and the
     * velocity of that point against the link */
    PATH_REACH = 156,
    /* 6: from there to the origin of its last link, inertial axes, and the relative velocity; 0
     * without such a hinge */
    PATH_ONWARD = 162,
    PATH_OPEN_FIELDS = 168,
    PATH_HANDLE_FIELDS = 27
};

/* A path is narrow if all its links, and one that follows its open end, if any, are on ball hinges:
 * then it transmits only forces, and moments that are known (kernels/sweeps/narrow.h). At a narrow
 * end there is a force at the hinge that follows, and the acceleration of that point less
 * w x (w x r): E is 3x3, of forces at its own hinge, and h and Psi have three components. A narrow
 * path that hangs on the trunk reads the orientation and rate of that link from TRUNK_TURN. It is
 * left the acceleration of its own hinge, less w x (w x r), in PATH_ABOVE, as if that were the
 * acceleration of a link without angular acceleration. */

/* Results of a row: the acceleration of the link, less gravity, link axes; then the derivatives of
 * its rates. In a narrow row the latter are the angular acceleration. */
enum { WIDE_RESULT_RATES = 6, NARROW_RESULT_RATES = 3, NARROW_RESULT_FIELDS = 6 };

/* What a row has besides its links: what acts on them besides gravity (at hinges by their own
 * state, constant wrenches, loads); paths that begin there; paths that hang on them. */
enum {
    HAS_EFFORT = 1,
    HAS_WRENCH = 2,
    HAS_LOAD = 4,
    HAS_HINGE_FORCE = 256,
    HAS_INERTIAL = 512, /* a force in inertial axes (WRENCH_INERTIAL_FORCE) */
    HAS_COUPLE = 1024,  /* moments besides its own (WRENCH_ARMS)            */
    HAS_ACTING = HAS_EFFORT | HAS_WRENCH | HAS_LOAD | HAS_HINGE_FORCE | HAS_INERTIAL | HAS_COUPLE,
    HAS_MOMENT = HAS_EFFORT | HAS_LOAD | HAS_HINGE_FORCE, /* there may be moments at ball hinges */
    HAS_START = 8,
    HAS_KIDS = 16,
    HAS_TWIGS = 32,    /* kids that are twigs; the others are HAS_KIDS                   */
    HAS_ARMATURE = 64, /* hinges with rotor inertia                                      */
    HAS_OTHERS = 128,  /* narrow paths that begin there beside segments or on wide links */
    HAS_BRANCHES = HAS_START | HAS_TWIGS /* all kids are twigs */
};

/* Values of some fields for all rows: row[g] = k >= 0 is record k for all lanes; row[g] = ~k is
 * record k with a value for each lane. */
typedef struct rct_row_constants {
    const int32_t *row;   /* [rows], or NULL: nothing anywhere */
    const double *shared; /* [][fields]                        */
    const double *spread; /* [][fields][W]                     */
    const double *wide;   /* [][fields][W]                     */
} rct_row_constants;

/* Forces at hinges in rows. */
typedef struct rct_hinge_forces {
    const int64_t *begin;         /* [rows + 1] of entries, or NULL: none anywhere  */
    const rct_hinge_force *entry; /* []                                             */
    const int32_t *force;         /* [][W] their numbers in the model, -1: none     */
    rct_row_constants number;     /* HINGE_FORCE_FIELDS, of entries instead of rows */
    /* [1 + forces] the table of force i is at i + 1; the first is 0 */
    const rct_hinge_table *table;
    double time; /* s, of the evaluation */
} rct_hinge_forces;

/* A twig is a narrow path that hangs on a link of a narrow sheaf, of its bush or of segments; it
 * transmits only a force at a point. It reads the turn of that link from the link's state, leaves S
 * and e there in the axes of that link, with its moment, and is left the acceleration of the point.
 * Its record is short and lives in the scratch for one sweep of the bush. A twig beside a segment
 * has its record in that of its path, from PATH_ABOVE on. That record also keeps the old turn and
 * rate of the link (PATH_FRAME), because the state of the segment advances first. */
enum {
    TWIG_POINT = 0,   /* 3: less gravity, axes of that link (outward) */
    TWIG_HANDLE = 6,  /* at most 12 (inward)                          */
    TWIG_MOMENT = 18, /* 3: where anything acts at hinges (inward)    */
    TWIG_FIELDS = 21
};

typedef struct rct_twigs {
    const int32_t *begin; /* [rows] lanes in which twigs begin, by bits */
    /* [sheaves][W] where the state is of the link that a twig hangs on; else its own */
    const int32_t *up;
    const int64_t *first; /* [rows + 1] */
    /* [][W], after a leading zero: places of those that hang on the links of a row; 0: none */
    const int32_t *place;
    const double *at;      /* [][3][W] m, their points in the axes of these links */
    const int32_t *beside; /* [rows] those of `begin` that are beside segments    */
    /* [rows] lanes in which narrow paths begin that hang on the trunk, by bits */
    const int32_t *trunk;
    /* [sheaves][W] where orientation and rate of that link are in `work`; else 0 */
    const int32_t *turn;
    const double *work; /* of the trunk */
    /* [rows] lanes in which narrow segments begin that continue others without the trunk; `up` has
     * the state of the link they hang on. On devices; else NULL */
    const int32_t *behind;
} rct_twigs;

typedef struct rct_sheaves {
    double gravity[3];         /* m/s^2, inertial axes, of all trees                            */
    const double *own_gravity; /* [rows][3][W] instead that of the tree of each lane; else NULL */
    rct_ground ground;         /* at the time of the evaluation                                 */
    double delta;              /* s, of an implicit stage (kernels/laws/rotor.h); else 0        */
    int attitude; /* whether any hinge needs the rotation of its parent to inertial axes */
    int moments;  /* whether there may be moments at ball hinges                         */
    int bends;    /* whether any of these have springs                                   */
    int32_t groups;
    int32_t bushes;       /* the first groups; the others are segments             */
    int32_t narrow_end;   /* end of the narrow ones                                */
    int32_t hanging;      /* the first of the bushes: those that hang on something */
    int32_t most_rows;    /* of a group, at most                                   */
    int32_t most_sheaves; /* of a group, at most                                   */
    int32_t row_fields;   /* of the scratch of a row, in numbers of one lane       */
    /* of a record: LINK_FIELDS where all sheaves are narrow, else LINK_ALL_FIELDS */
    int32_t link_fields;
    int32_t count;              /* sheaves      */
    const int32_t *first_sheaf; /* [groups + 1] */
    const int64_t *first_row;   /* [count + 1]  */
    /* [count + 1] where the records of a sheaf begin, in numbers of one lane */
    const int64_t *path_at;

    const int32_t *label; /* [rows][W], -1: neutral */
    /* [rows] hinge type of all lanes, or ~k: row k of `kind_lanes`; of threads that are lanes
     * [rows][W] types */
    const int32_t *kinds;
    const int32_t *kind_lanes;  /* [][RCT_HINGE_TYPES] lanes of each type, by bits          */
    const int32_t *record;      /* [rows] constants: shared or wide, as rct_row_constants   */
    const double *shared;       /* [][link_fields]                                          */
    const double *spread;       /* [][link_fields][W] the shared ones, for lanes in vectors */
    const double *wide;         /* [][link_fields][W]                                       */
    const int32_t *starts;      /* [rows] lanes in which a path begins, by bits             */
    const int32_t *grounded;    /* [rows] of these, on the ground                           */
    const int32_t *inside;      /* [rows] of these, on a link of its bush                   */
    const int32_t *coordinates; /* [rows] coordinates of the type that has most             */
    /* [rows + 1] where the state of a row begins, in numbers of one lane */
    const int64_t *state_at;
    const int64_t *result_at; /* [rows + 1] where its results begin              */
    const int8_t *narrow;     /* [count] whether all paths of a sheaf are narrow */
    const int64_t *first_kid; /* [rows + 1]                                      */
    const int32_t *kid; /* [][W] place of the record of a path that hangs on the link; 0: none */
    rct_twigs twigs;    /* the other paths that hang on links                                  */

    const uint16_t *has;      /* [rows] by bits (HAS_EFFORT)            */
    rct_row_constants effort; /* EFFORT_FIELDS: what acts at the hinges */
    rct_row_constants wrench; /* WRENCH_FIELDS: on the links            */
    rct_hinge_forces hinge_forces;
    /* [rows][3][W] what forces at hinges do, for threads that are lanes; else NULL */
    double *exerted;

    double *state, *base, *sum; /* what is evaluated; of a step: start, sum (laws/rk4_step.h) */
    double *slots;   /* [][slot] states and slopes besides (kernels/records/coordinates.h) */
    int64_t slot;    /* numbers of a state                                                 */
    double *results; /* (accelerate, where wanted)                                         */
    /* [links][6] force and moment that each link gets at its hinge, about its origin; on ball
     * hinges inertial axes, else link axes. accelerate leaves them from results that are there
     * before; NULL: not wanted */
    double *forces;
    double *paths; /* records of paths, after a record of zeros */
    double *loads; /* [rows][LOAD_FIELDS][W], or NULL: none     */
    /* [rows][3][W] what forces at hinges add to rotors in an implicit stage, or NULL: nothing */
    double *rotors;
    int owned; /* whether most rows have constants of their own */
} rct_sheaves;

/* Scratch of a row: its motion, then its gains; of a narrow row turn and gain. */
enum {
    ROW_MOTION = 0,
    ROW_GAINS = 32,
    ROW_GAIN_FIELDS = 7,
    NARROW_TURN = 0,
    NARROW_GAIN = 9,
    NARROW_FIELDS = 21
};

/* For links of at most `freedoms` freedoms; `narrow`: all sheaves are narrow. */
static inline int32_t rct_sheaves_row_fields(int32_t freedoms, int narrow)
{
    return narrow ? NARROW_FIELDS : ROW_GAINS + ROW_GAIN_FIELDS * freedoms;
}

/* The scratch of a group: a record of zeros; in a bush the records of twigs, one for each lane of
 * each sheaf, [1 + sheaves][TWIG_FIELDS][W]; then [rows][row_fields][W]. The most that any group
 * needs: */
static inline int64_t rct_sheaves_scratch(const rct_sheaves *s)
{
    return (int64_t)s->most_rows * s->row_fields + (int64_t)(1 + s->most_sheaves) * TWIG_FIELDS;
}

/* Where the scratch of a bush begins if each has its own, in numbers of one lane. */
static inline int64_t rct_sheaves_scratch_at(const rct_sheaves *s, int32_t group)
{
    const int32_t sheaf = s->first_sheaf[group];
    return s->first_row[sheaf] * s->row_fields + (int64_t)(group + sheaf) * TWIG_FIELDS;
}

/* The kernels of one method and width. A fault names the smallest label at fault of a group. */
typedef struct rct_sweep_kernels {
    int32_t lanes;

    /* compose: the frames of the last links of a sheaf of wide segments, as products. guide: once
     * the motion of what they hang on is known, the frame of every link, left with the paths that
     * hang on it. */
    void (*compose)(const rct_sheaves *sheaves, int32_t group);
    void (*guide)(const rct_sheaves *sheaves, int32_t group, double *scratch);

    /* span: as compose for any sheaf of segments, with their reach (PATH_REACH). pose: once the
     * poses of what they hang on are known, the poses of the links of a group: in each sheaf up to
     * row end[sheaf], or all where `end` is NULL. The last links of segments are left out; the
     * trunk has them. */
    void (*span)(const rct_sheaves *sheaves, int32_t group);
    void (*pose)(const rct_sheaves *sheaves, int32_t group, const int64_t *end,
                 const rct_places *places);

    /* Condense every path: what it adds to the link it hangs on, and its open end. What a bush
     * `leaves` in the scratch is for `reach`. */
    rct_sweep_result (*condense)(const rct_sheaves *sheaves, int32_t group, double *scratch,
                                 int leaves);

    /* Given what reaches the paths and what hangs on open ends: inward again, outward (in spite of
     * a vanishing pivot, so that the base of a step is whole), and what the stage wants: results
     * (STAGE_NONE), or the states advanced (kernels/laws/rk4_step.h). */
    rct_sweep_result (*accelerate)(const rct_sheaves *sheaves, int32_t group, int stage, double dt,
                                   double *scratch);

    /* accelerate of a bush, only outward, with what condense left in the scratch. */
    rct_sweep_result (*reach)(const rct_sheaves *sheaves, int32_t group, int stage, double dt,
                              double *scratch);
} rct_sweep_kernels;

/* Columns of a width and a method. */
typedef struct rct_column_kernels {
    /* In whole trees: the poses of wide links, given that of the ground. What the group leaves in
     * its scratch is for `inward`. */
    void (*pose)(const rct_sheaves *sheaves, int32_t group, const rct_columns *columns,
                 double *scratch);

    /* Inward as accelerate, with the columns of loops behind the links. `posed`: the poses of this
     * state are known, under what acts. What the group leaves in its scratch is for `answer`;
     * `room` (rct_columns_scratch) is free afterwards. */
    rct_sweep_result (*inward)(const rct_sheaves *sheaves, int32_t group,
                               const rct_columns *columns, int posed, double *scratch,
                               double *room);

    /* Outward as accelerate, from what was left in the scratch: with the multipliers besides what
     * acts and besides earlier multipliers; or, `alone`, with multipliers so large that nothing
     * else counts. */
    rct_sweep_result (*answer)(const rct_sheaves *sheaves, int32_t group,
                               const rct_columns *columns, int alone, int stage, double dt,
                               double *scratch);

    /* After a sweep outward has left results: what rows of J take from them. */
    void (*take)(const rct_sheaves *sheaves, int32_t group, const rct_columns *columns);
} rct_column_kernels;

extern const rct_sweep_kernels rct_abi_w1;
extern const rct_sweep_kernels rct_abi_rows;
extern const rct_sweep_kernels rct_abi_w2;
extern const rct_sweep_kernels rct_abi_w4;
extern const rct_sweep_kernels rct_abi_w8;
extern const rct_sweep_kernels rct_riccati_w1;
extern const rct_sweep_kernels rct_riccati_w2;
extern const rct_sweep_kernels rct_riccati_w4;
extern const rct_sweep_kernels rct_riccati_w8;
extern const rct_column_kernels rct_riccati_columns_w1;
extern const rct_column_kernels rct_riccati_columns_w2;
extern const rct_column_kernels rct_riccati_columns_w4;
extern const rct_column_kernels rct_riccati_columns_w8;

#endif
