/* Suggestions of similar names: distances against a plain recursion, and when a name counts as
 * near. */
#include "tests/support/cmocka_all.h"

#include "core/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int same(char a, char b)
{
    return tolower((unsigned char)(a == '_' ? '-' : a)) ==
           tolower((unsigned char)(b == '_' ? '-' : b));
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* By the definition, from the last characters; words without digits. */
static int slow(const char *a, int n, const char *b, int m)
{
    if (n == 0 || m == 0) {
        return n + m;
    }
    int best = least(slow(a, n - 1, b, m), slow(a, n, b, m - 1)) + 1;
    best = least(best, slow(a, n - 1, b, m - 1) + !same(a[n - 1], b[m - 1]));
    if (n > 1 && m > 1 && same(a[n - 1], b[m - 2]) && same(a[n - 2], b[m - 1])) {
        best = least(best, slow(a, n - 2, b, m - 2) + 1);
    }
    return best;
}

/* Words of a few letters, so that they are often near. */
static void draw(char *word, unsigned *seed)
{
    static const char letters[] = "abAB-_c";
    *seed = *seed * 1664525U + 1013904223U;
    const int length = (int)(*seed >> 24) % 7;
    for (int i = 0; i < length; i++) {
        *seed = *seed * 1664525U + 1013904223U;
        word[i] = letters[(*seed >> 20) % (sizeof letters - 1)];
    }
    word[length] = '\0';
}

static void test_distances(void **state)
{
    (void)state;
    unsigned seed = 7;
    int near = 0;
    for (int k = 0; k < 20000; k++) {
        char a[8], b[8];
        draw(a, &seed);
        draw(b, &seed);
        const int distance = slow(a, (int)strlen(a), b, (int)strlen(b));
        for (int most = 0; most < 8; most++) {
            const int wanted = distance <= most ? distance : most + 1;
            if (rct_edit_distance(a, b, most) != wanted) {
                fail_msg("\"%s\" \"%s\" within %d: %d, not %d", a, b, most,
                         rct_edit_distance(a, b, most), wanted);
            }
        }
        near += distance <= 3;
    }
    assert_true(near > 1000);
}

static void test_digits_are_meant(void **state)
{
    (void)state;
    assert_int_equal(rct_edit_distance("body12", "Body12", 3), 0);
    assert_int_equal(rct_edit_distance("bdoy12", "body12", 3), 1);
    assert_int_equal(rct_edit_distance("body12", "body13", 3), 4);
    assert_int_equal(rct_edit_distance("body12", "body1", 3), 4);
    assert_int_equal(rct_edit_distance("body1", "body12", 3), 4);
    assert_int_equal(rct_edit_distance("body12", "body21", 3), 4);
    assert_int_equal(rct_edit_distance("1", "", 3), 4);
    assert_int_equal(rct_edit_distance("", "1", 3), 4);
}

static void meant(const char *given, const char *const *names, const char *advice,
                  const char *wanted)
{
    char text[RCT_ERROR_TEXT_SIZE];
    assert_string_equal(rct_did_you_mean(given, names, advice, text), wanted);
}

static void test_hints(void **state)
{
    (void)state;
    static const char *const names[] = {"run", "resume", "export", "import", "rerun", NULL};
    static const char *const twice[] = {"pin", "pin", NULL};
    meant("rnu", names, "see --help", "; did you mean \"run\"? See --help");
    meant("RESUME", names, NULL, "; did you mean \"resume\"?");
    meant("walk", names, "see --help", "; see --help");
    meant("walk", names, NULL, "");
    meant("", names, "see", "; see");
    meant("x", names, "see", "; see");
    meant("xport", names, NULL, "; did you mean \"export\"?");
    meant("exmport", names, NULL, "; did you mean \"export\"?"); /* import is farther */
    meant("reexport", names, NULL, "; did you mean \"export\"?");
    meant("ixport", names, NULL, ""); /* as near to two */
    meant("pni", twice, NULL, "; did you mean \"pin\"?");
}

static void test_long_names(void **state)
{
    (void)state;
    char given[3 * RCT_NEAREST_SIZE], longest[RCT_NEAREST_SIZE], too_long[3 * RCT_NEAREST_SIZE];
    memset(given, 'n', sizeof given);
    memset(longest, 'n', sizeof longest);
    memset(too_long, 'n', sizeof too_long);
    given[RCT_NEAREST_SIZE] = longest[RCT_NEAREST_SIZE - 1] = '\0';
    too_long[sizeof too_long - 1] = '\0';
    const char *const names[] = {too_long, longest, NULL};
    char wanted[RCT_ERROR_TEXT_SIZE];
    snprintf(wanted, sizeof wanted, "; did you mean \"%s\"?", longest);
    meant(given, names, NULL, wanted);
    memset(given, 'n', sizeof given - 1);
    given[sizeof given - 1] = '\0';
    const char *const none[] = {too_long, NULL};
    meant(given, none, NULL, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_digits_are_meant),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
