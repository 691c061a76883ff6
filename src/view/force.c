/* Forces at hinges in the frames of a view. Recordings do not hold them, so they are computed
 * from the model in the states of the frames. Forces that a program exerted
 * (rct_solver_set_force_function, rct_solver_set_efforts) are in no file and not included. */
#include "core/error.h"
#include "core/memory.h"
#include "view/view.h"

#include <riccatree/closure.h>

#include <math.h>

typedef struct forces {
    rct_solver_info info;
    int64_t loops;
    double *coordinates, *rates, *active, *vectors;
} forces;

static rct_status make(forces *f, const rct_view_source *source, rct_error *error)
{
    const int64_t n = source->model->count;
    rct_solver_get_info(source->solver, &f->info);
    f->loops = rct_model_loop_count(source->model);
    const rct_array arrays[] = {RCT_ARRAY(f->coordinates, f->info.coordinates + 4 * n),
                                RCT_ARRAY(f->rates, f->info.dof + 3 * n),
                                RCT_ARRAY(f->active, f->loops), RCT_ARRAY(f->vectors, 3 * n)};
    return rct_allocate_arrays(arrays, sizeof arrays / sizeof arrays[0], "forces of a view", error);
}

static void release(forces *f)
{
    const rct_array arrays[] = {RCT_ARRAY(f->coordinates, 0), RCT_ARRAY(f->rates, 0),
                                RCT_ARRAY(f->active, 0), RCT_ARRAY(f->vectors, 0)};
    rct_release_arrays(arrays, sizeof arrays / sizeof arrays[0]);
}

/* Set orientations and angular velocities, or coordinates and rates if the file has these. */
static rct_status set_state(const forces *f, const rct_view_source *source, int64_t frame,
                            rct_error *error)
{
    rct_recording *file = source->recording;
    const int32_t coordinates = rct_recording_find(file, "coordinates");
    const int32_t rates = rct_recording_find(file, "rates");
    rct_status status = RCT_OK;
    if (coordinates < 0) {
        status = rct_view_read(source, "orientation", frame, f->coordinates, error);
        RCT_THEN(status, rct_view_read(source, "angular_velocity", frame, f->rates, error));
        RCT_THEN(status, rct_solver_set_state(source->solver, f->coordinates, f->rates, error));
        return status;
    }
    status = rct_recording_read(file, coordinates, frame, 0, 1, f->coordinates, error);
    RCT_THEN(status, rct_recording_read(file, rates, frame, 0, 1, f->rates, error));
    RCT_THEN(status, rct_solver_set_coordinates(source->solver, f->coordinates, f->rates, error));
    return status;
}

/* For models with events: attach the loops that hold in this frame. Their state is closed, so
 * attaching changes it only by rounding. */
static rct_status set_loops(const forces *f, const rct_view_source *source, int64_t frame,
                            rct_error *error)
{
    const int32_t series = rct_recording_find(source->recording, "loop_active");
    rct_status status =
        series < 0 ? RCT_OK
                   : rct_recording_read(source->recording, series, frame, 0, 1, f->active, error);
    for (int64_t i = 0; i < f->loops && series >= 0 && status == RCT_OK; i++) {
        status = rct_solver_set_loop_active(
            source->solver, (int32_t)i, f->active[i] != 0.0 ? RCT_LOOP_ATTACHED : RCT_LOOP_RELEASED,
            error);
    }
    return status;
}

static rct_status evaluate(const forces *f, const rct_view_source *source, int64_t frame,
                           rct_error *error)
{
    rct_status status = RCT_OK;
    if (source->recording != NULL) {
        double sums[RCT_VIEW_SUMS];
        status = rct_view_read_sums(source, frame, sums, error);
        if (status == RCT_OK) {
            rct_solver_set_time(source->solver, sums[0]);
        }
        RCT_THEN(status, set_state(f, source, frame, error));
        RCT_THEN(status, set_loops(f, source, frame, error));
    }
    RCT_THEN(status, rct_solver_evaluate(source->solver, error));
    return status;
}

int rct_view_forces(const rct_view_source *source, int64_t frame, double *force)
{
    forces f = {.loops = 0};
    int known = source->solver != NULL && make(&f, source, NULL) == RCT_OK &&
                evaluate(&f, source, frame, NULL) == RCT_OK;
    if (known) {
        rct_solver_get_hinge_forces(source->solver, f.vectors, NULL);
    }
    for (int64_t b = 0; b < source->model->count && known; b++) {
        const double *x = f.vectors + 3 * b;
        force[b] = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        known = isfinite(force[b]);
    }
    release(&f);
    return known;
}
