/* A frame of a recording. Threads write it, each some bodies from their poses to the file; it is
 * read back once. HDF5 says where its series are and takes no further part. */
#include "record/file/checksum.h"
#include "record/recording/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>

enum {
    STARTED = 1 << 18
}; /* bytes of a row of a series from which it pays to start the transfer to the disk */

/* ---- sums --------------------------------------------------------------------------------- */

static void sum_up(rct_frame_sums *sums, const rct_frame_whole *whole, const rct_frame_sums *first)
{
    const rct_measures *measures = &whole->measures;
    sums->time = whole->time;
    sums->position_violation = whole->loops.position;
    sums->velocity_violation = whole->loops.velocity;
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

/* Where the sums are, from RCT_SERIES_TIME on. */
static double *sum_of(rct_frame_sums *sums, int series)
{
    double *const all[RCT_SERIES_COORDINATES - RCT_SERIES_TIME] = {
        &sums->time,
        &sums->kinetic,
        &sums->potential,
        &sums->energy,
        &sums->energy_drift,
        sums->momentum,
        sums->angular_momentum,
        sums->momentum_change,
        sums->angular_momentum_change,
        &sums->position_violation,
        &sums->velocity_violation,
    };
    return all[series - RCT_SERIES_TIME];
}

void rct_read_first(rct_call *call, rct_recorder *recorder)
{
    for (int s = RCT_SERIES_TIME; s < RCT_SERIES_COORDINATES; s++) {
        rct_series *series = &recorder->series[s];
        if (series->rows > 0) {
            int64_t at = 0;
            rct_series_find(call, series, 0);
            const int64_t rows = rct_series_piece(series, 0, 0, series->rows, &at);
            rct_call_read(call, recorder->place.disk.file, at, sum_of(&recorder->first, s),
                          rows * series->row_bytes);
        }
    }
}

/* ---- writing ------------------------------------------------------------------------------ */

typedef struct writing {
    const rct_solver *solver;
    rct_recorder *recorder;
    int64_t first;                    /* body of the first row in the recorder                   */
    int64_t behind[RCT_SERIES_COUNT]; /* bytes of the frame from the beginning of a series on     */
    atomic_uint checksum;
    atomic_int failure; /* errno of a write that failed                                          */
} writing;

/* Write rows of a series to the file and into the checksum of the frame. */
static void put(writing *w, int s, int64_t first, int64_t count, const double *values)
{
    const rct_recorder *recorder = w->recorder;
    const rct_series *series = &recorder->series[s];
    const uint32_t sum = rct_checksum(0, values, count * series->row_bytes);
    const int64_t behind = w->behind[s] - (first + count) * series->row_bytes;
    atomic_fetch_xor(&w->checksum, rct_checksum_part(sum, behind));
    if (rct_series_write(series, &recorder->place.disk, recorder->written, first, count, values) !=
        0) {
        atomic_store(&w->failure, errno);
    }
}

static void put_bodies(void *context, int64_t begin, int64_t end)
{
    writing *w = context;
    const int64_t n = end - begin, first = w->first + begin;
    double *rows = w->recorder->rows + RCT_FRAME_BODY_NUMBERS * begin;
    const rct_state_rows to = {
        .orientation = rows, .angular_velocity = rows + 4 * n, .position = rows + 7 * n};
    rct_solver_show_rows(w->solver, first, n, &to);
    put(w, RCT_SERIES_ORIENTATION, first, n, to.orientation);
    put(w, RCT_SERIES_ANGULAR_VELOCITY, first, n, to.angular_velocity);
    put(w, RCT_SERIES_POSITION, first, n, to.position);
}

static void put_all(writing *w, rct_frame_sums *sums)
{
    rct_recorder *recorder = w->recorder;
    const rct_frame_sizes *sizes = &recorder->sizes;
    const int64_t most = rct_recorder_rows(sizes->bodies);
    for (; w->first < sizes->bodies; w->first += most) {
        const int64_t left = sizes->bodies - w->first;
        rct_solver_share(w->solver, left < most ? left : most, put_bodies, w);
    }
    for (int s = RCT_SERIES_TIME; s < RCT_SERIES_COORDINATES; s++) {
        if (recorder->series[s].rows > 0) {
            put(w, s, 0, recorder->series[s].rows, sum_of(sums, s));
        }
    }
    if (sizes->coordinates > 0) {
        put(w, RCT_SERIES_COORDINATES, 0, sizes->coordinates, recorder->hinges);
        put(w, RCT_SERIES_RATES, 0, sizes->rates, recorder->hinges + sizes->coordinates);
    }
    if (sizes->events > 0) {
        const double *events = recorder->switches + sizes->loops;
        put(w, RCT_SERIES_LOOP_ACTIVE, 0, sizes->loops, recorder->switches);
        put(w, RCT_SERIES_EVENT_COUNT, 0, sizes->events, events);
        put(w, RCT_SERIES_EVENT_TIME, 0, sizes->events, events + sizes->events);
    }
}

/* Start the transfer of large rows to the disk, so that waiting for the last row does not wait
 * for all. */
static void start(const rct_recorder *recorder)
{
    for (int s = 0; s < RCT_SERIES_COUNT; s++) {
        const rct_series *series = &recorder->series[s];
        int64_t at, count;
        for (int64_t row = 0; row < series->rows && series->rows * series->row_bytes >= STARTED;
             row += count) {
            count = rct_series_piece(series, recorder->written, row, series->rows - row, &at);
            rct_disk_start(&recorder->place.disk, at, count * series->row_bytes);
        }
    }
}

void rct_write_number(rct_call *call, const rct_recorder *recorder, int64_t at, const void *number,
                      int64_t size)
{
    RCT_SYSTEM(call, "write numbers", rct_disk_write(&recorder->place.disk, at, number, size));
}

void rct_write_frame(rct_call *call, rct_recorder *recorder, const rct_solver *solver,
                     const rct_frame_whole *whole)
{
    rct_frame_sums sums;
    writing w = {.solver = solver, .recorder = recorder};
    int64_t behind = 0;
    sum_up(&sums, whole, &recorder->first);
    if (recorder->written == 0) {
        recorder->first = sums;
        sum_up(&sums, whole, &recorder->first);
    }
    for (int s = RCT_SERIES_COUNT - 1; s >= 0; s--) {
        rct_series *series = &recorder->series[s];
        behind += series->rows * series->row_bytes;
        w.behind[s] = behind;
        if (series->rows > 0) {
            rct_series_find(call, series, recorder->written);
        }
    }
    if (call->status != RCT_OK) {
        return;
    }
    const uint32_t number = rct_checksum(0, &recorder->written, sizeof recorder->written);
    atomic_init(&w.checksum, rct_checksum_part(number, behind));
    put_all(&w, &sums);
    errno = atomic_load(&w.failure);
    RCT_SYSTEM(call, "write numbers", errno != 0 ? -1 : 0);
    const uint32_t checksum = atomic_load(&w.checksum);
    rct_write_number(call, recorder,
                     recorder->checksums_at + recorder->written * (int64_t)sizeof checksum,
                     &checksum, sizeof checksum);
    start(recorder);
}

/* ---- reading ------------------------------------------------------------------------------ */

static void check_frame(rct_call *call, rct_recorder *recorder, int64_t frame)
{
    const int file = recorder->place.disk.file;
    uint32_t said = 0, found = rct_checksum(0, &frame, sizeof frame);
    for (int s = 0; s < RCT_SERIES_COUNT; s++) {
        rct_series *series = &recorder->series[s];
        int64_t at, count;
        if (series->rows > 0) {
            rct_series_find(call, series, frame);
        }
        for (int64_t row = 0; row < series->rows && call->status == RCT_OK; row += count) {
            count = rct_series_piece(series, frame, row, series->rows - row, &at);
            rct_checksum_file(call, &found, file, at, count * series->row_bytes);
        }
    }
    if (recorder->checksums < 0 || call->status != RCT_OK) {
        return; /* version 1 can only be read */
    }
    rct_call_read(call, file, recorder->checksums_at + frame * (int64_t)sizeof said, &said,
                  sizeof said);
    if (found != said) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged: the checksum of frame %" PRId64 " is %08" PRIx32
                      ", but the file records %08" PRIx32 "; take an older copy",
                      frame, found, said);
    }
}

void rct_check_frames(rct_call *call, rct_recorder *recorder, int64_t frames)
{
    for (int64_t frame = 0; frame < frames && call->status == RCT_OK; frame++) {
        check_frame(call, recorder, frame);
    }
}
