/* Files of the self-test: a short run that is recorded and read back, the same run continued
 * from a checkpoint, and a damaged recording. */
#include "doctor/doctor.h"
#include "interrupted.h"
#include "scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20, PATH_SIZE = CLI_SCRATCH_SIZE + 16 };

static const double dt = 1e-3;

static const rct_family run_of = {
    .family = "branch", .bodies = 34, .hinge = RCT_HINGE_BALL, .seed = 5, .perturb = 0.5};

/* Run and record, with a frame at the start, halfway and at the end. */
static bool record(const rct_model *model, const char *path, cli_state *end)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.threads = 1;
    rct_recorder_options room = rct_recorder_options_default();
    room.frames = 3;
    room.dt = dt;
    room.t_end = STEPS * dt;
    rct_solver *solver = rct_solver_create(model, &options, &cli_error);
    rct_recorder *recorder =
        solver != NULL ? rct_recorder_create(path, model, solver, &room, &cli_error) : NULL;
    bool good = recorder != NULL;
    for (int64_t frame = 0; frame < room.frames && good; frame++) {
        good = (frame == 0 || rct_solver_step(solver, dt, STEPS / 2, &cli_error) == RCT_OK) &&
               rct_recorder_write(recorder, solver, NULL, &cli_error) == RCT_OK;
    }
    good = rct_recorder_close(recorder, good, good ? &cli_error : NULL) == RCT_OK && good &&
           cli_state_create(end, solver);
    rct_solver_free(solver);
    return good;
}

/* How many numbers of the last frame differ from the state at the end; -1: it cannot be read. */
static int64_t differ(const char *path, const cli_state *end)
{
    int64_t count = -1;
    rct_recording *recording = rct_recording_open(path, &cli_error);
    double *read = calloc((size_t)(3 * end->bodies), sizeof *read);
    if (recording != NULL && read != NULL &&
        rct_recording_read(recording, rct_recording_find(recording, "position"), 2, 0, end->bodies,
                           read, &cli_error) == RCT_OK) {
        count = 0;
        for (int64_t i = 0; i < 3 * end->bodies; i++) {
            count += memcmp(read + i, end->position + i, sizeof *read) != 0;
        }
    }
    free(read);
    rct_recording_close(recording);
    return count;
}

/* Flip the bits of a byte in the middle of a file. */
static bool damage(const char *path)
{
    FILE *file = fopen(path, "r+b");
    bool good = file != NULL && fseek(file, 0, SEEK_END) == 0;
    const long middle = good ? ftell(file) / 2 : 0;
    int byte = 0;
    good = good && fseek(file, middle, SEEK_SET) == 0 && (byte = fgetc(file)) != EOF &&
           fseek(file, middle, SEEK_SET) == 0 && fputc(byte ^ 0xff, file) != EOF;
    return file != NULL && fclose(file) == 0 && good;
}

static void judge_recording(cli_checks *checks, const char *path, const cli_state *end)
{
    static const char advice[] =
        "HDF5 writes wrong files here: see which libhdf5 is listed above, and build with that one";
    const int64_t count = differ(path, end);
    rct_file_info info;
    if (count < 0 || rct_file_check(path, &info, &cli_error) != RCT_OK) {
        cli_check_fail(checks, "recording read back", "%s; %s", cli_error.text, advice);
        return;
    }
    cli_check_bound(checks, "recording read back", (double)count, cli_at_most(0.0),
                    "this many numbers have other bits; %s", advice);
    if (!damage(path)) {
        cli_check_skip(checks, "damage found", "%s cannot be written again", path);
    } else if (rct_file_check(path, &info, &cli_error) == RCT_OK) {
        cli_check_fail(
            checks, "damage found",
            "a byte was changed, and `check` does not detect it; build the library again");
    } else {
        cli_check_bound(checks, "damage found", 0.0, cli_at_most(0.0), "%s", "");
    }
}

static void judge_checkpoint(cli_checks *checks, const rct_model *model, const char *folder,
                             const cli_state *end)
{
    cli_state again = {.bodies = 0};
    if (!cli_run_interrupted(model, dt, STEPS, folder, &again)) {
        cli_check_fail(checks, "checkpoint continued", "%s", cli_error.text);
        return;
    }
    cli_check_bound(
        checks, "checkpoint continued", (double)cli_state_apart(end, &again), cli_at_most(0.0),
        "this many numbers have other bits than without a checkpoint; build the library again");
    cli_state_free(&again);
}

static void judge_files(cli_checks *checks, const rct_model *model, const char *folder)
{
    char path[PATH_SIZE];
    cli_state end = {.bodies = 0};
    snprintf(path, sizeof path, "%s/run.h5", folder);
    if (!record(model, path, &end)) {
        cli_check_fail(checks, "recording read back", "%s", cli_error.text);
        return;
    }
    judge_recording(checks, path, &end);
    judge_checkpoint(checks, model, folder, &end);
    cli_state_free(&end);
}

bool cli_doctor_files(cli_checks *checks)
{
    cli_scratch scratch;
    rct_model *model = rct_model_generate(&run_of, &cli_error);
    if (!cli_have(model)) {
        return false;
    }
    if (cli_scratch_make(&scratch)) {
        judge_files(checks, model, scratch.path);
        cli_scratch_remove(&scratch);
    } else {
        cli_check_fail(checks, "recording read back",
                       "there is no folder for temporary files; set TMPDIR to a folder that can be "
                       "written to");
    }
    rct_model_free(model);
    return true;
}
