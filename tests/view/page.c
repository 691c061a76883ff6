/* A page read back (page.h). */
#include "page.h"

#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *page_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    assert_int_equal(strlen(text), size);
    fclose(file);
    return text;
}

const char *page_value(const char *page, const char *key)
{
    char wanted[64];
    const char *data = strstr(page, "<script id=\"data\" type=\"application/json\">");
    assert_non_null(data);
    snprintf(wanted, sizeof wanted, "\"%s\": ", key);
    const char *found = strstr(data, wanted);
    assert_non_null(found);
    return found + strlen(wanted);
}

double page_number(const char *page, const char *key, int index)
{
    const char *at = page_value(page, key);
    for (; index > 0; index--) {
        at = strchr(at, ',') + 1;
    }
    return strtod(at + (*at == '['), NULL);
}

void page_box(const char *page, double box[6])
{
    for (int i = 0; i < 6; i++) {
        box[i] = page_number(page, "box", i);
    }
}

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, c);
    assert_true(c != '\0' && at != NULL);
    return (int)(at - digits);
}

void *page_array(const char *page, const char *key, size_t *bytes)
{
    const char *from = page_value(page, key) + 1;
    const size_t digits = strcspn(from, "=\"");
    unsigned char *to = calloc(digits + 1, 1);
    unsigned held = 0;
    int bits = 0;
    assert_non_null(to);
    assert_int_equal(strspn(from + digits, "=") + digits, (digits + 3) / 4 * 4);
    *bytes = 0;
    for (size_t i = 0; i < digits; i++) {
        held = held << 6 | (unsigned)digit_of(from[i]);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            to[(*bytes)++] = (unsigned char)(held >> bits);
        }
    }
    return to;
}

page_pose page_pose_of(const uint32_t word[4], const double box[6])
{
    page_pose pose = {.speed = (word[0] >> 24) / 255.0,
                      .spin = (word[1] >> 24) / 255.0,
                      .force = (word[2] >> 24) / 255.0};
    double sum = 0.0;
    int shift = 2;
    for (int i = 0; i < 3; i++) {
        pose.position[i] = box[i] + box[3 + i] * (word[i] & 0xffffff) / 0xffffff;
    }
    for (unsigned i = 0; i < 4; i++) {
        if (i != (word[3] & 3)) {
            pose.orientation[i] = ((word[3] >> shift & 1023) / 1023.0 - 0.5) * sqrt(2.0);
            sum += pose.orientation[i] * pose.orientation[i];
            shift += 10;
        }
    }
    pose.orientation[word[3] & 3] = sqrt(1.0 - sum);
    return pose;
}
