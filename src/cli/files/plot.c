/* riccatree plot: series of a recording over time as an SVG, one panel for each unit. */
#include "core/character.h"
#include "files/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 800,
    PANEL = 240, /* height of a panel with its margins                                           */
    LEFT = 90,
    RIGHT = 20,
    TOP = 30,
    BELOW = 30,
    LABELS = 18, /* height of a line of the legend                                               */
    TICKS = 5
};

static const char *const inks[] = {"#1f6fb4", "#d9660a", "#2a9152", "#c02f4a",
                                   "#7a52b3", "#8a6b12", "#0f8f8f", "#555555"};
enum { INKS = sizeof inks / sizeof inks[0] };

typedef struct range {
    double least, most;
} range;

/* The distance of grid lines of an axis: 1, 2 or 5 times a power of ten, for about TICKS lines. */
static double tick_of(range r)
{
    const double rough = (r.most - r.least) / TICKS, power = pow(10.0, floor(log10(rough)));
    const double part = rough / power;
    return power * (part > 5.0 ? 10.0 : part > 2.0 ? 5.0 : part > 1.0 ? 2.0 : 1.0);
}

/* The range, widened if it is constant. */
static range widened(range r)
{
    const double span = r.most - r.least, size = fmax(fabs(r.least), fabs(r.most));
    if (span > 1e-12 * size && isfinite(span)) {
        return r;
    }
    const double more = size > 0.0 ? 0.1 * size : 1.0;
    return (range){r.least - more, r.most + more};
}

static double share(range r, double x)
{
    return (x - r.least) / (r.most - r.least);
}

static double across(range time, double t)
{
    return LEFT + share(time, t) * (WIDTH - LEFT - RIGHT);
}

/* XML text. */
static void put_text(FILE *out, const char *text)
{
    for (int size = 0; *text != '\0'; text += size > 0 ? size : 1) {
        const char *written = *text == '<'   ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '&' ? "&amp;"
                                             : NULL;
        size = rct_character_size(text, 4);
        if (written != NULL) {
            fputs(written, out);
        } else if (size == 0 || rct_character_steers(text, size)) {
            fputc(' ', out);
        } else {
            fwrite(text, 1, (size_t)size, out);
        }
    }
}

static void put_label(FILE *out, double x, double y, const char *more, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, more);
    put_text(out, text);
    fputs("</text>\n", out);
}

/* ---- a panel ------------------------------------------------------------------------------ */

typedef struct panel {
    const cli_recording *recording;
    const char *unit;
    double top, height; /* of the plot area */
    range time, numbers;
} panel;

static double down(const panel *p, double x)
{
    return p->top + (1.0 - share(p->numbers, x)) * p->height;
}

/* Grid lines at the ticks of a range, along y or x. */
static void put_ticks(FILE *out, const panel *p, range r, bool up)
{
    const double tick = tick_of(r), bottom = p->top + p->height;
    const int64_t last = (int64_t)floor(r.most / tick);
    for (int64_t k = (int64_t)ceil(r.least / tick); k <= last; k++) {
        const double number = (double)k * tick;
        char text[CLI_SHORT_TEXT];
        snprintf(text, sizeof text, "%.6g", number);
        if (up) {
            const double y = down(p, number);
            fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", LEFT, y, WIDTH - RIGHT);
            put_label(out, LEFT - 6.0, y + 4.0, " text-anchor=\"end\"", text);
        } else {
            const double x = across(r, number);
            fprintf(out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", x, p->top, bottom);
            put_label(out, x, bottom + 15.0, " text-anchor=\"middle\"", text);
        }
    }
}

static void put_grid(FILE *out, const panel *p)
{
    put_ticks(out, p, p->numbers, true);
    put_ticks(out, p, p->time, false);
    put_label(out, LEFT - 6.0, p->top - 10.0, " text-anchor=\"end\"", p->unit);
    put_label(out, WIDTH - RIGHT, p->top + p->height + 28.0, " text-anchor=\"end\"", "s");
}

static void put_curve(FILE *out, const panel *p, const cli_series *s, unsigned number)
{
    const cli_recording *r = p->recording;
    const char *ink = inks[number % INKS];
    char style[64];
    const char *begin = "M";
    fprintf(out, "<path fill=\"none\" stroke=\"%s\" d=\"", ink);
    for (int64_t k = 0; k < r->info.frames; k++) {
        if (isfinite(s->numbers[k])) {
            fprintf(out, "%s%.2f %.2f", begin, across(p->time, r->time[k]), down(p, s->numbers[k]));
        }
        begin = isfinite(s->numbers[k]) ? "L" : "M";
    }
    fputs("\"/>\n", out);
    snprintf(style, sizeof style, " fill=\"%s\"", ink);
    put_label(out, LEFT + 8.0, p->top - 10.0 - LABELS * number, style, s->label);
}

/* Draw the series of this unit, with a legend line for each above the plot area. Returns where
 * the next panel begins. */
static double put_panel(FILE *out, const cli_recording *r, const char *unit, double top, range time)
{
    panel p = {.recording = r, .unit = unit, .time = time, .numbers = {INFINITY, -INFINITY}};
    unsigned count = 0;
    for (int64_t i = 0; i < r->count; i++) {
        const bool here = strcmp(r->series[i].quantity.unit, unit) == 0;
        count += here;
        for (int64_t k = 0; k < r->info.frames && here; k++) {
            const double x = r->series[i].numbers[k];
            p.numbers.least = isfinite(x) ? fmin(p.numbers.least, x) : p.numbers.least;
            p.numbers.most = isfinite(x) ? fmax(p.numbers.most, x) : p.numbers.most;
        }
    }
    p.numbers = p.numbers.least <= p.numbers.most ? widened(p.numbers) : (range){0.0, 1.0};
    p.top = top + TOP + LABELS * ((double)count - 1.0);
    p.height = PANEL - TOP - BELOW;
    put_grid(out, &p);
    unsigned number = count;
    for (int64_t i = 0; i < r->count; i++) {
        if (strcmp(r->series[i].quantity.unit, unit) == 0) {
            put_curve(out, &p, &r->series[i], --number);
        }
    }
    return p.top + p.height + BELOW;
}

static bool is_first_of_unit(const cli_recording *r, int64_t index)
{
    int64_t i = 0;
    while (strcmp(r->series[i].quantity.unit, r->series[index].quantity.unit) != 0) {
        i++;
    }
    return i == index;
}

static void put_picture(FILE *out, const cli_recording *r)
{
    int panels = 0;
    const range time = widened((range){r->time[0], r->time[r->info.frames - 1]});
    for (int64_t i = 0; i < r->count; i++) {
        panels += is_first_of_unit(r, i);
    }
    const int height = panels * PANEL + LABELS * ((int)r->count - panels);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n<title>",
            WIDTH, height, WIDTH, height);
    put_text(out, rct_model_name(r->model));
    fputs("</title>\n<style>.grid { stroke: #ddd; }</style>\n", out);
    fprintf(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, height);
    double top = 0.0;
    for (int64_t i = 0; i < r->count; i++) {
        if (is_first_of_unit(r, i)) {
            top = put_panel(out, r, r->series[i].quantity.unit, top, time);
        }
    }
    fputs("</svg>\n", out);
}

static bool plot(const cli_arguments *arguments)
{
    cli_recording recording = {.count = 0};
    cli_text_file file;
    if (arguments->more.count == 0) {
        return cli_refuse("plot needs a QUANTITY after %s, such as energy or position.z:body3",
                          arguments->operand);
    }
    bool good = cli_open_recording(&recording, arguments->operand, &arguments->more) &&
                cli_open_text(arguments, &file);
    if (good) {
        put_picture(file.stream, &recording);
        good = cli_close_text(&file, true);
    }
    cli_close_recording(&recording);
    return good;
}

const cli_command cli_plot = {
    .name = "plot",
    .operand = "FILE.h5",
    .more = "QUANTITY...",
    .summary = "Plot quantities of a recording over time, as SVG.",
    .details =
        "\nA QUANTITY is a name of docs/trajectory-file.md, with or without a component; "
        "those of\n"
        "bodies and loops need a name: energy, momentum.x, position:body3. Computed are turn, "
        "velocity,\n"
        "acceleration, angular_acceleration, hinge_force and hinge_moment of bodies; "
        "loop_force,\n"
        "loop_moment and loop_effort of loops: hinge_force.z:body3, loop_force:pivot.\n",
    .options = CLI_LIST(CLI_OUT_SVG, CLI_OVERWRITE),
    .run = plot,
};
