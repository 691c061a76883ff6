/* Mutations of bytes: bits, whole numbers and doubles replaced, pieces moved, the end cut off or
 * extended; and the choice between these mutations and those of texts. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/draw.h"

#include <string.h>

static const int64_t odd_counts[] = {0,
                                     1,
                                     -1,
                                     2,
                                     7,
                                     8,
                                     255,
                                     65535,
                                     INT32_MAX,
                                     INT32_MIN,
                                     1 << 20,
                                     INT64_MAX,
                                     INT64_MIN,
                                     (int64_t)1 << 32,
                                     (int64_t)1 << 40,
                                     -8,
                                     16,
                                     4096};
static const double odd_reals[] = {
    0.0,   -0.0, 1.0,  -1.0, 0x1p-1074,       1e-300,           1e300, 0x1.fffffffffffffp1023,
    1e-12, 1e12, 1e16, 0.5,  __builtin_inf(), __builtin_nan("")};

enum {
    COUNTS = sizeof odd_counts / sizeof odd_counts[0],
    REALS = sizeof odd_reals / sizeof odd_reals[0]
};

static size_t below(uint64_t *random, size_t count)
{
    return count == 0 ? 0 : (size_t)(draw_bits(random) % count);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Changes a number of 1, 2, 4 or 8 bytes, mostly at an aligned place; by a small difference, or to
 * an unusual number. */
static void change_number(uint64_t *random, uint8_t *bytes, size_t size)
{
    const size_t width = least((size_t)1 << below(random, 4), size);
    const size_t at = below(random, size - width + 1) / width * width;
    int64_t number = 0;
    memcpy(&number, bytes + at, width);
    number = below(random, 2) == 0 ? odd_counts[below(random, COUNTS)]
                                   : (int64_t)((uint64_t)number + below(random, 17) - 8);
    memcpy(bytes + at, &number, width);
}

static void change_real(uint64_t *random, uint8_t *bytes, size_t size)
{
    if (size >= sizeof(double)) {
        const size_t at = below(random, size - sizeof(double) + 1) / 8 * 8;
        memcpy(bytes + at, &odd_reals[below(random, REALS)], sizeof(double));
    }
}

static void copy_piece(uint64_t *random, uint8_t *bytes, size_t size, const uint8_t *other,
                       size_t other_size)
{
    const size_t from = below(random, other_size), to = below(random, size);
    const size_t longest = least(least(other_size - from, size - to), 64);
    memmove(bytes + to, other + from, below(random, longest + 1));
}

static size_t change(uint64_t *random, uint8_t *bytes, size_t size, size_t room)
{
    switch (below(random, 12)) {
    case 0: return size - below(random, least(size, 64));
    case 1: return below(random, size) + 1;
    case 2: {
        const size_t more = least(below(random, 32), room - size);
        memset(bytes + size, 0, more);
        return size + more;
    }
    case 3: copy_piece(random, bytes, size, bytes, size); return size;
    case 4:
    case 5: change_real(random, bytes, size); return size;
    case 6:
    case 7: bytes[below(random, size)] ^= (uint8_t)(1 << below(random, 8)); return size;
    default: change_number(random, bytes, size); return size;
    }
}

size_t fuzz_mutate_bytes(uint64_t *random, uint8_t *bytes, size_t size, size_t room,
                         const uint8_t *other, size_t other_size)
{
    for (size_t changes = below(random, below(random, 4) + 1) + 1; changes > 0 && size > 0;
         changes--) {
        if (other_size > 0 && below(random, 8) == 0) {
            copy_piece(random, bytes, size, other, other_size);
        } else {
            size = change(random, bytes, size, room);
        }
    }
    return size;
}

size_t fuzz_mutate(uint64_t *random, uint8_t *bytes, size_t size, size_t room, const uint8_t *other,
                   size_t other_size)
{
    size = fuzz_this.text ? fuzz_mutate_text(random, bytes, size, room, other, other_size)
                          : fuzz_mutate_bytes(random, bytes, size, room, other, other_size);
    if (fuzz_this.seal != NULL && below(random, 8) > 0) {
        fuzz_this.seal(bytes, size);
    }
    return size;
}
