/* Characters of UTF-8 (character.h). */
#include "core/character.h"

/* The shortest form only, up to U+10FFFF, no surrogates. */
int rct_character_size(const char *text, int64_t room)
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
