/* Sheaves: paths of a tree side by side in lanes. The contract between a layout and the lane kernels.
 *
 * A path is a run of consecutive labels, each link hung on the one before. A sheaf holds as many as there are
 * lanes, their outermost links in one row; shorter ones begin further out, behind neutral links (unit mass and
 * inertia, at rest). A path is closed, down to a tip, or open: a segment with two handles, which other paths go
 * on from. With W lanes, field f, lane l of a record of row g lies at (g FIELDS + f) W + l, and so for the records
 * of paths, one a lane of a sheaf.
 *
 * A path knows its surroundings through its record alone: what it hangs on leaves there how it moves and, later,
 * its acceleration; the path leaves what it adds to it. All of it in the axes of the link it hangs on, about the
 * origin of that link, so that a link asks nothing of what hangs on it: not its hinge, nor where it is.
 *
 * A group is what one thread does in one go: one sheaf of segments, or those of a bush, whole small subtrees
 * whose paths hang on one another, longer ones in earlier sheaves.
 */
#ifndef RCT_KERNELS_RECORDS_SHEAVES_H
#define RCT_KERNELS_RECORDS_SHEAVES_H

#include "kernels/records/columns.h"
#include "kernels/records/hinge_forces.h"
#include "kernels/records/poses.h"
#include "kernels/records/sweep_end.h"

/* The record of a path. Its first row may hang on the ground: then it reads that instead (rct_ground); but trees with a
 * gravity of their own have left there what reaches them. */
enum {
    PATH_FRAME =
        0, /* 12: rotation to inertial (if anything needs it) and rate of the link it hangs on */
    PATH_ABOVE = 12, /* 6: acceleration of that link                                  (outward)  */
    PATH_SHARE = 18, /* 27: what it adds to that link: S by 21 and e by 6             (inward)   */
    PATH_HINGE =
        18, /* 9: of a narrow path on the trunk S and e at its hinge instead, e with S w x (w x r), axes of
                              that link; then 3, the moment there                     (inward)   */
    PATH_CLOSED_FIELDS = 45,
    PATH_THROUGH = 45,    /* 36: E by rows: inboard there, outboard at the last link  (inward)   */
    PATH_FREE = 81,       /* 6: h                                                     (inward)   */
    PATH_COMPLIANCE = 87, /* 21: Psi, upper half by rows                              (inward)   */
    PATH_BEYOND =
        108, /* 27: S and e of all that hangs on the last link, its axes (trunk); of a narrow end 9: those at
                              the hinge there                                                     */
    PATH_END_MOMENT = 135, /* 3: that at the ball hinge there, its axes               (trunk)    */
    PATH_STAND_IN = 138,   /* 2: mass and inertia that stand in for it                 (constant) */
    PATH_OUT = 140,        /* 3: where the ball hinge is that follows, its axes        (constant) */
    PATH_PRODUCT = 143,    /* 12: frame of the last link if the one it hangs on were inertial     */
    PATH_ABSOLUTE = 155,   /* 1: that is its frame, whatever it hangs on; 2: and its place        */
    PATH_REACH =
        156, /* 6: how far it reaches: from the link it hangs on, in its axes, to its first absolute hinge, and
                              how fast that moves there                                                 */
    PATH_ONWARD =
        162, /* 6: from there to the origin of its last link, inertial axes, and how fast that moves against it;
                              without such a hinge 0                                              */
    PATH_OPEN_FIELDS = 168,
    PATH_HANDLE_FIELDS = 27
};

/* A path is narrow if all its links are on ball hinges, and one that follows an open end, if any: forces are all that
 * crosses (kernels/sweeps/narrow.h), besides moments that are known. At a narrow end there is a force at the hinge that follows,
 * and the acceleration of that point less w x (w x r): E is 3x3, of forces at its own hinge, h and Psi have three. One that
 * hangs on the trunk reads how that link stands and turns there (TRUNK_TURN), and is left such an acceleration of its own
 * hinge, less w x (w x r), as that of the link (PATH_ABOVE), which does not accelerate its turn. */

/* Results of a row: the acceleration of the link, less gravity, link axes; then those of its rates. Of a narrow one the latter
 * are its angular acceleration. */
enum { WIDE_RESULT_RATES = 6, NARROW_RESULT_RATES = 3, NARROW_RESULT_FIELDS = 6 };

/* What a row has besides links that hang on those of the row before: what acts on them besides gravity, at hinges by their
 * own state, constant wrenches or loads; paths that begin there; paths that hang on them. */
enum {
    HAS_EFFORT = 1,
    HAS_WRENCH = 2,
    HAS_LOAD = 4,
    HAS_HINGE_FORCE = 256,
    HAS_ACTING = HAS_EFFORT | HAS_WRENCH | HAS_LOAD | HAS_HINGE_FORCE,
    HAS_MOMENT = HAS_EFFORT | HAS_LOAD | HAS_HINGE_FORCE, /* moments at ball hinges, perhaps */
    HAS_START = 8,
    HAS_KIDS = 16,
    HAS_TWIGS = 32,    /* kids that are twigs; the others are HAS_KIDS */
    HAS_ARMATURE = 64, /* hinges with rotor inertia */
    HAS_OTHERS = 128,  /* narrow paths that begin there beside segments or on wide links */
    HAS_BRANCHES = HAS_START | HAS_TWIGS /* all of them twigs */
};

/* Numbers of some fields that all rows have: record k of row[g] = k >= 0 for all lanes, or one a lane, row[g] = ~k. */
typedef struct rct_row_constants {
    const int32_t *row;   /* [rows], or NULL: nothing anywhere */
    const double *shared; /* [][fields]                        */
    const double *spread; /* [][fields][W]                     */
    const double *wide;   /* [][fields][W]                     */
} rct_row_constants;

/* Forces at hinges in rows. */
typedef struct rct_hinge_forces {
    const int64_t *begin;         /* [rows + 1] of entries, or NULL: none anywhere            */
    const rct_hinge_force *entry; /* []                                                       */
    const int32_t *force;         /* [][W] their numbers in the model, -1: none                */
    rct_row_constants number;     /* HINGE_FORCE_FIELDS, of entries in place of rows           */
    const rct_hinge_table *table; /* [1 + forces] of force i at place i + 1; the first is 0   */
    double time;                  /* s, of the evaluation                                     */
} rct_hinge_forces;

/* A twig is a narrow path that hangs on a link of a narrow sheaf, of its bush or of segments: a force at a point is all that
 * passes. It finds how that link turns in its state, leaves S and e there, in the axes of that link, with its moment, and is
 * left the acceleration of the point. Its record is short and lives no longer than the sweep of the bush: it is in the
 * scratch. That of one beside a segment is in the record of its path, from PATH_ABOVE on, where it keeps how it was turned
 * (PATH_FRAME, with the rate of that link): the state of the segment advances before it. */
enum {
    TWIG_POINT = 0,   /* 3: less gravity, axes of that link     (outward) */
    TWIG_HANDLE = 6,  /* at most 12                             (inward)  */
    TWIG_MOMENT = 18, /* 3: where anything acts at hinges       (inward)  */
    TWIG_FIELDS = 21
};

typedef struct rct_twigs {
    const int32_t
        *begin; /* [rows] lanes in which twigs begin, by bits                            */
    const int32_t
        *up; /* [sheaves][W] where the state of the link is on which a twig hangs; else its own */
    const int64_t
        *first; /* [rows + 1]                                                            */
    const int32_t
        *place; /* [][W] behind one of zeros, of those that hang on the links of a row; 0: none */
    const double *at; /* [][3][W] m, where, in the axes of those                               */
    const int32_t
        *beside; /* [rows] of `begin`, those beside segments                               */
    const int32_t
        *trunk; /* [rows] lanes in which narrow paths begin that hang on the trunk, by bits   */
    const int32_t
        *turn; /* [sheaves][W] where orientation and rate of that link are in `work`; else 0 */
    const double *work; /* of the trunk                                                        */
    const int32_t
        *behind; /* [rows] lanes in which narrow segments begin that go on from others without the
                    trunk; `up` has the state of the link they hang on. On devices; else NULL      */
} rct_twigs;

typedef struct rct_sheaves {
    double gravity[3]; /* m/s^2, inertial axes, of all trees; or                                */
    const double *own_gravity; /* [rows][3][W] that of the tree of each lane; else NULL         */
    rct_ground ground; /* at the time of the evaluation                                         */
    double delta;      /* s, of an implicit stage (kernels/laws/rotor.h); else 0                */
    int attitude;      /* whether any hinge needs the axes of its parent to inertial            */
    int moments;       /* whether there may be moments at ball hinges                            */
    int bends;         /* whether any of these have springs                                      */
    int32_t groups;
    int32_t bushes;       /* the first groups; the others are segments,                           */
    int32_t narrow_end;   /* up to here narrow ones                                               */
    int32_t hanging;      /* of the bushes, the first: those that hang on something               */
    int32_t most_rows;    /* of a group                                                          */
    int32_t most_sheaves; /* of a group */
    int32_t row_fields;   /* of the scratch of a row, numbers a lane                             */
    int32_t
        link_fields; /* of a record: LINK_FIELDS where all sheaves are narrow, else LINK_ALL_FIELDS */
    int32_t count;   /* sheaves                                                              */
    const int32_t *first_sheaf; /* [groups + 1]                                                 */
    const int64_t *first_row;   /* [count + 1]                                                  */
    const int64_t *path_at;     /* [count + 1] where the records of a sheaf begin, numbers a lane */

    const int32_t *label; /* [rows][W], -1: neutral                                          */
    const int32_t
        *kinds; /* [rows] hinge type of all lanes, or ~k: row k of `kind_lanes`; of threads
                                  that are lanes [rows][W] types                                 */
    const int32_t *kind_lanes; /* [][RCT_HINGE_TYPES] lanes of each type, by bits               */
    const int32_t *record;     /* [rows] constants: shared or wide, as rct_row_constants         */
    const double *shared;      /* [][link_fields]                                                 */
    const double *spread;      /* [][link_fields][W] the shared ones, for lanes in vectors        */
    const double *wide;        /* [][link_fields][W]                                              */
    const int32_t *starts;     /* [rows] lanes in which a path begins, by bits                    */
    const int32_t *grounded;   /* [rows] and hangs on the ground                                  */
    const int32_t *inside;     /* [rows] or on a link of its bush                                 */
    const int32_t *coordinates; /* [rows] how many, of the type that has most                   */
    const int64_t *state_at;  /* [rows + 1] where the state of a row begins, numbers a lane      */
    const int64_t *result_at; /* [rows + 1] the same of its results                             */
    const int8_t *narrow;     /* [count] whether all paths of a sheaf are                        */
    const int64_t *first_kid; /* [rows + 1]                                                     */
    const int32_t *kid; /* [][W] place of the record of a path that hangs on the link; 0: none */
    rct_twigs twigs;    /* the other paths that do                                              */

    const uint16_t *has; /* [rows] by bits (HAS_EFFORT)                                           */
    rct_row_constants effort; /* EFFORT_FIELDS: what acts at the hinges                           */
    rct_row_constants wrench; /* WRENCH_FIELDS: on the links                                      */
    rct_hinge_forces hinge_forces;
    double *exerted; /* [rows][3][W] what these do, of threads that are lanes; else NULL          */

    double *state, *base, *sum; /* what is evaluated; start of the step; running sum            */
    double
        *slots; /* [][slot] states and slopes beside these (kernels/records/coordinates.h)       */
    int64_t slot;    /* numbers of a state                                                        */
    double *results; /* (accelerate, when asked for)                                 */
    double *forces;  /* [links][6] force and moment of what links hang on, about their origins; of
                       those on ball hinges inertial axes, else link axes: left by accelerate
                       from results it has had; NULL: not asked for                             */
    double *paths;   /* records of paths, behind one of zeros                                    */
    double *loads;   /* [rows][LOAD_FIELDS][W], or NULL: none                                    */
    double
        *rotors; /* [rows][3][W] what forces at hinges add to rotors in an implicit stage, or NULL:
                       nothing                                                                  */
    int owned; /* whether most rows have constants of their own                                  */
} rct_sheaves;

/* Scratch of a row: its motion, then its gains; of a narrow one turn and gain. */
enum {
    ROW_MOTION = 0,
    ROW_GAINS = 32,
    ROW_GAIN_FIELDS = 7,
    NARROW_TURN = 0,
    NARROW_GAIN = 9,
    NARROW_FIELDS = 21
};

/* For links of so many freedoms at most; `narrow`: all sheaves are. */
static inline int32_t rct_sheaves_row_fields(int32_t freedoms, int narrow)
{
    return narrow ? NARROW_FIELDS : ROW_GAINS + ROW_GAIN_FIELDS * freedoms;
}

/* The scratch of a group: a record of zeros, of a bush those of twigs, one a sheaf, [1 + sheaves][TWIG_FIELDS][W]; then
 * [rows][row_fields][W]. Of any group: */
static inline int64_t rct_sheaves_scratch(const rct_sheaves *s)
{
    return (int64_t)s->most_rows * s->row_fields + (int64_t)(1 + s->most_sheaves) * TWIG_FIELDS;
}

/* Where the scratch of a bush begins if each has its own, numbers a lane. */
static inline int64_t rct_sheaves_scratch_at(const rct_sheaves *s, int32_t group)
{
    const int32_t sheaf = s->first_sheaf[group];
    return s->first_row[sheaf] * s->row_fields + (int64_t)(group + sheaf) * TWIG_FIELDS;
}

/* The kernels of one method and width. A fault names the smallest label at fault of a group. */
typedef struct rct_sweep_kernels {
    int32_t lanes;

    /* The frames of the last links of a sheaf of wide segments, as products; and, once it is known how what they hang on
     * moves, that of every link, left with the paths that hang on them. */
    void (*compose)(const rct_sheaves *sheaves, int32_t group);
    void (*guide)(const rct_sheaves *sheaves, int32_t group, double *scratch);

    /* The same of any sheaf of segments, and how far they reach (PATH_REACH). Then, with the poses of what they hang on known,
     * those of the links of a group: in each sheaf up to row end[sheaf], or of all where that is NULL, but the last links of
     * segments, which the trunk has. */
    void (*span)(const rct_sheaves *sheaves, int32_t group);
    void (*pose)(const rct_sheaves *sheaves, int32_t group, const int64_t *end,
                 const rct_places *places);

    /* Condense every path: what it adds to the link it hangs on, and its open end. What a bush `leaves` in the scratch is for
     * `reach`. */
    rct_sweep_result (*condense)(const rct_sheaves *sheaves, int32_t group, double *scratch,
                                 int leaves);

    /* With what reaches the paths, and what hangs on open ends: inward again, outward (in spite of a vanishing
     * pivot, so that the base of a step is whole), and what the stage asks: results (STAGE_NONE), or the states
     * advanced (kernels/laws/rk4_step.h). */
    rct_sweep_result (*accelerate)(const rct_sheaves *sheaves, int32_t group, int stage, double dt,
                                   double *scratch);

    /* The same of a bush outward alone, with what it left when it was condensed. */
    rct_sweep_result (*reach)(const rct_sheaves *sheaves, int32_t group, int stage, double dt,
                              double *scratch);
} rct_sweep_kernels;

/* Columns of a width and a method. */
typedef struct rct_column_kernels {
    /* Of whole trees: the poses of wide links, that of the ground known; what the group leaves in its scratch is for `inward`. */
    void (*pose)(const rct_sheaves *sheaves, int32_t group, const rct_columns *columns,
                 double *scratch);

    /* Inward as accelerate, with the columns of loops behind the links; `posed`: poses of this state were found, under what acts. What
     * the group leaves in its scratch is for `answer`; `room` (rct_columns_scratch) is free afterwards. */
    rct_sweep_result (*inward)(const rct_sheaves *sheaves, int32_t group,
                               const rct_columns *columns, int posed, double *scratch,
                               double *room);

    /* Outward as accelerate, from what was left in the scratch: with the multipliers besides what acts, and besides those that
     * were there before; or, `alone`, with them so large that nothing else counts. */
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
