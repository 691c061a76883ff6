/* How far each entry of a comparison is from its base, by the natural scale of every quantity. */
#include "compare/compare.h"

#include <math.h>
#include <stddef.h>

double cli_largest_length(const double *rows, int64_t count)
{
    double largest = 0.0;
    for (int64_t b = 0; b < count; b++) {
        largest = fmax(largest, cli_length(rows + 3 * b));
    }
    return largest;
}

static double distance(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* The largest of the base, and what it may have come to zero from, as in free fall and at rest: gravity and the
 * acceleration of what spins; over a length, turned; on the heaviest tree, as a force. 1 where nothing acts. */
static int find_scales(cli_comparison *comparison)
{
    cli_scales natural;
    const int status = cli_take_scales(&natural, comparison->model);
    const cli_accelerations *rows = &comparison->base->rows;
    double *scale = comparison->scale;
    const double spinning = comparison->spin * comparison->spin * natural.length;
    scale[CLI_LINEAR] =
        fmax(cli_largest_length(rows->linear, rows->count), fmax(natural.gravity, spinning));
    const double turning = natural.length > 0.0 ? scale[CLI_LINEAR] / natural.length : 0.0;
    scale[CLI_ANGULAR] = fmax(cli_largest_length(rows->angular, rows->count), turning);
    scale[CLI_FORCE] =
        fmax(cli_largest_length(rows->force, rows->count), natural.tree * scale[CLI_LINEAR]);
    for (int k = 0; k < CLI_QUANTITIES; k++) {
        scale[k] = scale[k] > 0.0 ? scale[k] : 1.0;
    }
    return status;
}

/* NaN for both if any row is not finite. */
static void differ(const double *rows, const double *base, int64_t count, double scale,
                   double difference[2])
{
    double squares = 0.0, largest = 0.0;
    for (int64_t b = 0; b < count; b++) {
        const double d = distance(rows + 3 * b, base + 3 * b) / scale;
        largest = fmax(largest, d);
        squares += d * d;
    }
    difference[0] = isfinite(squares) ? largest : NAN;
    difference[1] = isfinite(squares) ? sqrt(squares / (double)count) : NAN;
}

/* Where loops are redundant, methods choose the least forces, references any. */
static void measure(cli_entry *entry, const cli_comparison *comparison, bool redundant)
{
    const cli_entry *base = comparison->base;
    double of_all[2];
    const double *mine[CLI_QUANTITIES] = {entry->rows.linear, entry->rows.angular,
                                          entry->rows.force};
    const double *theirs[CLI_QUANTITIES] = {base->rows.linear, base->rows.angular,
                                            base->rows.force};
    cli_difference *difference = &entry->difference;
    difference->no_force = redundant && entry->solver != base->solver;
    for (int k = 0; k < CLI_QUANTITIES; k++) {
        if (k == CLI_FORCE && difference->no_force) {
            difference->largest[k] = difference->rms[k] = NAN;
            continue;
        }
        differ(mine[k], theirs[k], entry->rows.count, comparison->scale[k], of_all);
        difference->largest[k] = of_all[0];
        difference->rms[k] = of_all[1];
        const double largest = difference->largest[k];
        difference->worst =
            isnan(largest) || isnan(difference->worst) ? NAN : fmax(difference->worst, largest);
        difference->worst_rms =
            isnan(largest) ? NAN : fmax(difference->worst_rms, difference->rms[k]);
    }
}

int cli_comparison_measure(cli_comparison *comparison)
{
    const bool redundant = comparison->entries[CLI_ENTRY_ABI_SERIAL].loops.redundant > 0;
    const int status = find_scales(comparison);
    for (int64_t i = 0; i < comparison->count && status == CLI_OK; i++) {
        if (comparison->entries[i].present) {
            measure(&comparison->entries[i], comparison, redundant);
        }
    }
    return status;
}
