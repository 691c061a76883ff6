/* Ensembles from the inside: members as numbers, batches of them, and running them. */
#ifndef RCT_ENSEMBLE_ENSEMBLE_H
#define RCT_ENSEMBLE_ENSEMBLE_H

#include "backend/backend.h"
#include "core/pool.h"
#include "core/sized.h"

#include <riccatree/ensemble.h>

/* The numbers of a system that variations set; the rest is that of the base model. */
typedef struct rct_member_numbers {
    double gravity[3];
    rct_body *bodies;  /* [bodies of the base model] */
    rct_force *forces; /* [forces of the base model] */
} rct_member_numbers;

typedef struct rct_target {
    enum { TARGET_GRAVITY, TARGET_BODY, TARGET_FORCE } of;
    int32_t index;     /* of the body or force; -1: all bodies that have this number             */
    int field;         /* in the table of bodies or of forces                                    */
    int32_t component; /* -1: all that the hinge uses                                            */
} rct_target;

struct rct_ensemble {
    rct_model *model; /* the base                                                                */
    int64_t members;
    int64_t points; /* of the grids                                                              */
    uint64_t seed;
    double perturb;
    int32_t count; /* variations                                                                 */
    rct_variation *variations; /* [count] paths owned                                            */
    rct_target *targets;       /* [count]                                                        */
    rct_pool pool;             /* of variations, paths and targets                               */
};

/* RCT_ERROR_ARGUMENT, naming the path and what exists instead. */
rct_status rct_target_find(const rct_model *model, const char *path, rct_target *target,
                           rct_error *error);

void rct_target_write(const rct_target *target, int32_t bodies, double value,
                      rct_member_numbers *numbers);

/* Room for the numbers of one member from a pool; a failure shows in the pool. */
rct_member_numbers rct_member_room(const rct_ensemble *ensemble, rct_pool *pool, rct_error *error);

/* The values of the variations of a member, [count]. */
void rct_member_values(const rct_ensemble *ensemble, int64_t member, double *values);

/* The numbers of the base model. */
void rct_member_base(const rct_ensemble *ensemble, rct_member_numbers *numbers);

/* The numbers of a member, checked and normalized as those of a model. RCT_ERROR_MODEL: they
 * describe no valid model. */
rct_status rct_member_make(const rct_ensemble *ensemble, int64_t member, const double *values,
                           rct_member_numbers *numbers, rct_error *error);

/* The options of a caller over the defaults (rct_take), and back. */
int rct_ensemble_take_run(rct_ensemble_run_options *own, rct_in in, const char *name,
                          rct_error *error);
void rct_ensemble_give_run(rct_out out, const rct_ensemble_run_options *own);

/* RCT_ERROR_ARGUMENT, as rct_ensemble_run. */
rct_status rct_ensemble_check_run(const rct_ensemble *ensemble, const rct_ensemble_run_options *run,
                                  rct_error *error);

/* RCT_ERROR_ARGUMENT unless there is a function that receives the results. */
rct_status rct_ensemble_check_delivery(const rct_ensemble_run_options *run, rct_error *error);

/* Frames that are taken of a member: those of the series, or the first and the last. */
int64_t rct_ensemble_frames(const rct_ensemble_run_options *run);

/* The step of a frame, of the first and the last if there is no series. */
int64_t rct_ensemble_frame_step(const rct_ensemble_run_options *run, int64_t frame);

/* Whether members are swept whole, side by side. Not for members with loops, although some
 * solvers close those side by side too. */
int rct_ensemble_is_small(const rct_ensemble *ensemble);

/* The backend that its members run on, as rct_backend_for. */
const rct_backend *rct_ensemble_backend(const rct_ensemble *ensemble,
                                        const rct_solver_options *options, rct_error *error);

/* Whether members may differ in gravity. */
int rct_ensemble_varies_gravity(const rct_ensemble *ensemble);

#endif
