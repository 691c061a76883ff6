/* Mutations of texts that know the elements of JSON, XML and lines of words: tokens, and groups in
 * brackets. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/draw.h"

#include <ctype.h>
#include <string.h>

/* Numbers are also replaced by these. */
static const char *const odd_numbers[] = {
    "0",     "-0",    "1",    "-1",    "2",   "1e-320",     "1e-30",       "1e30",
    "1e200", "1e308", "-1e9", "1e400", "0.5", "2147483647", "-2147483648", "9223372036854775807",
    "1e999", "nan",   "inf",  "00",    "1.",  "0x10",       "3.999999999", "-1e-5"};

enum { ODD_NUMBERS = sizeof odd_numbers / sizeof odd_numbers[0] };

typedef struct piece {
    const uint8_t *at;
    size_t size;
} piece;

static size_t below(uint64_t *random, size_t count)
{
    return count == 0 ? 0 : (size_t)(draw_bits(random) % count);
}

static int is_word(uint8_t c)
{
    return isalnum(c) || c >= 0x80 || (c != '\0' && strchr("_.+-", c) != NULL);
}

static size_t quoted(const uint8_t *text, size_t size)
{
    size_t end = 1;
    while (end < size && text[end] != text[0]) {
        end += text[end] == '\\' ? 2 : 1;
    }
    return end < size ? end + 1 : size;
}

/* A group up to the closing bracket, in XML up to the end of the tag. */
static size_t group(const uint8_t *text, size_t size)
{
    int64_t depth = 0;
    size_t end = 0;
    do {
        const uint8_t c = text[end];
        depth += c == '{' || c == '[' || c == '<';
        depth -= c == '}' || c == ']' || c == '>';
        end += c == '"' ? quoted(text + end, size - end) : 1;
    } while (end < size && depth > 0);
    return end;
}

/* The token or group that begins at or after a place. */
static piece piece_at(const uint8_t *text, size_t size, size_t at)
{
    while (at > 0 && at < size && is_word(text[at]) && is_word(text[at - 1])) {
        at--;
    }
    while (at < size && isspace(text[at])) {
        at++;
    }
    piece p = {text + at, 0};
    if (at < size && (text[at] == '"' || text[at] == '\'')) {
        p.size = quoted(p.at, size - at);
    } else if (at < size && strchr("{[<", text[at]) != NULL && text[at] != '\0') {
        p.size = group(p.at, size - at);
    } else {
        while (at + p.size < size && is_word(p.at[p.size])) {
            p.size++;
        }
        p.size = p.size == 0 && at < size ? 1 : p.size;
    }
    return p;
}

static int kind_of(piece p)
{
    const uint8_t c = p.size > 0 ? p.at[0] : ' ';
    return isdigit(c) || (c == '-' && p.size > 1) ? '0' : is_word(c) ? 'a' : c;
}

/* A piece similar to another one, chosen from a few. */
static piece piece_like(uint64_t *random, piece wanted, const uint8_t *text, size_t size)
{
    piece p = wanted;
    for (int tries = 0; tries < 16; tries++) {
        p = piece_at(text, size, below(random, size));
        if (kind_of(p) == kind_of(wanted)) {
            break;
        }
    }
    return p;
}

/* Replaces `size` bytes at `at` by those of `with`, if there is room. */
static size_t replace(uint8_t *bytes, size_t size, size_t room, piece old, piece with)
{
    uint8_t copy[FUZZ_MOST_BYTES];
    const size_t at = (size_t)(old.at - bytes);
    if (with.size > sizeof copy || size - old.size + with.size > room) {
        return size;
    }
    memcpy(copy, with.at, with.size);
    memmove(bytes + at + with.size, old.at + old.size, size - at - old.size);
    memcpy(bytes + at, copy, with.size);
    return size - old.size + with.size;
}

/* Repeats a piece, with the separator of its language between. */
static size_t duplicate(uint8_t *bytes, size_t size, size_t room, piece p)
{
    const piece comma = {(const uint8_t *)", ", strchr("<", p.at[0]) == NULL ? 2 : 0};
    const piece behind = {p.at + p.size, 0};
    const piece first = {p.at, p.size};
    if (p.size == 0 || size + p.size + comma.size > room) {
        return size;
    }
    size = replace(bytes, size, room, behind, first);
    return replace(bytes, size, room, behind, comma);
}

static size_t change(uint64_t *random, uint8_t *bytes, size_t size, size_t room, piece other)
{
    enum { OTHER, SELF, NUMBER, NOTHING, TWICE, INSERT, FLIP, CUT, CHOICES };
    static const uint8_t weight[] = {OTHER,  OTHER,   OTHER,   SELF,  SELF,  SELF,   NUMBER, NUMBER,
                                     NUMBER, NOTHING, NOTHING, TWICE, TWICE, INSERT, FLIP,   CUT};
    const piece p = piece_at(bytes, size, below(random, size));
    const char *odd = odd_numbers[below(random, ODD_NUMBERS)];
    switch (weight[below(random, sizeof weight)]) {
    case OTHER: return replace(bytes, size, room, p, piece_like(random, p, other.at, other.size));
    case SELF: return replace(bytes, size, room, p, piece_like(random, p, bytes, size));
    case NUMBER: {
        const piece zero = {(const uint8_t *)"0", 1};
        const piece number = piece_like(random, zero, bytes, size);
        return replace(bytes, size, room, number, (piece){(const uint8_t *)odd, strlen(odd)});
    }
    case NOTHING: return replace(bytes, size, room, p, (piece){p.at, 0});
    case TWICE: return duplicate(bytes, size, room, p);
    case INSERT:
        return replace(bytes, size, room, (piece){p.at, 0},
                       piece_at(other.at, other.size, below(random, other.size)));
    case FLIP: bytes[below(random, size)] = (uint8_t)below(random, 256); return size;
    default: return below(random, 4) == 0 ? below(random, size) : size;
    }
}

size_t fuzz_mutate_text(uint64_t *random, uint8_t *bytes, size_t size, size_t room,
                        const uint8_t *other, size_t other_size)
{
    for (size_t changes = below(random, below(random, 4) + 1) + 1; changes > 0 && size > 0;
         changes--) {
        size = change(random, bytes, size, room, (piece){other, other_size});
    }
    return size;
}
