/* Reading a table: a line of names, then lines of numbers separated by commas or blanks. */
#include "files/table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file being read. */
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

/* The length of the word that begins here, up to a comma, a blank or the end of the line. */
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

/* Read the next line of the file; false at its end, and if it cannot be read. */
static bool next_line(source *from)
{
    from->length = getline(&from->text, &from->room, from->file);
    from->line++;
    return from->length >= 0;
}

/* Read the numbers of the line; there must be as many as columns. */
static bool read_row(const cli_table *table, const source *from, double *row)
{
    enum { MOST_SHOWN = 40 };
    const char *word = skip_blanks(from->text);
    int64_t count = 0;
    double beyond;
    if (strlen(from->text) != (size_t)from->length) {
        return cli_refuse("%s:%" PRId64 ": it contains a zero byte; %s must be a table of text",
                          from->path, from->line, table->what);
    }
    for (bool more = *word != '\0'; more; count++) {
        const size_t length = length_of(word);
        if (!is_number(word, count < table->columns ? &row[count] : &beyond)) {
            const int shown = length < MOST_SHOWN ? (int)length : MOST_SHOWN;
            return cli_refuse("%s:%" PRId64 ": \"%.*s\" in column %" PRId64
                              " is not a finite number",
                              from->path, from->line, shown, word, count + 1);
        }
        word = skip_blanks(word + length);
        more = *word != '\0';
        word = *word == ',' ? skip_blanks(word + 1) : word;
    }
    return count == table->columns ||
           cli_refuse("%s:%" PRId64 ": it has %" PRId64
                      " columns, but %s of this model has %" PRId64 ": %s",
                      from->path, from->line, count, table->what, table->columns, table->holds);
}

/* Make room for another row. */
static bool make_room(cli_table *table, int64_t *room)
{
    if (table->count < *room) {
        return true;
    }
    const int64_t more = *room > 0 ? 2 * *room : 16;
    double *rows =
        realloc(table->rows, (size_t)more * (size_t)table->columns * sizeof *table->rows);
    if (rows != NULL) {
        table->rows = rows;
        *room = more;
    }
    return cli_have_memory(rows);
}

/* The line of names is required but ignored: without it the first row would be taken for names. */
static bool read_names(source *from)
{
    double number;
    if (!next_line(from)) {
        return true; /* there are no rows, which is an error later */
    }
    return !is_number(skip_blanks(from->text), &number) ||
           cli_refuse("%s:1: it begins with a number; put a line with the names of the columns "
                      "before the first row",
                      from->path);
}

static bool read_rows(cli_table *table, source *from)
{
    int64_t room = 0;
    bool good = read_names(from);
    while (good && next_line(from)) {
        good = make_room(table, &room) &&
               read_row(table, from, table->rows + table->count * table->columns);
        table->count++;
    }
    return good &&
           (!ferror(from->file) ||
            cli_refuse("%s: cannot read: %s", from->path, strerror(errno))) &&
           (table->count > 0 ||
            cli_refuse("%s: it has no rows; write them after the line of names", from->path));
}

bool cli_read_table(cli_table *table, const char *path)
{
    source from = {.path = path};
    if (!cli_check_regular(path)) {
        return false;
    }
    if (cli_holds_h5(path)) {
        return cli_refuse("%s: %s must be a table of text, but this is HDF5", path, table->what);
    }
    from.file = fopen(path, "r");
    if (from.file == NULL) {
        return cli_refuse("%s: cannot open the file: %s", path, strerror(errno));
    }
    const bool good = read_rows(table, &from);
    fclose(from.file);
    free(from.text);
    return good;
}

void cli_free_table(cli_table *table)
{
    free(table->rows);
}
