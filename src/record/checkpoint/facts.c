/* The facts on which a run's bits depend besides model and build, as lines of text: written for
 * a solver, compared line by line with those of another, and read back as options. */
#include "record/checkpoint/checkpoint.h"

#include "core/memory.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 8, NAME_SIZE = 64, FACTS_SIZE = 2048 }; /* more than any facts need */

/* The sources of the facts. */
typedef struct sources {
    rct_solver_info info;
    rct_solver_options options;
} sources;

typedef enum fact_kind { TEXT, INT32, INT64, REAL } fact_kind;

#define OF(field) offsetof(sources, field)

/* All options except the backend, which is a text, and the threads, which change no bit. */
static const struct {
    const char *name;
    fact_kind kind;
    size_t offset;
} facts_table[] = {
    {"method", TEXT, OF(info.method)},
    {"backend", TEXT, OF(info.backend)},
    {"bodies", INT32, OF(info.bodies)},
    {"links", INT32, OF(info.links)},
    {"dof", INT64, OF(info.dof)},
    {"coordinates", INT64, OF(info.coordinates)},
    {"wide", INT32, OF(info.wide)},
    {"lanes", INT32, OF(info.lanes)},
    {"segments", INT32, OF(info.segments)},
    {"segment_length", INT32, OF(info.segment_length)},
    {"tiles", INT32, OF(info.tiles)},
    {"tasks", INT32, OF(info.tasks)},
    {"bushes", INT32, OF(info.bushes)},
    {"trunk", INT32, OF(info.trunk)},
    {"option method", INT32, OF(options.method)},
    {"option lanes", INT32, OF(options.lanes)},
    {"option segment", INT64, OF(options.segment)},
    {"option junction", INT32, OF(options.junction)},
    {"option user_forces", INT32, OF(options.user_forces)},
    {"option closing", INT32, OF(options.closing)},
    {"option drift", INT32, OF(options.drift)},
    {"option baumgarte[0]", REAL, OF(options.baumgarte[0])},
    {"option baumgarte[1]", REAL, OF(options.baumgarte[1])},
    {"option as_given", INT32, OF(options.as_given)},
    {"option integrator", INT32, OF(options.integrator)},
    {"option tolerance", REAL, OF(options.tolerance)},
};

enum { FACTS = sizeof facts_table / sizeof facts_table[0] };

static void print_fact(FILE *out, const sources *from, int i)
{
    const void *at = (const char *)from + facts_table[i].offset;
    fprintf(out, "%s ", facts_table[i].name);
    switch (facts_table[i].kind) {
    case TEXT: fputs(*(const char *const *)at, out); break;
    case INT32: fprintf(out, "%" PRId32, *(const int32_t *)at); break;
    case INT64: fprintf(out, "%" PRId64, *(const int64_t *)at); break;
    case REAL: fprintf(out, "%.17g", *(const double *)at); break;
    }
    fputc('\n', out);
}

static void take_option(sources *read, const char *value, int i)
{
    void *at = (char *)read + facts_table[i].offset;
    switch (facts_table[i].kind) {
    case TEXT: break;
    case INT32: *(int32_t *)at = (int32_t)strtoll(value, NULL, 10); break;
    case INT64: *(int64_t *)at = strtoll(value, NULL, 10); break;
    case REAL: *(double *)at = strtod(value, NULL); break;
    }
}

char *rct_checkpoint_facts(rct_call *call, const rct_solver *solver)
{
    sources from = {.options = solver->options};
    rct_solver_get_info(solver, &from.info);
    /* the lanes that were chosen are asked for from now on; those of a device cannot be asked
     * for */
    if (from.options.lanes == 0 && from.info.lanes <= MOST_LANES) {
        from.options.lanes = from.info.lanes;
    }
    char *text = rct_call_allocate(call, FACTS_SIZE, 1, "what a run depends on");
    FILE *out = text != NULL ? fmemopen(text, FACTS_SIZE, "w") : NULL;
    if (out == NULL) {
        rct_call_fail(call, RCT_ERROR_MEMORY,
                      "out of memory for the facts that a run depends on; free some");
        rct_release(text);
        return NULL;
    }
    for (int i = 0; i < FACTS; i++) {
        print_fact(out, &from, i);
    }
    fclose(out); /* memory of its own with enough room */
    return text;
}

/* The text after "NAME " at the beginning of a line other than the first, or NULL. */
static const char *find_value(const char *facts, const char *name)
{
    char key[NAME_SIZE];
    snprintf(key, sizeof key, "\n%s ", name);
    const char *line = strstr(facts, key);
    return line != NULL ? line + strlen(key) : NULL;
}

/* The name of the backend as this library spells it, which outlives the text. */
static const char *find_backend(const char *facts)
{
    const char *value = find_value(facts, "backend");
    for (int32_t i = 0; value != NULL && i < rct_backend_count(); i++) {
        rct_backend_info info;
        rct_backend_describe(i, &info, NULL);
        const size_t length = strlen(info.name);
        if (strncmp(value, info.name, length) == 0 && value[length] == '\n') {
            return info.name;
        }
    }
    return NULL;
}

rct_solver_options rct_checkpoint_options(const char *facts)
{
    sources read = {.options = rct_solver_options_default()};
    for (int i = 0; i < FACTS; i++) {
        const char *value = find_value(facts, facts_table[i].name);
        if (value != NULL) {
            take_option(&read, value, i);
        }
    }
    read.options.backend = find_backend(facts);
    return read.options;
}
