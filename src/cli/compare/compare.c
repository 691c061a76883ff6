/* riccatree compare: both methods and the reference formulations on one initial state: the
 * difference of each from the base, and the time of an evaluation. */
#include "compare/compare.h"

#include <stdlib.h>
#include <string.h>

/* Record the failure of an entry in its note, or print it as an error. */
static bool fail_entry(const cli_comparison *comparison, cli_entry *entry)
{
    memcpy(entry->note, cli_error.text, sizeof entry->note);
    entry->status = cli_error.status;
    return comparison->all_told || cli_fail(cli_status(), "%s: %s", entry->name, cli_error.text);
}

/* Evaluate once for the result, which also warms the caches, then `repeat` times for the time. */
static bool time_method(const cli_comparison *comparison, cli_entry *entry, rct_solver *solver,
                        double *times, int64_t repeat)
{
    rct_status result = cli_accelerations_of_solver(&entry->rows, solver);
    for (int64_t i = 0; i < repeat && result == RCT_OK; i++) {
        const double start = cli_seconds();
        result = rct_solver_evaluate(solver, &cli_error);
        times[i] = cli_seconds() - start;
    }
    if (result != RCT_OK) {
        return fail_entry(comparison, entry);
    }
    entry->present = true;
    entry->repeats = repeat;
    cli_sort(times, repeat);
    entry->seconds = cli_quantile(times, repeat, 0.5);
    return true;
}

/* abi covers every model, and admittance all loops. Another method may refuse a model or loop;
 * it is then shown as not available. */
static rct_solver *make_solver(cli_entry *entry, const rct_model *model,
                               const cli_arguments *arguments)
{
    cli_arguments chosen = *arguments;
    chosen.method = entry->number;
    chosen.closing = entry->closing;
    chosen.backend = entry->backend != NULL ? entry->backend : arguments->backend;
    if (entry->serial) {
        chosen.threads = 1;
        chosen.lanes = 0;
        chosen.segment = 0;
    }
    rct_solver *solver = cli_try_solver(model, &chosen);
    if (solver == NULL && cli_error.status == RCT_ERROR_UNSUPPORTED &&
        (chosen.method != RCT_METHOD_ABI || entry->closing != RCT_CLOSING_ADMITTANCE)) {
        memcpy(entry->note, cli_error.text, sizeof entry->note);
        entry->status = cli_error.status;
    }
    return solver;
}

bool cli_has_active_loops(const rct_model *model)
{
    bool active = false;
    for (int32_t i = 0; i < rct_model_loop_count(model) && !active; i++) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        active = loop.active != 0;
    }
    return active;
}

/* The state is the same for all. Solvers close loops before they start, each in its own way, so
 * the others and the references get the state that the first solver closed. */
static bool see_state(cli_comparison *comparison, rct_solver *solver)
{
    rct_solver_info info;
    if (comparison->seen) {
        return comparison->coordinates == NULL ||
               cli_did(rct_solver_set_coordinates(solver, comparison->coordinates,
                                                  comparison->rates, &cli_error));
    }
    comparison->seen = true;
    if (!cli_natural_sizes(comparison->model, solver, comparison->natural)) {
        return false;
    }
    if (!cli_has_active_loops(comparison->model)) {
        return true;
    }
    rct_solver_get_info(solver, &info);
    comparison->coordinates = cli_numbers(info.coordinates + info.dof, "the state");
    if (comparison->coordinates == NULL) {
        return false;
    }
    comparison->rates = comparison->coordinates + info.coordinates;
    rct_solver_get_coordinates(solver, comparison->coordinates, comparison->rates);
    return true;
}

static bool run_method(cli_comparison *comparison, cli_entry *entry, const cli_arguments *arguments)
{
    rct_solver *solver = make_solver(entry, comparison->model, arguments);
    if (solver == NULL && comparison->all_told) {
        return fail_entry(comparison, entry);
    }
    if (solver == NULL) {
        return entry->note[0] != '\0' || cli_have(solver);
    }
    double *times = cli_numbers(arguments->repeat, "the times");
    rct_solver_get_info(solver, &entry->info);
    const bool good = times != NULL && see_state(comparison, solver) &&
                      time_method(comparison, entry, solver, times, arguments->repeat);
    free(times);
    rct_solver_free(solver);
    return good;
}

/* References run once. A reference that fails is an error only if the user asked to compare with
 * it. */
static bool run_reference(const cli_comparison *comparison, cli_entry *entry,
                          const cli_arguments *arguments)
{
    const rct_reference reference = (rct_reference)entry->number;
    const double start = cli_seconds();
    entry->present =
        cli_accelerations_of_reference(&entry->rows, comparison->model, reference,
                                       comparison->coordinates, comparison->rates) == RCT_OK;
    entry->seconds = cli_seconds() - start;
    entry->repeats = 1;
    if (entry->present) {
        return true;
    }
    memcpy(entry->note, cli_error.text, sizeof entry->note);
    entry->status = cli_error.status;
    return !arguments->given[CLI_REFERENCE] || arguments->reference != entry->number ||
           cli_fail(cli_status(), "%s: %s", entry->name, cli_error.text);
}

/* Whether one reference is asked for by name. */
static bool asks_one(const cli_arguments *arguments)
{
    return arguments->given[CLI_REFERENCE] && arguments->reference < CLI_REFERENCES;
}

static bool is_other(const cli_arguments *arguments)
{
    return asks_one(arguments) && arguments->reference > RCT_REFERENCE_SPATIAL;
}

/* The base of all differences: the reference asked for; else lagrange if it gave a result; else
 * riccati; else abi. */
static const cli_entry *find_base(const cli_comparison *comparison, const cli_arguments *arguments)
{
    const cli_entry *riccati = &comparison->entries[CLI_ENTRY_RICCATI];
    const cli_entry *lagrange = &comparison->entries[CLI_ENTRY_LAGRANGE];
    if (asks_one(arguments)) {
        return is_other(arguments) ? &comparison->entries[CLI_ENTRY_ASKED]
                                   : lagrange + arguments->reference;
    }
    if (arguments->reference != CLI_REFERENCE_NONE && lagrange->present) {
        return lagrange;
    }
    return riccati->present ? riccati : &comparison->entries[CLI_ENTRY_ABI_SERIAL];
}

static bool run_entry(cli_comparison *comparison, cli_entry *entry, const cli_arguments *arguments)
{
    return cli_accelerations_create(&entry->rows, comparison->model) &&
           (entry->solver ? run_method(comparison, entry, arguments)
                          : run_reference(comparison, entry, arguments));
}

bool cli_comparison_evaluate(cli_comparison *comparison, const cli_arguments *arguments)
{
    for (int64_t i = 0; i < comparison->count; i++) {
        cli_entry *entry = &comparison->entries[i];
        if (!entry->idle && !run_entry(comparison, entry, arguments)) {
            return false;
        }
    }
    comparison->base = find_base(comparison, arguments);
    return cli_comparison_measure(comparison);
}

bool cli_comparison_add(cli_comparison *comparison, cli_entry *entry,
                        const cli_arguments *arguments)
{
    const bool good = run_entry(comparison, entry, arguments);
    if (good && entry->present) {
        cli_entry_measure(entry, comparison);
    }
    cli_accelerations_free(&entry->rows);
    return good;
}

/* The identities of the spatial operators in the state that is compared. */
static bool identify(cli_comparison *comparison, const cli_arguments *arguments)
{
    comparison->identified = arguments->given[CLI_IDENTITIES];
    if (!comparison->identified) {
        return true;
    }
    if (!arguments->given[CLI_REFERENCE] || (arguments->reference != RCT_REFERENCE_SPATIAL &&
                                             arguments->reference != RCT_REFERENCE_CLOSED_CHAIN)) {
        return cli_refuse("--identities checks the operators of seed 001; give --reference spatial "
                          "or --reference closed-chain too");
    }
    return rct_reference_identities(comparison->model, 0.0, comparison->coordinates,
                                    comparison->rates, comparison->identities,
                                    &cli_error) == RCT_OK ||
           cli_fail(cli_status(), "%s", cli_error.text);
}

#define METHOD(label, method, ...)                                                                 \
    {                                                                                              \
        .name = (label), .solver = true, .number = (method), __VA_ARGS__                           \
    }

static const cli_entry methods[CLI_ENTRY_LAGRANGE] = {
    [CLI_ENTRY_ABI_SERIAL] = METHOD("abi serial", RCT_METHOD_ABI, .serial = true),
    [CLI_ENTRY_ABI] = METHOD("abi", RCT_METHOD_ABI, .serial = false),
    [CLI_ENTRY_RICCATI_SERIAL] = METHOD("riccati serial", RCT_METHOD_RICCATI, .serial = true),
    [CLI_ENTRY_RICCATI] = METHOD("riccati", RCT_METHOD_RICCATI, .serial = false),
    [CLI_ENTRY_EMBEDDING] =
        METHOD("abi embedding", RCT_METHOD_ABI, .closing = RCT_CLOSING_EMBEDDING),
    [CLI_ENTRY_MULTIPLIERS] =
        METHOD("abi multipliers", RCT_METHOD_ABI, .closing = RCT_CLOSING_MULTIPLIERS),
    [CLI_ENTRY_QR] = METHOD("abi qr", RCT_METHOD_ABI, .closing = RCT_CLOSING_QR),
    [CLI_ENTRY_SVD] = METHOD("abi svd", RCT_METHOD_ABI, .closing = RCT_CLOSING_SVD),
    [CLI_ENTRY_RICCATI_QR] = METHOD("riccati qr", RCT_METHOD_RICCATI, .closing = RCT_CLOSING_QR),
    [CLI_ENTRY_RICCATI_SVD] = METHOD("riccati svd", RCT_METHOD_RICCATI, .closing = RCT_CLOSING_SVD),
};

static cli_entry reference_entry(int64_t number)
{
    const rct_reference reference = (rct_reference)number;
    return (cli_entry){.name = rct_reference_name(reference), .number = (int)number};
}

/* The reference of an accelerator is included only if it is asked for, because few machines have
 * one. The same holds for the reductions of the Lagrangian system and others for small models,
 * which agree with it. */
static int64_t fill_entries(cli_entry *filled, const cli_arguments *arguments)
{
    memcpy(filled, methods, sizeof methods);
    if (arguments->reference == CLI_REFERENCE_NONE) {
        return CLI_ENTRY_LAGRANGE;
    }
    for (int64_t r = 0; r < CLI_REFERENCES; r++) {
        filled[CLI_ENTRY_LAGRANGE + r] = reference_entry(r);
    }
    if (arguments->reference == CLI_REFERENCE_ALL) {
        return CLI_ENTRIES;
    }
    if (is_other(arguments)) {
        filled[CLI_ENTRY_ASKED] = reference_entry(arguments->reference);
        return CLI_ENTRY_ASKED + 1;
    }
    return CLI_ENTRY_ASKED;
}

void cli_comparison_fill(cli_comparison *comparison, const rct_model *model,
                         const cli_arguments *arguments)
{
    const bool open = !cli_has_active_loops(model);
    comparison->model = model;
    comparison->count = fill_entries(comparison->entries, arguments);
    for (int i = CLI_ENTRY_EMBEDDING; i < CLI_ENTRY_LAGRANGE; i++) {
        comparison->entries[i].idle = open;
    }
}

void cli_comparison_free(cli_comparison *comparison)
{
    for (int64_t i = 0; i < comparison->count; i++) {
        cli_accelerations_free(&comparison->entries[i].rows);
    }
    free(comparison->coordinates);
}

static bool compare(const cli_arguments *arguments)
{
    rct_model *model = cli_load(arguments);
    cli_comparison comparison = {.count = 0};
    if (model != NULL) {
        cli_comparison_fill(&comparison, model, arguments);
    }
    const bool good = model != NULL && cli_comparison_evaluate(&comparison, arguments) &&
                      identify(&comparison, arguments) &&
                      cli_comparison_print(&comparison, arguments->given[CLI_JSON]);
    cli_comparison_free(&comparison);
    rct_model_free(model);
    return good;
}

const cli_command cli_compare = {
    .name = "compare",
    .operand = "MODEL|FAMILY",
    .summary = "Compare the methods with each other and with the reference formulations.",
    .details =
        "\nDifferences are from the base: lagrange if it is available, else riccati, else abi. "
        "They\n"
        "are relative to the largest magnitude of the base, or to its natural size if that is\n"
        "larger. \"serial\" is with --segment 0 --threads 1. References are timed once: lagrange,\n"
        "transfer (trees of ball, free and fixed hinges), spatial, and the one that is asked\n"
        "for. Further references, for small models: dense is lagrange on an accelerator; forces,\n"
        "mixed, spins, augmented, barycentres, directions, torques and angles are reductions of\n"
        "lagrange; gauss uses the principle of least constraint; semi-recursive-1 and -2 are for\n"
        "motion in a plane; closed-chain is spatial with loops. --reference all runs every\n"
        "reference that covers the model, none runs no reference. abi and riccati close loops by\n"
        "admittance, each on its own factor of the tree. Further lines close them by embedding,\n"
        "multipliers, qr and svd; qr and svd use the factor of the tree too. All references but\n"
        "transfer and spatial close loops.\n",
    .options = CLI_LIST(CLI_REFERENCE, CLI_IDENTITIES, CLI_REPEAT, CLI_SWEEP_OPTIONS, CLI_JSON,
                        CLI_MODEL_OPTIONS),
    .run = compare,
};
