/* HDF5 files changed on purpose, object by object, as another program might change them: a checksum
 * of bytes cannot detect this. */
#ifndef RCT_TESTS_EDIT_H5_H
#define RCT_TESTS_EDIT_H5_H

#include <stddef.h>
#include <stdint.h>

/* Four bytes per edit: the object, the operation, and two numbers for it. */
enum { EDIT_BYTES = 4, MOST_EDITS = 6 };

/* Makes this number of edits to the file, and seals it again if it was sealed. Returns 0 if the
 * file could not be opened. */
int edit_h5(const char *path, const uint8_t *edits, size_t count);

#endif
