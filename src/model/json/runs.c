/* Runs of like bodies: consecutive, the same bit for bit apart from name and parent, all named
 * alike or not at all, and each on the one before or all on the same parent. */
#include "model/json/runs.h"

#include "model/shape.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* NAME of "NAME.1", or "". */
static void base_name(const char *name, char base[RCT_NAME_SIZE])
{
    const size_t length = strlen(name);
    base[0] = '\0';
    if (length > 2 && strcmp(name + length - 2, ".1") == 0) {
        memcpy(base, name, length - 2);
        base[length - 2] = '\0';
    }
}

/* Whether a body with this name may be number `number`, from 1, of a run with that base name. */
static int fits_name(const char *name, const char *base, int32_t number)
{
    int fits = name == NULL && base[0] == '\0';
    if (name != NULL && base[0] != '\0') {
        char expected[RCT_NAME_SIZE + 16];
        snprintf(expected, sizeof expected, "%s.%" PRId32, base, number);
        fits = strcmp(name, expected) == 0;
    }
    return fits;
}

rct_json_run rct_json_run_at(const rct_model *model, int32_t first)
{
    const rct_bodies *bodies = model->bodies;
    rct_json_run run = {.first = first, .count = 1};
    const char *name = rct_model_own_name(model, first), *own = name != NULL ? name : "";
    base_name(own, run.name);
    /* the first body of a file has no body before it that the format could call previous */
    run.previous = first > 0 && bodies->parent[first] == first - 1;
    if (first + 1 < model->count && bodies->parent[first + 1] == bodies->parent[first]) {
        run.previous = 0;
    }
    if (own[0] == '\0' || run.name[0] != '\0') {
        int32_t next = first + 1;
        while (next < model->count && rct_bodies_alike(bodies, first, bodies, next) &&
               rct_model_shapes_alike(model, first, next) &&
               bodies->parent[next] == (run.previous ? next - 1 : bodies->parent[first]) &&
               fits_name(rct_model_own_name(model, next), run.name, next - first + 1)) {
            next++;
        }
        run.count = next - first;
    }
    if (run.count == 1) {
        snprintf(run.name, sizeof run.name, "%s", own);
    }
    return run;
}
