/* The data of the page of an ensemble: one JSON object; its arrays are base64 of little-endian
 * numbers.
 *
 *     model, complete, members, frames, first     what is shown; member of the first row
 *     shown, gravity [3], box [6]                 members that are shown; m/s^2; lower corner and edges, m
 *     words, failures                             names of statuses by number; [member, why] of the first failures
 *     track, columns                              names of tracked bodies, of quantities of a member
 *     status                                      int8 for each shown member: -1 pending, 0 finished, above 0 why not
 *     values                                      float64 [shown][columns], NaN: none
 *     time                                        float64 of the shown frames, s
 *     energy                                      float64 [shown][frames], J, NaN: not reached
 *     place                                       uint16 [shown][tracked][frames][3]: 0 to 65534 along the box,
 *                                                 65535: not reached */
#include "core/error.h"
#include "view/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum {
    ENDS = 3,
    NAME = RCT_NAME_SIZE + 48,
    HEAD_BYTES = 4096, /* everything else */
    FAILURE_BYTES = 6 * RCT_MEMBER_TEXT + 32
};

static int64_t row_of(const rct_view_members *shown, int64_t k)
{
    return rct_view_evenly(k, shown->members, shown->info.members);
}

static int64_t frame_of(const rct_view_members *shown, int64_t k)
{
    return rct_view_evenly(k, shown->frames, shown->info.series);
}

/* ---- columns: the variations, time, energy and drift, coordinates at the end ----------------- */

static int64_t count_columns(const rct_view_members *shown)
{
    return shown->info.variations + ENDS + shown->coordinates;
}

/* The name of coordinate `number`, counted over the hinges of all bodies. */
static void name_coordinate(const rct_view_members *shown, int64_t number, char name[NAME])
{
    int32_t body = 0, own = 0;
    for (; body < shown->model->count; body++) {
        own = rct_hinge_coordinates(rct_bodies_at(shown->model->bodies, body)->hinge);
        if (number < own) {
            break;
        }
        number -= own;
    }
    char of[RCT_NAME_SIZE], which[16] = "";
    rct_model_body_name(shown->model, body, of);
    if (own > 1) {
        snprintf(which, sizeof which, " %d", (int)number);
    }
    snprintf(name, NAME, "coordinate%s of %s at the end", which, of);
}

static const char *name_column(const rct_view_members *shown, int64_t c, char name[NAME])
{
    static const char *const ends[ENDS] = {"time", "energy", "energy_drift"};
    rct_variation variation;
    if (c < shown->info.variations &&
        rct_ensemble_results_variation(shown->results, (int32_t)c, &variation, NULL) == RCT_OK) {
        return variation.path;
    }
    c -= shown->info.variations;
    if (c < ENDS) {
        return ends[c];
    }
    name_coordinate(shown, c - ENDS, name);
    return name;
}

static void put_columns(const rct_view_members *shown, FILE *stream)
{
    char name[NAME];
    fputs(",\n\"columns\": [", stream);
    for (int64_t c = 0; c < count_columns(shown); c++) {
        fputs(c > 0 ? ", " : "", stream);
        rct_view_put_string(stream, name_column(shown, c, name));
    }
    fputs("]", stream);
}

static int64_t name_bytes(const rct_view_members *shown)
{
    char name[NAME];
    int64_t bytes = rct_view_string_bytes(shown->model->name);
    for (int64_t c = 0; c < count_columns(shown); c++) {
        bytes += 2 + rct_view_string_bytes(name_column(shown, c, name));
    }
    for (int64_t i = 0; i < shown->info.tracked; i++) {
        rct_model_body_name(shown->model, shown->track[i], name);
        bytes += 2 + rct_view_string_bytes(name);
    }
    return bytes;
}

int64_t rct_view_member_bytes(const rct_view_members *shown)
{
    const int64_t one = 1 + count_columns(shown) * (int64_t)sizeof(double) +
                        shown->frames * ((int64_t)sizeof(double) + 6 * shown->info.tracked);
    const int64_t binary = shown->members * one + shown->frames * (int64_t)sizeof(double);
    return HEAD_BYTES + name_bytes(shown) + shown->failures * FAILURE_BYTES + binary / 3 * 4;
}

/* ---- texts -------------------------------------------------------------------------------- */

static void put_failures(const rct_view_members *shown, FILE *stream)
{
    int64_t told = 0;
    fputs(",\n\"words\": [", stream);
    for (int k = 0; k <= RCT_ERROR_LOOP; k++) {
        fputs(k > 0 ? ", " : "", stream);
        rct_view_put_string(stream, rct_status_name((rct_status)k));
    }
    fputs("],\n\"failures\": [", stream);
    for (int64_t row = 0; row < shown->info.members && told < shown->failures; row++) {
        char text[RCT_MEMBER_TEXT] = "";
        if (shown->status[row] > RCT_OK) {
            rct_ensemble_results_text(shown->results, row, text, NULL);
            fprintf(stream, "%s[%" PRId64 ", ", told > 0 ? ", " : "", shown->info.first + row);
            rct_view_put_string(stream, text);
            fputs("]", stream);
            told++;
        }
    }
    fputs("]", stream);
}

static void put_track(const rct_view_members *shown, FILE *stream)
{
    char name[RCT_NAME_SIZE];
    fputs(",\n\"track\": [", stream);
    for (int64_t i = 0; i < shown->info.tracked; i++) {
        rct_model_body_name(shown->model, shown->track[i], name);
        fputs(i > 0 ? ", " : "", stream);
        rct_view_put_string(stream, name);
    }
    fputs("]", stream);
}

/* ---- numbers ------------------------------------------------------------------------------ */

static rct_view_text begin_array(FILE *stream, const char *key)
{
    fprintf(stream, ",\n\"%s\": \"", key);
    return (rct_view_text){.stream = stream};
}

static void end_array(rct_view_text *text)
{
    rct_view_end(text);
    fputs("\"", text->stream);
}

static void put_statuses(const rct_view_members *shown, FILE *stream)
{
    rct_view_text text = begin_array(stream, "status");
    for (int64_t k = 0; k < shown->members; k++) {
        const int8_t status = (int8_t)shown->status[row_of(shown, k)];
        rct_view_put(&text, &status, 1);
    }
    end_array(&text);
}

static rct_status put_values(const rct_view_members *shown, FILE *stream, rct_error *error)
{
    const int64_t n = shown->info.members, variations = shown->info.variations;
    rct_view_text text = begin_array(stream, "values");
    rct_status status = RCT_OK;
    for (int64_t k = 0; k < shown->members && status == RCT_OK; k++) {
        const int64_t row = row_of(shown, k), columns = count_columns(shown);
        status = rct_ensemble_results_states(shown->results, row, 1, shown->state, NULL, error);
        for (int64_t c = 0; c < columns && status == RCT_OK; c++) {
            const int64_t end = c - variations;
            const double x = shown->status[row] == RCT_MEMBER_PENDING ? NAN
                             : c < variations ? shown->parameters[row * variations + c]
                             : end < ENDS     ? shown->ends[end * n + row]
                                              : shown->state[end - ENDS];
            rct_view_put(&text, &x, sizeof x);
        }
    }
    end_array(&text);
    return status;
}

static void put_times(const rct_view_members *shown, FILE *stream)
{
    rct_view_text text = begin_array(stream, "time");
    for (int64_t f = 0; f < shown->frames; f++) {
        rct_view_put(&text, &shown->time[frame_of(shown, f)], sizeof(double));
    }
    end_array(&text);
}

static rct_status put_energies(const rct_view_members *shown, FILE *stream, rct_error *error)
{
    rct_view_text text = begin_array(stream, "energy");
    rct_status status = RCT_OK;
    for (int64_t k = 0; k < shown->members && shown->frames > 0 && status == RCT_OK; k++) {
        const int64_t row = row_of(shown, k);
        status = rct_ensemble_results_motions(shown->results, row, 1, shown->energy, NULL, error);
        for (int64_t f = 0; f < shown->frames; f++) {
            const int pending = shown->status[row] == RCT_MEMBER_PENDING;
            const double x = pending ? NAN : shown->energy[frame_of(shown, f)];
            rct_view_put(&text, &x, sizeof x);
        }
    }
    end_array(&text);
    return status;
}

/* A pending member has no place, whatever its row holds. */
rct_status rct_view_read_places(const rct_view_members *shown, int64_t k, rct_error *error)
{
    const int64_t row = row_of(shown, k), count = 3 * shown->info.series * shown->info.tracked;
    const rct_status status =
        rct_ensemble_results_motions(shown->results, row, 1, NULL, shown->position, error);
    for (int64_t i = 0; i < count && shown->status[row] == RCT_MEMBER_PENDING; i++) {
        shown->position[i] = NAN;
    }
    return status;
}

static void put_place(const rct_view_members *shown, const double place[3], rct_view_text *text)
{
    const int there = isfinite(place[0] + place[1] + place[2]);
    for (int i = 0; i < 3; i++) {
        const double share =
            shown->extent[i] > 0.0 ? (place[i] - shown->low[i]) / shown->extent[i] : 0.0;
        const long step = there ? lround(share * (RCT_VIEW_NOWHERE - 1)) : RCT_VIEW_NOWHERE;
        const unsigned char bytes[2] = {(unsigned char)(step & 255), (unsigned char)(step >> 8)};
        rct_view_put(text, bytes, sizeof bytes);
    }
}

static rct_status put_places(const rct_view_members *shown, FILE *stream, rct_error *error)
{
    const int64_t tracked = shown->info.tracked;
    rct_view_text text = begin_array(stream, "place");
    rct_status status = RCT_OK;
    for (int64_t k = 0; k < shown->members && tracked > 0 && status == RCT_OK; k++) {
        status = rct_view_read_places(shown, k, error);
        for (int64_t i = 0; i < tracked && status == RCT_OK; i++) {
            for (int64_t f = 0; f < shown->frames; f++) {
                const int64_t at = frame_of(shown, f) * tracked + i;
                put_place(shown, shown->position + 3 * at, &text);
            }
        }
    }
    end_array(&text);
    return status;
}

rct_status rct_view_write_members(const rct_view_members *shown, FILE *stream, rct_error *error)
{
    const double box[6] = {shown->low[0],    shown->low[1],    shown->low[2],
                           shown->extent[0], shown->extent[1], shown->extent[2]};
    fputs("{\"model\": ", stream);
    rct_view_put_string(stream, shown->model->name);
    fprintf(stream,
            ", \"complete\": %s, \"members\": %" PRId64 ", \"frames\": %" PRId64
            ", \"first\": %" PRId64 ", \"shown\": %" PRId64,
            shown->info.complete ? "true" : "false", shown->info.members, shown->info.series,
            shown->info.first, shown->members);
    rct_view_put_vector(stream, "gravity", shown->model->gravity, 3);
    rct_view_put_vector(stream, "box", box, 6);
    put_failures(shown, stream);
    put_track(shown, stream);
    put_columns(shown, stream);
    put_statuses(shown, stream);
    put_times(shown, stream);
    rct_status status = put_values(shown, stream, error);
    RCT_THEN(status, put_energies(shown, stream, error));
    RCT_THEN(status, put_places(shown, stream, error));
    fputs("}\n", stream);
    return status;
}
