/* The table of `riccatree compare`: methods and references, their results, and their
 * differences. */
#ifndef RCT_CLI_COMPARE_H
#define RCT_CLI_COMPARE_H

#include "accelerations.h"
#include "cli.h"

enum { CLI_COMPARED = CLI_FORCE + 1 }; /* quantities */

/* Differences of whole vectors by their norms, relative to the scale of the quantity. */
typedef struct cli_difference {
    double largest[CLI_COMPARED];
    double rms[CLI_COMPARED];
    bool no_force; /* forces are not unique: their numbers are NaN and not in the worst ones */
    int32_t body[CLI_COMPARED]; /* where the largest is                    */
    double worst;               /* largest of the largest */
    double worst_rms;           /* largest of the rms     */
} cli_difference;

typedef struct cli_entry {
    const char *name;
    const char *backend;            /* of a method; NULL: as asked for                */
    int number;                     /* its rct_method or rct_reference                */
    rct_closing closing;            /* of loops                                       */
    rct_status status;              /* if it gave no result                           */
    bool solver;                    /* a method of the solver, not a reference        */
    bool serial;                    /* always one thread and no segments              */
    bool idle;                      /* not asked for: closes loops, and the model has none */
    bool present;                   /* it gave a result                               */
    char note[RCT_ERROR_TEXT_SIZE]; /* why not, "" if it did                          */
    cli_accelerations rows;
    rct_solver_info info; /* of the solver                                            */
    double seconds;       /* of one evaluation, median                                */
    int64_t repeats;
    cli_difference difference;
} cli_entry;

/* References last, from CLI_ENTRY_LAGRANGE on in the order of rct_reference. */
typedef enum cli_entry_index {
    CLI_ENTRY_ABI_SERIAL,
    CLI_ENTRY_ABI,
    CLI_ENTRY_RICCATI_SERIAL,
    CLI_ENTRY_RICCATI,
    CLI_ENTRY_EMBEDDING, /* the other ways to close loops, in the order of rct_closing */
    CLI_ENTRY_MULTIPLIERS,
    CLI_ENTRY_QR,
    CLI_ENTRY_SVD,
    CLI_ENTRY_RICCATI_QR, /* the ways that use a method's factor of the tree */
    CLI_ENTRY_RICCATI_SVD,
    CLI_ENTRY_LAGRANGE,
    CLI_ENTRY_ASKED = CLI_ENTRY_LAGRANGE + 3, /* one further reference, if asked for by name */
    CLI_ENTRIES = CLI_ENTRY_LAGRANGE + CLI_REFERENCES
} cli_entry_index;

typedef struct cli_comparison {
    const rct_model *model;
    bool
        all_told; /* an entry that fails is kept with its note; else it ends the comparison with an error */
    int64_t count; /* of entries */
    cli_entry entries[CLI_ENTRIES];
    const cli_entry *base;
    double *coordinates, *rates; /* of the state, with loops closed; NULL: no active loops    */
    bool identified;             /* whether the identities of the operators were asked for     */
    double identities[RCT_REFERENCE_IDENTITIES]; /* their errors                                */
    bool seen;                    /* whether the state is known; then also:                  */
    double natural[CLI_COMPARED]; /* m/s^2, rad/s^2, N: natural sizes (natural.c)           */
    double scale[CLI_COMPARED];   /* same units: differences are relative to these          */
} cli_comparison;

/* Whether a loop of the model is active from the start. */
bool cli_has_active_loops(const rct_model *model);

/* compare.c: make the entries that the arguments and the model ask for; evaluate each and its
 * differences from the base; then evaluate one more, of a solver. The last function frees all. */
void cli_comparison_fill(cli_comparison *comparison, const rct_model *model,
                         const cli_arguments *arguments);
bool cli_comparison_evaluate(cli_comparison *comparison, const cli_arguments *arguments);
bool cli_comparison_add(cli_comparison *comparison, cli_entry *entry,
                        const cli_arguments *arguments);
void cli_comparison_free(cli_comparison *comparison);

/* natural.c: the sizes that accelerations and hinge forces would have in the state of a solver
 * if nothing cancelled. */
bool cli_natural_sizes(const rct_model *model, const rct_solver *solver,
                       double sizes[CLI_COMPARED]);

/* N: the largest sum over a tree on the ground of masses times the lengths of their
 * accelerations [n][3] (NULL: none), each at least `at_least` m/s^2; NaN if memory is short. */
double cli_heaviest_tree(const rct_model *model, const double *linear, double at_least);

/* difference.c: the scales, and the differences of all entries. */
bool cli_comparison_measure(cli_comparison *comparison);
void cli_entry_measure(cli_entry *entry, const cli_comparison *comparison);
double cli_largest_length(const double *rows, int64_t count); /* of vectors */

/* report.c */
bool cli_comparison_print(const cli_comparison *comparison, bool json);

#endif
