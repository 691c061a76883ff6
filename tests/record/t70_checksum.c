/* The checksum of files is CRC-32 as in zlib, whether or not the machine folds bytes, and so is the
 * checksum of a whole combined from those of its parts. */
#include "tests/support/cmocka_all.h"

#include "record/file/checksum.h"

#include <zlib.h>

enum { MOST = 1000, SHIFTS = 9 };

static unsigned char bytes[MOST + SHIFTS];

static int fill(void **state)
{
    uint32_t draw = 1;
    (void)state;
    for (int i = 0; i < MOST + SHIFTS; i++) {
        draw = draw * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(draw >> 24);
    }
    return 0;
}

static void test_it_is_that_of_zlib(void **state)
{
    (void)state;
    for (int shift = 0; shift < SHIFTS; shift++) {
        for (int count = 0; count <= MOST; count++) {
            const uint32_t before = (uint32_t)crc32_z(0, bytes + shift, (z_size_t)shift);
            const unsigned char *from = bytes + shift;
            assert_int_equal(rct_checksum(before, from, count),
                             crc32_z(before, from, (z_size_t)count));
        }
    }
    assert_int_equal(rct_checksum(0, "123456789", 9), 0xcbf43926); /* the check value of CRC-32 */
}

static void test_parts_come_in_any_order(void **state)
{
    (void)state;
    uint32_t sum = 0;
    for (int end = MOST; end > 0;) {
        const int begin = end > 7 * (end % 5 + 1) ? end - 7 * (end % 5 + 1) : 0;
        sum ^= rct_checksum_part(rct_checksum(0, bytes + begin, end - begin), MOST - end);
        end = begin;
    }
    assert_int_equal(sum, rct_checksum(0, bytes, MOST));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_that_of_zlib),
        cmocka_unit_test(test_parts_come_in_any_order),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
