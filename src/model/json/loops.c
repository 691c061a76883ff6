/* The loops of a model file: elements of "loops" -> rct_loop. Keys, types and names of bodies
 * are checked here, the numbers when the loop is added to the model. */
#include "model/json/read.h"

#include "core/memory.h"
#include "model/loop_check.h"
#include "model/model.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The largest table of radii. An outline keeps only a few waves of it, so more rows would add
 * nothing. */
enum { MOST_RADII = 100000 };

static const char *const term_keys[] = {"body", "coordinate", "factor", NULL};

static const char *type_name(int type)
{
    return rct_loop_type_name((rct_loop_type)type);
}

static const rct_json_types types = {.what = "a loop",
                                     .before = "",
                                     .after = " of a loop",
                                     .advice = "add \"ball\", \"revolute\" or another one",
                                     .name = type_name,
                                     .count = RCT_LOOP_TYPES};

int32_t rct_json_coordinate(double number)
{
    return number >= 0.0 && number < 6.0 && number == floor(number) ? (int32_t)number : -1;
}

void rct_json_coordinate_trouble(rct_json_reader *reader, const rct_json *value, double number,
                                 int32_t body, const char *trouble)
{
    if (trouble != NULL) {
        rct_json_fail(reader, rct_json_member(value, "coordinate") != NULL ? "coordinate" : "body",
                      "\"coordinate\" is %.15g; the %s hinge of \"%.127s\" %s", number,
                      rct_hinge_name(rct_bodies_at(reader->model->bodies, body)->hinge),
                      rct_json_string(rct_json_member(value, "body")), trouble);
    }
}

static void read_term(rct_json_reader *reader, const rct_json *value, rct_loop_term *term)
{
    double number = 0.0;
    *term = (rct_loop_term){.body = RCT_GROUND, .factor = 1.0};
    rct_json_object(reader, value, "a term", term_keys);
    rct_json_end(reader, value, "body", &term->body);
    if (term->body == RCT_GROUND) {
        rct_json_fail(reader, "body",
                      "\"body\" is the ground, which has no hinge; give the name of a body");
    }
    rct_json_one(reader, value, "coordinate", &number);
    rct_json_one(reader, value, "factor", &term->factor);
    if (reader->status == RCT_OK) {
        term->freedom = rct_json_coordinate(number);
        rct_json_coordinate_trouble(reader, value, number, term->body,
                                    rct_loop_term_trouble(reader->model, term));
    }
}

/* Terms in new memory, to be freed by rct_release, also after an error. */
static rct_loop_term *read_terms(rct_json_reader *reader, const rct_json *value, rct_loop *loop)
{
    const rct_json *array = rct_json_member(value, "terms");
    const int64_t count = rct_json_count(array);
    if (count == 0 || count >= INT32_MAX) {
        rct_json_fail(reader, "terms", "\"terms\" is %s; it must be an array of at least one term",
                      rct_json_is(array, RCT_JSON_ARRAY) ? "empty" : rct_json_type_name(array));
    }
    if (reader->status != RCT_OK) {
        return NULL;
    }
    rct_loop_term *terms =
        rct_allocate(count, sizeof *terms, "the terms of a relation", reader->error);
    rct_json_heard(reader, terms != NULL ? RCT_OK : RCT_ERROR_MEMORY);
    const rct_json *term = rct_json_first(array);
    for (int64_t i = 0; i < count && reader->status == RCT_OK; i++) {
        const rct_json *outer = rct_json_enter(reader, term);
        read_term(reader, term, &terms[i]);
        rct_json_enter(reader, outer);
        term = rct_json_next(term);
    }
    loop->terms = terms;
    loop->term_count = (int32_t)count;
    return terms;
}

/* An outline given by a table. */
static void read_outline(rct_json_reader *reader, const rct_json *value, rct_loop *loop)
{
    const rct_json *table = rct_json_member(value, "table");
    const int64_t count = rct_json_count(table);
    if (table == NULL || reader->status != RCT_OK) {
        return;
    }
    if (rct_json_member(value, "radius") != NULL || rct_json_member(value, "cosine") != NULL ||
        rct_json_member(value, "sine") != NULL) {
        rct_json_fail(reader, "table",
                      "an outline has either a \"table\", or \"radius\", \"cosine\" and \"sine\"; "
                      "leave the one or the others out");
        return;
    }
    if (count < 3 || count > MOST_RADII) {
        rct_json_fail(reader, "table",
                      "\"table\" has %lld elements; it must be an array of 3 to %d radii",
                      (long long)count, (int)MOST_RADII);
        return;
    }
    double *radii = rct_allocate(count, sizeof *radii, "the outline of a cam", reader->error);
    rct_json_heard(reader, radii != NULL ? RCT_OK : RCT_ERROR_MEMORY);
    if (radii != NULL) {
        rct_json_vector(reader, value, "table", radii, (int)count);
        rct_loop_set_outline(loop, radii, count);
    }
    rct_release(radii);
}

static void read_loop(rct_json_reader *reader, const rct_json *value)
{
    rct_loop loop = rct_loop_default();
    rct_loop_term *terms = NULL;
    double *table = NULL;
    char what[48];
    reader->item = value;
    loop.type = (rct_loop_type)rct_json_type_in(reader, value, &types);
    snprintf(what, sizeof what, "a %s loop", rct_loop_type_name(loop.type));
    rct_json_check_keys(reader, value, what, &rct_loop_keys, rct_loop_uses(loop.type));
    rct_json_text(reader, value, "name", &loop.name);
    rct_json_flag(reader, value, "active", &loop.active);
    rct_json_read_keys(reader, value, &rct_loop_keys, rct_loop_uses(loop.type), &loop);
    if (loop.type == RCT_LOOP_CAM) {
        read_outline(reader, value, &loop);
    }
    if (loop.type == RCT_LOOP_RELATION && reader->status == RCT_OK) {
        const rct_json *rows = rct_json_member(value, "table");
        terms = read_terms(reader, value, &loop);
        if (reader->status == RCT_OK && rows != NULL) {
            loop.table = table = rct_json_table(reader, rows, 2, "[t, x]", &loop.rows);
        }
    } else if (loop.body == RCT_GROUND) {
        rct_json_fail(reader, "body",
                      "\"body\" is the ground; name a body there and give \"ground\" as \"other\"");
    }
    if (reader->status == RCT_OK) {
        rct_json_heard(reader, rct_model_add_loop(reader->model, &loop, NULL, reader->error));
    }
    rct_release(terms);
    rct_release(table);
}

void rct_json_loops(rct_json_reader *reader)
{
    rct_json_each(reader, "loops", "loop", read_loop);
}
