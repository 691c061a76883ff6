/* A view from the inside: the source of frames (source.c), the shape of a body (shape.c), the
 * choice of bodies and frames (view.c), and the data that the page carries (data.c, tables.c,
 * text.c); pages of ensembles (ensemble.c, members.c). The player itself is player.html,
 * scene.js and player.js. */
#ifndef RCT_VIEW_VIEW_H
#define RCT_VIEW_VIEW_H

#include "model/model.h"

#include <riccatree/ensemble_file.h>
#include <riccatree/recording.h>
#include <riccatree/solver.h>
#include <riccatree/view.h>

#include <stdio.h>

/* ---- source.c ----------------------------------------------------------------------------- */

enum { RCT_VIEW_SUMS = 9 }; /* time, kinetic, potential, momentum, angular momentum */

/* A recording with its model, or a model alone: then one frame at time 0, the state in which a
 * solver starts. */
typedef struct rct_view_source {
    const rct_model *model;
    rct_recording *recording; /* or NULL */
    rct_solver *solver;       /* of a model: its state; of a recording: for forces; or NULL */
    int64_t frames;
    int complete; /* of a recording: the run is complete */
} rct_view_source;

/* One quantity of all bodies: "position" [n][3], "orientation" [n][4], "angular_velocity" [n][3]. */
rct_status rct_view_read(const rct_view_source *source, const char *quantity, int64_t frame,
                         double *numbers, rct_error *error);

/* The sums of a frame of a recording. */
rct_status rct_view_read_sums(const rct_view_source *source, int64_t frame,
                              double sums[RCT_VIEW_SUMS], rct_error *error);

/* ---- force.c ------------------------------------------------------------------------------ */

/* N, [bodies]: the forces of parents on bodies in a frame. Returns 0 if the solver fails, for
 * example in a singular pose. */
int rct_view_forces(const rct_view_source *source, int64_t frame, double *force);

/* ---- shape.c ------------------------------------------------------------------------------ */

/* Numbers of a shape in the page: type (0 capsule, 1 box, 2 sphere, 3 cylinder), size [3],
 * centre [3], quaternion [4]. */
enum { RCT_VIEW_SHAPE = 11 };

/* A shape that a model gives. */
void rct_view_shape_given(const rct_shape *given, float shape[RCT_VIEW_SHAPE]);

/* A shape made from the mass and the inertia of the body, in body axes from the hinge point, m. */
void rct_view_shape_of(const rct_body *body, float shape[RCT_VIEW_SHAPE]);

/* ---- view.c ------------------------------------------------------------------------------- */

/* Browsers draw in single precision, whose squares end at 1e38: RCT_ERROR_UNSUPPORTED for a size
 * above 1e18 m, of an edge of the box of places or of a shape. */
#define RCT_VIEW_SPREAD "hinge points that are shown span"
rct_status rct_view_check_size(const char *what, double metres, rct_error *error);

/* ---- text.c ------------------------------------------------------------------------------- */

/* Bytes as base64 in one string of the page, three at a time. */
typedef struct rct_view_text {
    FILE *stream;
    unsigned char kept[3];
    int count; /* bytes waiting */
} rct_view_text;

void rct_view_put(rct_view_text *text, const void *bytes, int64_t size);
void rct_view_end(rct_view_text *text);

/* Write a JSON string in quotes that cannot contain an HTML tag; and the bytes it takes. */
void rct_view_put_string(FILE *stream, const char *string);
int64_t rct_view_string_bytes(const char *string);

/* ---- data.c ------------------------------------------------------------------------------- */

enum {
    RCT_VIEW_STEPS = (1 << 24) - 1
}; /* along an edge of the box, to which positions are rounded */

/* The item of `all` that is the k-th of those shown, evenly, including the first and the last. */
static inline int64_t rct_view_evenly(int64_t k, int64_t shown, int64_t all)
{
    return shown > 1 ? k * (all - 1) / (shown - 1) : 0;
}

/* "KEY": [X, ...] behind a comma. */
void rct_view_put_vector(FILE *stream, const char *key, const double *x, int count);

/* The choice of what is shown: this many `bodies` and `frames`, spread evenly. */
typedef struct rct_view_choice {
    const rct_view_source *source;
    int64_t bodies, frames, sums; /* shown; rows of sums */
    int names;                    /* 1: some body has a name of its own */
    double low[3], extent[3];     /* m, the box of all positions shown */
    double speed, spin,
        force;          /* m/s, rad/s, N: the largest that are shown; no force if one is unknown */
    int32_t *kind;      /* [shapes of the model] number in `kinds`; NULL: no shapes */
    rct_distinct kinds; /* rct_shape, with body 0 */
} rct_view_choice;

int64_t rct_view_body(const rct_view_choice *choice, int64_t k);  /* row of the k-th shown */
int64_t rct_view_frame(const rct_view_choice *choice, int64_t k); /* frame that is the k-th shown */

/* Upper bound for the bytes of the page without the player. */
int64_t rct_view_data_bytes(const rct_view_choice *choice);

/* Find the box and the largest speeds; write the data as one JSON object. */
rct_status rct_view_survey(rct_view_choice *choice, rct_error *error);
rct_status rct_view_write_data(const rct_view_choice *choice, FILE *stream, rct_error *error);

/* "KEY": "BASE64", behind a comma. */
void rct_view_put_array(FILE *stream, const char *key, const void *bytes, int64_t size);

/* ---- tables.c ----------------------------------------------------------------------------- */

/* Find which shapes of the model are equal. The second function frees the result in any case. */
rct_status rct_view_find_kinds(rct_view_choice *choice, rct_error *error);
void rct_view_forget_kinds(rct_view_choice *choice);

/* The shown bodies and their shapes: an upper bound for their bytes before base64; and writing
 * the arrays. */
int64_t rct_view_table_bytes(const rct_view_choice *choice);
rct_status rct_view_put_tables(const rct_view_choice *choice, FILE *stream, rct_error *error);

/* ---- ensemble.c, members.c: the page of an ensemble --------------------------------------- */

/* The choice of the results that are shown: this many members and frames of `info`, spread
 * evenly, and this many coordinates of each member. */
typedef struct rct_view_members {
    const rct_ensemble_results *results;
    rct_ensemble_results_info info;
    const rct_model *model;
    int64_t members, frames, coordinates; /* shown                                                */
    int64_t failures;                     /* whose texts are in the page                          */
    double low[3], extent[3];             /* m, the box of all places of tracked bodies           */
    int32_t *status;                      /* [info.members] as rct_ensemble_results_read          */
    double *ends;                         /* [3][info.members] time, energy, drift                */
    double *parameters;                   /* [info.members][info.variations]                      */
    double *time;                         /* [info.series] s                                      */
    int32_t *track;                       /* [info.tracked] ids                                   */
    double *state, *energy, *position;    /* of one member: coordinates, series                   */
} rct_view_members;

enum {
    RCT_VIEW_NOWHERE = 65535
}; /* instead of a step along the box: the member did not come there */

int64_t rct_view_member_bytes(const rct_view_members *shown); /* at most, without the page around */
rct_status rct_view_write_members(const rct_view_members *shown, FILE *stream, rct_error *error);

/* Read the places of the `k`th shown member, and which of them exist. */
rct_status rct_view_read_places(const rct_view_members *shown, int64_t k, rct_error *error);

/* ---- made of the files of src/view/ by cmake/Player.cmake ----------------------------------- */

/* A page up to its data, and after it. */
typedef struct rct_view_page {
    const unsigned char *head, *tail;
    int64_t head_bytes, tail_bytes;
} rct_view_page;

extern const rct_view_page rct_view_player_page, rct_view_ensemble_page;

#endif
