/* Events on the command line: how many a model has, and which happened in a run. */
#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_LINES = 20 };

typedef struct events {
    int32_t count;
    int64_t *happened;
    double *time;
} events;

static void print_json(const rct_model *model, const events *e)
{
    cli_json_open("events", '[');
    for (int32_t i = 0; i < e->count; i++) {
        char name[RCT_NAME_SIZE];
        rct_model_event_name(model, i, name);
        cli_json_open(NULL, '{');
        cli_json_text("name", name);
        cli_json_count("happened", e->happened[i]);
        cli_json_real("time", e->time[i]);
        cli_json_close("}");
    }
    cli_json_close("]");
}

/* The events that happened, in the order of the model. */
static void print_table(const rct_model *model, const events *e)
{
    int32_t happened = 0, shown = 0;
    for (int32_t i = 0; i < e->count; i++) {
        happened += e->happened[i] > 0;
    }
    cli_line("events", "%" PRId32 ", of which %" PRId32 " happened", e->count, happened);
    for (int32_t i = 0; i < e->count && shown < MOST_LINES; i++) {
        char name[RCT_NAME_SIZE], plain[RCT_NAME_SIZE];
        if (e->happened[i] == 0) {
            continue;
        }
        rct_model_event_name(model, i, name);
        cli_print("  %-16s %.9g s", cli_plain_name(name, plain), e->time[i]);
        if (e->happened[i] > 1) {
            cli_print(", the last of %" PRId64 " times", e->happened[i]);
        }
        cli_print("\n");
        shown++;
    }
    if (shown < happened) {
        cli_print("  and %" PRId32 " more\n", happened - shown);
    }
}

bool cli_print_events(const rct_model *model, const rct_solver *solver)
{
    events e = {.count = rct_model_event_count(model)};
    if (e.count == 0) {
        cli_json_text("events", NULL);
        return true;
    }
    e.happened = calloc((size_t)e.count, sizeof *e.happened);
    e.time = calloc((size_t)e.count, sizeof *e.time);
    const bool room = e.happened != NULL && e.time != NULL;
    if (room) {
        rct_solver_get_events(solver, e.happened, e.time);
        print_json(model, &e);
        print_table(model, &e);
    }
    free(e.happened);
    free(e.time);
    return room || cli_have_memory(NULL);
}
