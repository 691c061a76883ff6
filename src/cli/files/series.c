/* Series of a recording by name. */
#include "files/files.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_QUANTITIES = 64 }; /* named in an error at most */

static const double whole_turn = 6.283185307179586476925286766559;

/* A quantity that recordings do not hold and that is computed from orientations. */
static const rct_quantity turn = {.name = "turn", .unit = "rad", .width = 3};

static bool is_turn(const rct_quantity *quantity)
{
    return strcmp(quantity->name, turn.name) == 0;
}

/* The numbers of hinges have columns as names: "coordinates.12". */
static bool is_of_hinges(const rct_quantity *quantity)
{
    return strcmp(quantity->name, "coordinates") == 0 || strcmp(quantity->name, "rates") == 0;
}

const char *cli_letters_of(const rct_quantity *quantity)
{
    const bool numbered = is_of_hinges(quantity);
    return !numbered && quantity->width == 3   ? "xyz"
           : !numbered && quantity->width == 4 ? "wxyz"
                                               : "";
}

bool cli_is_of_bodies(const rct_quantity *quantity)
{
    return strcmp(quantity->name, "position") == 0 || strcmp(quantity->name, "orientation") == 0 ||
           strcmp(quantity->name, "angular_velocity") == 0 ||
           strcmp(quantity->name, "velocity") == 0 || is_turn(quantity);
}

static bool add_series(cli_recording *r, const cli_series *one)
{
    cli_series *wider = realloc(r->series, (size_t)(r->count + 1) * sizeof *wider);
    if (wider == NULL) {
        return cli_have_memory(wider);
    }
    r->series = wider;
    cli_series *added = &wider[r->count];
    *added = *one;
    added->numbers = NULL;
    added->last = NAN;
    r->count++;
    added->numbers = cli_numbers(r->info.frames + 1, "a series");
    return added->numbers != NULL;
}

/* Add one component, or all if `component` is < 0. */
static bool add_components(cli_recording *r, cli_series one, int64_t component, const char *body)
{
    const char *letters = cli_letters_of(&one.quantity);
    const int64_t width = one.quantity.width;
    bool good = true;
    for (int64_t c = component < 0 ? 0 : component;
         c < (component < 0 ? width : component + 1) && good; c++) {
        char part[CLI_SHORT_TEXT] = "";
        if (letters[0] != '\0') {
            snprintf(part, sizeof part, ".%c", letters[c]);
        } else if (width > 1 || is_of_hinges(&one.quantity)) {
            snprintf(part, sizeof part, ".%" PRId64, c);
        }
        one.component = c;
        snprintf(one.label, sizeof one.label, "%s%s%s%s", one.quantity.name, part,
                 body != NULL ? ":" : "", body != NULL ? body : "");
        good = add_series(r, &one);
    }
    return good;
}

static bool unknown_quantity(const cli_recording *r, const char *name)
{
    char known[640] = "", advice[704], hint[RCT_ERROR_TEXT_SIZE];
    const char *names[MOST_QUANTITIES + 2] = {turn.name};
    for (int32_t i = 0; i < r->info.quantities && i < MOST_QUANTITIES; i++) {
        rct_quantity quantity = {.name = ""};
        const size_t used = strlen(known);
        if (rct_recording_quantity(r->file, i, &quantity, &cli_error) == RCT_OK) {
            snprintf(known + used, sizeof known - used, " %s", quantity.name);
        }
        names[i + 1] = quantity.name;
    }
    snprintf(advice, sizeof advice, "it has%s, and for orientation %s", known, turn.name);
    return cli_refuse("the recording has no \"%s\"%s", name,
                      rct_did_you_mean(name, names, advice, hint));
}

/* The number of the named component; -1: all, -2: none. */
static int64_t component_of(const rct_quantity *quantity, const char *text)
{
    const char *letters = cli_letters_of(quantity);
    const char *letter = text[0] != '\0' && text[1] == '\0' ? strchr(letters, text[0]) : NULL;
    char *end = NULL;
    if (letter != NULL) {
        return letter - letters;
    }
    const bool digits = text[0] != '\0' && strspn(text, "0123456789") == strlen(text);
    const int64_t number = digits && letters[0] == '\0' ? strtoll(text, &end, 10) : -2;
    return number < quantity->width ? number : -2;
}

/* The row of a quantity; `body` NULL: of the whole system. */
static bool find_row(const cli_recording *r, cli_series *one, const char *body)
{
    const char *name = one->quantity.name;
    const bool of_bodies = cli_is_of_bodies(&one->quantity);
    if (of_bodies != (body != NULL)) {
        return of_bodies ? cli_refuse("%s is a quantity of bodies; name a body, such as %s:body0",
                                      name, name)
                         : cli_refuse("%s is a quantity of the whole system; leave \":%s\" out",
                                      name, body);
    }
    one->row = body != NULL ? rct_model_find_body(r->model, body) : 0;
    char hint[RCT_ERROR_TEXT_SIZE];
    return one->row >= 0 || cli_refuse("no body is called \"%s\"%s", body,
                                       rct_model_body_hint(r->model, body, NULL, hint));
}

static bool add_named(cli_recording *r, const char *text)
{
    char name[RCT_NAME_SIZE] = "";
    const char *colon = strchr(text, ':'), *body = colon != NULL ? colon + 1 : NULL;
    const size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    char *dot = strchr(name, '.');
    if (dot != NULL) {
        *dot = '\0';
    }
    cli_series one = {.quantity = turn};
    const bool turns = strcmp(name, turn.name) == 0;
    one.index = rct_recording_find(r->file, turns ? "orientation" : name);
    if (one.index < 0 || length >= sizeof name) {
        return unknown_quantity(r, name);
    }
    if ((!turns &&
         !cli_did(rct_recording_quantity(r->file, one.index, &one.quantity, &cli_error))) ||
        !find_row(r, &one, body)) {
        return false;
    }
    const int64_t component = dot != NULL ? component_of(&one.quantity, dot + 1) : -1;
    if (component < -1) {
        const char *letters = cli_letters_of(&one.quantity);
        return letters[0] != '\0'
                   ? cli_refuse("%s has no component \"%s\"; give one of %s", name, dot + 1,
                                letters)
                   : cli_refuse("%s has no component \"%s\"; give a number from 0 to %" PRId64,
                                name, dot + 1, one.quantity.width - 1);
    }
    return add_components(r, one, component, body);
}

static bool add_all_sums(cli_recording *r)
{
    bool good = true;
    for (int32_t i = 0; i < r->info.quantities && good; i++) {
        cli_series one = {.index = i};
        good = cli_did(rct_recording_quantity(r->file, i, &one.quantity, &cli_error));
        if (good && !cli_is_of_bodies(&one.quantity) && !is_of_hinges(&one.quantity) &&
            strcmp(one.quantity.name, "time") != 0) {
            good = add_components(r, one, -1, NULL);
        }
    }
    return good;
}

/* The angle of an orientation about an inertial axis: an orientation is a rotation about a
 * perpendicular axis after one about this axis; this is the angle of the latter. It is chosen
 * nearest to `before`, NAN: to 0. After half a turn about a perpendicular axis there is none. */
static double turn_about(const double q[4], int64_t axis, double before)
{
    if (hypot(q[0], q[1 + axis]) < 1e-9) {
        return NAN;
    }
    const double angle = 2.0 * atan2(q[1 + axis], q[0]), near = isfinite(before) ? before : 0.0;
    return angle + whole_turn * round((near - angle) / whole_turn);
}

/* The number in a frame, from the row of its quantity. */
static double number_of(cli_series *s, const double *row)
{
    if (!is_turn(&s->quantity)) {
        return row[s->component];
    }
    const double angle = turn_about(row, s->component, s->last);
    s->last = isfinite(angle) ? angle : s->last;
    return angle;
}

static bool read_all(cli_recording *r)
{
    const int32_t time = rct_recording_find(r->file, "time");
    int64_t widest = 4; /* an orientation */
    for (int64_t i = 0; i < r->count; i++) {
        widest = r->series[i].quantity.width > widest ? r->series[i].quantity.width : widest;
    }
    double *row = cli_numbers(widest, "a row");
    bool good = row != NULL;
    for (int64_t k = 0; k < r->info.frames && good; k++) {
        good = cli_did(rct_recording_read(r->file, time, k, 0, 1, &r->time[k], &cli_error));
        for (int64_t i = 0; i < r->count && good; i++) {
            cli_series *s = &r->series[i];
            good = cli_did(rct_recording_read(r->file, s->index, k, s->row, 1, row, &cli_error));
            s->numbers[k] = number_of(s, row);
        }
    }
    free(row);
    return good;
}

bool cli_open_recording(cli_recording *r, const char *path, const cli_texts *names)
{
    *r = (cli_recording){.count = 0};
    if (!cli_check_regular(path)) {
        return false;
    }
    r->file = rct_recording_open(path, &cli_error);
    if (!cli_have(r->file)) {
        return false;
    }
    rct_recording_get_info(r->file, &r->info);
    cli_warn_unchecked(path, r->info.checked);
    if (r->info.frames == 0) {
        return cli_refuse("%s: the recording has no frames yet", path);
    }
    r->model = rct_model_read_h5(path, &cli_error);
    r->time = cli_numbers(r->info.frames, "times");
    bool good = cli_have(r->model) && r->time != NULL;
    for (int32_t i = 0; i < names->count && good; i++) {
        good = add_named(r, names->text[i]);
    }
    good = good && (names->count > 0 || add_all_sums(r));
    return good && read_all(r);
}

void cli_close_recording(cli_recording *r)
{
    for (int64_t i = 0; i < r->count; i++) {
        free(r->series[i].numbers);
    }
    free(r->series);
    free(r->time);
    rct_model_free(r->model);
    rct_recording_close(r->file);
}
