/* Bad model files: every file in the folder bad is refused with the status, line and words that
 * bad/index.txt lists for it. */
#include "tests/support/cmocka_all.h"

#include <riccatree/model.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>

typedef struct expectation {
    char file[128];
    char status[32];
    int line;
    int column; /* 0: not checked */
    char words[256];
} expectation;

/* The fault of the error, or NULL. */
static const char *trouble(const expectation *expect, const char *path, const rct_error *error)
{
    char place[64];
    snprintf(place, sizeof place, "line %d%c", expect->line, error->column > 0 ? ',' : ':');
    const char *wrong = NULL;
    if (strcmp(rct_status_name(error->status), expect->status) != 0) {
        wrong = "has another status";
    } else if (error->line != expect->line || strstr(error->text, place) == NULL) {
        wrong = "is on another line";
    } else if ((error->status == RCT_ERROR_SYNTAX) != (error->column > 0) ||
               (expect->column > 0 && error->column != expect->column)) {
        wrong = "is in another column";
    } else if (strstr(error->text, expect->words) == NULL) {
        wrong = "says something else";
    } else if (strncmp(error->text, path, strlen(path)) != 0) {
        wrong = "does not name the file";
    }
    return wrong;
}

static int check_file(const expectation *expect)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", RCT_BAD_MODELS, expect->file);
    rct_error error = {.text = ""};
    rct_model *model = rct_model_read(path, &error);
    const char *wrong = model != NULL ? "was accepted" : trouble(expect, path, &error);
    if (wrong != NULL) {
        print_error("%s %s: expected %s %d %d \"%s\", got %s %d %d \"%s\"\n", expect->file, wrong,
                    expect->status, expect->line, expect->column, expect->words,
                    rct_status_name(error.status), error.line, error.column, error.text);
    }
    rct_model_free(model);
    return wrong == NULL;
}

static void test_every_bad_model_is_refused_as_listed(void **state)
{
    (void)state;
    FILE *index = fopen(RCT_BAD_MODELS "/index.txt", "r");
    assert_non_null(index);
    char line[512];
    int good = 0;
    int listed = 0;
    while (fgets(line, sizeof line, index) != NULL) {
        expectation expect;
        if (line[0] != '#') {
            assert_int_equal(sscanf(line, "%127s %31s %d %d %255[^\n]", expect.file, expect.status,
                                    &expect.line, &expect.column, expect.words),
                             5);
            good += check_file(&expect);
            listed++;
        }
    }
    fclose(index);
    assert_int_equal(good, listed);
    assert_true(listed >= 200);
}

/* An unlisted file would test nothing. */
static void test_every_bad_model_is_listed(void **state)
{
    (void)state;
    char index[1 << 16];
    FILE *stream = fopen(RCT_BAD_MODELS "/index.txt", "r");
    assert_non_null(stream);
    const size_t size = fread(index, 1, sizeof index - 1, stream);
    fclose(stream);
    assert_true(size < sizeof index - 1);
    index[size] = '\0';
    DIR *folder = opendir(RCT_BAD_MODELS);
    assert_non_null(folder);
    for (const struct dirent *file = readdir(folder); file != NULL; file = readdir(folder)) {
        char entry[300];
        snprintf(entry, sizeof entry, "\n%s ", file->d_name);
        if (strstr(file->d_name, ".json") != NULL && strstr(index, entry) == NULL) {
            fail_msg("%s is not in index.txt", file->d_name);
        }
    }
    closedir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_bad_model_is_refused_as_listed),
        cmocka_unit_test(test_every_bad_model_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
