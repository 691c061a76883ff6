/* The numbers of a recording, for `summary`: its frames, its energy, and of every quantity the
 * least and the largest number with their times and bodies. */
#include "files/files.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { NAME_SHOWN = 28 };

/* A number of a quantity, and where it occurs. */
typedef struct extreme {
    double value, time;
    int64_t row; /* body, or 0 */
    int64_t component;
} extreme;

typedef struct numbers {
    rct_recording *file;
    rct_recording_info info;
    rct_model *model;
    double *frame; /* room for the numbers of the largest quantity */
    double *time;  /* [frames] s */
} numbers;

/* The least and the largest number of a component of a quantity; over all components if these
 * have no letters. */
typedef struct extremes {
    extreme least, most;
} extremes;

enum { LETTERS = 4 };

static int64_t part_of(const rct_quantity *q, int64_t component)
{
    return cli_letters_of(q)[0] != '\0' ? component : 0;
}

/* Include the numbers of a frame. */
static void take(extremes all[LETTERS], const rct_quantity *q, const double *frame, double time)
{
    for (int64_t i = 0; i < q->rows * q->width; i++) {
        const extreme one = {frame[i], time, i / q->width, i % q->width};
        extremes *own = &all[part_of(q, one.component)];
        if (one.value < own->least.value || isnan(own->least.value)) {
            own->least = one;
        }
        if (one.value > own->most.value || isnan(own->most.value)) {
            own->most = one;
        }
    }
}

static bool read_frame(const numbers *n, int32_t index, int64_t rows, int64_t frame)
{
    return cli_did(rct_recording_read(n->file, index, frame, 0, rows, n->frame, &cli_error));
}

static bool read_times(const numbers *n)
{
    const int32_t index = rct_recording_find(n->file, "time");
    bool good = true;
    for (int64_t f = 0; f < n->info.frames && good; f++) {
        good = read_frame(n, index, 1, f);
        n->time[f] = n->frame[0];
    }
    return good;
}

static void print_extreme(const rct_model *model, const char *name, const extreme *e,
                          bool of_bodies)
{
    char body[RCT_NAME_SIZE] = "";
    if (of_bodies) {
        rct_model_body_name(model, (int32_t)e->row, body);
    }
    cli_json_open(name, '{');
    cli_json_real("value", e->value);
    cli_json_real("time", e->time);
    cli_json_count("component", e->component);
    cli_json_text("body", of_bodies ? body : NULL);
    cli_json_close("}");
    cli_print("%13.6g%11.5g", e->value + 0.0, e->time); /* no -0 */
    if (of_bodies) {
        cli_print_plain("  %-12.40s", body);
    }
}

static void print_part(const rct_model *model, const rct_quantity *q, const extremes *all, int part)
{
    const char *letters = cli_letters_of(q);
    char name[CLI_SHORT_TEXT + 16], letter[3] = "";
    if (letters[0] != '\0') {
        snprintf(letter, sizeof letter, ".%c", letters[part]);
    }
    snprintf(name, sizeof name, "%s%s", q->name, letter);
    cli_json_open_line();
    cli_json_text("name", name);
    cli_json_text("unit", q->unit);
    cli_print_plain("%-*s", NAME_SHOWN, name);
    print_extreme(model, "min", &all[part].least, cli_is_of_bodies(q));
    print_extreme(model, "max", &all[part].most, cli_is_of_bodies(q));
    cli_json_close("}");
    cli_print("  %s\n", q->unit);
}

static void begin(extremes all[LETTERS])
{
    const extreme none = {NAN, NAN, 0, 0};
    for (int k = 0; k < LETTERS; k++) {
        all[k] = (extremes){none, none};
    }
}

static void print_extremes(const rct_model *model, const rct_quantity *q, const extremes *all)
{
    const int parts = cli_letters_of(q)[0] != '\0' ? (int)q->width : 1;
    for (int k = 0; k < parts; k++) {
        print_part(model, q, all, k);
    }
}

void cli_print_extremes_head(void)
{
    cli_print("\n%-*s%13s%11s%13s%11s\n", NAME_SHOWN, "", "min", "at, s", "max", "at, s");
    cli_json_open("quantities", '[');
}

void cli_print_state_extremes(const rct_model *model, const rct_quantity *q, const double *frame,
                              double time)
{
    extremes all[LETTERS];
    begin(all);
    take(all, q, frame, time);
    print_extremes(model, q, all);
}

static bool print_quantity(const numbers *n, int32_t index)
{
    extremes all[LETTERS];
    rct_quantity q;
    if (!cli_did(rct_recording_quantity(n->file, index, &q, &cli_error))) {
        return false;
    }
    begin(all);
    for (int64_t f = 0; f < n->info.frames; f++) {
        if (!read_frame(n, index, q.rows, f)) {
            return false;
        }
        take(all, &q, n->frame, n->time[f]);
    }
    print_extremes(n->model, &q, all);
    return true;
}

static bool read_one(const numbers *n, const char *name, int64_t frame, double *x)
{
    const bool good = read_frame(n, rct_recording_find(n->file, name), 1, frame);
    *x = n->frame[0];
    return good;
}

static bool print_energy(const numbers *n)
{
    double first = 0.0, last = 0.0, drift = 0.0, largest = 0.0;
    bool good =
        read_one(n, "energy", 0, &first) && read_one(n, "energy", n->info.frames - 1, &last);
    for (int64_t f = 0; f < n->info.frames && good; f++) {
        good = read_one(n, "energy_drift", f, &drift);
        largest = fmax(largest, fabs(drift));
    }
    cli_json_real("energy_first", first);
    cli_json_real("energy_last", last);
    cli_json_real("energy_change", largest);
    cli_line("energy", "%.9g J at first, %.9g J at last, changed by at most %.3g J", first, last,
             largest);
    return good;
}

static bool print(const numbers *n)
{
    const double first = n->time[0], last = n->time[n->info.frames - 1];
    cli_json_text("kind", "recording");
    cli_model_name(n->info.model_name);
    cli_json_text("command_line", n->info.command_line);
    if (n->info.command_line[0] != '\0') {
        cli_line("command", "%s", n->info.command_line);
    }
    cli_json_bool("complete", n->info.complete != 0);
    cli_count("bodies", "bodies", n->info.bodies, "");
    cli_json_count("frames", n->info.frames);
    cli_json_real("first_time", first);
    cli_json_real("last_time", last);
    cli_line("frames", "%" PRId64 " from %.9g s to %.9g s, %s", n->info.frames, first, last,
             n->info.complete ? "complete" : "not complete");
    bool good = print_energy(n);
    cli_print_extremes_head();
    for (int32_t i = 0; i < n->info.quantities && good; i++) {
        good = print_quantity(n, i);
    }
    cli_json_close("]");
    return good;
}

static int64_t largest_quantity(const numbers *n)
{
    int64_t most = 1;
    for (int32_t i = 0; i < n->info.quantities; i++) {
        rct_quantity q = {.rows = 0};
        (void)rct_recording_quantity(n->file, i, &q, NULL);
        most = q.rows * q.width > most ? q.rows * q.width : most;
    }
    return most;
}

bool cli_summarize(const cli_arguments *arguments, rct_recording *recording)
{
    numbers n = {.file = recording};
    rct_recording_get_info(recording, &n.info);
    cli_warn_unchecked(arguments->operand, n.info.checked);
    if (n.info.frames == 0) {
        return cli_refuse("%s: the recording has no frames yet", arguments->operand);
    }
    n.model = rct_model_read_h5(arguments->operand, &cli_error);
    n.frame = cli_numbers(largest_quantity(&n), "a frame");
    n.time = cli_numbers(n.info.frames, "the times of frames");
    bool good = cli_have(n.model) && n.frame != NULL && n.time != NULL && read_times(&n);
    if (good) {
        cli_output_start(arguments->given[CLI_JSON], 19);
        good = print(&n) && cli_output_finish();
    }
    rct_model_free(n.model);
    free(n.frame);
    free(n.time);
    return good;
}
