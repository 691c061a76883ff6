/* Files of other programs under attack: the requirements of both formats. */
#ifndef RCT_TESTS_FUZZ_IMPORTS_H
#define RCT_TESTS_FUZZ_IMPORTS_H

#include "tests/fuzz/fuzz.h"

#include <riccatree/import.h>

/* Any bytes are refused with their line, or are a model that holds; with what is not supported left out, and not. */
void fuzz_imports(rct_import_format format, const uint8_t *bytes, size_t size);

/* The same of a file, which may name others, with what is not supported left out. */
void fuzz_import_file(const char *path);

#endif
