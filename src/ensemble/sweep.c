/* Reading sweep files, and variations as the command line writes them (sweep.h). */
#include <riccatree/sweep.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/read_file.h"
#include "core/sized.h"
#include "model/json/tree.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The texts of a sweep belong to its JSON. Behind it in memory is the sweep in the layout of the
 * caller. */
typedef struct sweep_file {
    rct_sweep sweep;
    rct_json_tree tree;
    rct_variation *variations;
    char *given; /* the same, in the layout of the caller */
    const char **names;
} sweep_file;

/* ---- one variation ------------------------------------------------------------------------ */

/* Read a number that ends at `stop`, and move behind it. */
static int take_number(const char **text, char stop, double *x)
{
    char *end = NULL;
    const size_t span = strspn(*text, "+-.0123456789eE");
    *x = strtod(*text, &end);
    if (span == 0 || end != *text + span || *end != stop || !isfinite(*x)) {
        return 0;
    }
    *text = end + (stop != '\0');
    return 1;
}

static int take_count(const char *text, int64_t *count)
{
    char *end = NULL;
    return strspn(text, "0123456789") > 0 && strspn(text, "+.0123456789eE") == strlen(text) &&
           rct_whole_number(text, count, &end) && *end == '\0';
}

static rct_status parse_variation(const char *text, rct_variation *v, int64_t *path_length,
                                  rct_error *error)
{
    const char *equals = strrchr(text, '=');
    const char *rest = equals != NULL ? equals + 1 : "";
    int good = equals != NULL && equals > text;
    *v = (rct_variation){.type = RCT_VARY_GRID};
    *path_length = good ? equals - text : 0;
    if (strncmp(rest, "normal:", 7) == 0 || strncmp(rest, "uniform:", 8) == 0) {
        v->type = rest[0] == 'n' ? RCT_VARY_NORMAL : RCT_VARY_UNIFORM;
        rest = strchr(rest, ':') + 1;
        good = good && take_number(&rest, ':', &v->a) && take_number(&rest, '\0', &v->b);
    } else {
        good = good && take_number(&rest, ':', &v->a) && take_number(&rest, ':', &v->b) &&
               take_count(rest, &v->count);
    }
    return good ? RCT_OK
                : rct_fail(error, RCT_ERROR_ARGUMENT,
                           "\"%.160s\": give PATH=FROM:TO:COUNT, PATH=normal:MEAN:SD or "
                           "PATH=uniform:LOW:HIGH",
                           text);
}

rct_status rct_variation_parse_sized(const char *text, rct_out variation, int64_t *path_length,
                                     rct_error *error)
{
    rct_variation own;
    if (!rct_given(text, "text", error) || !rct_given(variation.at, "variation", error) ||
        !rct_given(path_length, "path_length", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = parse_variation(text, &own, path_length, error);
    rct_give(variation, &own, rct_whole(sizeof own));
    return status;
}

/* ---- values of a file --------------------------------------------------------------------- */

static rct_status wrong(rct_error *error, const char *key, const char *wanted)
{
    return rct_fail(error, RCT_ERROR_ARGUMENT, "\"%.60s\": give %s", key, wanted);
}

/* No keys except these, NULL at the end. */
static rct_status check_keys(const rct_json *object, const char *const *known, rct_error *error)
{
    char list[200] = "";
    for (int i = 0; known[i] != NULL; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    const rct_json *member = rct_json_first(object);
    for (int64_t k = 0; k < object->count; k++) {
        int i = 0;
        while (known[i] != NULL && strcmp(known[i], member->key.text) != 0) {
            i++;
        }
        if (known[i] == NULL) {
            char advice[224], hint[RCT_ERROR_TEXT_SIZE];
            snprintf(advice, sizeof advice, "known keys are %s", list);
            return rct_fail(error, RCT_ERROR_ARGUMENT, "unknown key \"%.60s\"%s", member->key.text,
                            rct_did_you_mean(member->key.text, known, advice, hint));
        }
        member = rct_json_next(member);
    }
    return RCT_OK;
}

static rct_status read_count(const rct_json *object, const char *key, int64_t *count,
                             rct_error *error)
{
    const rct_json *value = rct_json_member(object, key);
    if (value == NULL) {
        return RCT_OK;
    }
    int64_t whole = -1;
    if (!rct_json_integer(value, &whole) || whole < 0) {
        return wrong(error, key, "a whole number of 0 or more");
    }
    *count = whole;
    return RCT_OK;
}

static rct_status read_number(const rct_json *object, const char *key, double *number,
                              rct_error *error)
{
    const rct_json *value = rct_json_member(object, key);
    if (value == NULL) {
        return RCT_OK;
    }
    if (value->type != RCT_JSON_NUMBER) {
        return wrong(error, key, "a number");
    }
    *number = value->number;
    return RCT_OK;
}

static int is_pair(const rct_json *value)
{
    return rct_json_count(value) == 2 && rct_json_is(rct_json_at(value, 0), RCT_JSON_NUMBER) &&
           rct_json_is(rct_json_at(value, 1), RCT_JSON_NUMBER);
}

/* { "path": P, "from": A, "to": B, "count": N } or { "path": P, "normal": [M, S] } or "uniform";
 * `name` it has in errors. */
static rct_status read_variation(const rct_json *value, const char *name, rct_variation *v,
                                 rct_error *error)
{
    static const char *const known[] = {"path", "from", "to", "count", "normal", "uniform", NULL};
    static const char wanted[] =
        "it as { \"path\": ..., \"from\": ..., \"to\": ..., \"count\": ... "
        "}, or with \"normal\": [mean, deviation] or \"uniform\": [low, high]";
    rct_status status = value->type == RCT_JSON_OBJECT ? check_keys(value, known, error)
                                                       : wrong(error, name, wanted);
    if (status != RCT_OK) {
        return status;
    }
    const rct_json *normal = rct_json_member(value, "normal");
    const rct_json *pair = normal != NULL ? normal : rct_json_member(value, "uniform");
    const rct_json *from = rct_json_member(value, "from"), *to = rct_json_member(value, "to");
    int64_t count = 0;
    const int grid = pair == NULL && rct_json_is(from, RCT_JSON_NUMBER) &&
                     rct_json_is(to, RCT_JSON_NUMBER) &&
                     rct_json_integer(rct_json_member(value, "count"), &count);
    const int64_t keys = value->count;
    v->path = rct_json_string(rct_json_member(value, "path"));
    if (v->path == NULL || !((grid && keys == 4) || (is_pair(pair) && keys == 2))) {
        return wrong(error, name, wanted);
    }
    v->type = grid ? RCT_VARY_GRID : normal != NULL ? RCT_VARY_NORMAL : RCT_VARY_UNIFORM;
    v->a = rct_json_number(grid ? from : rct_json_at(pair, 0));
    v->b = rct_json_number(grid ? to : rct_json_at(pair, 1));
    v->count = grid ? count : 0;
    return RCT_OK;
}

static rct_status read_variations(sweep_file *f, rct_error *error)
{
    const rct_json *list = rct_json_member(f->tree.values, "vary");
    if (list != NULL && list->type != RCT_JSON_ARRAY) {
        return wrong(error, "vary", "a list of variations");
    }
    const int64_t count = rct_json_count(list);
    f->variations = rct_allocate(count, sizeof *f->variations, "a sweep file", error);
    rct_status status = f->variations == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    for (int64_t i = 0; i < count && status == RCT_OK; i++) {
        char name[32];
        snprintf(name, sizeof name, "vary[%" PRId64 "]", i);
        status = read_variation(rct_json_at(list, i), name, &f->variations[i], error);
    }
    f->sweep.ensemble.variations = f->variations;
    f->sweep.ensemble.variation_count = (int32_t)count;
    return status;
}

static rct_status read_track(sweep_file *f, rct_error *error)
{
    const rct_json *list = rct_json_member(f->tree.values, "track");
    const int64_t count = rct_json_count(list);
    int texts = list == NULL || list->type == RCT_JSON_ARRAY;
    f->names = rct_allocate(count, sizeof *f->names, "a sweep file", error);
    if (f->names == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < count; i++) {
        f->names[i] = rct_json_string(rct_json_at(list, i));
        texts = texts && f->names[i] != NULL;
    }
    f->sweep.track = f->names;
    f->sweep.tracked = (int32_t)count;
    return texts ? RCT_OK : wrong(error, "track", "a list of names of bodies");
}

static rct_status read_all(sweep_file *f, rct_error *error)
{
    static const char *const known[] = {"riccatree_sweep", "members", "seed",   "perturb", "vary",
                                        "t_end",           "dt",      "series", "track",   NULL};
    const rct_json *root = f->tree.values;
    rct_sweep *s = &f->sweep;
    int64_t version = 0, seed = 1;
    if (root->type != RCT_JSON_OBJECT) {
        return wrong(error, "riccatree_sweep", "an object with it as version, 1");
    }
    rct_status status = check_keys(root, known, error);
    RCT_THEN(status, read_count(root, "riccatree_sweep", &version, error));
    if (status == RCT_OK && version != 1) {
        return wrong(error, "riccatree_sweep", "the version of the format, 1");
    }
    RCT_THEN(status, read_count(root, "members", &s->ensemble.members, error));
    RCT_THEN(status, read_count(root, "seed", &seed, error));
    RCT_THEN(status, read_count(root, "series", &s->series, error));
    RCT_THEN(status, read_number(root, "perturb", &s->ensemble.perturb, error));
    RCT_THEN(status, read_number(root, "t_end", &s->t_end, error));
    RCT_THEN(status, read_number(root, "dt", &s->dt, error));
    if (status == RCT_OK && rct_json_member(root, "dt") != NULL && !(s->dt > 0.0)) {
        return wrong(error, "dt", "a positive number of seconds");
    }
    RCT_THEN(status, read_variations(f, error));
    s->ensemble.seed = (uint64_t)seed;
    return status == RCT_OK ? read_track(f, error) : status;
}

static rct_status read_file(sweep_file *f, const char *path, rct_error *error)
{
    int64_t size = 0;
    char *text = rct_read_file(path, "the sweep file", &size, error);
    rct_status status =
        text != NULL ? rct_json_read(&f->tree, text, size, NULL, error) : error->status;
    status = status == RCT_OK ? read_all(f, error) : status;
    rct_release(text);
    if (status != RCT_OK) {
        rct_error_name_file(error, path);
    }
    return status;
}

/* Give the sweep to the caller, whose sizes of structs are in `sizes`. */
static rct_status give(sweep_file *f, rct_out sizes, rct_error *error)
{
    const rct_sizes shape = {sizeof f->sweep, offsetof(rct_sweep, ensemble),
                             sizeof f->sweep.ensemble};
    const int32_t count = f->sweep.ensemble.variation_count;
    f->given = rct_allocate(count, sizes.item, "a sweep file", error);
    if (f->given == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        rct_give(rct_out_of(f->given + i * sizes.item, (size_t)sizes.item, 0, 0), &f->variations[i],
                 rct_whole(sizeof f->variations[i]));
    }
    f->sweep.ensemble.variations = (const rct_variation *)(const void *)f->given;
    sizes.at = f + 1;
    rct_give(sizes, &f->sweep, shape);
    return RCT_OK;
}

rct_sweep *rct_sweep_read_sized(const char *path, rct_out sizes, rct_error *error)
{
    rct_error unheard;
    rct_error *heard = error != NULL ? error : &unheard;
    if (!rct_given(path, "path", error)) {
        return NULL;
    }
    sweep_file *f = rct_allocate(1, (int64_t)sizeof *f + sizes.size, "a sweep file", error);
    if (f == NULL) {
        return NULL;
    }
    rct_sweep *sweep = (rct_sweep *)(void *)(f + 1);
    f->sweep.ensemble = rct_ensemble_options_default();
    f->sweep.ensemble.members = 0;
    f->sweep.t_end = 1.0;
    if (read_file(f, path, heard) != RCT_OK || give(f, sizes, heard) != RCT_OK) {
        rct_sweep_free(sweep);
        sweep = NULL;
    }
    return sweep;
}

void rct_sweep_free(rct_sweep *sweep)
{
    if (sweep != NULL) {
        sweep_file *f = (sweep_file *)(void *)sweep - 1;
        rct_json_free(&f->tree);
        rct_release(f->variations);
        rct_release(f->given);
        rct_release((void *)f->names);
        rct_release(f);
    }
}
