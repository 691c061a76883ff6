/* A state back into a solver, once it is sure that it is a state of that solver's. */
#include "record/checkpoint.h"

#include "core/memory.h"
#include "dynamics/raw_state.h"

#include <inttypes.h>
#include <string.h>

enum { LINE_SHOWN = 80 };

/* The line of `text` that holds its byte `at`; at most so many bytes of it. */
static const char *line_at(const char *text, int64_t at, int *length)
{
    while (at > 0 && text[at - 1] != '\n') {
        at--;
    }
    const size_t whole = strcspn(text + at, "\n");
    *length = whole < LINE_SHOWN ? (int)whole : LINE_SHOWN;
    return text + at;
}

/* Both texts end in a zero. -1: they are equal. */
static int64_t first_difference(const char *a, const char *b)
{
    int64_t i = 0;
    while (a[i] == b[i] && a[i] != '\0') {
        i++;
    }
    return a[i] == b[i] ? -1 : i;
}

static void check_text(rct_call *call, const char *what, const char *saved, const char *own)
{
    const int64_t at = first_difference(saved, own);
    int saved_length = 0, own_length = 0;
    if (at >= 0) {
        const char *saved_line = line_at(saved, at, &saved_length);
        const char *own_line = line_at(own, at, &own_length);
        rct_call_fail(call, RCT_ERROR_ARGUMENT,
                      "is of another %s: its \"%.*s\" is \"%.*s\" here; give what it was made from",
                      what, saved_length, saved_line, own_length, own_line);
    }
}

static void check_model(rct_call *call, const char *saved, const rct_model *model)
{
    int64_t size = 0;
    char *own = rct_checkpoint_text(call, model, &size);
    if (own != NULL) {
        check_text(call, "model", saved, own);
    }
    rct_release(own);
}

rct_status rct_checkpoint_restore(const rct_checkpoint *checkpoint, const rct_model *model,
                                  rct_solver *solver, rct_error *error)
{
    rct_call call;
    char facts[RCT_FACTS_SIZE];
    const int64_t state_bytes = rct_raw_count(solver) * (int64_t)sizeof(double);
    rct_call_begin(&call, checkpoint->path, NULL, error);
    check_model(&call, checkpoint->part[RCT_PART_MODEL], model);
    if (call.status == RCT_OK) {
        rct_checkpoint_facts(solver, facts);
        check_text(&call, "solver", checkpoint->part[RCT_PART_FACTS], facts);
    }
    if (checkpoint->head->bytes[RCT_PART_STATE] != state_bytes) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT,
                      "has a state of %" PRId64 " bytes, this solver one of %" PRId64
                      "; give what it was made from",
                      checkpoint->head->bytes[RCT_PART_STATE], state_bytes);
    }
    rct_status status = rct_call_end(&call);
    if (status == RCT_OK) {
        status = rct_raw_write(solver, checkpoint->head->time,
                               (const void *)checkpoint->part[RCT_PART_STATE], error);
    }
    return status == RCT_OK ? rct_solver_check(solver, error) : status;
}
