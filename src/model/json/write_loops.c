/* Loops, as a model file has them. Defaults are not written, but for the axes. */
#include "model/json/print.h"
#include "model/loop_check.h"

#include <inttypes.h>

static void print_default(FILE *out, const char *key, const double *x, const double *plain,
                          int count)
{
    if (rct_json_differs(x, plain, count)) {
        fputs(", ", out);
        rct_json_print_numbers(out, key, x, count);
    }
}

static void print_closure(FILE *out, const rct_model *model, const rct_loop *loop)
{
    const rct_loop plain = rct_loop_default();
    const int uses = rct_loop_uses(loop->type);
    fputs(", ", out);
    rct_json_print_end(out, "body", model, loop->body);
    print_default(out, "at", loop->at, plain.at, 3);
    print_default(out, "orientation", loop->orientation, plain.orientation, 4);
    fputs(", ", out);
    rct_json_print_end(out, "other", model, loop->other);
    print_default(out, "other_at", loop->other_at, plain.other_at, 3);
    print_default(out, "other_orientation", loop->other_orientation, plain.other_orientation, 4);
    if (uses & RCT_LOOP_USES_AXIS) {
        fputs(", ", out);
        rct_json_print_vector(out, "axis", loop->axis, 3);
    }
    if (uses & RCT_LOOP_USES_AXIS2) {
        fputs(", ", out);
        rct_json_print_vector(out, "axis2", loop->axis2, 3);
    }
    print_default(out, "length", &loop->length, &plain.length, 1);
}

static void print_relation(FILE *out, const rct_model *model, const rct_loop *loop)
{
    const double none = 0.0, one = 1.0;
    fputs(", \"terms\": [\n", out);
    for (int32_t i = 0; i < loop->term_count && !ferror(out); i++) {
        const rct_loop_term *term = &loop->terms[i];
        fputs("      { ", out);
        rct_json_print_end(out, "body", model, term->body);
        if (term->freedom > 0) {
            fprintf(out, ", \"coordinate\": %" PRId32, term->freedom);
        }
        print_default(out, "factor", &term->factor, &one, 1);
        fputs(i + 1 < loop->term_count ? " },\n" : " } ]", out);
    }
    print_default(out, "offset", &loop->offset, &none, 1);
    print_default(out, "rate", &loop->rate, &none, 1);
    print_default(out, "acceleration", &loop->acceleration, &none, 1);
}

static void print_loop(FILE *out, const rct_model *model, const rct_loop *loop)
{
    fputs("    { ", out);
    if (loop->name != NULL) {
        fputs("\"name\": ", out);
        rct_json_print_string(out, loop->name);
        fputs(", ", out);
    }
    fprintf(out, "\"type\": \"%s\"", rct_loop_type_name(loop->type));
    fputs(loop->active ? "" : ", \"active\": false", out);
    if (loop->type == RCT_LOOP_RELATION) {
        print_relation(out, model, loop);
    } else {
        print_closure(out, model, loop);
    }
    fputs(" }", out);
}

void rct_json_print_loops(FILE *out, const rct_model *model)
{
    fputs(model->loop_count > 0 ? ",\n  \"loops\": [\n" : "", out);
    for (int32_t i = 0; i < model->loop_count && !ferror(out); i++) {
        print_loop(out, model, &model->loops[i]);
        fputs(i + 1 < model->loop_count ? ",\n" : "\n  ]", out);
    }
}
