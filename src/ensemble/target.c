/* Paths of variations: "bodies.NAME.FIELD", "forces.K.FIELD", "gravity", each with or without
 * [i]. Fields have the names of docs/model-file.md. Names of bodies may contain dots: the
 * shortest name that leaves a field behind it is taken. */
#include "ensemble/ensemble.h"

#include "core/error.h"
#include "core/nearest.h"
#include "model/forces/force_check.h"
#include "model/hinge_types.h"
#include "model/model.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct named {
    const char *name;
    size_t at;
    int count;
} named;

/* Fields of a body: its inertial data, then the keys of its hinge. */
static const named matter[] = {
    {"mass", offsetof(rct_body, mass), 1},
    {"com", offsetof(rct_body, com), 3},
    {"inertia", offsetof(rct_body, inertia), 6},
};

enum {
    MATTER = sizeof matter / sizeof matter[0],
    FIELDS = MATTER + RCT_HINGE_KEYS,
    LISTED = 300,     /* bytes of a list in an error */
    LONGEST_NAME = 32 /* of a field                  */
};

/* "SECTION.KEY" of a hinge, as "hinge.axis". */
static void name_field(char name[LONGEST_NAME], int field)
{
    if (field < MATTER) {
        snprintf(name, LONGEST_NAME, "%s", matter[field].name);
    } else {
        const rct_hinge_key *key = &rct_hinge_keys[field - MATTER];
        snprintf(name, LONGEST_NAME, "%s.%s", key->section, key->name);
    }
}

/* How many numbers of a field a body with such a hinge uses. */
static int count_used(int field, rct_hinge_type hinge)
{
    return field < MATTER ? matter[field].count : rct_hinge_uses(hinge, field - MATTER);
}

/* ---- reading a path ----------------------------------------------------------------------- */

/* A path being read. */
typedef struct reading {
    const rct_model *model;
    const char *path;
    rct_target *target;
    rct_error *error;
} reading;

static rct_status wrong(const reading *r, const char *what)
{
    return rct_fail(r->error, RCT_ERROR_ARGUMENT, "\"%.100s\": %s", r->path, what);
}

/* Match "NAME" or "NAME[digits]" with `name`; returns the component, -1 without one; -2: another
 * name. */
static int32_t match(const char *text, const char *name)
{
    const size_t length = strlen(name);
    const char *digits = text + length + 1;
    if (strncmp(text, name, length) != 0) {
        return -2;
    }
    if (text[length] == '\0') {
        return -1;
    }
    const size_t count = text[length] == '[' ? strspn(digits, "0123456789") : 0;
    return count > 0 && count < 6 && strcmp(digits + count, "]") == 0
               ? (int32_t)strtol(digits, NULL, 10)
               : -2;
}

static void list(char text[LISTED], const char *name)
{
    const size_t used = strlen(text);
    snprintf(text + used, LISTED - used, "%s%s", used > 0 ? ", " : "", name);
}

static rct_status check_component(const reading *r, int count)
{
    char text[LISTED];
    if (r->target->component < count) {
        return RCT_OK;
    }
    if (count == 1) {
        return wrong(r, "this is a single number; leave the index out");
    }
    snprintf(text, sizeof text, "there are %d numbers here, [0] to [%d]", count, count - 1);
    return wrong(r, text);
}

/* The field of bodies that `text` names, with its component; -1: none. */
static int body_field(const char *text, int32_t *component)
{
    for (int i = 0; i < FIELDS; i++) {
        char name[LONGEST_NAME];
        name_field(name, i);
        *component = match(text, name);
        if (*component > -2) {
            return i;
        }
    }
    return -1;
}

/* The most numbers of the field that a hinge of the named bodies uses. */
static int most_used(const reading *r)
{
    const int32_t one = r->target->index, end = one < 0 ? r->model->count : one + 1;
    int most = 0;
    for (int32_t k = one < 0 ? 0 : one; k < end; k++) {
        const int count = count_used(r->target->field, rct_bodies_at(r->model->bodies, k)->hinge);
        most = count > most ? count : most;
    }
    return most;
}

static rct_status check_use(const reading *r)
{
    char text[LISTED], name[LONGEST_NAME];
    const int most = most_used(r);
    name_field(name, r->target->field);
    if (most > 0) {
        return check_component(r, most);
    }
    if (r->target->index < 0) {
        snprintf(text, sizeof text, "no body has a hinge that uses %s", name);
    } else {
        snprintf(text, sizeof text, "a %s hinge does not use %s",
                 rct_hinge_name(rct_bodies_at(r->model->bodies, r->target->index)->hinge), name);
    }
    return wrong(r, text);
}

/* `name` precedes a field. */
static rct_status no_body(const reading *r, const char *name)
{
    char known[LISTED] = "", advice[LISTED], hint[RCT_ERROR_TEXT_SIZE];
    const int32_t count = r->model->count;
    for (int32_t b = 0; b < count && b < 3; b++) {
        char own[RCT_NAME_SIZE];
        rct_model_body_name(r->model, b, own);
        list(known, own);
    }
    snprintf(advice, sizeof advice, "the %" PRId32 " bodies are called %.150s%s", count, known,
             count > 3 ? ", ..., or * for all" : ", or * for all");
    return rct_fail(r->error, RCT_ERROR_ARGUMENT, "\"%.100s\": no body has that name%s", r->path,
                    rct_model_body_hint(r->model, name, advice, hint));
}

/* `text` follows "bodies.". */
static rct_status no_field(const reading *r, const char *text)
{
    const char *dot = strchr(text, '.');
    char given[LONGEST_NAME], known[LISTED] = "", advice[LISTED + 64], hint[RCT_ERROR_TEXT_SIZE];
    rct_nearest nearest = {.given = given};
    snprintf(given, sizeof given, "%s", dot != NULL ? dot + 1 : "");
    given[strcspn(given, "[")] = '\0';
    for (int i = 0; i < FIELDS; i++) {
        char name[LONGEST_NAME];
        name_field(name, i);
        rct_nearest_offer(&nearest, name);
        list(known, name);
    }
    snprintf(advice, sizeof advice, "give bodies.NAME.FIELD, where FIELD is one of %s", known);
    return rct_fail(r->error, RCT_ERROR_ARGUMENT, "\"%.60s\": a body has no such field%s", r->path,
                    rct_nearest_hint(&nearest, advice, hint));
}

/* `text` follows "bodies.". */
static rct_status find_body(const reading *r, const char *text)
{
    char before[RCT_NAME_SIZE] = ""; /* the shortest name before a field */
    for (const char *dot = strchr(text, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        char name[RCT_NAME_SIZE];
        const int field = body_field(dot + 1, &r->target->component);
        if (field < 0 || dot - text >= RCT_NAME_SIZE) {
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)(dot - text), text);
        if (before[0] == '\0') {
            memcpy(before, name, sizeof name);
        }
        r->target->field = field;
        r->target->index = strcmp(name, "*") == 0 ? -1 : rct_model_find_body(r->model, name);
        if (r->target->index >= 0 || strcmp(name, "*") == 0) {
            return check_use(r);
        }
    }
    return before[0] != '\0' ? no_body(r, before) : no_field(r, text);
}

static rct_status find_force_field(const reading *r, const char *text)
{
    const rct_force_type type = r->model->forces[r->target->index].type;
    char known[LISTED] = "", advice[2 * LISTED], hint[RCT_ERROR_TEXT_SIZE];
    rct_nearest nearest = {.given = text};
    for (int i = 0; i < rct_force_keys.count; i++) {
        const rct_key *key = &rct_force_keys.key[i];
        if ((key->uses >> type & 1) != 0 && key->count > 0) {
            r->target->field = i;
            r->target->component = match(text, key->name);
            if (r->target->component > -2) {
                return check_component(r, key->count);
            }
            list(known, key->name);
            rct_nearest_offer(&nearest, key->name);
        }
    }
    snprintf(advice, sizeof advice, "this %s has the fields %s", rct_force_type_name(type), known);
    return rct_fail(r->error, RCT_ERROR_ARGUMENT, "\"%.100s\": there is no such field%s", r->path,
                    rct_nearest_hint(&nearest, advice, hint));
}

/* `text` follows "forces.". */
static rct_status find_force(const reading *r, const char *text)
{
    char message[LISTED];
    const int32_t count = r->model->force_count;
    const size_t digits = strspn(text, "0123456789");
    const long k = digits > 0 && digits < 10 ? strtol(text, NULL, 10) : -1;
    if (k < 0 || k >= count || text[digits] != '.') {
        snprintf(message, sizeof message,
                 count > 0 ? "give forces.K.FIELD, K from 0 to %" PRId32
                           : "the model has no forces",
                 count - 1);
        return wrong(r, message);
    }
    r->target->index = (int32_t)k;
    return find_force_field(r, text + digits + 1);
}

rct_status rct_target_find(const rct_model *model, const char *path, rct_target *target,
                           rct_error *error)
{
    const reading r = {model, path, target, error};
    if (strncmp(path, "bodies.", 7) == 0) {
        target->of = TARGET_BODY;
        return find_body(&r, path + 7);
    }
    if (strncmp(path, "forces.", 7) == 0) {
        target->of = TARGET_FORCE;
        return find_force(&r, path + 7);
    }
    target->of = TARGET_GRAVITY;
    target->component = match(path, "gravity");
    if (target->component > -2) {
        return check_component(&r, 3);
    }
    return wrong(&r, "it names nothing; give bodies.NAME.FIELD, forces.K.FIELD or gravity[i]");
}

/* ---- writing ------------------------------------------------------------------------------ */

static void write_numbers(void *record, size_t at, int32_t component, int count, double value)
{
    double *numbers = (double *)((char *)record + at);
    for (int i = 0; i < count; i++) {
        if (component < 0 || component == i) {
            numbers[i] = value;
        }
    }
}

static void write_body(const rct_target *target, double value, rct_body *body)
{
    const int field = target->field;
    write_numbers(body, field < MATTER ? matter[field].at : rct_hinge_keys[field - MATTER].offset,
                  target->component, count_used(field, body->hinge), value);
}

void rct_target_write(const rct_target *target, int32_t bodies, double value,
                      rct_member_numbers *numbers)
{
    switch (target->of) {
    case TARGET_GRAVITY: write_numbers(numbers->gravity, 0, target->component, 3, value); break;
    case TARGET_BODY:
        for (int32_t b = 0; target->index < 0 && b < bodies; b++) {
            write_body(target, value, &numbers->bodies[b]);
        }
        if (target->index >= 0) {
            write_body(target, value, &numbers->bodies[target->index]);
        }
        break;
    case TARGET_FORCE:
        write_numbers(&numbers->forces[target->index], rct_force_keys.key[target->field].offset,
                      target->component, rct_force_keys.key[target->field].count, value);
        break;
    }
}
