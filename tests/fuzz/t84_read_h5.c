/* Models, recordings and results of ensembles in HDF5 that another program has changed: values,
 * attributes, extents, types, names; with valid seals. They are refused with a message, or read to
 * the end, shown and exported. The bytes of an input choose the file and the change. */
#include "tests/fuzz/edit_h5.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/model_holds.h"
#include "tests/support/draw.h"
#include "tests/support/faults/damage.h"
#include "tests/support/files/small_ensemble.h"
#include "tests/support/systems/any_model.h"

#include <riccatree/riccatree.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MODELS = 6,
    RECORDINGS = 6,
    FILES = MODELS + RECORDINGS + 1,
    DRAWN = 64,
    REFUSED = 1 << RCT_ERROR_IO | 1 << RCT_ERROR_UNSUPPORTED | 1 << RCT_ERROR_MODEL |
              1 << RCT_ERROR_SYNTAX | 1 << RCT_ERROR_MEMORY | 1 << RCT_ERROR_ARGUMENT,
    REFUSED_SOLVERS =
        REFUSED | 1 << RCT_ERROR_SINGULAR | 1 << RCT_ERROR_LOOP | 1 << RCT_ERROR_DIVERGED
};

static void make(fuzz_take *take, void *context)
{
    uint64_t random = 1;
    for (int i = 0; i < DRAWN; i++) {
        uint8_t bytes[1 + EDIT_BYTES] = {(uint8_t)i};
        for (int k = 1; k <= EDIT_BYTES; k++) {
            bytes[k] = (uint8_t)draw_bits(&random);
        }
        take(context, bytes, i < FILES ? 1 : sizeof bytes); /* the first files as they are */
    }
}

const fuzz_target fuzz_this = {.name = "h5", .accepted = 100, .make = make};

/* ---- the files ---------------------------------------------------------------------------- */

static struct {
    uint8_t *bytes;
    size_t size;
} files[FILES];

static void write_recording(const rct_model *model, const char *path)
{
    rct_error error = {.text = ""};
    rct_solver_options options = rct_solver_options_default();
    options.threads = 1;
    options.as_given = 1;
    options.drift = RCT_DRIFT_NONE;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    fuzz_must(solver != NULL, error.text);
    rct_recorder_options how = rct_recorder_options_default();
    how.frames = 3;
    how.overwrite = 1;
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &how, &error);
    fuzz_must(recorder != NULL, error.text);
    for (int i = 0; i < 2; i++) {
        fuzz_must(rct_recorder_write(recorder, solver, NULL, &error) == RCT_OK, error.text);
    }
    fuzz_must(rct_recorder_close(recorder, 1, &error) == RCT_OK, error.text);
    rct_solver_free(solver);
}

static void write_file(int number, const char *path)
{
    rct_error error = {.text = ""};
    rct_model *model = any_model((uint64_t)number % MODELS, 5, &error);
    fuzz_must(model != NULL, error.text);
    if (number < MODELS) {
        fuzz_must(rct_model_write_h5(model, path, &error) == RCT_OK, error.text);
    } else if (number < MODELS + RECORDINGS) {
        write_recording(model, path);
    } else {
        remove(path);
        small_file(path);
    }
    rct_model_free(model);
}

static void forget(void)
{
    for (int i = 0; i < FILES; i++) {
        free(files[i].bytes);
    }
}

static const char *put_file(int number)
{
    if (files[number].bytes == NULL) {
        static int made;
        if (made++ == 0) {
            atexit(forget);
        }
        char path[256];
        snprintf(path, sizeof path, "%s", fuzz_path("seed.h5"));
        write_file(number, path);
        files[number].bytes = (uint8_t *)damage_read(path, &files[number].size);
    }
    return fuzz_file("a.h5", files[number].bytes, files[number].size);
}

/* ---- reading them ------------------------------------------------------------------------- */

/* The output made from a file exists, or is missing and refused with a message. */
static void expect_made(rct_status status, const char *made, const rct_error *error, int statuses)
{
    if (status != RCT_OK) {
        fuzz_refused(error, statuses);
    }
    fuzz_must((access(made, F_OK) == 0) == (status == RCT_OK),
              "a file that was refused, or none that was not");
    unlink(made);
}

/* Pages and files of other programs, of any file. */
static void show(const char *path)
{
    rct_error error = {.text = ""};
    char made[256];
    snprintf(made, sizeof made, "%s", fuzz_path("made"));
    expect_made(rct_view_recording(path, made, NULL, NULL, &error), made, &error, REFUSED);
    expect_made(rct_view_ensemble(path, made, NULL, NULL, &error), made, &error, REFUSED);
    expect_made(rct_export_npz(path, made, &error), made, &error, REFUSED);
    expect_made(rct_export_vtkhdf(path, made, &error), made, &error, REFUSED);
}

static void read_model(const char *path)
{
    rct_error error = {.text = ""};
    rct_model *model = rct_model_read_h5(path, &error);
    if (model != NULL) {
        char page[256];
        fuzz_accepted++;
        model_holds(model);
        snprintf(page, sizeof page, "%s", fuzz_path("page.html"));
        expect_made(rct_view_model(model, page, NULL, NULL, &error), page, &error, REFUSED_SOLVERS);
    } else {
        fuzz_refused(&error, REFUSED);
    }
    rct_model_free(model);
}

static void read_quantity(rct_recording *reader, int32_t number, int64_t frames)
{
    rct_error error = {.text = ""};
    rct_quantity q;
    fuzz_must(rct_recording_quantity(reader, number, &q, &error) == RCT_OK, error.text);
    fuzz_must(q.rows >= 0 && q.width >= 0 && q.rows < 100000 && q.width < 100000,
              "sizes of a quantity");
    double *numbers = calloc((size_t)(q.rows * q.width) + 1, sizeof *numbers);
    for (int64_t frame = 0; frame < frames && frame < 4; frame++) {
        if (rct_recording_read(reader, number, frame, 0, q.rows, numbers, &error) != RCT_OK) {
            fuzz_refused(&error, REFUSED);
        }
    }
    free(numbers);
}

static void read_recording(const char *path)
{
    rct_error error = {.text = ""};
    rct_recording *reader = rct_recording_open(path, &error);
    if (reader != NULL) {
        rct_recording_info info;
        rct_recording_get_info(reader, &info);
        for (int32_t i = 0; i < info.quantities; i++) {
            read_quantity(reader, i, info.frames);
        }
    } else {
        fuzz_refused(&error, REFUSED);
    }
    rct_recording_close(reader);
}

static void read_rows(const rct_ensemble_results *results)
{
    rct_error error = {.text = ""};
    rct_ensemble_results_info info;
    rct_ensemble_results_get_info(results, &info);
    fuzz_must(info.members >= 0 && info.members < 100000, "members");
    fuzz_must(info.variations >= 0 && info.variations < 100000, "variations");
    const size_t rows = (size_t)info.members, width = (size_t)info.variations;
    int32_t *status = calloc(rows + 1, sizeof *status);
    double *numbers[3] = {calloc(rows + 1, 8), calloc(rows + 1, 8), calloc(rows + 1, 8)};
    double *parameters = calloc(rows * width + 1, sizeof *parameters);
    if (rct_ensemble_results_read(results, status, numbers[0], numbers[1], numbers[2], parameters,
                                  &error) != RCT_OK) {
        fuzz_refused(&error, REFUSED);
    }
    for (int64_t row = 0; row < info.members; row++) {
        char text[RCT_MEMBER_TEXT];
        fuzz_must(rct_ensemble_results_text(results, row, text, &error) == RCT_OK, error.text);
        fuzz_must(memchr(text, '\0', sizeof text) != NULL, "a text without an end");
    }
    free(parameters);
    free(numbers[0]);
    free(numbers[1]);
    free(numbers[2]);
    free(status);
}

static void read_results(const char *path)
{
    rct_error error = {.text = ""};
    rct_ensemble_results *results = rct_ensemble_results_open(path, &error);
    if (results != NULL) {
        rct_ensemble_run_options run;
        read_rows(results);
        rct_ensemble *ensemble = rct_ensemble_results_ensemble(results, &run, &error);
        if (ensemble == NULL) {
            fuzz_refused(&error, REFUSED);
        }
        rct_ensemble_free(ensemble);
    } else {
        fuzz_refused(&error, REFUSED);
    }
    rct_ensemble_results_close(results);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > 0) {
        rct_error error = {.text = ""};
        rct_file_info info;
        const int number = bytes[0] % FILES;
        char path[256];
        snprintf(path, sizeof path, "%s", put_file(number));
        if (size > EDIT_BYTES && !edit_h5(path, bytes + 1, (size - 1) / EDIT_BYTES)) {
            return 0;
        }
        read_model(path);
        read_recording(path);
        read_results(path);
        show(path);
        if (rct_file_check(path, &info, &error) != RCT_OK) {
            fuzz_refused(&error, REFUSED);
        }
    }
    return 0;
}
