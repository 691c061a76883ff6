/* Bytes and strings as text in a page. */
#include "view/view.h"

#include <string.h>

/* Write the first `digits` of the four digits of three bytes. */
static void put_digits(rct_view_text *text, int digits)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned a = text->kept[0], b = text->kept[1], c = text->kept[2];
    const char four[4] = {digit[a >> 2], digit[((a & 3) << 4) | (b >> 4)],
                          digit[((b & 15) << 2) | (c >> 6)], digit[c & 63]};
    fwrite(four, 1, (size_t)digits, text->stream);
    text->count = 0;
}

void rct_view_put(rct_view_text *text, const void *bytes, int64_t size)
{
    const unsigned char *from = bytes;
    for (int64_t i = 0; i < size; i++) {
        text->kept[text->count++] = from[i];
        if (text->count == 3) {
            put_digits(text, 4);
        }
    }
}

void rct_view_end(rct_view_text *text)
{
    const int count = text->count;
    if (count > 0) {
        memset(text->kept + count, 0, (size_t)(3 - count));
        put_digits(text, count + 1);
        fputs(count == 1 ? "==" : "=", text->stream);
    }
}

/* Whether a character must be escaped: those that end a JSON string or begin an HTML tag. */
static int is_escaped(char c)
{
    return c == '"' || c == '\\' || c == '<' || c == '&' || (unsigned char)c < ' ';
}

void rct_view_put_string(FILE *stream, const char *string)
{
    fputc('"', stream);
    for (const char *c = string; *c != '\0'; c++) {
        if (is_escaped(*c)) {
            fprintf(stream, "\\u%04x", (unsigned)(unsigned char)*c);
        } else {
            fputc(*c, stream);
        }
    }
    fputc('"', stream);
}

int64_t rct_view_string_bytes(const char *string)
{
    int64_t bytes = 2;
    for (const char *c = string; *c != '\0'; c++) {
        bytes += is_escaped(*c) ? 6 : 1;
    }
    return bytes;
}
