/* Forces and the motion of the ground, as a model file has them. Defaults are not written. */
#include "model/json/print.h"

/* Where it is not zero. */
static void print_if_any(FILE *out, const char *key, const double *x, int count)
{
    const double zero[3] = {0.0, 0.0, 0.0};
    if (rct_json_differs(x, zero, count)) {
        fputs(", ", out);
        rct_json_print_numbers(out, key, x, count);
    }
}

static void print_force(FILE *out, const rct_model *model, const rct_force *force)
{
    const int spring = force->type == RCT_FORCE_SPRING;
    fprintf(out, "    { \"type\": \"%s\", ", spring ? "spring" : "wrench");
    rct_json_print_end(out, "body", model, force->body);
    print_if_any(out, "at", force->at, 3);
    if (spring) {
        fputs(", ", out);
        rct_json_print_end(out, "other", model, force->other);
        print_if_any(out, "other_at", force->other_at, 3);
        print_if_any(out, "stiffness", &force->stiffness, 1);
        print_if_any(out, "damping", &force->damping, 1);
        print_if_any(out, "length", &force->length, 1);
    } else {
        print_if_any(out, "force", force->force, 3);
        print_if_any(out, "moment", force->moment, 3);
        fputs(force->in_body_axes ? ", \"axes\": \"body\"" : "", out);
    }
    fputs(" }", out);
}

void rct_json_print_forces(FILE *out, const rct_model *model)
{
    fputs(model->force_count > 0 ? ",\n  \"forces\": [\n" : "", out);
    for (int32_t i = 0; i < model->force_count && !ferror(out); i++) {
        print_force(out, model, &model->forces[i]);
        fputs(i + 1 < model->force_count ? ",\n" : "\n  ]", out);
    }
}

static void print_table(FILE *out, const rct_base *base)
{
    fputs(", \"table\": [\n", out);
    for (int64_t i = 0; i < base->rows && !ferror(out); i++) {
        fputs("    [", out);
        for (int k = 0; k < 5; k++) {
            fputs(k > 0 ? ", " : "", out);
            rct_json_print_number(out, base->table[5 * i + k]);
        }
        fputs(i + 1 < base->rows ? "],\n" : "] ]", out);
    }
}

void rct_json_print_base(FILE *out, const rct_model *model)
{
    const rct_base *base = &model->base;
    if (!rct_model_has_base(model)) {
        return;
    }
    fputs(",\n  \"base\": { ", out);
    rct_json_print_vector(out, "axis", base->axis, 3);
    if (base->rows > 0) {
        print_table(out, base);
    } else {
        print_if_any(out, "velocity", base->velocity, 3);
        print_if_any(out, "acceleration", base->acceleration, 3);
        print_if_any(out, "rate", &base->rate, 1);
        print_if_any(out, "angular_acceleration", &base->angular_acceleration, 1);
    }
    fputs(" }", out);
}
