/* Files of other programs under attack: the requirements of both formats. */
#ifndef RCT_TESTS_FUZZ_IMPORTS_H
#define RCT_TESTS_FUZZ_IMPORTS_H

#include "tests/fuzz/fuzz.h"

#include <riccatree/import.h>

/* Any bytes are refused with the line of the error, or give a model that meets its requirements;
 * with and without leaving out what is not supported. */
void fuzz_imports(rct_import_format format, const uint8_t *bytes, size_t size);

/* The same for a file, which may name other files, leaving out what is not supported. */
void fuzz_import_file(const char *path);

#endif
