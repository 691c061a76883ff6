/* Values of a model file as text: numbers that keep their bits, strings. */
#include "model/json/print.h"

#include <math.h>
#include <string.h>

enum { MOST = 17 /* digits that distinguish any two doubles */ };

/* n 10^-places, for places of 1 or more: a point, and at least one digit on either side of it. */
static void print_decimal(FILE *out, int negative, int64_t n, int places)
{
    char text[48];
    char *c = text + sizeof text;
    while (places > 1 && n % 10 == 0) {
        n /= 10;
        places--;
    }
    for (; places > 0; places--, n /= 10) {
        *--c = (char)('0' + n % 10);
    }
    *--c = '.';
    do {
        *--c = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    if (negative) {
        *--c = '-';
    }
    fwrite(c, 1, (size_t)(text + sizeof text - c), out);
}

/* x from 1e-4 to below 1e16 with 17 digits, ties to even: n 10^-places. With p a power of ten, x
 * p is the sum of two doubles, and the first is whole because it is at least 2^53. */
static int64_t seventeen_digits(double x, int *places)
{
    static const double power[] = {1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21};
    int k = 0;
    while (x * power[k] < 1e16 || fma(x, power[k], -1e16) < 0.0) {
        k++;
    }
    const double high = x * power[k], low = fma(x, power[k], -high), below = floor(low);
    const int64_t n = (int64_t)high + (int64_t)below;
    const double part = low - below;
    *places = k + 1;
    return n + (part > 0.5 || (part == 0.5 && n % 2 != 0));
}

/* By printf. A point or exponent makes it a real number to every reader; it is a point whatever
 * the locale. */
static void print_other(FILE *out, double x, const char *format)
{
    char text[40];
    snprintf(text, sizeof text, format, x);
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

/* The shorter of two forms that read back as the same bits: 15 digits if the number is a decimal
 * of at most nine places (r / 1e9 is rounded as reading is), else 17; both as printf writes
 * them. */
void rct_json_print_number(FILE *out, double x)
{
    const double size = fabs(x), r = rint(size * 1e9);
    const int negative = signbit(x) != 0, decimal = r < 1e15 && r / 1e9 == size;
    int places = 9;
    if (decimal && (size >= 1e-4 || size == 0.0)) {
        print_decimal(out, negative, (int64_t)r, places);
    } else if (!decimal && size >= 1e-4 && size < 1e15) {
        const int64_t n = seventeen_digits(size, &places);
        print_decimal(out, negative, n, places);
    } else {
        print_other(out, x, decimal ? "%.15g" : "%.17g");
    }
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

/* Names are UTF-8, which JSON takes unchanged except for quotes, backslashes and control
 * characters. */
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
