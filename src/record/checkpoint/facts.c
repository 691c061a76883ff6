/* What a run's bits depend on besides model and build, as lines of text: written by a solver, compared line by
 * line with those of another, and read back as options. */
#include "record/checkpoint/checkpoint.h"

#include "core/error.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 8, NAME_SIZE = 64 };

typedef enum option_kind { INT32, INT64, REAL } option_kind;

/* The options but the backend, which is a text, and the threads, which change no bit. */
static const struct {
    const char *name;
    size_t offset;
    option_kind kind;
} options[] = {
#define OPTION(field, kind)                                                                        \
    {                                                                                              \
        "option " #field, offsetof(rct_solver_options, field), kind                                \
    }
    OPTION(method, INT32),   OPTION(lanes, INT32),       OPTION(segment, INT64),
    OPTION(junction, INT32), OPTION(user_forces, INT32), OPTION(closing, INT32),
    OPTION(drift, INT32),    OPTION(baumgarte[0], REAL), OPTION(baumgarte[1], REAL),
    OPTION(as_given, INT32),
#undef OPTION
};

enum { OPTIONS = sizeof options / sizeof options[0] };

/* Lanes that were chosen are asked for from now on; those of a device cannot be asked for. */
static rct_solver_options settled(const rct_solver *solver, const rct_solver_info *info)
{
    rct_solver_options asked = solver->options;
    if (asked.lanes == 0 && info->lanes <= MOST_LANES) {
        asked.lanes = info->lanes;
    }
    return asked;
}

__attribute__((format(printf, 2, 3))) static void add_line(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, RCT_FACTS_SIZE - used, format, arguments);
    va_end(arguments);
}

static void add_option(char *text, int i, const rct_solver_options *asked)
{
    const char *name = options[i].name;
    const void *at = (const char *)asked + options[i].offset;
    switch (options[i].kind) {
    case INT32: add_line(text, "%s %" PRId32 "\n", name, *(const int32_t *)at); break;
    case INT64: add_line(text, "%s %" PRId64 "\n", name, *(const int64_t *)at); break;
    case REAL: add_line(text, "%s %.17g\n", name, *(const double *)at); break;
    }
}

static void take_option(const char *value, int i, rct_solver_options *read)
{
    void *at = (char *)read + options[i].offset;
    switch (options[i].kind) {
    case INT32: *(int32_t *)at = (int32_t)strtoll(value, NULL, 10); break;
    case INT64: *(int64_t *)at = strtoll(value, NULL, 10); break;
    case REAL: *(double *)at = strtod(value, NULL); break;
    }
}

void rct_checkpoint_facts(const rct_solver *solver, char text[RCT_FACTS_SIZE])
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    const rct_solver_options asked = settled(solver, &info);
    const struct {
        const char *name;
        int64_t count;
    } shape[] = {{"bodies", info.bodies},     {"links", info.links},
                 {"dof", info.dof},           {"coordinates", info.coordinates},
                 {"wide", info.wide},         {"lanes", info.lanes},
                 {"segments", info.segments}, {"segment_length", info.segment_length},
                 {"tiles", info.tiles},       {"tasks", info.tasks},
                 {"bushes", info.bushes},     {"trunk", info.trunk}};
    memset(text, 0, RCT_FACTS_SIZE);
    add_line(text, "method %s\nbackend %s\n", info.method, info.backend);
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
        add_line(text, "%s %" PRId64 "\n", shape[i].name, shape[i].count);
    }
    for (int i = 0; i < OPTIONS; i++) {
        add_option(text, i, &asked);
    }
}

/* What follows "NAME " at the beginning of a line but the first, or NULL. */
static const char *find_value(const char *facts, const char *name)
{
    char key[NAME_SIZE];
    snprintf(key, sizeof key, "\n%s ", name);
    const char *line = strstr(facts, key);
    return line != NULL ? line + strlen(key) : NULL;
}

/* The backend's name as this library spells it, which outlives the text. */
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
    rct_solver_options read = rct_solver_options_default();
    for (int i = 0; i < OPTIONS; i++) {
        const char *value = find_value(facts, options[i].name);
        if (value != NULL) {
            take_option(value, i, &read);
        }
    }
    read.backend = find_backend(facts);
    return read;
}
