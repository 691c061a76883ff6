/* The group /frames: one series a quantity, one row a frame. Every series is one block of the file,
 * taken and filled with NaN from the start: a frame is plain numbers written in place, and no index
 * is there to be damaged. */
#include "record/recorder.h"

#include <string.h>

static const struct {
    const char *name;
    int width; /* numbers of a body, or of a sum */
    const char *unit, *axes, *description;
} quantities[RCT_SERIES_COUNT] = {
    {"orientation", 4, "1", "inertial axes", "quaternion w x y z, body axes to inertial"},
    {"angular_velocity", 3, "rad/s", "inertial axes", "angular velocity of the body"},
    {"position", 3, "m", "inertial axes", "hinge point of the body"},
    {"time", 1, "s", "none", "time"},
    {"kinetic", 1, "J", "none", "kinetic energy"},
    {"potential", 1, "J", "none", "potential energy, counted from the model's initial state"},
    {"energy", 1, "J", "none", "kinetic + potential"},
    {"energy_drift", 1, "J", "none", "energy less that of the first frame"},
    {"momentum", 3, "kg m/s", "inertial axes", "linear momentum"},
    {"angular_momentum", 3, "kg m^2/s", "inertial axes",
     "angular momentum about the inertial origin"},
    {"momentum_change", 3, "kg m/s", "inertial axes", "momentum less that of the first frame"},
    {"angular_momentum_change", 3, "kg m^2/s", "inertial axes",
     "angular_momentum less that of the first frame"},
};

void rct_create_frames(rct_call *call, rct_recorder *recorder)
{
    hid_t group = rct_h5_create_group(call, recorder->file, "frames");
    for (int s = 0; s < RCT_SERIES_COUNT; s++) {
        const int64_t width = quantities[s].width;
        rct_table table = {.name = quantities[s].name,
                           .reserved = 1,
                           .unit = quantities[s].unit,
                           .axes = quantities[s].axes,
                           .description = quantities[s].description};
        table.extent[table.rank++] = recorder->frames;
        if (s < RCT_SERIES_TIME) {
            table.extent[table.rank++] = recorder->bodies;
        }
        if (width > 1) {
            table.extent[table.rank++] = width;
        }
        rct_h5_create_series(call, group, &table, &recorder->series[s]);
    }
    rct_h5_close(call, &group);
}

static void sum_up(rct_frame_sums *sums, double time, const rct_measures *measures,
                   const rct_frame_sums *first)
{
    sums->time = time;
    sums->kinetic = measures->kinetic;
    sums->potential = measures->potential;
    sums->energy = measures->kinetic + measures->potential;
    sums->energy_drift = sums->energy - first->energy;
    for (int i = 0; i < 3; i++) {
        sums->momentum[i] = measures->momentum[i];
        sums->angular_momentum[i] = measures->angular_momentum[i];
        sums->momentum_change[i] = sums->momentum[i] - first->momentum[i];
        sums->angular_momentum_change[i] = sums->angular_momentum[i] - first->angular_momentum[i];
    }
}

void rct_write_frame(rct_call *call, rct_recorder *recorder, const rct_solver *solver,
                     const rct_measures *measures)
{
    const int64_t n = recorder->bodies;
    double *orientation = recorder->rows;
    double *angular_velocity = orientation + 4 * n;
    double *position = angular_velocity + 3 * n;
    rct_solver_get_state(solver, orientation, angular_velocity, position, NULL);

    rct_frame_sums sums;
    sum_up(&sums, rct_solver_time(solver), measures, &recorder->first);
    if (recorder->written == 0) {
        recorder->first = sums;
        sum_up(&sums, sums.time, measures, &recorder->first);
    }

    const double *const values[RCT_SERIES_COUNT] = {
        orientation,
        angular_velocity,
        position,
        &sums.time,
        &sums.kinetic,
        &sums.potential,
        &sums.energy,
        &sums.energy_drift,
        sums.momentum,
        sums.angular_momentum,
        sums.momentum_change,
        sums.angular_momentum_change,
    };
    for (int s = 0; s < RCT_SERIES_COUNT; s++) {
        rct_h5_write_frame(call, &recorder->series[s], recorder->written, values[s]);
    }
}
