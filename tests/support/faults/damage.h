/* Files damaged on purpose, and a small disk, shared by the tests of refused files. */
#ifndef RCT_TESTS_DAMAGE_H
#define RCT_TESTS_DAMAGE_H

#include <riccatree/status.h>

#include <stddef.h>
#include <stdint.h>

/* The bytes of a file, to be freed; and a file of these bytes. */
char *damage_read(const char *path, size_t *size);
void damage_write(const char *path, const char *bytes, size_t size);

/* Two files must be equal byte for byte. */
void damage_same_bytes(const char *a, const char *b);

/* With the checksum at its end that the bytes ask for, as of a checkpoint. */
void damage_write_forged(const char *path, char *bytes, size_t size);

/* The error is one line and has these words. */
void damage_expect_line(const rct_error *error, const char *says);

/* Opens the file that is damaged, and lets go of it again. */
typedef rct_status damage_open(void *context, rct_error *error);

/* Every byte of [first, end) flipped whole, then in one bit, and the file cut to every length from `end` - 1 down to `first`:
 * refused with the words that `says` gives for the place; as it was again after the first. */
void damage_flip(const char *path, size_t first, size_t end, damage_open *open, void *context,
                 const char *(*says)(size_t at));
void damage_cut(const char *path, size_t first, size_t end, size_t stride, damage_open *open,
                void *context, const char *(*says)(size_t at));

/* Every `stride`th byte of the file flipped, whole and in one bit by turns: refused in one line, or `open` finds that nothing that is read has
 * changed, which it asserts itself. Gives how many were not refused. The file is as it was again. */
int64_t damage_flip_all(const char *path, size_t stride, damage_open *open, void *context);

/* A disk of 64 KiB over `directory`, seen by this process only; 0: not allowed. */
int damage_small_disk(const char *directory);

#endif
