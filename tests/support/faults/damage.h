/* Files damaged on purpose, and a small disk, shared by the tests of refused files. */
#ifndef RCT_TESTS_DAMAGE_H
#define RCT_TESTS_DAMAGE_H

#include <riccatree/status.h>

#include <stddef.h>
#include <stdint.h>

/* The bytes of a file, to be freed; and a file with these bytes. */
char *damage_read(const char *path, size_t *size);
void damage_write(const char *path, const char *bytes, size_t size);

/* Fails the test unless two files are equal byte for byte. */
void damage_same_bytes(const char *a, const char *b);

/* Writes the bytes with a correct checksum at their end, as that of a checkpoint. */
void damage_write_forged(const char *path, char *bytes, size_t size);

/* Fails the test unless the error is one line and contains these words. */
void damage_expect_line(const rct_error *error, const char *says);

/* Opens the damaged file, and closes it again. */
typedef rct_status damage_open(void *context, rct_error *error);

/* Every byte of [first, end) is inverted, then one of its bits; the file is cut to every length
 * from `end` - 1 down to `first`. Each such file is refused with the words that `says` returns for
 * the place. The first function restores the file. */
void damage_flip(const char *path, size_t first, size_t end, damage_open *open, void *context,
                 const char *(*says)(size_t at));
void damage_cut(const char *path, size_t first, size_t end, size_t stride, damage_open *open,
                void *context, const char *(*says)(size_t at));

/* Every `stride`th byte of the file is changed, in turn all its bits and one bit. Each such file is
 * refused in one line, or `open` finds and asserts itself that all read data is unchanged. Returns
 * the number of files that were not refused. Restores the file. */
int64_t damage_flip_all(const char *path, size_t stride, damage_open *open, void *context);

/* A disk of 64 KiB over `directory`, seen by this process only; 0: not allowed. */
int damage_small_disk(const char *directory);

#endif
