/* Characters of UTF-8, in bytes that may hold anything. */
#ifndef RCT_CORE_CHARACTER_H
#define RCT_CORE_CHARACTER_H

#include <stdint.h>

/* Bytes of the UTF-8 character that starts `text`, which has `room` bytes, 1 at least; 0: it is none. */
int rct_character_size(const char *text, int64_t room);

#endif
