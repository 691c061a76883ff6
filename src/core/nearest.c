/* The nearest of many names (nearest.h). Only a band of the table of distances is filled, and only
 * as many rows as a distance within reach needs, so that millions of names take less than a
 * second. */
#include "core/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { FARTHEST = 3 };

static int folded(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Three rows of the table, the present one last; entry (i, j) is for the first i characters of a
 * and the first j of b. */
typedef struct table {
    const char *a, *b;
    int most; /* `most` + 1 stands for infinite */
    int row[3][RCT_NEAREST_SIZE + 1];
} table;

static int entry_at(const table *t, int i, int j)
{
    const char *a = t->a + i - 1, *b = t->b + j - 1;
    const int far = t->most + 1, take_a = is_digit(*a) ? far : 1, take_b = is_digit(*b) ? far : 1;
    const int replace = folded(*a) == folded(*b) ? 0 : take_a > take_b ? take_a : take_b;
    int best =
        least(t->row[1][j - 1] + replace, least(t->row[1][j] + take_a, t->row[2][j - 1] + take_b));
    if (i > 1 && j > 1 && folded(a[0]) == folded(b[-1]) && folded(a[-1]) == folded(b[0])) {
        best = least(best, t->row[0][j - 2] + (is_digit(a[0]) || is_digit(a[-1]) ? far : 1));
    }
    return least(best, far);
}

/* Fill row i within the band; returns its least number. */
static int fill_row(table *t, int i, int columns)
{
    const int first = i > t->most ? i - t->most : 0, last = least(i + t->most, columns);
    int smallest = t->most + 1;
    memcpy(t->row[0], t->row[1], sizeof t->row[0]);
    memcpy(t->row[1], t->row[2], sizeof t->row[0]);
    for (int j = 0; j <= columns; j++) {
        t->row[2][j] = t->most + 1;
    }
    for (int j = first; j <= last; j++) {
        const int edge = is_digit(t->a[i - 1]) ? t->most + 1 : least(t->row[1][0] + 1, t->most + 1);
        t->row[2][j] = j == 0 ? edge : entry_at(t, i, j);
        smallest = least(smallest, t->row[2][j]);
    }
    return smallest;
}

int rct_edit_distance(const char *a, const char *b, int most)
{
    const int rows = (int)strnlen(a, RCT_NEAREST_SIZE), columns = (int)strnlen(b, RCT_NEAREST_SIZE);
    table t = {.a = a, .b = b, .most = most};
    int reach = 0; /* the row before may be out of reach where a swap skips it */
    if (rows - columns > most || columns - rows > most) {
        return most + 1;
    }
    for (int j = 0; j <= columns; j++) {
        const int before = j > 0 ? t.row[2][j - 1] + (is_digit(b[j - 1]) ? most + 1 : 1) : 0;
        t.row[2][j] = least(before, most + 1);
        t.row[1][j] = most + 1;
    }
    for (int i = 1; i <= rows && reach < 2; i++) {
        reach = fill_row(&t, i, columns) > most ? reach + 1 : 0;
    }
    return reach < 2 ? t.row[2][columns] : most + 1;
}

void rct_nearest_offer(rct_nearest *nearest, const char *name)
{
    const int length = (int)strnlen(nearest->given, RCT_NEAREST_SIZE);
    const int near = least(length / 3, FARTHEST);
    const int most = nearest->found ? nearest->distance : near;
    const int distance = strnlen(name, RCT_NEAREST_SIZE) < RCT_NEAREST_SIZE
                             ? rct_edit_distance(nearest->given, name, most)
                             : most + 1;
    if (distance > most || (nearest->found && strcmp(name, nearest->name) == 0)) {
        return;
    }
    nearest->tied = nearest->found && distance == nearest->distance;
    nearest->found = 1;
    nearest->distance = distance;
    snprintf(nearest->name, sizeof nearest->name, "%s", name);
}

void rct_nearest_offer_all(rct_nearest *nearest, const char *const *names)
{
    for (; *names != NULL; names++) {
        rct_nearest_offer(nearest, *names);
    }
}

const char *rct_nearest_name(const rct_nearest *nearest)
{
    return nearest->found && !nearest->tied ? nearest->name : NULL;
}

const char *rct_nearest_hint(const rct_nearest *nearest, const char *advice,
                             char text[RCT_ERROR_TEXT_SIZE])
{
    const char *name = rct_nearest_name(nearest);
    if (name == NULL) {
        snprintf(text, RCT_ERROR_TEXT_SIZE, "%s%s", advice[0] != '\0' ? "; " : "", advice);
    } else if (advice[0] == '\0') {
        snprintf(text, RCT_ERROR_TEXT_SIZE, "; did you mean \"%s\"?", name);
    } else {
        snprintf(text, RCT_ERROR_TEXT_SIZE, "; did you mean \"%s\"? %c%s", name,
                 toupper((unsigned char)advice[0]), advice + 1);
    }
    return text;
}

const char *rct_did_you_mean(const char *name, const char *const *names, const char *advice,
                             char text[RCT_ERROR_TEXT_SIZE])
{
    rct_nearest nearest = {.given = name != NULL ? name : ""};
    if (text == NULL) {
        return NULL;
    }
    if (names != NULL) {
        rct_nearest_offer_all(&nearest, names);
    }
    return rct_nearest_hint(&nearest, advice != NULL ? advice : "", text);
}
