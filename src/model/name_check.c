/* What no body or model may be called: names too long, not UTF-8 (no JSON file could hold them), or
 * with a meaning of their own where a parent is named. */
#include "model/name_check.h"

#include <riccatree/model.h>

#include <stddef.h>
#include <string.h>

/* Bytes of the UTF-8 character at `c`, 0 if it is none: the shortest form only, up to U+10FFFF, no
 * surrogates. The closing zero of the text ends every sequence cut short. */
static int character_size(const unsigned char *c)
{
    const struct {
        unsigned char first, last;     /* leading byte */
        unsigned char second, highest; /* range of the byte after it */
        int size;
    } forms[] = {
        {0x01, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    int size = 0;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0] && size == 0; i++) {
        if (c[0] >= forms[i].first && c[0] <= forms[i].last && c[1] >= forms[i].second &&
            c[1] <= forms[i].highest) {
            size = forms[i].size;
        }
    }
    for (int i = 2; i < size; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            size = 0;
        }
    }
    return size;
}

const char *rct_name_trouble(const char *name)
{
    const unsigned char *c = (const unsigned char *)name;
    if (strlen(name) >= RCT_NAME_SIZE) {
        return "is longer than 127 bytes; shorten it";
    }
    while (*c != '\0') {
        const int size = character_size(c);
        if (size == 0) {
            return "is not UTF-8 text; give it in UTF-8";
        }
        c += size;
    }
    return NULL;
}

const char *rct_body_name_trouble(const char *name)
{
    const int taken = strcmp(name, "ground") == 0 || strcmp(name, "previous") == 0;
    return taken ? "names no body but a place for one: ground and previous stand for parents; "
                   "give the body another name"
                 : rct_name_trouble(name);
}
