/* `riccatree resume` refuses in one line a checkpoint with a valid checksum whose note has numbers
 * that no run has. */
#define _GNU_SOURCE 1 /* memmem() */

#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "run/run.h"
#include "tests/support/faults/damage.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { COMMAND = 4 * RECORDING_PATH };

/* Runs the command line in the directory of the test; returns its exit status. */
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
    size_t at;
    const char *says;
    int64_t count; /* put there if `real` is 0 */
    double real;
} forgery;

#define AT(field) offsetof(rct_run_note, field)

static const forgery forgeries[] = {
    {AT(report.steps), "the number of its steps", -5, 0.0},
    {AT(report.steps), "the number of its steps", 7, 0.0},
    {AT(report.steps), "the number of its steps", INT64_MAX, 0.0},
    {AT(dt), "its step", 0, NAN},
    {AT(dt), "its step", 0, -1e-3},
    {AT(t_end), "its end", 0, INFINITY},
    {AT(t_end), "its end", 0, 0.0},
    {AT(start), "its end", 0, 7.0},
    {AT(start), "its end", 0, NAN},
    {AT(report.frames), "the number of its frames", -1, 0.0},
    {AT(report.frames), "the number of its frames", 1, 0.0},
    {AT(report.frames), "the number of its frames", INT64_MIN, 0.0},
    {AT(report.frames), "the number of its frames", 99, 0.0},
    {AT(report.done), "the number of steps made", -1, 0.0},
    {AT(report.done), "the number of steps made", 1, 0.0},
    {AT(report.done), "the number of steps made", 9, 0.0},
    {AT(report.measured), "the number of frames so far", -1, 0.0},
    {AT(report.measured), "the number of frames so far", 99, 0.0},
    {AT(report.file_bytes), "the size of its recording", -1, 0.0},
    {AT(report.drift), "the change of its energy", 0, NAN},
    {AT(report.exchange), "the change of its energy", 0, -1.0},
    {AT(report.stepping), "the time it took", 0, -1.0},
    {AT(report.elapsed), "the time it took", 0, INFINITY},
    {AT(report.position_loop), "a loop", -7, 0.0},
    {AT(report.position_loop), "its note names a loop, but not one of the 0 loops",
     (int64_t)0xffffffff00000005, 0.0},
    {AT(difference), "the error of its steps", 0, -2.0},
    {AT(advised), "the error of its steps", 0, NAN},
    {AT(advised), "the error of its steps", 0, -1e-3},
    {AT(checkpoint_steps), "the time between checkpoints", -1, 0.0},
    {AT(checkpoint_seconds), "the time between checkpoints", 0, NAN},
    {AT(max_drift), "the drift that its energy may have", 0, -1e-3},
    {AT(text_bytes), "its texts", 0, 0.0},
    {AT(text_bytes), "its texts", 12, 0.0},
    {AT(text_bytes), "its texts", INT64_MAX - 7, 0.0},
    {AT(text_bytes), "its texts", INT64_MIN, 0.0},
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
    char *note = memmem(bytes, size, "riccatree run 4", 16);
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
