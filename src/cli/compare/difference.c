/* The difference of each entry of a comparison from its base, relative to the scale of every
 * quantity. */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>

double cli_largest_length(const double *rows, int64_t count)
{
    double largest = 0.0;
    for (int64_t b = 0; b < count; b++) {
        largest = fmax(largest, cli_length(rows + 3 * b));
    }
    return largest;
}

/* The scale of a quantity is the larger of the largest number of the base and the natural size.
 * For angular accelerations also the scale of linear ones over a length; for forces also the
 * linear accelerations of the base times the masses of the heaviest tree. 1 if nothing acts. */
static bool find_scales(cli_comparison *comparison)
{
    rct_census census;
    rct_model_take_census(comparison->model, &census);
    const double length = census.length;
    const cli_accelerations *rows = &comparison->base->rows;
    double *scale = comparison->scale;
    for (int k = 0; k < CLI_COMPARED; k++) {
        scale[k] = fmax(comparison->natural[k], cli_largest_length(rows->vectors[k], rows->count));
    }
    const double tree = cli_heaviest_tree(comparison->model, rows->vectors[CLI_LINEAR], 0.0);
    const double turning = length > 0.0 ? scale[CLI_LINEAR] / length : 0.0;
    scale[CLI_ANGULAR] = fmax(scale[CLI_ANGULAR], turning);
    scale[CLI_FORCE] = fmax(scale[CLI_FORCE], tree);
    for (int k = 0; k < CLI_COMPARED; k++) {
        scale[k] = scale[k] > 0.0 ? scale[k] : 1.0;
    }
    return !isnan(tree);
}

/* Both differences are NaN if a row or the scale is not finite. Returns the row of the largest
 * difference. */
static int32_t differ(const double *rows, const double *base, int64_t count, double scale,
                      double difference[2])
{
    double squares = 0.0, largest = 0.0;
    int64_t at = 0;
    for (int64_t b = 0; b < count; b++) {
        const double d = cli_distance(rows + 3 * b, base + 3 * b) / scale;
        at = d <= largest ? at : b;
        largest = fmax(largest, d);
        squares += d * d;
    }
    const bool good = isfinite(squares) && isfinite(scale);
    difference[0] = good ? largest : NAN;
    difference[1] = good ? sqrt(squares / (double)count) : NAN;
    return (int32_t)at;
}

/* Where loops are redundant, methods choose the least forces, references any. */
void cli_entry_measure(cli_entry *entry, const cli_comparison *comparison)
{
    const cli_entry *base = comparison->base;
    const bool redundant = comparison->entries[CLI_ENTRY_ABI_SERIAL].rows.info.redundant > 0;
    cli_difference *difference = &entry->difference;
    difference->no_force = redundant && entry->solver != base->solver;
    for (int k = 0; k < CLI_COMPARED; k++) {
        double of_all[2] = {NAN, NAN};
        if (k != CLI_FORCE || !difference->no_force) {
            difference->body[k] = differ(entry->rows.vectors[k], base->rows.vectors[k],
                                         entry->rows.count, comparison->scale[k], of_all);
            difference->worst = isnan(of_all[0]) || isnan(difference->worst)
                                    ? NAN
                                    : fmax(difference->worst, of_all[0]);
            difference->worst_rms = isnan(of_all[0]) ? NAN : fmax(difference->worst_rms, of_all[1]);
        }
        difference->largest[k] = of_all[0];
        difference->rms[k] = of_all[1];
    }
}

bool cli_comparison_measure(cli_comparison *comparison)
{
    if (!find_scales(comparison)) {
        return false;
    }
    for (int64_t i = 0; i < comparison->count; i++) {
        if (comparison->entries[i].present) {
            cli_entry_measure(&comparison->entries[i], comparison);
        }
    }
    return true;
}
