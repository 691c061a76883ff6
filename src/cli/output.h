/* Standard output, with the first failure remembered, and JSON written as it comes. */
#ifndef RCT_CLI_OUTPUT_H
#define RCT_CLI_OUTPUT_H

#include <riccatree/model.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_output {
    int failure; /* errno of the first write that failed, else 0 */
    bool comma;  /* JSON: the next value of this level is not its first */
} cli_output;

cli_output cli_output_start(void);

__attribute__((format(printf, 2, 3))) void cli_print(cli_output *out, const char *format, ...);

/* Flush; the exit status, with the error printed if not everything could be written. */
int cli_output_finish(cli_output *out);

/* JSON: `key` is NULL within an array. Numbers that are not finite become null; bytes of a string
 * that are not UTF-8 become U+FFFD. */
void cli_json_open(cli_output *out, const char *key, char bracket);
void cli_json_close(cli_output *out, char bracket);
void cli_json_text(cli_output *out, const char *key, const char *value); /* NULL: null */
void cli_json_count(cli_output *out, const char *key, int64_t value);
void cli_json_bool(cli_output *out, const char *key, bool value);
void cli_json_real(cli_output *out, const char *key, double value);
void cli_json_vector(cli_output *out, const char *key, const double *values, int count);
void cli_json_null(cli_output *out, const char *key);

/* A name for a table: what would break its line is shown as '?'. Gives `plain` back. */
const char *cli_plain_name(const char *name, char plain[RCT_NAME_SIZE]);

enum { CLI_SHORT_TEXT = 32 };

/* "12 B", "3.4 MB"; "12 s", "3 min 20 s", "2 h 5 min". */
void cli_bytes_text(int64_t bytes, char text[CLI_SHORT_TEXT]);
void cli_duration_text(double seconds, char text[CLI_SHORT_TEXT]);

#endif
