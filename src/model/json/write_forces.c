/* Forces, loops, the motion of the ground and events, as a model file has them. Defaults are not
 * written, except for the axes and for how strong a force is. */
#include "model/event_check.h"
#include "model/forces/force_check.h"
#include "model/json/print.h"
#include "model/loop_check.h"

#include <inttypes.h>
#include <math.h>

static void print_table(FILE *out, const double *table, int64_t rows, int width)
{
    fputs(", \"table\": [\n", out);
    for (int64_t i = 0; i < rows && !ferror(out); i++) {
        fputs("    [", out);
        for (int k = 0; k < width; k++) {
            fputs(k > 0 ? ", " : "", out);
            rct_json_print_number(out, table[width * i + k]);
        }
        fputs(i + 1 < rows ? "],\n" : "] ]", out);
    }
}

static void print_force(FILE *out, const rct_model *model, int32_t i)
{
    const rct_force *force = &model->forces[i];
    rct_force plain = rct_force_default();
    plain.stiffness = plain.force[0] = NAN; /* written in any case */
    fprintf(out, "    { \"type\": \"%s\"", rct_force_type_name(force->type));
    rct_json_print_keys(out, model, &rct_force_keys, 1 << force->type, force, &plain);
    if (force->coordinate > 0) {
        fprintf(out, ", \"coordinate\": %" PRId32, force->coordinate);
    }
    if (force->over != RCT_OVER_COORDINATE) {
        fprintf(out, ", \"over\": \"%s\"", rct_curve_over_name(force->over));
    }
    if (force->rows > 0) {
        print_table(out, force->table, force->rows, 2);
    }
    fputs(force->in_body_axes ? ", \"axes\": \"body\" }" : " }", out);
}

static void print_terms(FILE *out, const rct_model *model, const rct_loop *loop)
{
    fputs(", \"terms\": [\n", out);
    for (int32_t i = 0; i < loop->term_count && !ferror(out); i++) {
        const rct_loop_term *term = &loop->terms[i];
        fputs("      { ", out);
        rct_json_print_end(out, "body", model, term->body);
        if (term->freedom > 0) {
            fprintf(out, ", \"coordinate\": %" PRId32, term->freedom);
        }
        if (term->factor != 1.0) {
            fputs(", ", out);
            rct_json_print_numbers(out, "factor", &term->factor, 1);
        }
        fputs(i + 1 < loop->term_count ? " },\n" : " } ]", out);
    }
}

static void print_loop(FILE *out, const rct_model *model, int32_t i)
{
    const rct_loop *loop = &model->loops[i];
    const rct_loop plain = rct_loop_default();
    fputs("    { ", out);
    if (loop->name != NULL) {
        fputs("\"name\": ", out);
        rct_json_print_string(out, loop->name);
        fputs(", ", out);
    }
    fprintf(out, "\"type\": \"%s\"", rct_loop_type_name(loop->type));
    fputs(loop->active ? "" : ", \"active\": false", out);
    if (loop->type == RCT_LOOP_RELATION) {
        print_terms(out, model, loop);
    }
    rct_json_print_keys(out, model, &rct_loop_keys, rct_loop_uses(loop->type), loop, &plain);
    if (loop->rows > 0) {
        print_table(out, loop->table, loop->rows, 2);
    }
    fputs(" }", out);
}

static void print_loop_name(FILE *out, const char *key, const rct_model *model, int32_t loop)
{
    char name[RCT_NAME_SIZE];
    rct_model_loop_name(model, loop, name);
    fprintf(out, ", \"%s\": ", key);
    rct_json_print_string(out, name);
}

static void print_event(FILE *out, const rct_model *model, int32_t i)
{
    const rct_event *event = &model->events[i];
    const rct_event plain = rct_event_default();
    fputs("    { ", out);
    if (event->name != NULL) {
        fputs("\"name\": ", out);
        rct_json_print_string(out, event->name);
        fputs(", ", out);
    }
    fprintf(out, "\"type\": \"%s\"", rct_event_type_name(event->type));
    rct_json_print_keys(out, model, &rct_event_keys, 1 << event->type, event, &plain);
    if (event->coordinate > 0) {
        fprintf(out, ", \"coordinate\": %" PRId32, event->coordinate);
    }
    if (event->type == RCT_EVENT_FORCE && event->of != event->loop) {
        print_loop_name(out, "of", model, event->of);
    }
    if (event->way != RCT_EVENT_RISES) {
        fprintf(out, ", \"way\": \"%s\"", rct_event_way_name(event->way));
    }
    print_loop_name(out, "loop", model, event->loop);
    fprintf(out, ", \"becomes\": \"%s\"%s }", rct_loop_state_name(event->state),
            event->again ? ", \"again\": true" : "");
}

/* Member `key`: `count` objects, each printed by its number. */
static void print_list(FILE *out, const rct_model *model, const char *key, int32_t count,
                       void (*print)(FILE *out, const rct_model *model, int32_t i))
{
    if (count == 0) {
        return;
    }
    fprintf(out, ",\n  \"%s\": [\n", key);
    for (int32_t i = 0; i < count && !ferror(out); i++) {
        fputs(i > 0 ? ",\n" : "", out);
        print(out, model, i);
    }
    fputs("\n  ]", out);
}

static void print_base(FILE *out, const rct_model *model)
{
    const rct_base *base = &model->base, plain = rct_base_default();
    if (!rct_model_has_base(model)) {
        return;
    }
    fputs(",\n  \"base\": { ", out);
    rct_json_print_vector(out, "axis", base->axis, 3);
    if (base->rows > 0) {
        print_table(out, base->table, base->rows, 5);
    }
    rct_json_print_keys(out, model, &rct_base_keys, RCT_BASE_CONSTANTS, base, &plain);
    fputs(" }", out);
}

void rct_json_print_tail(FILE *out, const rct_model *model)
{
    print_list(out, model, "forces", model->force_count, print_force);
    print_list(out, model, "loops", model->loop_count, print_loop);
    print_base(out, model);
    print_list(out, model, "events", model->event_count, print_event);
    fputs(" }\n", out);
}
