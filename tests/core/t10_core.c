/* Core: statuses have names, errors are one line, allocation fails on request. */
#include "tests/support/cmocka_all.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/pool.h"

#include <riccatree/version.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void test_every_status_has_its_own_name(void **state)
{
    (void)state;
    for (int a = RCT_OK; a <= RCT_ERROR_UNSUPPORTED; a++) {
        assert_string_not_equal(rct_status_name((rct_status)a), "unknown");
        for (int b = RCT_OK; b < a; b++) {
            assert_string_not_equal(rct_status_name((rct_status)a), rct_status_name((rct_status)b));
        }
    }
}

static void test_fail_fills_one_line(void **state)
{
    (void)state;
    rct_error error;
    assert_int_equal(rct_fail_body(&error, RCT_ERROR_MODEL, 7, "a\nb %d", 3), RCT_ERROR_MODEL);
    assert_int_equal(error.status, RCT_ERROR_MODEL);
    assert_int_equal(error.body, 7);
    assert_int_equal(error.line, 0);
    assert_int_equal(error.step, -1);
    assert_string_equal(error.text, "a b 3");
    assert_int_equal(rct_fail(NULL, RCT_ERROR_IO, "nobody listens"), RCT_ERROR_IO);
}

/* Quoted text may contain any bytes; the message is UTF-8, also where it is cut. */
static void test_fail_says_utf8(void **state)
{
    (void)state;
    rct_error error;
    rct_fail(&error, RCT_ERROR_IO, "%s", "\xc3\xa9\xff \xe2\x82\xac\xe2\x82 \xed\xa0\x80\x7f");
    assert_string_equal(error.text, "\xc3\xa9? \xe2\x82\xac?? ??? ");
    /* characters that control a terminal, or change the direction of text */
    rct_fail(&error, RCT_ERROR_IO, "%s",
             "a\x1b[2J\xc2\x9b"
             "b\xe2\x80\xae"
             "c\xe2\x81\xa9\xc2\xa0");
    assert_string_equal(error.text, "a [2J  b   c   \xc2\xa0");
    rct_fail(&error, RCT_ERROR_IO, "%.3s", "a\xe2\x82\xac");
    assert_string_equal(error.text, "a??");
    char text[RCT_ERROR_TEXT_SIZE];
    for (size_t i = 0; i < sizeof text - 1; i++) {
        text[i] = i % 2 == 0 ? '\xc3' : '\xa9';
    }
    text[sizeof text - 1] = '\0';
    rct_fail(&error, RCT_ERROR_IO, "%s", text + 1); /* begins within one */
    assert_int_equal(error.text[0], '?');
    rct_fail(&error, RCT_ERROR_IO, "%s", text); /* 511 bytes: ends within one */
    assert_int_equal(error.text[sizeof text - 2], '?');
    rct_error_prefix(&error, "abc: "); /* moves the end */
    assert_int_equal(error.text[sizeof text - 2], '\xa9');
}

static void test_fail_cuts_long_text(void **state)
{
    (void)state;
    char text[2 * RCT_ERROR_TEXT_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    rct_error error;
    rct_fail(&error, RCT_ERROR_IO, "%s", text);
    assert_int_equal(strlen(error.text), RCT_ERROR_TEXT_SIZE - 1);
}

static void test_allocation(void **state)
{
    (void)state;
    rct_error error;
    int64_t *memory = rct_allocate(3, sizeof *memory, "three", &error);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 64, 0);
    assert_int_equal(memory[0] | memory[1] | memory[2], 0);
    rct_release(memory);
    memory = rct_allocate(0, sizeof *memory, "none", &error);
    assert_non_null(memory);
    rct_release(memory);
    assert_null(rct_allocate(INT64_MAX / 4, 8, "too much", &error));
    assert_int_equal(error.status, RCT_ERROR_MEMORY);
}

static void test_allocation_fails_when_told(void **state)
{
    (void)state;
    rct_error error;
    rct_allocate_fail_after(1);
    void *first = rct_allocate(1, 8, "first", &error);
    void *second = rct_allocate(1, 8, "second", &error);
    rct_allocate_fail_after(-1);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(strstr(error.text, "second"));
    rct_release(first);
}

/* An allocation that the system would promise without having the memory. */
static void test_more_than_is_left(void **state)
{
    (void)state;
    const int64_t half = INT64_C(1) << 29;
    rct_error error;
    rct_memory_assume(half);
    void *memory = rct_allocate_unset(half, 1, "half", &error);
    assert_non_null(memory);
    rct_release(memory);
    assert_null(rct_allocate(half + 1, 1, "more", &error));
    assert_int_equal(error.status, RCT_ERROR_MEMORY);
    assert_non_null(strstr(error.text, "536870976 bytes for more"));
    rct_memory_assume(-1);
    assert_true(rct_memory_has(half) && !rct_memory_has(INT64_MAX / 2));
}

/* Structs follow names of any length, through many blocks. */
static void test_arena(void **state)
{
    (void)state;
    rct_arena arena = {NULL};
    for (int64_t i = 0; i < 20000; i++) {
        const int64_t bytes = i % 2 == 0 ? 1 + i % 23 : 24;
        char *piece = rct_arena_take(&arena, bytes, "pieces", NULL);
        assert_non_null(piece);
        assert_true(bytes % 8 != 0 || (uintptr_t)piece % 8 == 0);
        for (int64_t k = 0; k < bytes; k++) {
            assert_int_equal(piece[k], 0);
        }
        memset(piece, 1, (size_t)bytes);
    }
    assert_true(rct_arena_bytes(&arena) < 20000 * 26);
    rct_arena_free(&arena);
}

static void test_pools(void **state)
{
    (void)state;
    rct_error error;
    rct_pool pool = {.what = "a pool"};
    for (int round = 0; round < 2; round++) {
        int64_t bytes = 0;
        for (int64_t size = 1; size < 200; size += 33) {
            unsigned char *x = rct_pool_take(&pool, size - 1, size, &error);
            assert_non_null(x);
            assert_int_equal((uintptr_t)x % 64, 0);
            for (int64_t i = 0; i < (size - 1) * size; i++) {
                assert_int_equal(x[i], 0);
                x[i] = 0xff;
            }
            bytes += (size - 1) * size;
            assert_int_equal(pool.bytes, bytes);
        }
        rct_allocate_fail_after(0);
        assert_null(rct_pool_take(&pool, 1, 8, &error));
        rct_allocate_fail_after(-1);
        assert_non_null(strstr(error.text, "a pool"));
        assert_true(pool.failed);
        assert_null(rct_pool_take(&pool, 1, 8, &error)); /* nothing more, till it is empty */
        rct_pool_empty(&pool);
        assert_true(!pool.failed && pool.bytes == 0);
    }
}

static void test_version(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", RCT_VERSION_MAJOR, RCT_VERSION_MINOR,
             RCT_VERSION_PATCH);
    assert_string_equal(rct_version(), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_status_has_its_own_name),
        cmocka_unit_test(test_fail_fills_one_line),
        cmocka_unit_test(test_fail_says_utf8),
        cmocka_unit_test(test_fail_cuts_long_text),
        cmocka_unit_test(test_allocation),
        cmocka_unit_test(test_allocation_fails_when_told),
        cmocka_unit_test(test_more_than_is_left),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_pools),
        cmocka_unit_test(test_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
