/* Checkpoints of `run`: when one is due, and what the command line keeps in its note to go on as if nothing had
 * been. */
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char kind[16] = "riccatree run 3";

/* ---- writing ------------------------------------------------------------------------------ */

static bool make_note(cli_run_state *run)
{
    /* where the recording lies; NULL: none, or no memory */
    char *place = run->recorder != NULL ? realpath(run->place, NULL) : NULL;
    const char *const texts[] = {run->arguments->command_line,
                                 place != NULL ? run->arguments->out : "",
                                 place != NULL ? place : ""};
    size_t bytes = sizeof run->note;
    for (int i = 0; i < 3; i++) {
        bytes += strlen(texts[i]) + 1;
    }
    char *memory = calloc(bytes, 1);
    char *end = memory != NULL ? memory + sizeof run->note : NULL;
    for (int i = 0; i < 3 && end != NULL; i++) {
        end = stpcpy(end, texts[i]) + 1;
    }
    free(place);
    run->checkpoint.note = memory;
    run->checkpoint.note_bytes = (int64_t)bytes;
    return cli_have_memory(memory);
}

bool cli_checkpoint_claim(cli_run_state *run, const char *file)
{
    run->checkpoint.file = file;
    run->checkpoint.writer =
        rct_checkpoint_writer_create(file, run->model, run->solver, &cli_error);
    return cli_have(run->checkpoint.writer);
}

bool cli_checkpoint_start(cli_run_state *run)
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
    const int64_t left = every - run->note.done % every;
    return left < target - run->note.done ? run->note.done + left : target;
}

static int is_due(const cli_run_state *run)
{
    const cli_interval *every = &run->arguments->checkpoint_every;
    return every->steps > 0 ? run->note.done % every->steps == 0
                            : cli_seconds() - run->checkpoint.saved_at >= every->seconds;
}

rct_status cli_checkpoint_save(cli_run_state *run)
{
    cli_checkpoint *to = &run->checkpoint;
    memcpy(run->note.kind, kind, sizeof kind);
    run->note.dt = run->arguments->dt;
    run->note.t_end = run->arguments->t_end;
    run->note.threads = run->arguments->threads;
    run->note.every = run->arguments->checkpoint_every;
    run->note.max_drift = run->arguments->max_drift;
    run->note.elapsed = cli_seconds() - run->started;
    memcpy(to->note, &run->note, sizeof run->note);
    rct_status status =
        run->recorder != NULL ? rct_recorder_sync(run->recorder, &cli_error) : RCT_OK;
    if (status == RCT_OK) {
        status =
            rct_checkpoint_write(to->writer, run->note.done, to->note, to->note_bytes, &cli_error);
    }
    to->saved = status == RCT_OK ? run->note.done : to->saved;
    to->saved_at = cli_seconds();
    return status;
}

rct_status cli_checkpoint_save_due(cli_run_state *run)
{
    const int due = run->checkpoint.writer != NULL && run->note.done > run->checkpoint.saved &&
                    run->note.done < run->note.steps && is_due(run);
    return due ? cli_checkpoint_save(run) : RCT_OK;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* The three texts behind the numbers; false if they are not there. */
static bool find_texts(const rct_checkpoint_info *info, const char *texts[3])
{
    const char *at = (const char *)info->note + sizeof(cli_run_note);
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
static const char *trouble(const cli_run_note *n, const rct_checkpoint_info *info)
{
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
         !counted || (n->measured > 0 && cli_run_frame_step(n, n->measured - 1) > n->done)},
        {"the size of its recording", n->file_bytes < 0},
        {"the number of threads", n->threads < 0 || n->threads > INT32_MAX},
        {"the change of its energy", !is_span(n->drift) || !is_span(n->exchange)},
        {"the time it took", !is_span(n->stepping) || !is_span(n->elapsed)},
        {"a loop", n->violation.position_loop < -1 || n->violation.velocity_loop < -1},
        {"the error of its steps", n->worst.difference < 0.0 || !(n->worst.advised > 0.0)},
        {"the drift that its energy may have", !is_span(n->max_drift)},
        {"the kind of its steps", n->adapts != 0 && n->adapts != 1},
        {"the time between checkpoints", n->every.steps < 0 || !is_span(n->every.seconds)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].wrong) {
            return numbers[i].what;
        }
    }
    return NULL;
}

bool cli_checkpoint_read(const rct_checkpoint *checkpoint, cli_run_state *run,
                         cli_arguments *arguments)
{
    rct_checkpoint_info info;
    const char *texts[3];
    const bool moved = arguments->given[CLI_OUT_MOVED];
    rct_checkpoint_get_info(checkpoint, &info);
    if (info.note_bytes < (int64_t)sizeof run->note || memcmp(info.note, kind, sizeof kind) != 0 ||
        !find_texts(&info, texts)) {
        return cli_refuse("%s: a checkpoint, but not one of `riccatree run`", arguments->operand);
    }
    memcpy(&run->note, info.note, sizeof run->note);
    const char *wrong = trouble(&run->note, &info);
    if (wrong != NULL) {
        return cli_refuse("%s: is damaged: no run has the numbers of its note: %s; take the one "
                          "before it, or an older copy",
                          arguments->operand, wrong);
    }
    if (moved && texts[2][0] == '\0') {
        return cli_refuse("--out %s: this run records nothing; leave it out", arguments->out);
    }
    arguments->dt = run->note.dt;
    arguments->t_end = run->note.t_end;
    arguments->max_drift = run->note.max_drift;
    arguments->command_line = texts[0];
    if (!arguments->given[CLI_CHECKPOINT_EVERY]) {
        arguments->checkpoint_every = run->note.every;
    }
    if (!arguments->given[CLI_THREADS]) {
        arguments->threads = run->note.threads;
    }
    if (!moved && texts[1][0] != '\0') {
        arguments->out = texts[1];
    }
    run->place = moved ? arguments->out : texts[2][0] != '\0' ? texts[2] : NULL;
    run->started -= run->note.elapsed;
    run->checkpoint.saved = run->note.done;
    return true;
}
