/* Shared by commands that read recordings: series by name, and text that goes to a file or to
 * standard output. */
#ifndef RCT_CLI_FILES_FILES_H
#define RCT_CLI_FILES_FILES_H

#include "cli.h"
#include "files/evaluated.h"

#include <stdio.h>

/* ---- series.c ------------------------------------------------------------------------------ */

/* QUANTITY[.COMPONENT][:NAME]: the numbers of a quantity over all frames, of the system, or of the
 * body or loop of that name. `turn` is computed from orientations, others by a solver
 * (evaluated.h). */
typedef struct cli_series {
    rct_quantity quantity;
    int32_t index;     /* of the quantity                                                       */
    int evaluated;     /* its number if a solver computes it, or -1                             */
    int64_t row;       /* of the body or loop, or 0                                             */
    int64_t component; /* of the row                                                            */
    int64_t first, columns; /* of the row that are named: of a hinge, loop or event, or all */
    char label[2 * RCT_NAME_SIZE + 64];
    double last;     /* rad, of a turn: its last value so far                                   */
    double *numbers; /* [frames]                                                              */
} cli_series;

typedef struct cli_recording {
    rct_recording *file;
    rct_recording_info info;
    rct_model *model;
    double *time; /* [frames] */
    cli_series *series;
    int64_t count;
    cli_evaluated *evaluated; /* NULL: nothing is evaluated */
} cli_recording;

/* Whether a quantity has one row for each body; the letters of its components, "" if they have
 * numbers. */
bool cli_is_of_bodies(const rct_quantity *quantity);
const char *cli_letters_of(const rct_quantity *quantity);

/* The row of a quantity: that of the body or loop of this name; NULL: of the whole system
 * (rows.c). */
bool cli_find_row(const cli_recording *recording, cli_series *one, const char *name);

/* Open a recording that has frames, and read the series asked for; empty `names`: all series of
 * the whole system. Close it in any case. */
bool cli_open_recording(cli_recording *recording, const char *path, const cli_texts *names);
void cli_close_recording(cli_recording *recording);

/* ---- describe.c ---------------------------------------------------------------------------- */

/* The operand of `info`: the file of results, or the checkpoint; all NULL for a model and for a
 * family. */
typedef struct cli_described {
    const char *path; /* NULL: a family */
    rct_recording *recording;
    rct_ensemble_results *results;
    rct_checkpoint *checkpoint;
} cli_described;

/* Its model, as cli_load gives it. NULL with the error printed. Close it in any case. */
rct_model *cli_load_described(const cli_arguments *arguments, cli_described *described);
void cli_close_described(cli_described *described);

/* Key "file", null for a family; lines of a table, none for a model. */
void cli_print_described(const cli_described *described);

/* ---- numbers_of.c -------------------------------------------------------------------------- */

/* `summary` of a recording: its frames, its energy, the least and the largest number of every
 * quantity. */
bool cli_summarize(const cli_arguments *arguments, rct_recording *recording);

/* The head of a list of extrema, which stays open; and the extrema of a quantity of bodies in
 * one state. */
void cli_print_extremes_head(void);
void cli_print_state_extremes(const rct_model *model, const rct_quantity *quantity,
                              const double *frame, double time);

/* ---- state_numbers.c ----------------------------------------------------------------------- */

/* `summary` of a checkpoint or a model: energies, momenta, extrema of the state. */
bool cli_summarize_state(const cli_arguments *arguments);

/* ---- text_file.c --------------------------------------------------------------------------- */

/* Text goes to --out, or to standard output without --out or with "-". */
typedef struct cli_text_file {
    FILE *stream;
    const char *path; /* NULL: standard output */
} cli_text_file;

bool cli_open_text(const cli_arguments *arguments, cli_text_file *file);

/* Whether --json is not combined with --out, which writes a table, and whether that file may be
 * written. */
bool cli_check_text(const cli_arguments *arguments);

/* Whether all was written. If not `good`, or if writing fails, no file is left. */
bool cli_close_text(cli_text_file *file, bool good);

/* Write, after a first name, the names of a quantity for all freedoms, as "effort_1:NAME", and
 * end the line. */
void cli_put_freedoms(FILE *out, const rct_model *model, const char *quantity);

/* A field of comma-separated values, in quotes if it has a comma, a quote or a line end (RFC
 * 4180). On a terminal, characters that would steer it become '?'. */
void cli_put_field(FILE *out, const char *text);

#endif
