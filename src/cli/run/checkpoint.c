/* Checkpoints of `run`: when one is due, and what the command line keeps in its note to go on as if nothing had
 * been. */
#include "run/run.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of the note; behind them three texts, each with a zero: the command line, the recording as it
 * was typed, and where it lies ("" both: none). */
typedef struct note {
    char kind[16];
    double dt, t_end; /* s */
    int64_t steps, frames, done, measured, file_bytes, threads;
    double drift, exchange;   /* J */
    double stepping, elapsed; /* s */
    rct_measures first;
    cli_violation violation;
    cli_worst_step worst;
    cli_interval every;
} note;

static const char kind[16] = "riccatree run 2";

enum { ADVICE_SIZE = 128 }; /* of its words */

/* ---- writing ------------------------------------------------------------------------------ */

/* Where the recording lies, to be freed; NULL: none, or no memory. */
static char *place_of(const cli_run_state *run)
{
    return run->recorder != NULL ? realpath(run->place, NULL) : NULL;
}

static int make_note(cli_run_state *run)
{
    char *place = place_of(run);
    const char *const texts[] = {run->arguments->command_line,
                                 place != NULL ? run->arguments->out : "",
                                 place != NULL ? place : ""};
    size_t bytes = sizeof(note);
    for (int i = 0; i < 3; i++) {
        bytes += strlen(texts[i]) + 1;
    }
    void *memory = calloc(bytes, 1);
    if (memory != NULL) {
        char *end = (char *)memory + sizeof(note);
        for (int i = 0; i < 3; i++) {
            end = stpcpy(end, texts[i]) + 1;
        }
    }
    free(place);
    run->checkpoint.note = memory;
    run->checkpoint.note_bytes = (int64_t)bytes;
    return memory != NULL ? CLI_OK : cli_fail(CLI_FAILED, "out of memory; free some");
}

int cli_checkpoint_claim(cli_run_state *run, const char *file)
{
    rct_error error;
    run->checkpoint.file = file;
    run->checkpoint.writer = rct_checkpoint_writer_create(file, run->model, run->solver, &error);
    return run->checkpoint.writer != NULL ? CLI_OK : cli_fail_library(&error);
}

int cli_checkpoint_start(cli_run_state *run)
{
    run->checkpoint.saved_at = cli_seconds();
    return make_note(run);
}

int64_t cli_checkpoint_next(const cli_run_state *run, int64_t target)
{
    const int64_t every = run->arguments->checkpoint_every.steps;
    if (run->checkpoint.writer == NULL || every == 0) {
        return target;
    }
    const int64_t left = every - run->done % every;
    return left < target - run->done ? run->done + left : target;
}

static int is_due(const cli_run_state *run)
{
    const cli_interval *every = &run->arguments->checkpoint_every;
    return every->steps > 0 ? run->done % every->steps == 0
                            : cli_seconds() - run->checkpoint.saved_at >= every->seconds;
}

rct_status cli_checkpoint_save(cli_run_state *run, rct_error *error)
{
    cli_checkpoint *to = &run->checkpoint;
    note numbers = {.dt = run->arguments->dt,
                    .t_end = run->arguments->t_end,
                    .steps = run->steps,
                    .frames = run->frames,
                    .done = run->done,
                    .measured = run->measured,
                    .file_bytes = run->file_bytes,
                    .threads = run->arguments->threads,
                    .drift = run->drift,
                    .exchange = run->exchange,
                    .stepping = run->stepping,
                    .elapsed = cli_seconds() - run->started,
                    .first = run->first,
                    .violation = run->violation,
                    .worst = run->worst,
                    .every = run->arguments->checkpoint_every};
    memcpy(numbers.kind, kind, sizeof kind);
    memcpy(to->note, &numbers, sizeof numbers);
    rct_status status = run->recorder != NULL ? rct_recorder_sync(run->recorder, error) : RCT_OK;
    if (status == RCT_OK) {
        status = rct_checkpoint_write(to->writer, run->done, to->note, to->note_bytes, error);
    }
    to->saved = status == RCT_OK ? run->done : to->saved;
    to->saved_at = cli_seconds();
    return status;
}

rct_status cli_checkpoint_save_due(cli_run_state *run, rct_error *error)
{
    const int due = run->checkpoint.writer != NULL && run->done > run->checkpoint.saved &&
                    run->done < run->steps && is_due(run);
    return due ? cli_checkpoint_save(run, error) : RCT_OK;
}

char *cli_checkpoint_advice(const cli_run_state *run)
{
    const cli_checkpoint *from = &run->checkpoint;
    const int any = from->writer != NULL && from->saved >= 0;
    const size_t size = any ? 4 * strlen(from->file) + ADVICE_SIZE : 0;
    char *text = any ? malloc(size) : NULL;
    if (text != NULL) {
        const int begun =
            snprintf(text, size, "; go on from step %" PRId64 ": riccatree resume ", from->saved);
        cli_quote(text + begun, from->file);
    }
    return text;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* The three texts behind the numbers; false if they are not there. */
static bool find_texts(const rct_checkpoint_info *info, const char *texts[3])
{
    const char *at = (const char *)info->note + sizeof(note);
    const char *end = (const char *)info->note + info->note_bytes;
    for (int i = 0; i < 3; i++) {
        const char *zero = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
        if (zero == NULL) {
            return false;
        }
        texts[i] = at;
        at = zero + 1;
    }
    return at == end;
}

static bool is_span(double x)
{
    return isfinite(x) && x >= 0.0;
}

/* The number of a note that no run has, or NULL. */
static const char *trouble(const note *n, const rct_checkpoint_info *info)
{
    const cli_run_state run = {.steps = n->steps, .frames = n->frames};
    const bool counted = n->steps >= 1 && n->frames >= 2 && n->frames - 1 <= n->steps &&
                         n->done >= 0 && n->done <= n->steps && n->measured >= 0 &&
                         n->measured <= n->frames;
    const struct {
        const char *what;
        bool wrong;
    } numbers[] = {
        {"its step", !(isfinite(n->dt) && n->dt > 0.0)},
        {"its end", !(isfinite(n->t_end) && n->t_end > 0.0)},
        {"the number of its steps",
         n->steps < 1 || fabs((double)n->steps * n->dt - n->t_end) > 1e-6 * n->t_end},
        {"the number of steps made", n->done < 0 || n->done > n->steps || n->done != info->steps},
        {"the number of its frames", n->frames < 2 || n->frames - 1 > n->steps},
        {"the number of frames so far",
         !counted || (n->measured > 0 && cli_run_frame_step(&run, n->measured - 1) > n->done)},
        {"the size of its recording", n->file_bytes < 0},
        {"the number of threads", n->threads < 0 || n->threads > INT32_MAX},
        {"the change of its energy", !is_span(n->drift) || !is_span(n->exchange)},
        {"the time it took", !is_span(n->stepping) || !is_span(n->elapsed)},
        {"a loop", n->violation.position_loop < -1 || n->violation.velocity_loop < -1},
        {"the error of its steps", n->worst.difference < 0.0 || !(n->worst.advised > 0.0)},
        {"the time between checkpoints", n->every.steps < 0 || !is_span(n->every.seconds)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].wrong) {
            return numbers[i].what;
        }
    }
    return NULL;
}

int cli_checkpoint_read(const rct_checkpoint *checkpoint, cli_run_state *run,
                        cli_arguments *arguments)
{
    rct_checkpoint_info info;
    note numbers;
    const char *texts[3];
    rct_checkpoint_get_info(checkpoint, &info);
    if (info.note_bytes < (int64_t)sizeof numbers || memcmp(info.note, kind, sizeof kind) != 0 ||
        !find_texts(&info, texts)) {
        return cli_fail(CLI_BAD_INPUT, "%s: a checkpoint, but not one of `riccatree run`",
                        arguments->operand);
    }
    memcpy(&numbers, info.note, sizeof numbers);
    const char *wrong = trouble(&numbers, &info);
    if (wrong != NULL) {
        return cli_fail(CLI_BAD_INPUT,
                        "%s: is damaged: no run has the numbers of its note: %s; take the one "
                        "before it, or an older copy",
                        arguments->operand, wrong);
    }
    arguments->dt = numbers.dt;
    arguments->t_end = numbers.t_end;
    if (!arguments->given[CLI_CHECKPOINT_EVERY]) {
        arguments->checkpoint_every = numbers.every;
    }
    arguments->threads = arguments->given[CLI_THREADS] ? arguments->threads : numbers.threads;
    arguments->command_line = texts[0];
    if (arguments->given[CLI_OUT_MOVED] && texts[2][0] == '\0') {
        return cli_fail(CLI_BAD_INPUT, "--out %s: this run records nothing; leave it out",
                        arguments->out);
    }
    if (!arguments->given[CLI_OUT_MOVED] && texts[1][0] != '\0') {
        arguments->out = texts[1];
    }
    run->place = arguments->given[CLI_OUT_MOVED] ? arguments->out
                 : texts[2][0] != '\0'           ? texts[2]
                                                 : NULL;
    run->steps = numbers.steps;
    run->frames = numbers.frames;
    run->done = numbers.done;
    run->measured = numbers.measured;
    run->file_bytes = numbers.file_bytes;
    run->drift = numbers.drift;
    run->exchange = numbers.exchange;
    run->stepping = numbers.stepping;
    run->started -= numbers.elapsed;
    run->first = numbers.first;
    run->violation = numbers.violation;
    run->worst = numbers.worst;
    run->checkpoint.saved = numbers.done;
    return CLI_OK;
}
