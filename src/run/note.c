/* Checkpoints of a run: when one is due, and the note in it, from which the run continues as if it
 * had not stopped. */
#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "record/checkpoint/checkpoint.h"
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char kind[16] = "riccatree run 4";

/* ---- writing ------------------------------------------------------------------------------ */

rct_status rct_run_make_note(rct_running *run, rct_error *error)
{
    const rct_run_options *o = &run->options;
    char *place =
        run->recorder != NULL ? realpath(o->recording, NULL) : NULL; /* NULL: also without memory */
    const char *texts[] = {o->command_line != NULL ? o->command_line : "",
                           place != NULL ? place : ""};
    const int64_t text = (int64_t)(strlen(texts[0]) + strlen(texts[1]) + 2);
    run->note.text_bytes = rct_checkpoint_padded(text);
    run->byte_count = (int64_t)sizeof run->note + run->note.text_bytes + o->note_bytes;
    run->bytes = rct_allocate(run->byte_count, 1, "the note of a checkpoint", error);
    if (run->bytes != NULL) {
        char *at = (char *)run->bytes + sizeof run->note;
        memcpy(stpcpy(at, texts[0]) + 1, texts[1], strlen(texts[1]) + 1);
        if (o->note_bytes > 0) {
            memcpy(at + run->note.text_bytes, o->note, (size_t)o->note_bytes);
        }
    }
    free(place);
    return run->bytes != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

int64_t rct_run_next_save(const rct_running *run, int64_t target)
{
    const int64_t every = run->options.checkpoint_steps, done = run->note.report.done;
    if (run->writer == NULL || every == 0) {
        return target;
    }
    const int64_t left = every - done % every;
    return left < target - done ? done + left : target;
}

rct_status rct_run_save(rct_running *run, rct_error *error)
{
    rct_run_note *n = &run->note;
    const rct_run_options *o = &run->options;
    const int64_t before = n->report.saved;
    memcpy(n->kind, kind, sizeof kind);
    n->dt = o->dt;
    n->t_end = o->t_end;
    n->max_drift = o->max_drift;
    n->checkpoint_steps = o->checkpoint_steps;
    n->checkpoint_seconds = o->checkpoint_seconds;
    n->report.elapsed = rct_seconds() - run->started;
    n->report.saved = n->report.done;
    memcpy(run->bytes, n, sizeof *n);
    rct_status status = run->recorder != NULL ? rct_recorder_sync(run->recorder, error) : RCT_OK;
    RCT_THEN(status,
             rct_checkpoint_write(run->writer, n->report.done, run->bytes, run->byte_count, error));
    n->report.saved = status == RCT_OK ? n->report.done : before;
    run->saved_at = rct_seconds();
    return status;
}

rct_status rct_run_save_due(rct_running *run, rct_error *error)
{
    const rct_run_options *o = &run->options;
    const rct_run_report *r = &run->note.report;
    const int due =
        run->writer != NULL && r->done > r->saved && r->done < r->steps &&
        (o->checkpoint_steps > 0 ? r->done % o->checkpoint_steps == 0
                                 : rct_seconds() - run->saved_at >= o->checkpoint_seconds);
    return due ? rct_run_save(run, error) : RCT_OK;
}

/* ---- reading ------------------------------------------------------------------------------ */

static int is_span(double x)
{
    return isfinite(x) && x >= 0.0;
}

/* What is wrong with the numbers of a note; NULL if a run can have them. */
static const char *trouble(const rct_run_note *n, const rct_checkpoint_info *info)
{
    const rct_run_report *r = &n->report;
    const double span = n->t_end - n->start;
    const int counted = r->steps >= 1 && r->frames >= 2 && r->frames - 1 <= r->steps &&
                        r->done >= 0 && r->done <= r->steps && r->measured >= 0 &&
                        r->measured <= r->frames;
    const struct {
        const char *what;
        int wrong;
    } numbers[] = {
        {"its step", !(isfinite(n->dt) && n->dt > 0.0)},
        {"its end", !(isfinite(n->t_end) && span > 0.0)},
        {"the number of its steps",
         r->steps < 1 || fabs((double)r->steps * n->dt - span) > 1e-6 * span},
        {"the number of steps made", r->done < 0 || r->done > r->steps || r->done != info->steps},
        {"the last step looked at", n->looked_at < 0 || n->looked_at > r->done},
        {"the number of its frames", r->frames < 2 || r->frames - 1 > r->steps},
        {"the number of frames so far",
         !counted || (r->measured > 0 &&
                      rct_run_frame_step(r->steps, r->frames, r->measured - 1) > r->done)},
        {"the size of its recording", r->file_bytes < 0},
        {"the change of its energy", !is_span(r->drift) || !is_span(r->exchange)},
        {"the time it took", !is_span(r->stepping) || !is_span(r->elapsed)},
        {"a loop", r->position_loop < -1 || r->velocity_loop < -1},
        {"the error of its steps", n->difference < 0.0 || !(n->advised > 0.0)},
        {"the drift that its energy may have", !is_span(n->max_drift)},
        {"the time between checkpoints",
         n->checkpoint_steps < 0 || !is_span(n->checkpoint_seconds)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].wrong) {
            return numbers[i].what;
        }
    }
    return NULL;
}

/* The places of the texts and of the note of the caller. */
typedef struct note_parts {
    rct_run_note note;
    const char *command_line, *place, *rest;
    int64_t rest_bytes;
} note_parts;

/* Find two texts, and zeros up to where the note of the caller begins. */
static int find_texts(const rct_checkpoint_info *info, note_parts *parts)
{
    const int64_t size = parts->note.text_bytes,
                  left = info->note_bytes - (int64_t)sizeof parts->note;
    const char *at = (const char *)info->note + sizeof parts->note;
    if (size < 2 || size > left || size % 8 != 0) {
        return 0;
    }
    const char *end = memchr(at, '\0', (size_t)size);
    const int64_t used = end != NULL ? end + 1 - at : size;
    parts->command_line = at;
    parts->place = at + used;
    parts->rest = at + size;
    parts->rest_bytes = left - size;
    return used < size && memchr(at + used, '\0', (size_t)(size - used)) != NULL;
}

static rct_status read_note(const rct_checkpoint *checkpoint, note_parts *parts, rct_error *error)
{
    rct_checkpoint_info info;
    memset(parts, 0, sizeof *parts);
    rct_checkpoint_get_info(checkpoint, &info);
    const int large = info.note_bytes >= (int64_t)sizeof parts->note;
    if (!large || memcmp(info.note, kind, sizeof kind) != 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "%s: it is a checkpoint, but not one of a run",
                        checkpoint->path);
    }
    memcpy(&parts->note, info.note, sizeof parts->note);
    const char *wrong = !find_texts(&info, parts) ? "its texts" : trouble(&parts->note, &info);
    return wrong == NULL ? RCT_OK
                         : rct_fail(error, RCT_ERROR_IO,
                                    "%s: it is damaged: its note has an impossible value of %s; "
                                    "take the one before it, or an older copy",
                                    checkpoint->path, wrong);
}

rct_status rct_run_options_of_sized(const rct_checkpoint *checkpoint, rct_out out, rct_error *error)
{
    note_parts parts;
    if (!rct_given(checkpoint, "checkpoint", error) || !rct_given(out.at, "options", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = read_note(checkpoint, &parts, error);
    if (status == RCT_OK) {
        rct_run_options own = rct_run_options_default();
        own.dt = parts.note.dt;
        own.t_end = parts.note.t_end;
        own.frames = parts.note.report.frames;
        own.max_drift = parts.note.max_drift;
        own.recording = parts.place[0] != '\0' ? parts.place : NULL;
        own.command_line = parts.command_line[0] != '\0' ? parts.command_line : NULL;
        own.checkpoint = checkpoint->path;
        own.checkpoint_steps = parts.note.checkpoint_steps;
        own.checkpoint_seconds = parts.note.checkpoint_seconds;
        own.note = parts.rest_bytes > 0 ? parts.rest : NULL;
        own.note_bytes = parts.rest_bytes;
        own.from = checkpoint;
        rct_give(out, &own, rct_whole(sizeof own));
    }
    return status;
}

rct_status rct_run_go_on(rct_running *run, rct_error *error)
{
    note_parts parts;
    const rct_run_options *o = &run->options;
    const rct_run_note *n = &parts.note;
    rct_status status = read_note(o->from, &parts, error);
    if (status != RCT_OK) {
        return status;
    }
    if (o->dt != n->dt || o->t_end != n->t_end || o->frames != n->report.frames) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%s: its run goes to %.12g s in steps of %.12g s; continue with these "
                        "steps and with its number of frames",
                        o->from->path, n->t_end, n->dt);
    }
    if ((o->recording != NULL) != (parts.place[0] != '\0')) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%s: its run records %s; continue in the same way", o->from->path,
                        o->recording == NULL ? "its motion" : "nothing");
    }
    const int32_t loops = rct_model_loop_count(run->model);
    if (n->report.position_loop >= loops || n->report.velocity_loop >= loops) {
        return rct_fail(error, RCT_ERROR_IO,
                        "%s: it is damaged: its note names a loop, but not one of the %" PRId32
                        " loops of the model; take the one before it",
                        o->from->path, loops);
    }
    run->note = *n;
    run->note.report.begun = run->note.report.recorded = 0;
    run->note.report.saved = n->report.done;
    return rct_checkpoint_restore(o->from, run->model, run->solver, error);
}
