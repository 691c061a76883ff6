/* Bad URDF and MJCF files: every file in the folder bad is refused with the status, line and words
 * that index.txt lists for it. */
#include "tests/support/cmocka_all.h"

#include <riccatree/import.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>

typedef struct expectation {
    char file[128];
    char status[32];
    int line;
    char words[256];
} expectation;

/* The fault of the error, or NULL. */
static const char *trouble(const expectation *expect, const char *path, const rct_error *error)
{
    char place[64];
    snprintf(place, sizeof place, ": line %d%c", expect->line, error->column > 0 ? ',' : ':');
    const char *wrong = NULL;
    if (strcmp(rct_status_name(error->status), expect->status) != 0) {
        wrong = "has another status";
    } else if (error->line != expect->line || strstr(error->text, place) == NULL) {
        wrong = "is on another line";
    } else if ((error->status == RCT_ERROR_SYNTAX) != (error->column > 0)) {
        wrong = "should have a column, or should not";
    } else if (strstr(error->text, expect->words) == NULL) {
        wrong = "says something else";
    } else if (strncmp(error->text, path, strlen(path)) != 0) {
        wrong = "does not name the file";
    }
    return wrong;
}

/* Unsupported elements may be ignored: then there is another error or none, but never this one. */
static const char *ignoring(const expectation *expect, const char *path)
{
    rct_error error = {.text = ""};
    rct_import_report report;
    const rct_import_options options = {.ignore_unsupported = 1, .report = &report};
    rct_model *model = rct_model_import(path, &options, &error);
    const int noted = report.notes > 0 && report.note[0].line == expect->line &&
                      strstr(report.note[0].text, expect->words) != NULL;
    const int stays = model == NULL && strstr(error.text, expect->words) != NULL;
    rct_model_free(model);
    return strstr(error.text, "continue without it") != NULL ? "is not ignored"
           : noted || stays                                  ? NULL
                                                             : "is neither noted nor refused";
}

static int check_file(const expectation *expect)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", RCT_BAD_IMPORTS, expect->file);
    rct_error error = {.text = ""};
    rct_model *model = rct_model_import(path, NULL, &error);
    const char *wrong = model != NULL ? "was accepted" : trouble(expect, path, &error);
    if (wrong == NULL && error.status == RCT_ERROR_UNSUPPORTED) {
        wrong = ignoring(expect, path);
    }
    if (wrong != NULL) {
        print_error("%s %s: expected %s %d \"%s\", got %s %d %d \"%s\"\n", expect->file, wrong,
                    expect->status, expect->line, expect->words, rct_status_name(error.status),
                    error.line, error.column, error.text);
    }
    rct_model_free(model);
    return wrong == NULL;
}

static void test_every_bad_file_is_refused_as_listed(void **state)
{
    (void)state;
    FILE *index = fopen(RCT_BAD_IMPORTS "/index.txt", "r");
    assert_non_null(index);
    char line[512];
    int good = 0;
    int listed = 0;
    while (fgets(line, sizeof line, index) != NULL) {
        expectation expect;
        if (line[0] != '#') {
            assert_int_equal(sscanf(line, "%127s %31s %d %255[^\n]", expect.file, expect.status,
                                    &expect.line, expect.words),
                             4);
            good += check_file(&expect);
            listed++;
        }
    }
    fclose(index);
    assert_int_equal(good, listed);
    assert_true(listed >= 100);
}

/* An unlisted file would test nothing. */
static void test_every_bad_file_is_listed(void **state)
{
    (void)state;
    char index[1 << 15];
    FILE *stream = fopen(RCT_BAD_IMPORTS "/index.txt", "r");
    assert_non_null(stream);
    const size_t size = fread(index, 1, sizeof index - 1, stream);
    fclose(stream);
    assert_true(size < sizeof index - 1);
    index[size] = '\0';
    DIR *folder = opendir(RCT_BAD_IMPORTS);
    assert_non_null(folder);
    for (const struct dirent *file = readdir(folder); file != NULL; file = readdir(folder)) {
        char entry[300];
        snprintf(entry, sizeof entry, "\n%s ", file->d_name);
        if (file->d_name[0] != '.' && strchr(file->d_name, '.') != NULL &&
            strcmp(file->d_name, "index.txt") != 0 && strstr(index, entry) == NULL) {
            fail_msg("%s is not in index.txt", file->d_name);
        }
    }
    closedir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_bad_file_is_refused_as_listed),
        cmocka_unit_test(test_every_bad_file_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
