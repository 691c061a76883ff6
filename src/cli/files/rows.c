/* The rows of quantities of a recording: the bodies and loops that users name. */
#include "files/files.h"

#include <ctype.h>
#include <string.h>

enum { MOST_LOOPS = 8, QUOTED_SIZE = RCT_NAME_SIZE + 2 };

/* A name as a shell takes it. */
static const char *quoted(const char *name, char text[QUOTED_SIZE])
{
    snprintf(text, QUOTED_SIZE, strchr(name, ' ') != NULL ? "\"%s\"" : "%s", name);
    return text;
}

/* The loop that is the hinge of a body, if that hinge can break. */
static bool find_hinge(const cli_recording *r, const char *body, char loop[RCT_NAME_SIZE])
{
    const int length = snprintf(loop, RCT_NAME_SIZE, "%s hinge", body);
    return length < RCT_NAME_SIZE && rct_model_find_loop(r->model, loop) >= 0;
}

/* Refuse a component behind the name, where the name without it is known; true: it is not that. */
static bool check_component(const cli_recording *r, const char *what, const char *name)
{
    char own[RCT_NAME_SIZE], text[QUOTED_SIZE];
    const char *dot = strrchr(name, '.');
    if (dot == NULL || dot[1] == '\0' || dot[2] != '\0' || !isalnum((unsigned char)dot[1])) {
        return true;
    }
    snprintf(own, sizeof own, "%.*s", (int)(dot - name), name);
    return (rct_model_find_body(r->model, own) < 0 && rct_model_find_loop(r->model, own) < 0) ||
           cli_refuse("%s:%s: a component stands before the colon: %s.%c:%s", what, name, what,
                      dot[1], quoted(own, text));
}

/* Say that there is no such loop, and which there are. */
static bool refuse_loop(const cli_recording *r, const char *what, const char *name)
{
    const int32_t count = rct_model_loop_count(r->model);
    const int32_t shown = count < MOST_LOOPS ? count : MOST_LOOPS;
    char names[MOST_LOOPS][RCT_NAME_SIZE], advice[RCT_ERROR_TEXT_SIZE] = "it has no loops";
    char hint[RCT_ERROR_TEXT_SIZE], text[QUOTED_SIZE];
    const char *known[MOST_LOOPS + 1] = {NULL};
    if (find_hinge(r, name, hint)) {
        return cli_refuse("no loop of the model is called \"%s\"; did you mean %s:%s?", name, what,
                          quoted(hint, text));
    }
    if (rct_model_find_body(r->model, name) >= 0) {
        return cli_refuse("%s is a quantity of loops, and \"%s\" is a body", what, name);
    }
    for (int32_t i = 0; i < shown; i++) {
        const size_t used = i > 0 ? strlen(advice) : 0;
        rct_model_loop_name(r->model, i, names[i]);
        known[i] = names[i];
        snprintf(advice + used, sizeof advice - used, "%s%s%s", i > 0 ? ", " : "it has ",
                 quoted(names[i], text), i == MOST_LOOPS - 1 && count > MOST_LOOPS ? ", ..." : "");
    }
    return cli_refuse("no loop of the model is called \"%s\"%s", name,
                      rct_did_you_mean(name, known, advice, hint));
}

/* Relations have efforts, other loops forces and moments. */
static bool find_loop(const cli_recording *r, cli_series *one, const char *name)
{
    const char *what = one->quantity.name;
    rct_loop loop;
    one->row = rct_model_find_loop(r->model, name);
    if (one->row < 0) {
        return check_component(r, what, name) && refuse_loop(r, what, name);
    }
    rct_model_loop(r->model, (int32_t)one->row, &loop, NULL);
    const bool relates = loop.type == RCT_LOOP_RELATION;
    return relates == (one->evaluated == CLI_LOOP_EFFORT) ||
           (relates ? cli_refuse("\"%s\" is a relation, which has no %s; ask for loop_effort", name,
                                 what)
                    : cli_refuse("\"%s\" is no relation and has no loop_effort; ask for loop_force "
                                 "or loop_moment",
                                 name));
}

/* The hinge of a body that can break is a loop, and the body is free. */
static bool find_body(const cli_recording *r, cli_series *one, const char *name)
{
    const char *what = one->quantity.name;
    char hint[RCT_ERROR_TEXT_SIZE], text[QUOTED_SIZE];
    one->row = rct_model_find_body(r->model, name);
    if (one->row < 0 && rct_model_find_loop(r->model, name) >= 0) {
        return cli_refuse("%s is a quantity of bodies, and \"%s\" is a loop", what, name);
    }
    if (one->row < 0) {
        return check_component(r, what, name) &&
               cli_refuse("no body is called \"%s\"%s", name,
                          rct_model_body_hint(r->model, name, NULL, hint));
    }
    const bool of_hinge = one->evaluated == CLI_HINGE_FORCE || one->evaluated == CLI_HINGE_MOMENT;
    return !of_hinge || !find_hinge(r, name, hint) ||
           cli_refuse("the hinge of \"%s\" can break, so it is a loop; ask for %s:%s", name,
                      one->evaluated == CLI_HINGE_FORCE ? "loop_force" : "loop_moment",
                      quoted(hint, text));
}

/* Say that a quantity of bodies or loops needs a name. */
static bool refuse_none(const cli_recording *r, const char *what, bool of_loops)
{
    char first[RCT_NAME_SIZE], text[QUOTED_SIZE];
    if (!of_loops) {
        rct_model_body_name(r->model, 0, first);
    } else if (rct_model_loop_count(r->model) > 0) {
        rct_model_loop_name(r->model, 0, first);
    } else {
        return cli_refuse("%s is a quantity of loops, but the model has none", what);
    }
    return cli_refuse("%s is a quantity of %s; name a %s, such as %s:%s", what,
                      of_loops ? "loops" : "bodies", of_loops ? "loop" : "body", what,
                      quoted(first, text));
}

/* ---- columns ------------------------------------------------------------------------------ */

/* The columns of a body among the numbers of all hinges. */
static bool find_hinge_columns(const cli_recording *r, cli_series *one, const char *name,
                               int32_t (*count)(rct_hinge_type type))
{
    if (!find_body(r, one, name)) {
        return false;
    }
    one->columns = 0;
    for (int32_t b = 0; b <= one->row; b++) {
        rct_body body;
        rct_model_body(r->model, b, &body, NULL);
        one->first += one->columns;
        one->columns = count(body.hinge);
    }
    one->row = 0;
    return one->columns > 0 ||
           cli_refuse("the hinge of \"%s\" is fixed and has no %s", name, one->quantity.name);
}

static bool find_event(const cli_recording *r, cli_series *one, const char *name)
{
    one->first = rct_model_find_event(r->model, name);
    one->columns = 1;
    return one->first >= 0 || (check_component(r, one->quantity.name, name) &&
                               cli_refuse("no event of the model is called \"%s\"", name));
}

static bool find_active(const cli_recording *r, cli_series *one, const char *name)
{
    one->first = rct_model_find_loop(r->model, name);
    one->columns = 1;
    return one->first >= 0 || (check_component(r, one->quantity.name, name) &&
                               refuse_loop(r, one->quantity.name, name));
}

/* The columns of a hinge, loop or event among those of a row. */
static bool find_columns(const cli_recording *r, cli_series *one, const char *name)
{
    const char *what = one->quantity.name;
    return name[0] == '\0'
               ? cli_refuse("%s: give a name after the colon, or leave the colon out", what)
           : strcmp(what, "coordinates") == 0
               ? find_hinge_columns(r, one, name, rct_hinge_coordinates)
           : strcmp(what, "rates") == 0       ? find_hinge_columns(r, one, name, rct_hinge_freedoms)
           : strcmp(what, "loop_active") == 0 ? find_active(r, one, name)
           : strncmp(what, "event_", 6) == 0  ? find_event(r, one, name)
                                              : cli_refuse("%s is a quantity of the whole "
                                                            "system; leave \":%s\" out",
                                                           what, name);
}

bool cli_find_row(const cli_recording *r, cli_series *one, const char *name)
{
    const char *what = one->quantity.name;
    const bool of_loops = cli_is_of_loops(&one->quantity);
    one->columns = one->quantity.width;
    if (!of_loops && !cli_is_of_bodies(&one->quantity)) {
        return name == NULL || find_columns(r, one, name);
    }
    if (name == NULL || name[0] == '\0') {
        return refuse_none(r, what, of_loops);
    }
    return of_loops ? find_loop(r, one, name) : find_body(r, one, name);
}
