/* Standard output, with the first failure remembered: a table or other lines of text, or one JSON object written as it
 * comes. A command tells all that it has once: what is about the other of the two writes nothing. */
#ifndef RCT_CLI_OUTPUT_H
#define RCT_CLI_OUTPUT_H

#include <riccatree/model.h>

#include <stdbool.h>
#include <stdint.h>

/* Begin, with a table whose first column has that width, or with the object. */
void cli_output_start(bool json, int width);

/* End the object, flush; false, with the error printed, if not everything could be written. */
bool cli_output_finish(void);

bool cli_output_works(void); /* whether nothing has failed so far */

/* Text; a label in the first column of a table, and a line with one. */
__attribute__((format(printf, 1, 2))) void cli_print(const char *format, ...);
void cli_label(const char *label);
__attribute__((format(printf, 2, 3))) void cli_line(const char *label, const char *format, ...);

/* JSON: `key` is NULL within an array. Numbers that are not finite become null; bytes of a string
 * that are not UTF-8 become U+FFFD. */
void cli_json_open(const char *key, char bracket);
void cli_json_open_line(void); /* an object within an array, on a line of its own */
void cli_json_close(const char *bracket);
void cli_json_text(const char *key, const char *value); /* NULL: null */
void cli_json_count(const char *key, int64_t value);
void cli_json_bool(const char *key, bool value);
void cli_json_real(const char *key, double value);
void cli_json_vector(const char *key, const double *values, int count);

/* By its key, or as a line "LABEL VALUE", with what stands after the value. */
void cli_count(const char *key, const char *label, int64_t value, const char *after);
void cli_text(const char *key, const char *label, const char *value);
void cli_model_name(const char *name);

/* A name for a table: what would break its line is shown as '?'. Gives `plain` back. */
const char *cli_plain_name(const char *name, char plain[RCT_NAME_SIZE]);

enum { CLI_SHORT_TEXT = 32 };

/* "12 B", "3.4 MB"; "12 s", "3 min 20 s", "2 h 5 min". Give `text` back. */
const char *cli_bytes_text(int64_t bytes, char text[CLI_SHORT_TEXT]);
const char *cli_duration_text(double seconds, char text[CLI_SHORT_TEXT]);

#endif
