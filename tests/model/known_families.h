/* The families without loops and the smallest size of each. */
#ifndef RCT_TESTS_KNOWN_FAMILIES_H
#define RCT_TESTS_KNOWN_FAMILIES_H

#include <riccatree/model.h>

#include <stddef.h>

/* Body `id`, which exists. */
rct_body must_get(const rct_model *model, int32_t id);

static const struct {
    const char *name;
    int64_t smallest;
} known[] = {{"chain", 1},  {"branch", 7}, {"fork", 5}, {"comb", 2},
             {"binary", 1}, {"random", 1}, {"star", 2}};

enum { KNOWN = sizeof known / sizeof known[0] };

#endif
