/* How a solver computes: methods, backends, and the options of rct_solver_create (solver.h). */
#ifndef RICCATREE_OPTIONS_H
#define RICCATREE_OPTIONS_H

#include <riccatree/integrator.h>
#include <riccatree/sized.h>
#include <riccatree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the equations are eliminated. */
typedef enum rct_method {
    RCT_METHOD_ABI = 0,     /* articulated-body sweep, 3x3 at ball hinges (seeds 001, 002) */
    RCT_METHOD_RICCATI = 1, /* Riccati transfer matrix recursion (seed 000, eqs. 20-34) */
} rct_method;

RCT_API const char *rct_method_name(rct_method method); /* or "unknown" */

/* A backend runs the sweeps. The functions below list the backends of this build, accelerators
 * first, and say whether they can run on this machine. Of those that can, "auto" takes the one that
 * is predicted to take the least time for the model (rct_backend_predict). */
typedef struct rct_backend_info {
    const char *name;
    int available;      /* 1: it can run here */
    const char *reason; /* why it cannot run, in one line; NULL if it can */
} rct_backend_info;

RCT_API int32_t rct_backend_count(void); /* number of backends in this build */

/* Describe backend `index`. RCT_ERROR_ARGUMENT unless 0 <= index < rct_backend_count(). The texts
 * live as long as the library is loaded. */
RCT_API rct_status rct_backend_describe_sized(int32_t index, rct_out info, rct_error *error);
static inline rct_status rct_backend_describe(int32_t index, rct_backend_info *info,
                                              rct_error *error)
{
    return rct_backend_describe_sized(index, rct_out_of(info, sizeof *info, 0, 0), error);
}

/* Where the trunk, which joins the segments, is solved if the backend is an accelerator. AUTO:
 * small trunks on the device, so that a step never leaves it, larger ones on the host. The cpu
 * ignores this option. */
typedef enum rct_junction {
    RCT_JUNCTION_AUTO = 0,
    RCT_JUNCTION_HOST,
    RCT_JUNCTION_DEVICE,
} rct_junction;

/* How loops are closed (riccatree/closure.h). All methods solve the same linear problem. */
typedef enum rct_closing {
    RCT_CLOSING_ADMITTANCE = 0,  /* J M^-1 J* of the open tree, sparse (seed 001) */
    RCT_CLOSING_EMBEDDING = 1,   /* aggregated bodies in the sweep (seed 002) */
    RCT_CLOSING_MULTIPLIERS = 2, /* M and J as one sparse system (seeds 003, 004) */
    RCT_CLOSING_QR = 3,          /* redundant constraints by orthogonal factors, dense (seed 004) */
    RCT_CLOSING_SVD = 4,         /* redundant constraints by singular values, dense */
} rct_closing;

RCT_API const char *rct_closing_name(rct_closing closing); /* or "unknown" */

/* What keeps the state on the constraints phi = 0 during steps. */
typedef enum rct_drift {
    RCT_DRIFT_PROJECT = 0,   /* after every step the least change of positions, then of rates, in
                              * the metric of M, that cancels phi and phi' to rounding */
    RCT_DRIFT_BAUMGARTE = 1, /* phi'' + 2 alpha phi' + beta^2 phi = 0 instead of phi'' = 0 (seed
                              * 003, eqs. 59-63; seed 004, eq. 73) */
    RCT_DRIFT_NONE = 2,
    RCT_DRIFT_PARTITION = 3, /* coordinate partitioning (seed 003, appendix A): after every step
                              * the independent coordinates and rates stay as they are; Newton's
                              * method changes the dependent coordinates until phi = 0, and the
                              * dependent rates are set so that phi' = 0; dense: coordinates by
                              * constraints take 1 GiB at most */
} rct_drift;

RCT_API const char *rct_drift_name(rct_drift drift); /* or "unknown" */

/* How a model is solved. Start from rct_solver_options_default(). */
typedef struct rct_solver_options {
    rct_method method;
    const char *backend; /* "auto" or the name of a listed backend, such as "cpu" */
    int32_t threads;     /* 0: as many as pay off on this machine; results never depend on it */
    int32_t lanes;       /* 0: the widest this machine has; or 1, 2, 4, 8. Results depend on it
                          * by rounding only, in strict builds not at all */
    int64_t segment;     /* links per segment: long paths are cut into two-handle subchains that
                          * are swept together. 0: the serial sweep; RCT_SEGMENT_AUTO: chosen;
                          * RCT_SEGMENT_WHOLE: every tree on the ground in a lane of its own, so
                          * that its bits do not depend on the other trees */
    rct_junction junction;
    int user_forces; /* 1: rct_solver_set_force_function, rct_solver_set_body_forces and efforts
                      * may be used; create makes room for them */

    /* For models with loops. */
    rct_closing closing;
    rct_drift drift;
    double baumgarte[2]; /* 1/s, alpha and beta, not negative */
    int as_given;        /* 1: the initial state is taken as it is, with loops closed or open */

    /* For integrators with error control: the error allowed per step in every coordinate and
     * rate, > 0 and at most 1. Angles in rad; slides in lengths of the system. That length is
     * the sum, over all bodies, of the distances from the hinge point to the next ones and to
     * the mass centre, or the largest radius of gyration if that is more, or 1 m if both are 0.
     * Rates in these units per second; for rates above 1 the tolerance is relative. */
    double tolerance;
    rct_integrator integrator;
} rct_solver_options;

#define RCT_SEGMENT_AUTO  ((int64_t)-1) /* chosen by the plan */
#define RCT_SEGMENT_WHOLE ((int64_t)-2) /* every tree in a lane of its own */

/* Defaults: abi, admittance, projection, rk4, tolerance 1e-6, baumgarte 10 and 10; everything else
 * is chosen automatically. */
RCT_API void rct_solver_options_init(rct_out out);
static inline rct_solver_options rct_solver_options_default(void)
{
    rct_solver_options x;
    rct_solver_options_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

#ifdef __cplusplus
}
#endif

#endif
