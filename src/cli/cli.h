/* The command line from the inside: exit statuses, what was asked for, and what commands share.
 *
 * A command gets its arguments parsed and checked one by one, and does its work through the public
 * interface alone. Results go to standard output; an error is one line on standard error, told where it is found by what then
 * gives false or NULL back, and the exit status is that of the last one. So everything here that gives a bool or a pointer
 * back, and can fail, has printed why when it did.
 */
#ifndef RCT_CLI_CLI_H
#define RCT_CLI_CLI_H

#include <riccatree/riccatree.h>

#include <stdbool.h>

/* A run ended by a signal exits with 128 + its number, as a shell reports it. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_BAD_INPUT = 2, CLI_SOME_FAILED = 3, CLI_SIGNAL = 128 };

typedef enum cli_option_id {
    CLI_END = 0, /* closes a list of options */
#define OPTION(id, name, value, rule, help) CLI_##id,
#include "option_list.h"
#undef OPTION
    CLI_OPTIONS
} cli_option_id;

/* Choices are numbers in the order of the choices' names (options.c). */
enum { CLI_METHOD_LAGRANGE = 2 }; /* references after those of rct_method, in their order */
enum { CLI_REFERENCES = 16, CLI_REFERENCE_NONE = CLI_REFERENCES, CLI_REFERENCE_ALL };

/* Between the frames of a run, unless it has fewer steps. */
enum { CLI_USUAL_INTERVALS = 100 };

/* How often: after so many steps, or else after so much time. */
typedef struct cli_interval {
    int64_t steps;  /* 0: by time */
    double seconds; /* by the clock */
} cli_interval;

/* The values of an option that may be given more than once. */
enum { CLI_MOST_TEXTS = 64 };

typedef struct cli_texts {
    const char *text[CLI_MOST_TEXTS];
    int32_t count;
} cli_texts;

typedef struct cli_arguments {
    bool given[CLI_OPTIONS];
    const char *operand; /* MODEL, FAMILY, or NULL where the command takes none */
    cli_texts more;      /* operands behind it, of a command that takes them */
    int64_t bodies;
    int64_t systems;
    int64_t hinge;
    int64_t seed;
    double perturb;
    double length, density, radius; /* m, kg/m, m: of a rod     */
    double bending[2], twist;       /* N m^2                    */
    double delay;                   /* s                        */
    int64_t method;
    const char *backend;
    int64_t threads;
    int64_t lanes;   /* the choice, not their number: cli_lanes gives that */
    int64_t segment; /* links, or RCT_SEGMENT_AUTO                         */
    int64_t junction;
    int64_t closing;
    int64_t drift;
    double baumgarte[2]; /* 1/s */
    int64_t integrator;
    double tolerance;
    double t_end;     /* s */
    double max_drift; /* a share; 0: none was given */
    double dt;        /* s */
    int64_t frames;
    const char *out;
    int64_t most_bytes; /* of a page                                                            */
    const char *checkpoint; /* NULL: none */
    cli_interval checkpoint_every;
    int64_t reference;
    int64_t repeat;
    int64_t format;  /* the choice: 0 is URDF, 1 MJCF */
    int64_t members; /* 0: as many as the grids have points */
    int64_t only;
    int64_t series;
    int64_t batch;
    int64_t count; /* of modes               */
    int64_t about; /* the choice             */
    const char *motion;
    const char *sweep;
    cli_texts vary, track;
    const char *command_line; /* as typed, for the record */
    rct_ranks *ranks;         /* of a command that runs on ranks, else NULL */
} cli_arguments;

typedef struct cli_command {
    const char *name;
    const char *operand; /* its word in the usage, NULL: none; in brackets if it may be left out */
    const char *more;    /* that of operands behind it, NULL: none */
    const char *summary;
    const char *details; /* lines after the options in the help, or NULL */
    const cli_option_id *options;
    bool (*run)(const cli_arguments *arguments);
    bool on_ranks; /* whether the processes that mpirun starts do it together */
} cli_command;

#define CLI_LIST(...) ((const cli_option_id[]){__VA_ARGS__, CLI_END})

/* What is about families; and what every command that takes MODEL|FAMILY begins its list of options with. */
#define CLI_ROD_OPTIONS                                                                            \
    CLI_LENGTH, CLI_DENSITY, CLI_RADIUS, CLI_BENDING, CLI_TWIST, CLI_DELAY, CLI_PINNED
#define CLI_FAMILY_OPTIONS                                                                         \
    CLI_BODIES, CLI_SYSTEMS, CLI_HINGE, CLI_SEED, CLI_PERTURB, CLI_ROD_OPTIONS
#define CLI_MODEL_OPTIONS CLI_FAMILY_OPTIONS, CLI_IGNORE_UNSUPPORTED, CLI_REPAIR_INERTIA

/* What is about the sweeps of a solver; a reference has none of it. */
#define CLI_SWEEP_OPTIONS CLI_BACKEND, CLI_THREADS, CLI_LANES, CLI_SEGMENT, CLI_JUNCTION

/* What is about the loops of a model. */
#define CLI_LOOP_OPTIONS CLI_CLOSING, CLI_DRIFT, CLI_BAUMGARTE, CLI_AS_GIVEN

/* How motion is stepped. */
#define CLI_STEP_OPTIONS CLI_T_END, CLI_DT, CLI_INTEGRATOR, CLI_TOLERANCE

/* ---- options.c, help.c --------------------------------------------------------------------- */

/* One option: its name, the word for its value (NULL: a flag), and a line of help. */
typedef struct cli_option {
    const char *name;
    const char *value;
    const char *help;
} cli_option;

const cli_option *cli_option_at(cli_option_id id);

/* The name of the first of a list of options that is given, NULL: none of them. */
const char *cli_given_of(const cli_arguments *arguments, const cli_option_id *ids);

int32_t cli_lanes(const cli_arguments *arguments); /* 0: chosen */

/* Parse what follows the command's name; `help` is set when --help came before any error. */
bool cli_parse(const cli_command *command, int count, char *const *words, cli_arguments *arguments,
               bool *help);

/* The values that an option takes and no others, NULL at the end; NULL: any. */
const char *const *cli_option_choices(cli_option_id id);

/* What help and the manual page begin and end with. */
extern const char cli_subject[], cli_models[], cli_exits[];
extern const char *const cli_usage[];

bool cli_print_help(void);
bool cli_print_command_help(const cli_command *command);

/* ---- version.c ----------------------------------------------------------------------------- */

bool cli_print_version(void); /* one line */
bool cli_print_build(void);   /* and what it was built with */

/* ---- endings.c ----------------------------------------------------------------------------- */

/* Whether the file of --out has not the ending of another kind than is written. */
bool cli_check_ending(const cli_arguments *arguments);

/* ---- input.c ------------------------------------------------------------------------------- */

/* By the end of its name: whether a file is HDF5, .h5 or .hdf5; JSON. */
bool cli_is_h5(const char *path);
bool cli_is_json(const char *path);

/* Whether a regular file of 8 bytes or more begins with these, of which there are 8 at most: as HDF5 does without a seal. */
bool cli_begins_with(const char *path, const char *bytes);
#define CLI_HDF5 "\211HDF\r\n\032\n"

/* By its name or its first bytes: whether a file is HDF5, sealed or not. */
bool cli_holds_h5(const char *path);

/* Whether it is the name of a family. */
bool cli_is_family(const char *name);

/* The model of a file, by its name or, of HDF5, by its first bytes; any other is JSON. NULL with cli_error filled. */
rct_model *cli_read_model(const char *path);

/* The model of the operand in URDF or MJCF, by the options of imports; what these make it leave out is told. */
rct_model *cli_import_model(const cli_arguments *arguments, rct_import_report *report);

/* Whether --ignore-unsupported is about something where it is given. */
bool cli_check_import(const cli_arguments *arguments);

/* The model that the operand names. */
rct_model *cli_load(const cli_arguments *arguments);
rct_model *cli_generate_family(const cli_arguments *arguments);

/* What was asked for of a solver; the rest by default. */
rct_solver_options cli_solver_options(const cli_arguments *arguments);

/* An option that the method cannot heed is an error. */
rct_solver *cli_solver(const rct_model *model, const cli_arguments *arguments);

/* The same with nothing printed: cli_error has it. */
rct_solver *cli_try_solver(const rct_model *model, const cli_arguments *arguments);

/* To the state that --about asks for: as it started, or the rest found from there. */
bool cli_go_about(const cli_arguments *arguments, rct_solver *solver);

/* Whether a --tolerance is about something; and how many evaluations a step takes, NaN: as many as the error asks for. */
bool cli_check_tolerance(const cli_arguments *arguments);
double cli_evaluations(rct_integrator integrator);

/* Whether `path` is a file already that --overwrite does not give away. */
bool cli_is_kept(const cli_arguments *arguments, const char *path);

/* Whether a file to be written is none of those that are read, the operand, a motion or a sweep; refused in the name of `option`. */
bool cli_check_unread(const cli_arguments *arguments, const char *option, const char *path);

/* Whether `path` may be written: a file that exists needs --overwrite. NULL: nothing is written. */
bool cli_check_out(const cli_arguments *arguments, const char *path);

/* Whether what is to be read is a file: others, pipes above all, may give nothing for ever. */
bool cli_check_regular(const char *path);

/* ---- numbers.c ----------------------------------------------------------------------------- */

/* Whether the text is a whole number, as 1000, 1e6 or 2.5e3, and nothing else; `too_large`: it is one beyond all counts. */
bool cli_whole(const char *text, int64_t *whole, bool *too_large);

/* `count` zeroed numbers. */
double *cli_numbers(int64_t count, const char *what);

/* Ascending; and a quantile of numbers that are so, linear between the two on either side, NaN of none. */
void cli_sort(double *numbers, int64_t count);
double cli_quantile(const double *numbers, int64_t count, double share);

double cli_length(const double v[3]);
double cli_distance(const double a[3], const double b[3]);

/* ---- census.c ------------------------------------------------------------------------------ */

void cli_print_census(const rct_census *census);

/* ---- loops.c ------------------------------------------------------------------------------- */

/* An option that the model, or another option, makes idle is an error. */
bool cli_check_loops(const cli_arguments *arguments, const rct_model *model);

/* Key "loops", null for a model without; lines of a table, none for such a model. `run`, with the
 * largest violations that were seen, may be NULL. */
void cli_print_loops(const rct_model *model, const rct_loop_info *info, const rct_run_report *run);

/* How far open the start was before it was closed: keys, and a line if that is more than rounding. The function above
 * writes them too. */
void cli_print_start(const rct_model *model, const rct_loop_info *info);

/* ---- aggregates.c -------------------------------------------------------------------------- */

/* Key "aggregates", null where no loop is active; lines of a table, none for a model without loops. */
void cli_print_aggregates(const rct_model *model, const rct_aggregates *all);

/* Key "dof", of the tree; and in a table how many of these rates active loops leave independent. */
void cli_print_freedom(const rct_aggregates *all, int64_t dof);

/* ---- events.c ------------------------------------------------------------------------------ */

/* Key "events", null for a model without; lines of a table, none for such a model. */
bool cli_print_events(const rct_model *model, const rct_solver *solver);

/* ---- quoted.c ------------------------------------------------------------------------------ */

/* One word as a shell would need it written, to be freed; NULL without memory. */
char *cli_quoted(const char *word);

/* The command line as it could be typed again, likewise. */
char *cli_joined(int count, char *const *words);

/* ---- completion.c -------------------------------------------------------------------------- */

const char *const *cli_shells(void); /* that there is completion for */

/* ---- errors.c ------------------------------------------------------------------------------ */

/* Print "riccatree: TEXT" as one line on standard error. The process ends with `status`, if nothing else fails; CLI_OK: that
 * was no error. Gives false back. */
__attribute__((format(printf, 2, 3))) bool cli_fail(int status, const char *format, ...);

/* The same of what was given and cannot be used: CLI_BAD_INPUT. */
#define cli_refuse(...) cli_fail(CLI_BAD_INPUT, __VA_ARGS__)

/* Print "riccatree: warning: TEXT" likewise: the results stand, but are not what was meant. */
__attribute__((format(printf, 1, 2))) void cli_warn(const char *format, ...);

/* End with `status` without a word; gives false back. And what the process ends with. */
bool cli_end_with(int status);
int cli_exit_status(void);

/* From now on errors are kept, not printed: rank 0 prints for all. */
void cli_be_quiet(void);
bool cli_is_quiet(void);

/* Whether all ranks are `good`; if not, the error of the first that is not is printed. Alone: `good`. */
bool cli_agree(const cli_arguments *arguments, bool good);
bool cli_is_first(const cli_arguments *arguments); /* rank 0, or alone */

/* What a call of the library says that fails, and the exit status that it stands for. */
extern rct_error cli_error;
int cli_status(void);

/* Whether a call of the library did it, gave something; cli_error is printed if not. The third is for what is closed after a
 * run, where a file that cannot be written is no bad input. */
bool cli_did(rct_status status);
bool cli_have(const void *made);
bool cli_closed(rct_status status);

bool cli_have_memory(const void *memory);

/* A warning, unless the file was checked. */
void cli_warn_unchecked(const char *path, int checked);

/* ---- output.c ------------------------------------------------------------------------------ */

/* Standard output, with the first failure remembered: a table or other lines of text, or one JSON object written as it
 * comes. A command tells all that it has once: what is about the other of the two writes nothing. */

/* Begin, with a table whose first column has that width, or with the object. */
void cli_output_start(bool json, int width);

/* End the object, flush; false, with the error printed, if not everything could be written. */
bool cli_output_finish(void);

/* Standard output cannot be written: that is told, but not if it is a pipe whose reader has left. Gives false back. */
bool cli_output_failed(int number);

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

/* A name for a table, "(no name)" for none: what would break its line is shown as '?'. Gives `plain` back. */
const char *cli_plain_name(const char *name, char plain[RCT_NAME_SIZE]);

enum { CLI_SHORT_TEXT = 32, CLI_COUNTED = 64 };

/* "1 body", "2 bodies", "1 degree of freedom": a count, and its noun in the number that it asks for. Gives `text` back. */
const char *cli_counted(int64_t count, const char *noun, char text[CLI_COUNTED]);

/* "12 B", "3.4 MB"; "12 s", "3 min 20 s", "2 h 5 min". Give `text` back. */
const char *cli_bytes_text(int64_t bytes, char text[CLI_SHORT_TEXT]);
const char *cli_duration_text(double seconds, char text[CLI_SHORT_TEXT]);

/* ---- progress.c ---------------------------------------------------------------------------- */

/* A share of the work that is done after `elapsed` seconds, and a text beside it, in one line on standard error, if that is
 * a terminal. It is to be cleared before something else is printed; errors do so. */
void cli_progress(double share, double elapsed, const char *text);
void cli_progress_clear(void);

/* ---- clock.c ------------------------------------------------------------------------------- */

double cli_seconds(void); /* s, monotonic */

/* From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGUSR1 are remembered, the first that comes; a second SIGINT or
 * SIGTERM ends the process. */
void cli_catch_signals(void);
int cli_signal_caught(void);              /* its number, or 0                        */
const char *cli_signal_words(int number); /* why the run ends, as "interrupted (...)" */

#endif
