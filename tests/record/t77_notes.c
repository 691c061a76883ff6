/* A checkpoint whose checksum holds, but whose note has numbers that no run has: `riccatree resume` refuses it in one line. */
#define _GNU_SOURCE 1 /* memmem() */

#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "tests/support/faults/damage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { COMMAND = 4 * RECORDING_PATH, NO_LOOP = -1 };

/* Where numbers of the note stand (src/cli/run/checkpoint.c). */
enum {
    DT = 16,
    T_END = 24,
    STEPS = 32,
    FRAMES = 40,
    DONE = 48,
    MEASURED = 56,
    FILE_BYTES = 64,
    THREADS = 72,
    DRIFT = 80,
    EXCHANGE = 88,
    STEPPING = 96,
    ELAPSED = 104,
    LOOPS = 192,
    STEP_ERROR = 200,
    STEP_ADVISED = 208,
    EVERY_STEPS = 216,
    EVERY_SECONDS = 224,
    MAX_DRIFT = 232,
    ADAPTS = 240
};

/* Runs the command line in the directory of the test; its exit status. */
static int riccatree(const char *arguments)
{
    char command[COMMAND];
    snprintf(command, sizeof command, "cd '%s' && '%s' %s >out 2>err", recording_directory(),
             RCT_COMMAND, arguments);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect_refused(const char *says)
{
    size_t size = 0;
    assert_int_equal(riccatree("resume a.ck"), 2);
    char *text = damage_read(recording_path(1, "err"), &size);
    text[size] = '\0';
    if (strstr(text, says) == NULL || strchr(text, '\n') != text + size - 1) {
        fail_msg("\"%s\" does not say \"%s\"", text, says);
    }
    free(text);
}

typedef struct forgery {
    int at;
    const char *says;
    int64_t count; /* put there if `real` is 0 */
    double real;
} forgery;

static const forgery forgeries[] = {
    {STEPS, "the number of its steps", -5, 0.0},
    {STEPS, "the number of its steps", 7, 0.0},
    {STEPS, "the number of its steps", INT64_MAX, 0.0},
    {DT, "its step", 0, NAN},
    {DT, "its step", 0, -1e-3},
    {T_END, "its end", 0, INFINITY},
    {T_END, "its end", 0, 0.0},
    {FRAMES, "the number of its frames", -1, 0.0},
    {FRAMES, "the number of its frames", 1, 0.0},
    {FRAMES, "the number of its frames", INT64_MIN, 0.0},
    {FRAMES, "the number of its frames", 99, 0.0},
    {DONE, "the number of steps made", -1, 0.0},
    {DONE, "the number of steps made", 1, 0.0},
    {DONE, "the number of steps made", 9, 0.0},
    {MEASURED, "the number of frames so far", -1, 0.0},
    {MEASURED, "the number of frames so far", 99, 0.0},
    {FILE_BYTES, "the size of its recording", -1, 0.0},
    {THREADS, "the number of threads", -1, 0.0},
    {THREADS, "the number of threads", (int64_t)1 << 40, 0.0},
    {DRIFT, "the change of its energy", 0, NAN},
    {EXCHANGE, "the change of its energy", 0, -1.0},
    {STEPPING, "the time it took", 0, -1.0},
    {ELAPSED, "the time it took", 0, INFINITY},
    {LOOPS, "a loop", -7, 0.0},
    {LOOPS, "its note names a loop of 0", (int64_t)0xffffffff00000005, 0.0},
    {STEP_ERROR, "the error of its steps", 0, -2.0},
    {STEP_ADVISED, "the error of its steps", 0, NAN},
    {STEP_ADVISED, "the error of its steps", 0, -1e-3},
    {EVERY_STEPS, "the time between checkpoints", -1, 0.0},
    {EVERY_SECONDS, "the time between checkpoints", 0, NAN},
    {MAX_DRIFT, "the drift that its energy may have", 0, -1e-3},
    {ADAPTS, "the kind of its steps", 2, 0.0},
};

static void test_numbers_that_no_run_has(void **state)
{
    (void)state;
    size_t size = 0;
    const char *path = recording_path(0, "a.ck");
    assert_int_equal(riccatree("run chain --bodies 3 --t-end 0.008 --dt 0.001 --backend cpu "
                               "--checkpoint a.ck --checkpoint-every 3"),
                     0);
    char *bytes = damage_read(path, &size);
    char *note = memmem(bytes, size, "riccatree run 3", 16);
    assert_non_null(note);
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        const forgery *f = &forgeries[i];
        char old[8];
        memcpy(old, note + f->at, sizeof old);
        memcpy(note + f->at, f->real != 0.0 ? (const void *)&f->real : &f->count, sizeof old);
        damage_write_forged(path, bytes, size);
        expect_refused(f->says);
        memcpy(note + f->at, old, sizeof old);
    }
    damage_write_forged(path, bytes, size);
    assert_int_equal(riccatree("resume a.ck"), 0); /* as it was */
    free(bytes);
}

/* And of the head, which the library looks at. */
static void test_numbers_of_the_head(void **state)
{
    (void)state;
    enum { HEAD_TIME = 24, HEAD_STEPS = 32 };
    size_t size = 0;
    const int64_t steps = -5;
    const double time = NAN;
    const char *path = recording_path(0, "a.ck");
    assert_int_equal(riccatree("run chain --bodies 3 --t-end 0.008 --dt 0.001 --checkpoint a.ck"),
                     0);
    char *bytes = damage_read(path, &size);
    memcpy(bytes + HEAD_STEPS, &steps, sizeof steps);
    damage_write_forged(path, bytes, size);
    expect_refused("a.ck: is damaged: it says -5 steps");
    memset(bytes + HEAD_STEPS, 0, sizeof steps);
    memcpy(bytes + HEAD_TIME, &time, sizeof time);
    damage_write_forged(path, bytes, size);
    expect_refused("a.ck: is damaged: it says 0 steps and a time of nan s");
    free(bytes);
}

#define TEST(name) cmocka_unit_test_teardown(name, recording_tidy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_numbers_that_no_run_has),
        TEST(test_numbers_of_the_head),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
