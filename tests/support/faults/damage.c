/* Files damaged on purpose (damage.h). */
#define _GNU_SOURCE 1 /* unshare() */

#include "tests/support/faults/damage.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

char *damage_read(const char *path, size_t *size)
{
    struct stat found;
    assert_int_equal(stat(path, &found), 0);
    char *bytes = malloc((size_t)found.st_size + 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *size = fread(bytes, 1, (size_t)found.st_size, file);
    fclose(file);
    return bytes;
}

void damage_write(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

void damage_write_forged(const char *path, char *bytes, size_t size)
{
    const uint64_t sum = crc32(0, (const Bytef *)bytes, (uInt)(size - sizeof sum));
    memcpy(bytes + size - sizeof sum, &sum, sizeof sum);
    damage_write(path, bytes, size);
}

void damage_expect_line(const rct_error *error, const char *says)
{
    if (strstr(error->text, says) == NULL || strchr(error->text, '\n') != NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error->text, says);
    }
}

static void put_byte(int file, size_t at, char byte)
{
    assert_int_equal(pwrite(file, &byte, 1, (off_t)at), 1);
}

void damage_flip(const char *path, size_t first, size_t end, damage_open *open_file, void *context,
                 const char *(*says)(size_t at))
{
    size_t size = 0;
    rct_error error = {.text = ""};
    uint64_t random = 5;
    char *bytes = damage_read(path, &size);
    const int file = open(path, O_RDWR);
    for (size_t k = first; k < end; k++) {
        for (int one = 0; one < 2; one++) {
            put_byte(file, k, (char)(bytes[k] ^ (one ? 1 << draw_bits(&random) % 8 : 0xff)));
            if (open_file(context, &error) == RCT_OK) {
                fail_msg("byte %zu of %zu is flipped, and nothing was said", k, size);
            }
            damage_expect_line(&error, says(k));
        }
        put_byte(file, k, bytes[k]);
    }
    close(file);
    free(bytes);
    assert_int_equal(open_file(context, &error), RCT_OK);
}

int64_t damage_flip_all(const char *path, size_t stride, damage_open *open_file, void *context)
{
    size_t size = 0;
    int64_t passed = 0;
    uint64_t random = 5;
    rct_error error = {.text = ""};
    char *bytes = damage_read(path, &size);
    const int file = open(path, O_RDWR);
    for (size_t k = 0; k < size; k += stride) {
        const int bits = k / stride % 2 == 0 ? 0xff : 1 << draw_bits(&random) % 8;
        put_byte(file, k, (char)(bytes[k] ^ bits));
        if (open_file(context, &error) == RCT_OK) {
            passed++;
        } else {
            damage_expect_line(&error, strrchr(path, '/') + 1);
        }
        put_byte(file, k, bytes[k]);
    }
    close(file);
    free(bytes);
    assert_int_equal(open_file(context, &error), RCT_OK);
    return passed;
}

void damage_cut(const char *path, size_t first, size_t end, size_t stride, damage_open *open_file,
                void *context, const char *(*says)(size_t at))
{
    rct_error error = {.text = ""};
    for (size_t k = end; k-- > first;) {
        if (k % stride == 0 || k + stride > end) {
            assert_int_equal(truncate(path, (off_t)k), 0);
            assert_int_not_equal(open_file(context, &error), RCT_OK);
            damage_expect_line(&error, says(k));
        }
    }
}

int damage_small_disk(const char *directory)
{
    return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", directory, "tmpfs", 0, "size=64k") == 0;
}

void damage_same_bytes(const char *a, const char *b)
{
    size_t size = 0, other = 0;
    char *x = damage_read(a, &size), *y = damage_read(b, &other);
    assert_int_equal(size, other);
    for (size_t k = 0; k < size; k++) {
        if (x[k] != y[k]) {
            fail_msg("byte %zu of %zu differs", k, size);
        }
    }
    free(x), free(y);
}
