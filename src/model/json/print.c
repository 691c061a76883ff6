/* Values of a model file as text: numbers that keep their bits, strings. */
#include "model/json/print.h"

#include <math.h>
#include <string.h>

/* The shortest of two forms that read as the same bits: 15 digits where the number is a decimal of at
 * most nine places (r / 1e9 is rounded as reading is), else 17. A point or exponent makes it a real
 * number to every reader and keeps the sign of -0; it is a point whatever the locale. */
void rct_json_print_number(FILE *out, double x)
{
    char text[40];
    const double r = rint(x * 1e9);
    snprintf(text, sizeof text, fabs(r) < 1e15 && r / 1e9 == x ? "%.15g" : "%.17g", x);
    char clean[48];
    int size = 0;
    int real = 0;
    for (const char *c = text; *c != '\0'; c++) {
        const int plain = strchr("+-0123456789e", *c) != NULL;
        if (plain) {
            clean[size++] = *c;
        } else if (size > 0 && clean[size - 1] != '.') {
            clean[size++] = '.';
        }
        real = real || !plain || *c == 'e';
    }
    clean[size] = '\0';
    fprintf(out, "%s%s", clean, real ? "" : ".0");
}

void rct_json_print_vector(FILE *out, const char *key, const double *x, int count)
{
    fprintf(out, "\"%s\": [", key);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", out);
        rct_json_print_number(out, x[i]);
    }
    fputc(']', out);
}

void rct_json_print_numbers(FILE *out, const char *key, const double *x, int count)
{
    if (count == 1) {
        fprintf(out, "\"%s\": ", key);
        rct_json_print_number(out, x[0]);
    } else {
        rct_json_print_vector(out, key, x, count);
    }
}

/* Names are UTF-8, which JSON takes as it is but for quotes, backslashes and control characters. */
void rct_json_print_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(out, "\\%c", *c);
        } else if ((unsigned char)*c < ' ') {
            fprintf(out, "\\u%04x", (unsigned)*c);
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

int rct_json_differs(const double *x, const double *plain, int count)
{
    return memcmp(x, plain, (size_t)count * sizeof *x) != 0;
}

void rct_json_print_end(FILE *out, const char *key, const rct_model *model, int32_t body)
{
    char name[RCT_NAME_SIZE] = "ground";
    if (body != RCT_GROUND) {
        rct_model_body_name(model, body, name);
    }
    fprintf(out, "\"%s\": ", key);
    rct_json_print_string(out, name);
}

void rct_json_print_keys(FILE *out, const rct_model *model, const rct_keys *keys, int uses,
                         const void *object, const void *plain)
{
    for (int i = 0; i < keys->count; i++) {
        const rct_key *k = &keys->key[i];
        const void *own = rct_key_of(k, object);
        if (!(k->uses & uses) || k->count == RCT_HOLDS_OTHER) {
            continue;
        }
        if (k->count == RCT_HOLDS_BODY) {
            fputs(", ", out);
            rct_json_print_end(out, k->name, model, *(const int32_t *)own);
        } else if (k->advice != NULL || rct_json_differs(own, rct_key_of(k, plain), k->count)) {
            fputs(", ", out);
            rct_json_print_numbers(out, k->name, own, k->count);
        }
    }
}
