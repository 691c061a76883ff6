/* The messages of libxml2 about a file are in the error and nowhere else: nothing is printed. Other
 * users of libxml2 in the process keep their handlers, and these get no call. */
#include "tests/support/cmocka_all.h"

#include <riccatree/import.h>

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_BYTES = 1 << 16 };

static const char robot[] = "<?xml version='1.0' encoding='ISO-8859-1'?>\n<robot "
                            "name='r\xe9'><link name='a'><inertial><mass value='1'/>"
                            "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>";

/* ---- what is printed: standard error is a file meanwhile ---- */

static int kept_stderr;
static FILE *printed;

static void start_listening(void)
{
    fflush(stderr);
    kept_stderr = dup(STDERR_FILENO);
    printed = tmpfile();
    assert_non_null(printed);
    dup2(fileno(printed), STDERR_FILENO);
}

/* The number of printed bytes. */
static long stop_listening(void)
{
    struct stat file;
    fflush(stderr);
    fstat(fileno(printed), &file);
    dup2(kept_stderr, STDERR_FILENO);
    close(kept_stderr);
    fclose(printed);
    return (long)file.st_size;
}

static rct_model *import_quietly(const char *text, int64_t size, rct_error *error)
{
    start_listening();
    rct_model *model = rct_model_import_text(text, size, NULL, error);
    const long bytes = stop_listening();
    if (bytes > 0) {
        fail_msg("%ld bytes were printed; the error is \"%s\"", bytes,
                 model == NULL ? error->text : "");
    }
    return model;
}

/* ---- files ---- */

typedef struct bad_text {
    const char *head; /* before the links */
    int links;        /* each on a line of its own */
    const char *tail;
    int tail_size;
    int line;
    const char *words;
} bad_text;

#define TAIL(text) text, sizeof(text) - 1

static const bad_text bad[] = {
    {"<?xml version='1.0' encoding='EUC-JP'?><robot name='r'>\n", 0,
     TAIL("<link name='\xff\xff'/></robot>"), 2, "bytes 0xFF 0xFF"},
    {"<?xml version='1.0' encoding='EUC-JP'?><robot name='r'>\n", 900,
     TAIL("<link name='\xff\xff'/></robot>"), 902, "bytes 0xFF 0xFF"},
    {"<?xml version='1.0' encoding='ISO-2022-JP'?><mujoco>\n", 900,
     TAIL("<a name='\x1b$B\xff\xff'/></mujoco>"), 902, "bytes 0xFF 0xFF"},
    {"<?xml version='1.0' encoding='no-such-thing'?><mujoco>\n", 0, TAIL("</mujoco>"), 1,
     "no-such-thing"},
    {"<?xml version='1.0' encoding='UCS-4'?><robot>\n", 900, TAIL("</robot>"), 1, "Blank needed"},
    {"<robot name='r'>\n", 900, TAIL("<link name='\xff'/></robot>"), 902, "not proper UTF-8"},
    {"<robot name='r'>\n", 3, TAIL("<link name='&other;'/></robot>"), 5,
     "Entity 'other' not defined"},
    {"<robot name='r'>\n", 3, TAIL("<link xmlns:a='http://[' a:b='' name='\x01'/></robot>"), 5,
     "invalid char"},
    {"<robot name='r'>\n", 3, TAIL("<link"), 5, "line 5, column "},
};

static void test_bad_files_print_nothing(void **state)
{
    (void)state;
    static char text[TEXT_BYTES];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rct_error error = {.text = ""};
        int size = snprintf(text, sizeof text, "%s", bad[i].head);
        for (int k = 0; k < bad[i].links; k++) {
            size += snprintf(text + size, sizeof text - (size_t)size, "<link name='link%d'/>\n", k);
        }
        memcpy(text + size, bad[i].tail, (size_t)bad[i].tail_size);
        assert_null(import_quietly(text, size + bad[i].tail_size, &error));
        if (error.status != RCT_ERROR_SYNTAX || error.line != bad[i].line || error.column <= 0 ||
            strstr(error.text, bad[i].words) == NULL) {
            fail_msg("%zu: line %d, column %d: \"%s\"; expected line %d, \"%s\"", i, error.line,
                     error.column, error.text, bad[i].line, bad[i].words);
        }
    }
}

/* UTF-16 that ends within a character. */
static void test_a_cut_file_of_two_byte_characters(void **state)
{
    (void)state;
    static const char text[] = "<?xml version='1.0' encoding='UTF-16'?>\n<robot name='r'>\n";
    char wide[2 * sizeof text + 4] = "\xff\xfe";
    size_t size = 2;
    for (size_t i = 0; i + 1 < sizeof text; i++, size += 2) {
        wide[size] = text[i];
        wide[size + 1] = '\0';
    }
    memcpy(wide + size, "\x00\xd8\x00\x00", 4); /* half of a surrogate pair */
    rct_error error = {.text = ""};
    assert_null(import_quietly(wide, (int64_t)size + 4, &error));
    assert_int_equal(error.status, RCT_ERROR_SYNTAX);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.text, "bytes 0x00 0xD8"));
}

/* ---- others in the process ---- */

static int heard_by_others;

#if LIBXML_VERSION >= 21200
static void hear(void *context, const xmlError *said)
#else
static void hear(void *context, xmlErrorPtr said)
#endif
{
    (void)context, (void)said;
    heard_by_others++;
}

static void hear_text(void *context, const char *format, ...)
{
    (void)context, (void)format;
    heard_by_others++;
}

static void test_others_keep_their_handlers(void **state)
{
    (void)state;
    int mine = 0, other = 0;
    rct_error error;
    xmlSetStructuredErrorFunc(&mine, hear);
    xmlSetGenericErrorFunc(&other, hear_text);
    heard_by_others = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[256];
        const int size = snprintf(text, sizeof text, "%s", bad[i].head);
        memcpy(text + size, bad[i].tail, (size_t)bad[i].tail_size);
        assert_null(rct_model_import_text(text, size + bad[i].tail_size, NULL, &error));
    }
    assert_int_equal(heard_by_others, 0);
    assert_ptr_equal(xmlStructuredErrorContext, &mine);
    assert_true(xmlStructuredError == hear);
    assert_ptr_equal(xmlGenericErrorContext, &other);
    assert_true(xmlGenericError == hear_text);
    xmlSetStructuredErrorFunc(NULL, NULL);
    xmlSetGenericErrorFunc(NULL, NULL);
}

/* ---- memory of libxml2 ---- */

static long grants; /* allocations that still succeed */

static void *grant(size_t size)
{
    return grants-- > 0 ? malloc(size) : NULL;
}

static void *grant_again(void *memory, size_t size)
{
    return grants-- > 0 ? realloc(memory, size) : NULL;
}

static char *grant_copy(const char *text)
{
    return grants-- > 0 ? strdup(text) : NULL;
}

/* From some number on the memory is enough; until then it is short, whichever allocation failed. */
static void test_short_memory_of_the_parser(void **state)
{
    (void)state;
    rct_model *model = NULL;
    long given = 0;
    for (; model == NULL && given < 10000; given++) {
        rct_error error = {.text = ""};
        grants = given;
        model = import_quietly(robot, sizeof robot - 1, &error);
        if (model == NULL && error.status != RCT_ERROR_MEMORY) {
            fail_msg("with %ld allocations: \"%s\"", given, error.text);
        }
    }
    assert_non_null(model);
    assert_true(given > 10);
    assert_int_equal(rct_model_body_count(model), 1);
    assert_string_equal(rct_model_name(model), "r\xc3\xa9");
    rct_model_free(model);
    grants = 1000000;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_files_print_nothing),
        cmocka_unit_test(test_a_cut_file_of_two_byte_characters),
        cmocka_unit_test(test_others_keep_their_handlers),
        cmocka_unit_test(test_short_memory_of_the_parser),
    };
    grants = 1000000;
    if (xmlMemSetup(free, grant, grant_again, grant_copy) != 0) {
        return 1;
    }
    xmlInitParser();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
