/* HDF5 files changed on purpose, object by object, as another program might change them: a checksum
 * of bytes cannot detect this. */
#ifndef RCT_TESTS_EDIT_H5_H
#define RCT_TESTS_EDIT_H5_H

#include <stddef.h>
#include <stdint.h>

/* Four bytes each: which object, what is done to it, two numbers for that. */
enum { EDIT_BYTES = 4, MOST_EDITS = 6 };

/* Do so many to the file, and seal it again where it was sealed. 0: it could not be opened. */
int edit_h5(const char *path, const uint8_t *edits, size_t count);

#endif
