/* Series of a recording by name. */
#include "files/files.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Named in an error at most. */
enum { MOST_QUANTITIES = 64 };

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

/* The same holds for those of loops and events. */
static bool is_numbered(const rct_quantity *quantity)
{
    return is_of_hinges(quantity) || strcmp(quantity->name, "loop_active") == 0 ||
           strncmp(quantity->name, "event_", 6) == 0;
}

const char *cli_letters_of(const rct_quantity *quantity)
{
    const bool numbered = is_numbered(quantity);
    return !numbered && quantity->width == 3   ? "xyz"
           : !numbered && quantity->width == 4 ? "wxyz"
                                               : "";
}

bool cli_is_of_bodies(const rct_quantity *quantity)
{
    return strcmp(quantity->name, "position") == 0 || strcmp(quantity->name, "orientation") == 0 ||
           strcmp(quantity->name, "angular_velocity") == 0 || is_turn(quantity) ||
           (cli_find_evaluated(quantity->name) >= 0 && !cli_is_of_loops(quantity));
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

/* The unit of a column of the numbers of hinges. */
static const char *unit_of(const cli_recording *r, bool rates, int64_t column)
{
    rct_hinge_type hinge = RCT_HINGE_FIXED;
    for (int32_t b = 0, count = 0; column >= count; b++) {
        rct_body body;
        column -= count;
        rct_model_body(r->model, b, &body, NULL);
        hinge = body.hinge;
        count = rates ? rct_hinge_freedoms(hinge) : rct_hinge_coordinates(hinge);
    }
    return rates ? rct_hinge_rate_unit(hinge, (int32_t)column)
                 : rct_hinge_coordinate_unit(hinge, (int32_t)column);
}

/* Add one component, or all if `component` is < 0. */
static bool add_components(cli_recording *r, cli_series one, int64_t component, const char *body)
{
    const char *letters = cli_letters_of(&one.quantity);
    const int64_t width = one.columns;
    bool good = true;
    for (int64_t c = component < 0 ? 0 : component;
         c < (component < 0 ? width : component + 1) && good; c++) {
        char part[CLI_SHORT_TEXT] = "";
        if (letters[0] != '\0') {
            snprintf(part, sizeof part, ".%c", letters[c]);
        } else if (width > 1 || (is_numbered(&one.quantity) && body == NULL)) {
            snprintf(part, sizeof part, ".%" PRId64, c);
        }
        if (is_of_hinges(&one.quantity)) {
            one.quantity.unit = unit_of(r, strcmp(one.quantity.name, "rates") == 0, one.first + c);
        }
        one.component = one.first + c;
        snprintf(one.label, sizeof one.label, "%s%s%s%s", one.quantity.name, part,
                 body != NULL ? ":" : "", body != NULL ? body : "");
        good = add_series(r, &one);
    }
    return good;
}

static bool unknown_quantity(const cli_recording *r, const char *name)
{
    char known[640] = "", computed[160] = "", advice[832], hint[RCT_ERROR_TEXT_SIZE];
    const char *names[MOST_QUANTITIES + CLI_EVALUATED + 2] = {turn.name};
    int count = 1;
    for (int32_t i = 0; i < r->info.quantities && i < MOST_QUANTITIES; i++) {
        rct_quantity quantity = {.name = ""};
        const size_t used = strlen(known);
        if (rct_recording_quantity(r->file, i, &quantity, &cli_error) == RCT_OK) {
            snprintf(known + used, sizeof known - used, " %s", quantity.name);
        }
        names[count++] = quantity.name;
    }
    for (int i = 0; i < CLI_EVALUATED; i++) {
        const size_t used = strlen(computed);
        names[count++] = cli_evaluated_quantity(i)->name;
        snprintf(computed + used, sizeof computed - used, " %s", names[count - 1]);
    }
    snprintf(advice, sizeof advice, "it has%s; computed are %s%s", known, turn.name, computed);
    return cli_refuse("the recording has no \"%s\"%s", name,
                      rct_did_you_mean(name, names, advice, hint));
}

/* The number of the named component; -1: all, -2: none. */
static int64_t component_of(const cli_series *one, const char *text)
{
    const char *letters = cli_letters_of(&one->quantity);
    const char *letter = text[0] != '\0' && text[1] == '\0' ? strchr(letters, text[0]) : NULL;
    char *end = NULL;
    if (letter != NULL) {
        return letter - letters;
    }
    const bool digits = text[0] != '\0' && strspn(text, "0123456789") == strlen(text);
    const int64_t number = digits && letters[0] == '\0' ? strtoll(text, &end, 10) : -2;
    return number < one->columns ? number : -2;
}

/* The quantity of that name. */
static bool find_quantity(const cli_recording *r, const char *name, cli_series *one)
{
    const bool turns = strcmp(name, turn.name) == 0;
    one->evaluated = cli_find_evaluated(name);
    one->quantity = turn;
    if (one->evaluated >= 0) {
        one->quantity = *cli_evaluated_quantity(one->evaluated);
        return true;
    }
    one->index = rct_recording_find(r->file, turns ? "orientation" : name);
    if (one->index < 0) {
        return unknown_quantity(r, name);
    }
    return turns ||
           cli_did(rct_recording_quantity(r->file, one->index, &one->quantity, &cli_error));
}

/* Say which components there are; `named`: the name of a hinge, loop or event, with its colon, or
 * NULL. */
static bool refuse_component(const cli_series *one, const char *text, const char *named)
{
    const char *name = one->quantity.name, *letters = cli_letters_of(&one->quantity);
    named = named != NULL && is_numbered(&one->quantity) ? named : "";
    return letters[0] != '\0' ? cli_refuse("%s has no component \"%s\"; give %sx, y or z", name,
                                           text, letters[0] == 'w' ? "w, " : "")
           : one->columns == 1 && (!is_numbered(&one->quantity) || named[0] != '\0')
               ? cli_refuse("%s%s is one number; leave \".%s\" out", name, named, text)
               : cli_refuse("%s%s has no component \"%s\"; give a number from 0 to %" PRId64, name,
                            named, text, one->columns - 1);
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
    cli_series one = {.index = -1};
    if (length >= sizeof name) {
        return unknown_quantity(r, name);
    }
    if (!find_quantity(r, name, &one) || !cli_find_row(r, &one, body)) {
        return false;
    }
    const int64_t component = dot != NULL ? component_of(&one, dot + 1) : -1;
    return component < -1 ? refuse_component(&one, dot + 1, colon)
                          : add_components(r, one, component, body);
}

static bool add_all_sums(cli_recording *r)
{
    bool good = true;
    for (int32_t i = 0; i < r->info.quantities && good; i++) {
        cli_series one = {.index = i, .evaluated = -1};
        good = cli_did(rct_recording_quantity(r->file, i, &one.quantity, &cli_error));
        one.columns = one.quantity.width;
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

/* Make ready to evaluate, if any series asks for it. */
static bool begin_evaluating(cli_recording *r)
{
    bool wanted[CLI_EVALUATED] = {false}, any = false;
    for (int64_t i = 0; i < r->count; i++) {
        if (r->series[i].evaluated >= 0) {
            wanted[r->series[i].evaluated] = any = true;
        }
    }
    r->evaluated = any ? cli_evaluated_create(r->file, r->model, wanted) : NULL;
    return !any || r->evaluated != NULL;
}

/* The row of a series in frame k; `room`: for rows of the file. NULL: the error is printed. */
static const double *row_of(const cli_recording *r, const cli_series *s, int64_t k, double *room)
{
    if (s->evaluated >= 0) {
        return cli_evaluated_numbers(r->evaluated, s->evaluated) + s->row * s->quantity.width;
    }
    return cli_did(rct_recording_read(r->file, s->index, k, s->row, 1, room, &cli_error)) ? room
                                                                                          : NULL;
}

static bool read_all(cli_recording *r)
{
    const int32_t time = rct_recording_find(r->file, "time");
    int64_t widest = 4; /* an orientation */
    for (int64_t i = 0; i < r->count; i++) {
        widest = r->series[i].quantity.width > widest ? r->series[i].quantity.width : widest;
    }
    double *room = cli_numbers(widest, "a row");
    bool good = room != NULL && begin_evaluating(r);
    for (int64_t k = 0; k < r->info.frames && good; k++) {
        good = cli_did(rct_recording_read(r->file, time, k, 0, 1, &r->time[k], &cli_error)) &&
               (r->evaluated == NULL || cli_evaluate_frame(r->evaluated, k, r->time[k]));
        for (int64_t i = 0; i < r->count && good; i++) {
            const double *row = row_of(r, &r->series[i], k, room);
            good = row != NULL;
            r->series[i].numbers[k] = good ? number_of(&r->series[i], row) : NAN;
        }
    }
    free(room);
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
    cli_evaluated_free(r->evaluated);
    rct_model_free(r->model);
    rct_recording_close(r->file);
}
