/* Models in files, and their folder (import_files.h). */
#define _XOPEN_SOURCE 700 /* nftw */
#include "tests/import/import_files.h"

#include "core/memory.h"
#include "tests/support/cmocka_all.h"

#include <riccatree/riccatree.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/rct_import_XXXXXX";

const char *import_path(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void import_put(const char *name, const char *content)
{
    FILE *file = fopen(import_path(name), "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

int import_make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL || mkdir(import_path("in"), 0700) != 0 ||
           mkdir(import_path("in/deep"), 0700) != 0;
}

static int drop(const char *path, const struct stat *is, int type, struct FTW *where)
{
    (void)is;
    (void)type;
    (void)where;
    return remove(path);
}

int import_drop_folder(void **state)
{
    (void)state;
    return nftw(folder, drop, 8, FTW_DEPTH | FTW_PHYS);
}

rct_model *import_short_of_memory(const char *name)
{
    rct_model *model = NULL;
    for (int64_t successes = 0; model == NULL; successes++) {
        rct_error error = {.text = ""};
        rct_allocate_fail_after(successes);
        model = rct_model_import(import_path(name), NULL, &error);
        rct_allocate_fail_after(-1);
        assert_true(model != NULL || error.status == RCT_ERROR_MEMORY);
        assert_true(model != NULL || strstr(error.text, "out of memory") != NULL);
        assert_true(model == NULL || successes > 20);
    }
    return model;
}

char *import_written(const char *name)
{
    rct_error error = {.text = ""};
    rct_model *model = rct_model_import(import_path(name), NULL, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(rct_model_write(model, import_path("out.json"), NULL), RCT_OK);
    rct_model_free(model);
    FILE *file = fopen(import_path("out.json"), "r");
    char *content = calloc(1, 1 << 16);
    assert_non_null(file);
    assert_non_null(content);
    assert_true(fread(content, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return content;
}
