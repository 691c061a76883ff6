/* The command line from the inside: exit statuses, the arguments, and what commands share.
 *
 * A command gets its arguments parsed and checked one by one, and works through the public interface alone.
 * Results go to standard output. An error is one line on standard error, printed where it is found; the function
 * then returns false or NULL. The exit status is that of the last error. So every function here that returns a
 * bool or a pointer and can fail has printed the reason when it fails. */
#ifndef RCT_CLI_CLI_H
#define RCT_CLI_CLI_H

#include <riccatree/riccatree.h>

#include <stdbool.h>

/* A run ended by a signal exits with 128 + its number, as a shell reports it. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_BAD_INPUT = 2, CLI_SOME_FAILED = 3, CLI_SIGNAL = 128 };

typedef enum cli_option_id {
    CLI_END = 0, /* ends a list of options */
#define OPTION(id, name, value, rule, help) CLI_##id,
#include "option_list.h"
#undef OPTION
    CLI_OPTIONS
} cli_option_id;

/* A choice is a number, in the order of the names of the choices (options.c). */
enum { CLI_METHOD_LAGRANGE = 2 }; /* references come after those of rct_method, in their order */
enum { CLI_REFERENCES = 16, CLI_REFERENCE_NONE = CLI_REFERENCES, CLI_REFERENCE_ALL };

/* Steps between the frames of a run, unless the run has fewer steps. */
enum { CLI_USUAL_INTERVALS = 100 };

/* An interval: a number of steps, or else a time. */
typedef struct cli_interval {
    int64_t steps;  /* 0: the interval is a time */
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
    const char *operand; /* MODEL, FAMILY, or NULL if the command takes no operand */
    cli_texts more;      /* further operands, of a command that takes them */
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
    int64_t lanes;   /* the choice, not the number of lanes: cli_lanes gives that */
    int64_t segment; /* links, or RCT_SEGMENT_AUTO                         */
    int64_t junction;
    int64_t closing;
    int64_t drift;
    double baumgarte[2]; /* 1/s */
    int64_t integrator;
    double tolerance;
    double t_end;     /* s */
    double max_drift; /* a ratio; 0: none was given */
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
    const char *operand; /* its word in the usage, in brackets if it is optional; NULL: none */
    const char *more;    /* the word of further operands; NULL: none */
    const char *summary;
    const char *details; /* lines after the options in the help, or NULL */
    const cli_option_id *options;
    bool (*run)(const cli_arguments *arguments);
    bool on_ranks; /* whether the processes that mpirun starts run it together */
} cli_command;

#define CLI_LIST(...) ((const cli_option_id[]){__VA_ARGS__, CLI_END})

/* The options of families; and the first options of every command that takes MODEL|FAMILY. */
#define CLI_ROD_OPTIONS                                                                            \
    CLI_LENGTH, CLI_DENSITY, CLI_RADIUS, CLI_BENDING, CLI_TWIST, CLI_DELAY, CLI_PINNED
#define CLI_FAMILY_OPTIONS                                                                         \
    CLI_BODIES, CLI_SYSTEMS, CLI_HINGE, CLI_SEED, CLI_PERTURB, CLI_ROD_OPTIONS
#define CLI_MODEL_OPTIONS CLI_FAMILY_OPTIONS, CLI_IGNORE_UNSUPPORTED, CLI_REPAIR_INERTIA

/* The options of the sweeps of a solver; a reference has no sweeps. */
#define CLI_SWEEP_OPTIONS CLI_BACKEND, CLI_THREADS, CLI_LANES, CLI_SEGMENT, CLI_JUNCTION

/* The options of the loops of a model. */
#define CLI_LOOP_OPTIONS CLI_CLOSING, CLI_DRIFT, CLI_BAUMGARTE, CLI_AS_GIVEN

/* The options of integration. */
#define CLI_STEP_OPTIONS CLI_T_END, CLI_DT, CLI_INTEGRATOR, CLI_TOLERANCE

/* ---- options.c, help.c --------------------------------------------------------------------- */

/* One option: its name, the word for its value (NULL: a flag), and a line of help. */
typedef struct cli_option {
    const char *name;
    const char *value;
    const char *help;
} cli_option;

const cli_option *cli_option_at(cli_option_id id);

/* The name of the first given option of a list; NULL: none is given. */
const char *cli_given_of(const cli_arguments *arguments, const cli_option_id *ids);

int32_t cli_lanes(const cli_arguments *arguments); /* 0: chosen by the library */

/* The step: --dt, or its default for a run of `frames` frames, 0: the usual number. With error
 * control that goes from frame to frame; the integrator chooses shorter steps itself. */
double cli_step(const cli_arguments *arguments, double t_end, int64_t frames);

/* Parse the words after the command's name. `help` is set if --help came before any error. */
bool cli_parse(const cli_command *command, int count, char *const *words, cli_arguments *arguments,
               bool *help);

/* The only values that an option takes, NULL at the end; NULL: any value. */
const char *const *cli_option_choices(cli_option_id id);

/* The first and last paragraphs of help and of the manual page. */
extern const char cli_subject[], cli_models[], cli_exits[];
extern const char *const cli_usage[];

bool cli_print_help(void);
bool cli_print_command_help(const cli_command *command);

/* ---- version.c ----------------------------------------------------------------------------- */

bool cli_print_version(void); /* one line */
bool cli_print_build(void);   /* and its build */

/* ---- endings.c ----------------------------------------------------------------------------- */

/* Whether the ending of the file of --out fits the kind of file that is written. */
bool cli_check_ending(const cli_arguments *arguments);

/* ---- input.c ------------------------------------------------------------------------------- */

/* Whether a file is HDF5, .h5 or .hdf5, or JSON by the ending of its name. */
bool cli_is_h5(const char *path);
bool cli_is_json(const char *path);

/* Whether a regular file of 8 bytes or more begins with these bytes, at most 8: an HDF5 file without a seal does. */
bool cli_begins_with(const char *path, const char *bytes);
#define CLI_HDF5 "\211HDF\r\n\032\n"

/* Whether a file is HDF5, sealed or not, by its name or its first bytes. */
bool cli_holds_h5(const char *path);

/* Whether this is the name of a family. */
bool cli_is_family(const char *name);

/* The model of a file: HDF5 by its name or its first bytes, else JSON. NULL with cli_error filled. */
rct_model *cli_read_model(const char *path);

/* The model of the operand in URDF or MJCF, by the options of imports; prints what these options leave out. */
rct_model *cli_import_model(const cli_arguments *arguments, rct_import_report *report);

/* Whether --ignore-unsupported, if given, has an effect. */
bool cli_check_import(const cli_arguments *arguments);

/* The model that the operand names. */
rct_model *cli_load(const cli_arguments *arguments);
rct_model *cli_generate_family(const cli_arguments *arguments);

/* The solver options that were given; the rest by default. */
rct_solver_options cli_solver_options(const cli_arguments *arguments);

/* An option that the method cannot use is an error. */
rct_solver *cli_solver(const rct_model *model, const cli_arguments *arguments);

/* The same, but printing nothing: cli_error has the error. */
rct_solver *cli_try_solver(const rct_model *model, const cli_arguments *arguments);

/* Move to the state that --about asks for: the start, or the rest found from there. */
bool cli_go_about(const cli_arguments *arguments, rct_solver *solver);

/* Whether a --tolerance has an effect; and how many evaluations a step takes, NaN: it depends on the error. */
bool cli_check_tolerance(const cli_arguments *arguments);
double cli_evaluations(rct_integrator integrator);

/* Whether `path` is an existing file that --overwrite does not allow to replace. */
bool cli_is_kept(const cli_arguments *arguments, const char *path);

/* Whether a file to be written differs from all that are read: the operand, a motion, a sweep. If not, the error
 * names `option`. */
bool cli_check_unread(const cli_arguments *arguments, const char *option, const char *path);

/* Whether the path of an option is not "-": `what`, in the plural, cannot go to standard output. NULL: none is given. */
bool cli_check_named(const char *option, const char *path, const char *what);

/* Whether `path` may be written: an existing file needs --overwrite. NULL: nothing is written. */
bool cli_check_out(const cli_arguments *arguments, const char *path);

/* Whether the path to read is a file: others, above all pipes, may never end. */
bool cli_check_regular(const char *path);

/* ---- numbers.c ----------------------------------------------------------------------------- */

/* Whether the text is exactly a whole number, such as 1000, 1e6 or 2.5e3; `too_large`: it is one, but larger than
 * any count. */
bool cli_whole(const char *text, int64_t *whole, bool *too_large);

/* Allocate `count` zeroed numbers. */
double *cli_numbers(int64_t count, const char *what);

/* Sort ascending; and a quantile of sorted numbers, linear between its two neighbours, NaN if there are none. */
void cli_sort(double *numbers, int64_t count);
double cli_quantile(const double *numbers, int64_t count, double share);

double cli_length(const double v[3]);
double cli_distance(const double a[3], const double b[3]);

/* ---- census.c ------------------------------------------------------------------------------ */

void cli_print_census(const rct_census *census);

/* An option without effect because of the model or another option is an error. */

/* Key "loops", null for a model without loops; lines of a table, none for such a model. `run`, which has the
 * largest violations seen, may be NULL. */
bool cli_check_loops(const cli_arguments *arguments, const rct_model *model);

/* The violations of the start before it was closed: keys, and a line if they are more than rounding. The function
 * above writes them too. */
void cli_print_loops(const rct_model *model, const rct_loop_info *info, const rct_run_report *run);

/* How far open the start was before it was closed: keys, and a line if that is more than rounding. The function above
 * writes them too. */
void cli_print_start(const rct_model *model, const rct_loop_info *info);

/* Warn if it was, where the output has no such line. */
void cli_warn_start(const rct_model *model, rct_solver *solver);

/* ---- aggregates.c -------------------------------------------------------------------------- */

/* Key "aggregates", null if no loop is active; lines of a table, none for a model without loops. */
void cli_print_aggregates(const rct_model *model, const rct_aggregates *all);

/* Key "dof", of the tree; in a table also how many of these rates the active loops leave independent. */
void cli_print_freedom(const rct_aggregates *all, int64_t dof);

/* ---- events.c ------------------------------------------------------------------------------ */

/* Key "events", null for a model without events; lines of a table, none for such a model. */
bool cli_print_events(const rct_model *model, const rct_solver *solver);

/* ---- quoted.c ------------------------------------------------------------------------------ */

/* One word quoted for a shell, to be freed; NULL if memory is short. */
char *cli_quoted(const char *word);

/* The command line as it could be typed again, likewise. */
char *cli_joined(int count, char *const *words);

/* ---- completion.c -------------------------------------------------------------------------- */

const char *const *cli_shells(void); /* the shells with completion */

/* ---- errors.c ------------------------------------------------------------------------------ */

/* Print "riccatree: TEXT" as one line on standard error, and set the exit status to `status` unless another error
 * follows. Returns false. */
__attribute__((format(printf, 2, 3))) bool cli_fail(int status, const char *format, ...);

/* The same for input that cannot be used: CLI_BAD_INPUT. */
#define cli_refuse(...) cli_fail(CLI_BAD_INPUT, __VA_ARGS__)

/* Print "riccatree: warning: TEXT" likewise: the results may not be what was meant. */
__attribute__((format(printf, 1, 2))) void cli_warn(const char *format, ...);

/* Set the exit status to `status` without printing; returns false. And the exit status of the process. */
bool cli_end_with(int status);
int cli_exit_status(void);

/* From now on keep errors instead of printing them: rank 0 prints for all. */
void cli_be_quiet(void);
bool cli_is_quiet(void);

/* Whether all ranks are `good`; otherwise print the error of the first rank that is not. Without ranks: `good`. */
bool cli_agree(const cli_arguments *arguments, bool good);
bool cli_is_first(const cli_arguments *arguments); /* rank 0, or alone */

/* The error of a failed call of the library, and the exit status for it. */
extern rct_error cli_error;
int cli_status(void);

/* Whether a call of the library succeeded, or returned an object; if not, print cli_error. The third is for
 * closing after a run, where a file that cannot be written is not bad input. */
bool cli_did(rct_status status);
bool cli_have(const void *made);
bool cli_closed(rct_status status);

bool cli_have_memory(const void *memory);

/* Warn, unless the file was checked. */
void cli_warn_unchecked(const char *path, int checked);

/* ---- output.c ------------------------------------------------------------------------------ */

/* Standard output: a table or other lines of text, or one JSON object written as it comes. The first failure is
 * remembered. A command writes everything once for both: functions of the form not asked for write nothing. */

/* Begin with a table whose first column has this width, or with the object. */
void cli_output_start(bool json, int width);

/* End the object and flush. Returns false, with the error printed, if not everything could be written. */
bool cli_output_finish(void);

/* Report that standard output cannot be written, unless it is a pipe whose reader has left. Returns false. */
bool cli_output_failed(int number);

bool cli_output_works(void); /* whether nothing has failed so far */

/* Print text; a part of a line; a label in the first column of a table; a line with a label. In parts and lines,
 * characters that would steer a terminal or break the line become '?'. */
__attribute__((format(printf, 1, 2))) void cli_print(const char *format, ...);
__attribute__((format(printf, 1, 2))) void cli_print_plain(const char *format, ...);
void cli_label(const char *label);
__attribute__((format(printf, 2, 3))) void cli_line(const char *label, const char *format, ...);

/* JSON: `key` is NULL within an array. Numbers that are not finite become null; bytes of a string that are not
 * UTF-8 become U+FFFD. */
void cli_json_open(const char *key, char bracket);
void cli_json_open_line(void); /* an object in an array, on its own line */
void cli_json_close(const char *bracket);
void cli_json_text(const char *key, const char *value); /* NULL: null */
void cli_json_count(const char *key, int64_t value);
void cli_json_bool(const char *key, bool value);
void cli_json_real(const char *key, double value);
void cli_json_vector(const char *key, const double *values, int count);

/* A value under its key, or as a line "LABEL VALUE", followed by `after`. */
void cli_count(const char *key, const char *label, int64_t value, const char *after);
void cli_text(const char *key, const char *label, const char *value);
void cli_model_name(const char *name);

/* A name for a table, "(no name)" for none; characters that would break its line become '?'. Returns `plain`. */
const char *cli_plain_name(const char *name, char plain[RCT_NAME_SIZE]);

enum { CLI_SHORT_TEXT = 32, CLI_COUNTED = 64 };

/* "1 body", "2 bodies", "1 degree of freedom": a count and its noun, singular or plural. Returns `text`. */
const char *cli_counted(int64_t count, const char *noun, char text[CLI_COUNTED]);

/* "12 B", "3.4 MB"; "12 s", "3 min 20 s", "2 h 5 min". Return `text`. */
const char *cli_bytes_text(int64_t bytes, char text[CLI_SHORT_TEXT]);
const char *cli_duration_text(double seconds, char text[CLI_SHORT_TEXT]);

/* ---- progress.c ---------------------------------------------------------------------------- */

/* One line on standard error, if that is a terminal: the share of the work done after `elapsed` seconds, and a
 * text. Clear it before printing anything else; errors do. */
void cli_progress(double share, double elapsed, const char *text);
void cli_progress_clear(void);

/* ---- clock.c ------------------------------------------------------------------------------- */

double cli_seconds(void); /* s, monotonic */

/* From now on remember the first of SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGUSR1; a second SIGINT or SIGTERM ends
 * the process. */
void cli_catch_signals(void);
int cli_signal_caught(void);              /* its number, or 0                        */
const char *cli_signal_words(int number); /* the reason the run ends, as "interrupted (...)" */

#endif
