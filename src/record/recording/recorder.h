/* The recorder from the inside, and the parts of the file: /model (record/model/), /frames
 * (frames.c). docs/trajectory-file.md describes the file. */
#ifndef RCT_RECORD_RECORDING_RECORDER_H
#define RCT_RECORD_RECORDING_RECORDER_H

#include "dynamics/solver.h"
#include "record/file/h5.h"
#include "record/file/place.h"
#include "record/file/seal.h"
#include "record/file/series.h"
#include "record/model/model.h"

#include <riccatree/closure.h>
#include <riccatree/recorder.h>

/* The series of /frames, in the order of the table in frames.c, which is the order of the
 * checksum of a frame. */
typedef enum rct_series_id {
    RCT_SERIES_ORIENTATION,
    RCT_SERIES_ANGULAR_VELOCITY,
    RCT_SERIES_POSITION,
    RCT_SERIES_TIME, /* from here on sums over the whole system */
    RCT_SERIES_KINETIC,
    RCT_SERIES_POTENTIAL,
    RCT_SERIES_ENERGY,
    RCT_SERIES_ENERGY_DRIFT,
    RCT_SERIES_MOMENTUM,
    RCT_SERIES_ANGULAR_MOMENTUM,
    RCT_SERIES_MOMENTUM_CHANGE,
    RCT_SERIES_ANGULAR_MOMENTUM_CHANGE,
    RCT_SERIES_POSITION_VIOLATION, /* only models with loops                                     */
    RCT_SERIES_VELOCITY_VIOLATION,
    RCT_SERIES_COORDINATES, /* from here on only with hinges other than ball and fixed ones */
    RCT_SERIES_RATES,
    RCT_SERIES_LOOP_ACTIVE, /* from here on only models with events                               */
    RCT_SERIES_EVENT_COUNT,
    RCT_SERIES_EVENT_TIME,
    RCT_SERIES_COUNT
} rct_series_id;

enum {
    RCT_FRAME_BODY_NUMBERS = 10, /* doubles of a body in a frame: 4 + 3 + 3                      */
    RCT_COMMAND_SHOWN = 8000,    /* bytes of the command line that are kept                      */
};

/* The sums of a frame, in the order of the series from RCT_SERIES_TIME on. */
typedef struct rct_frame_sums {
    double time, kinetic, potential, energy, energy_drift;
    double momentum[3], angular_momentum[3], momentum_change[3], angular_momentum_change[3];
    double position_violation, velocity_violation;
} rct_frame_sums;

/* The source of the sums. */
typedef struct rct_frame_whole {
    double time; /* s */
    rct_measures measures;
    rct_loop_info loops;
} rct_frame_whole;

/* The sizes of a frame. Coordinates and rates are both 0 if all hinges are ball or fixed: they
 * would repeat the orientations and angular velocities. */
typedef struct rct_frame_sizes {
    int64_t bodies, coordinates, rates, loops, events;
} rct_frame_sizes;

rct_frame_sizes rct_frame_sizes_of(const rct_model *model);

struct rct_recorder {
    rct_place place;
    rct_frame_sizes sizes;
    int64_t frames;  /* room                                                                     */
    int64_t written; /* frames written                                                           */
    int failed;      /* the last frame could not be written, whatever the counters say           */

    /* ids of the open file, -1 when closed */
    hid_t driver, file, frames_written, complete, checksums;
    int64_t frames_written_at, checksums_at; /* where their numbers begin in the file            */
    rct_series series[RCT_SERIES_COUNT];     /* without rows if there is none                     */

    double *rows;         /* of some bodies (rct_recorder_rows), on their way to the file        */
    double *hinges;       /* coordinates of all hinges, then rates                               */
    double *switches;     /* which loops hold; how often events happened, and when last          */
    rct_frame_sums first; /* of the first frame, written by frame.c                              */
};

/* Allocate a recorder with nothing open; close and free everything that exists. A file without
 * its final name is removed. */
rct_recorder *rct_recorder_allocate(rct_call *call, rct_frame_sizes sizes, int64_t frames);
void rct_recorder_dispose(rct_call *call, rct_recorder *recorder);

/* Open the file, H5F_ACC_RDWR or H5F_ACC_RDONLY, over recorder->place.disk; from then on only
 * numbers of datasets are written. Close it with all that HDF5 has open, perhaps nothing. */
void rct_recorder_open_file(rct_call *call, rct_recorder *recorder, const char *path,
                            unsigned flags);
void rct_recorder_close_file(rct_call *call, rct_recorder *recorder);

/* The counters of the open file; for version 1 those of HDF5 alone. RCT_ERROR_IO if no moment of
 * a recording leaves the counters like this. */
rct_counters rct_recorder_counted(rct_call *call, const rct_recorder *recorder, rct_seal seal);

/* Fail unless the solver has this many bodies. */
void rct_recorder_check_bodies(rct_call *call, int64_t bodies, const rct_solver *solver);

/* Write the attributes of the file; fail unless the file has them, except the time of making and
 * the threads. */
void rct_put_attributes(rct_call *call, hid_t file, const rct_model *model,
                        const rct_solver *solver, const rct_recorder_options *options);
void rct_check_attributes(rct_call *call, hid_t file, const rct_model *model,
                          const rct_solver *solver, const rct_recorder_options *options);

/* Rows of bodies that are made at a time; make room for them, and for the numbers of hinges. */
static inline int64_t rct_recorder_rows(int64_t bodies)
{
    const int64_t most = 8192;
    return bodies < most ? bodies : most;
}
void rct_recorder_make_room(rct_call *call, rct_recorder *recorder);

/* Bytes of the chunks of /frames, and an upper bound for their index. */
int64_t rct_frames_bytes(rct_frame_sizes sizes, int64_t frames);

/* Read the state of loops and events from the solver into `switches`; the solver must have some. */
void rct_recorder_read_switches(rct_recorder *recorder, const rct_solver *solver);

/* The group /frames with the scales of its dimensions, and their bytes; attach them to a series
 * of this rank. */
void rct_create_scales(rct_call *call, rct_recorder *recorder, const rct_model *model);
int64_t rct_scales_bytes(const rct_model *model, rct_frame_sizes sizes);
void rct_attach_scales(rct_call *call, hid_t group, hid_t dataset, int series, int rank);

/* The shape of a series and of its chunks, in a file with room for this many frames. */
rct_table rct_describe_series(int series, const rct_frame_sizes *sizes, int64_t frames);

/* Make the series of /frames and their checksums; open them, and the counters; read the sums of
 * the first frame. */
void rct_create_frames(rct_call *call, rct_recorder *recorder);
void rct_open_frames(rct_call *call, rct_recorder *recorder, int with_checksums);

/* Read the shape, open the frames, and check them if `seal` says that they have checksums.
 * Returns the counters. */
rct_counters rct_recorder_open_checked(rct_call *call, rct_recorder *reader, rct_seal seal);
void rct_close_frames(rct_call *call, rct_recorder *recorder);
void rct_read_first(rct_call *call, rct_recorder *recorder);

/* Write the state that the solver read last, and the numbers of hinges, as frame
 * `recorder->written`; write a number past HDF5. */
void rct_write_frame(rct_call *call, rct_recorder *recorder, const rct_solver *solver,
                     const rct_frame_whole *whole);
void rct_write_number(rct_call *call, const rct_recorder *recorder, int64_t at, const void *number,
                      int64_t size);

/* Read the first `frames` frames. RCT_ERROR_IO, with the first frame that is not as it was
 * written, if there are checksums. */
void rct_check_frames(rct_call *call, rct_recorder *recorder, int64_t frames);

#endif
