/* UTF-8 characters in bytes that may hold anything. The command line includes this file too. */
#ifndef RCT_CORE_CHARACTER_H
#define RCT_CORE_CHARACTER_H

#include <stdint.h>
#include <string.h>

/* The size in bytes of the UTF-8 character at the start of `text`, which has `room` bytes, at least
 * 1; 0: there is none. Only the shortest form is accepted, up to U+10FFFF, without surrogates and
 * U+0000. */
static inline int rct_character_size(const char *text, int64_t room)
{
    const unsigned char *c = (const unsigned char *)text;
    const int size = c[0] >= 0x01 && c[0] < 0x80   ? 1
                     : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                     : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                     : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                   : 0;
    int good = size <= room;
    for (int i = 1; i < size && good; i++) {
        good = (c[i] & 0xc0) == 0x80;
    }
    const int bad = good && ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) ||
                             (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90));
    return good && !bad ? size : 0;
}

/* Whether a character of `size` bytes controls a terminal, or the direction of text: U+0000 to
 * 001F, 007F to 009F, 2028 to 202E, 2066 to 2069. */
static inline int rct_character_steers(const char *text, int size)
{
    const unsigned char *c = (const unsigned char *)text;
    return size == 1   ? c[0] < ' ' || c[0] == 0x7f
           : size == 2 ? c[0] == 0xc2 && c[1] < 0xa0
           : size == 3 ? c[0] == 0xe2 && ((c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae) ||
                                          (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9))
                       : 0;
}

/* Make a text one line: bytes of control characters become `instead`, bytes that are no characters
 * become question marks. */
static inline void rct_characters_plain(char *text, char instead)
{
    const char *end = text + strlen(text);
    for (char *c = text; c < end;) {
        const int size = rct_character_size(c, end - c);
        if (size == 0 || rct_character_steers(c, size)) {
            memset(c, size == 0 ? '?' : instead, size == 0 ? 1 : (size_t)size);
        }
        c += size == 0 ? 1 : size;
    }
}

#endif
