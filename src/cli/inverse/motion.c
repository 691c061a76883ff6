/* Reading a motion: numbers between commas or blanks, a line a state, behind a line of names. */
#include "inverse/motion.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file that is read. */
typedef struct source {
    const char *path;
    FILE *file;
    char *text; /* the present line */
    size_t room;
    ssize_t length; /* its bytes           */
    int64_t line;   /* its number, from 1  */
} source;

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Of the word that begins here, up to a comma, a blank or the end of the line. */
static size_t length_of(const char *word)
{
    return strcspn(word, ", \t\r\n");
}

static bool is_number(const char *word, double *number)
{
    char *end = NULL;
    const size_t length = length_of(word);
    *number = strtod(word, &end);
    return length > 0 && strspn(word, "+-.0123456789eE") == length && end == word + length &&
           isfinite(*number);
}

/* The next line of the file; false at its end, and where it cannot be read. */
static bool next_line(source *from)
{
    from->length = getline(&from->text, &from->room, from->file);
    from->line++;
    return from->length >= 0;
}

/* The numbers of the line, if there are as many as columns. */
static bool read_row(const cli_motion *motion, const source *from, double *row)
{
    enum { MOST_SHOWN = 40 };
    const char *word = skip_blanks(from->text);
    int64_t count = 0;
    double beyond;
    if (strlen(from->text) != (size_t)from->length) {
        return cli_refuse("%s:%" PRId64 ": it holds a byte 0; a motion is a table of text",
                          from->path, from->line);
    }
    for (bool more = *word != '\0'; more; count++) {
        const size_t length = length_of(word);
        if (!is_number(word, count < motion->columns ? &row[count] : &beyond)) {
            const int shown = length < MOST_SHOWN ? (int)length : MOST_SHOWN;
            return cli_refuse("%s:%" PRId64 ": \"%.*s\" in column %" PRId64 " is no finite number",
                              from->path, from->line, shown, word, count + 1);
        }
        word = skip_blanks(word + length);
        more = *word != '\0';
        word = *word == ',' ? skip_blanks(word + 1) : word;
    }
    return count == motion->columns ||
           cli_refuse("%s:%" PRId64 ": %" PRId64 " columns, and a motion of this model has %" PRId64
                      ": the time, %" PRId64 " coordinates, %" PRId64 " rates, %" PRId64
                      " derivatives of rates",
                      from->path, from->line, count, motion->columns, motion->coordinates,
                      motion->dof, motion->dof);
}

/* Whether there is room for another row. */
static bool make_room(cli_motion *motion, int64_t *room)
{
    if (motion->count < *room) {
        return true;
    }
    const int64_t more = *room > 0 ? 2 * *room : 16;
    double *rows =
        realloc(motion->rows, (size_t)more * (size_t)motion->columns * sizeof *motion->rows);
    if (rows != NULL) {
        motion->rows = rows;
        *room = more;
    }
    return cli_have_memory(rows);
}

/* The line of names, which says nothing but is there: else a row would be taken for it. */
static bool read_names(source *from)
{
    double number;
    if (!next_line(from)) {
        return true; /* no rows either, as will be said */
    }
    return !is_number(skip_blanks(from->text), &number) ||
           cli_refuse("%s:1: it begins with a number; put a line with the names of the columns "
                      "before the first row",
                      from->path);
}

static bool read_rows(cli_motion *motion, source *from)
{
    int64_t room = 0;
    bool good = read_names(from);
    while (good && next_line(from)) {
        good = make_room(motion, &room) &&
               read_row(motion, from, motion->rows + motion->count * motion->columns);
        motion->count++;
    }
    return good &&
           (!ferror(from->file) ||
            cli_refuse("%s: cannot read: %s", from->path, strerror(errno))) &&
           (motion->count > 0 ||
            cli_refuse("%s: it has no rows; a line a state follows the line of names", from->path));
}

bool cli_read_motion(cli_motion *motion, const char *path, const rct_solver_info *info)
{
    source from = {.path = path};
    *motion = (cli_motion){.coordinates = info->coordinates,
                           .dof = info->dof,
                           .columns = 1 + info->coordinates + 2 * info->dof};
    if (!cli_check_regular(path)) {
        return false;
    }
    if (cli_holds_h5(path)) {
        return cli_refuse("%s: a motion is a table of text; a recording in HDF5 has no "
                          "derivatives of rates",
                          path);
    }
    from.file = fopen(path, "r");
    if (from.file == NULL) {
        return cli_refuse("%s: cannot open the file: %s", path, strerror(errno));
    }
    const bool good = read_rows(motion, &from);
    fclose(from.file);
    free(from.text);
    return good;
}

void cli_free_motion(cli_motion *motion)
{
    free(motion->rows);
}
