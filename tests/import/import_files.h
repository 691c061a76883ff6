/* Models in files of a folder that exists while a test program runs; it contains the folders in and
 * in/deep. */
#ifndef RCT_TESTS_IMPORT_FILES_H
#define RCT_TESTS_IMPORT_FILES_H

int import_make_folder(void **state);
int import_drop_folder(void **state);

/* The path of a file in the folder, until the next call. */
const char *import_path(const char *name);

/* Write a file. */
void import_put(const char *name, const char *content);

/* Imports a file while every allocation fails once; returns the model of the final import. */
struct rct_model *import_short_of_memory(const char *name);

/* The model file of a model, to be freed. */
char *import_written(const char *name);

#endif
