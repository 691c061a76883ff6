/* The initial state by everything that can compute it: methods, references, ways to close loops,
 * widths, threads and segments of sweeps, backends. `riccatree compare` does all of it. */
#include "verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* References that keep their digits on systems of any length, and on closed loops, except for
 * rounding (docs/accuracy.md); and the number of bodies up to which they take a few seconds. */
static const struct {
    rct_reference reference;
    int32_t bodies;
} references[] = {
    {RCT_REFERENCE_LAGRANGE, 40000},
    {RCT_REFERENCE_SPATIAL, 100},
    {RCT_REFERENCE_CLOSED_CHAIN, 100},
};

enum { REFERENCES = sizeof references / sizeof references[0] };

/* Closing loops by dense matrices takes minutes beyond this many constraints. */
enum { MOST_DENSE = 300 };

static int64_t count_constraints(const rct_model *model)
{
    int64_t count = 0;
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        rct_loop loop = rct_loop_default();
        rct_model_loop(model, i, &loop, NULL);
        count += loop.active != 0 ? rct_loop_constraints(loop.type) : 0;
    }
    return count;
}

/* Make the entries of compare that are not wanted, or take too long, idle. */
void cli_verify_choose_entries(cli_comparison *comparison)
{
    for (int64_t i = CLI_ENTRY_LAGRANGE; i < comparison->count; i++) {
        comparison->entries[i].idle = true;
    }
    for (int r = 0; r < REFERENCES; r++) {
        comparison->entries[CLI_ENTRY_LAGRANGE + references[r].reference].idle =
            rct_model_body_count(comparison->model) > references[r].bodies;
    }
    for (int i = CLI_ENTRY_QR; i <= CLI_ENTRY_RICCATI_SVD; i++) {
        cli_entry *entry = &comparison->entries[i];
        entry->idle = entry->idle || count_constraints(comparison->model) > MOST_DENSE;
    }
}

static const char *name_worst(const cli_verification *v, const cli_entry *entry,
                              char name[RCT_NAME_SIZE])
{
    const cli_difference *d = &entry->difference;
    const int k = d->largest[CLI_ANGULAR] > d->largest[CLI_LINEAR] ? CLI_ANGULAR : CLI_LINEAR;
    rct_model_body_name(v->model, d->body[k], name);
    return name;
}

/* Judge the accelerations of an entry. An entry that does not cover the model is not a failure
 * of the model. Nor is a reference, other than that for all models, that cannot solve its
 * equations, as in a singular pose. */
static void judge_entry(cli_verification *v, const cli_entry *entry)
{
    char name[RCT_NAME_SIZE];
    if (entry == v->comparison.base) {
        return;
    }
    const bool some = !entry->solver && entry->number != RCT_REFERENCE_LAGRANGE;
    if (!entry->present && (some || entry->status == RCT_ERROR_UNSUPPORTED)) {
        cli_check_skip(&v->checks, entry->name, "%s", entry->note);
    } else if (!entry->present) {
        cli_check_fail(&v->checks, entry->name, "%s", entry->note);
    } else {
        const double *largest = entry->difference.largest;
        cli_check_bound(&v->checks, entry->name, fmax(largest[CLI_LINEAR], largest[CLI_ANGULAR]),
                        cli_at_most(v->rounding),
                        "accelerations differ from those of %s, most at body \"%s\"",
                        v->comparison.base->name, name_worst(v, entry, name));
    }
}

/* Judge the hinge forces of all entries that can be compared with the base. */
static void judge_forces(cli_verification *v)
{
    const cli_entry *worst = NULL;
    char name[RCT_NAME_SIZE];
    for (int64_t i = 0; i < v->comparison.count; i++) {
        const cli_entry *entry = &v->comparison.entries[i];
        const bool compared =
            entry->present && !entry->difference.no_force && entry != v->comparison.base;
        if (compared && (worst == NULL || !(entry->difference.largest[CLI_FORCE] <=
                                            worst->difference.largest[CLI_FORCE]))) {
            worst = entry;
        }
    }
    if (worst == NULL) {
        cli_check_skip(&v->checks, "hinge forces",
                       "loops are redundant, so that forces are not unique");
        return;
    }
    rct_model_body_name(v->model, worst->difference.body[CLI_FORCE], name);
    cli_check_bound(&v->checks, "hinge forces", worst->difference.largest[CLI_FORCE],
                    cli_at_most(v->rounding),
                    "hinge forces of %s differ from those of %s, most at body \"%s\"", worst->name,
                    v->comparison.base->name, name);
}

/* All ways to close loops must find the same rank of the constraints. */
static void judge_ranks(cli_verification *v)
{
    const cli_entry *first = &v->comparison.entries[CLI_ENTRY_ABI_SERIAL], *other = NULL;
    int32_t least = first->rows.info.rank, most = least;
    for (int64_t i = 0; i < CLI_ENTRY_LAGRANGE; i++) {
        const cli_entry *entry = &v->comparison.entries[i];
        if (entry->present) {
            const int32_t rank = entry->rows.info.rank;
            other = rank != first->rows.info.rank ? entry : other;
            least = rank < least ? rank : least;
            most = rank > most ? rank : most;
        }
    }
    if (first->rows.info.active > 0) {
        cli_check_bound(&v->checks, "rank of loops", (double)(most - least), cli_at_most(0.0),
                        "%s finds another rank than %s: within rounding, the pose is singular",
                        other != NULL ? other->name : "", first->name);
    }
}

static void skip_large(cli_verification *v)
{
    const int32_t bodies = rct_model_body_count(v->model);
    const int64_t constraints = count_constraints(v->model);
    if (constraints > MOST_DENSE) {
        cli_check_skip(
            &v->checks, "qr, svd",
            "they are dense: they are compared up to %d constraints, and the model has %" PRId64,
            MOST_DENSE, constraints);
    }
    for (int r = 0; r < REFERENCES; r++) {
        if (bodies > references[r].bodies) {
            cli_check_skip(&v->checks, rct_reference_name(references[r].reference),
                           "it takes long: it is compared up to %" PRId32
                           " bodies, and the model has %" PRId32,
                           references[r].bodies, bodies);
        }
    }
}

/* ---- sweeps ------------------------------------------------------------------------------- */

/* Ways of sweeping: threads, the choice of --lanes, links of a segment. */
static const struct {
    const char *words;
    int64_t threads, lanes, segment;
} sweeps[] = {
    {"--lanes 1 --segment 0", 1, 1, 0},
    {"--lanes 2 --segment whole", 1, 2, RCT_SEGMENT_WHOLE},
    {"--lanes 4 --segment auto", 1, 3, RCT_SEGMENT_AUTO},
    {"--lanes 8 --segment auto", 1, 4, RCT_SEGMENT_AUTO},
    {"--threads 2 --segment auto", 2, 0, RCT_SEGMENT_AUTO},
    {"--threads 2 --segment whole", 2, 0, RCT_SEGMENT_WHOLE},
    {"--threads 1 --segment 16", 1, 0, 16},
    {"--threads 2 --segment 2", 2, 0, 2},
};

/* The worst result of a method over all ways of sweeping. A width that the machine does not have
 * is left out. */
static bool judge_sweeps(cli_verification *v, rct_method method, const char *what)
{
    double worst = 0.0;
    const char *where = "";
    cli_arguments chosen = *v->arguments;
    chosen.backend = "cpu";
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; i++) {
        cli_entry entry = {.name = what, .number = (int)method, .solver = true};
        chosen.threads = sweeps[i].threads;
        chosen.lanes = sweeps[i].lanes;
        chosen.segment = sweeps[i].segment;
        if (!cli_comparison_add(&v->comparison, &entry, &chosen)) {
            return false;
        }
        if (!entry.present && entry.status != RCT_ERROR_UNSUPPORTED) {
            cli_check_fail(&v->checks, what, "with %s: %s", sweeps[i].words, entry.note);
            return true;
        }
        if (entry.present && !(entry.difference.worst <= worst)) {
            worst = entry.difference.worst;
            where = sweeps[i].words;
        }
    }
    cli_check_bound(&v->checks, what, worst, cli_at_most(v->rounding), "most with %s", where);
    return true;
}

static bool judge_all_sweeps(cli_verification *v)
{
    static const char *const names[] = {[RCT_METHOD_ABI] = "abi, lanes and segments",
                                        [RCT_METHOD_RICCATI] = "riccati, lanes and segments"};
    for (int m = RCT_METHOD_ABI; m <= RCT_METHOD_RICCATI; m++) {
        const cli_entry *serial =
            &v->comparison
                 .entries[m == RCT_METHOD_ABI ? CLI_ENTRY_ABI_SERIAL : CLI_ENTRY_RICCATI_SERIAL];
        if (serial->present && !judge_sweeps(v, (rct_method)m, names[m])) {
            return false;
        }
    }
    return true;
}

static bool judge_backend(cli_verification *v, const rct_backend_info *info)
{
    char what[64];
    snprintf(what, sizeof what, "backend %s", info->name);
    if (info->available == 0) {
        cli_check_skip(&v->checks, what, "%s", info->reason);
        return true;
    }
    for (int m = RCT_METHOD_ABI; m <= RCT_METHOD_RICCATI; m++) {
        cli_entry entry = {.name = what, .number = m, .solver = true, .backend = info->name};
        snprintf(what, sizeof what, "backend %s, %s", info->name, rct_method_name((rct_method)m));
        if (!cli_comparison_add(&v->comparison, &entry, v->arguments)) {
            return false;
        }
        judge_entry(v, &entry);
    }
    return true;
}

bool cli_verify_agreement(cli_verification *v)
{
    for (int64_t i = 0; i < v->comparison.count; i++) {
        if (!v->comparison.entries[i].idle) {
            judge_entry(v, &v->comparison.entries[i]);
        }
    }
    skip_large(v);
    judge_forces(v);
    judge_ranks(v);
    if (!judge_all_sweeps(v)) {
        return false;
    }
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        if (!cli_did(rct_backend_describe(i, &info, &cli_error)) ||
            (strcmp(info.name, "cpu") != 0 && !judge_backend(v, &info))) {
            return false;
        }
    }
    return true;
}
