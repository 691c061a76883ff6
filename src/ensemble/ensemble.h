/* Ensembles from the inside: members as numbers, batches of them, and running them. */
#ifndef RCT_ENSEMBLE_ENSEMBLE_H
#define RCT_ENSEMBLE_ENSEMBLE_H

#include "core/sized.h"
#include "ensemble/target.h"

#include <riccatree/ensemble.h>

struct rct_ensemble {
    rct_model *model; /* the base                                                                */
    int64_t members;
    int64_t points; /* of the grids                                                              */
    uint64_t seed;
    double perturb;
    int32_t count; /* variations                                                                 */
    rct_variation *variations; /* [count] paths owned                                            */
    rct_target *targets;       /* [count]                                                        */
};

/* Room for the numbers of one member. */
rct_status rct_member_allocate(const rct_ensemble *ensemble, rct_member_numbers *numbers,
                               rct_error *error);
void rct_member_release(rct_member_numbers *numbers);

/* The values of the variations of a member, [count]. */
void rct_member_values(const rct_ensemble *ensemble, int64_t member, double *values);

/* The numbers of a member, checked and normalized as those of a model. RCT_ERROR_MODEL: they describe none. */
rct_status rct_member_make(const rct_ensemble *ensemble, int64_t member, const double *values,
                           rct_member_numbers *numbers, rct_error *error);

/* The options of a caller, over the defaults (rct_take), and back. */
int rct_ensemble_take_run(rct_ensemble_run_options *own, rct_in in, const char *name,
                          rct_error *error);
void rct_ensemble_give_run(rct_out out, const rct_ensemble_run_options *own);

/* RCT_ERROR_ARGUMENT, as rct_ensemble_run. */
rct_status rct_ensemble_check_run(const rct_ensemble *ensemble, const rct_ensemble_run_options *run,
                                  rct_error *error);

/* Frames that are taken of a member: those of the series, else the first and the last. */
int64_t rct_ensemble_frames(const rct_ensemble_run_options *run);

/* The step of a frame, of the first and last ones where there is no series. */
int64_t rct_ensemble_frame_step(const rct_ensemble_run_options *run, int64_t frame);

/* Whether members are swept whole, side by side. */
int rct_ensemble_is_small(const rct_ensemble *ensemble);

/* Whether members may differ in gravity. */
int rct_ensemble_varies_gravity(const rct_ensemble *ensemble);

#endif
