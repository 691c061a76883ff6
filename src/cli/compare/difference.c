/* How far each entry of a comparison is from its base, by the natural scale of every quantity. */
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

/* Every link that is followed becomes shorter, so that all bodies together take few steps. */
static int32_t root_of(int32_t *parent, int32_t body)
{
    while (parent[body] != RCT_GROUND && parent[parent[body]] != RCT_GROUND) {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    return parent[body] != RCT_GROUND ? parent[body] : body;
}

/* kg, of the heaviest tree on the ground; NaN without memory. A parent may come after its children. */
static double heaviest_tree(const rct_model *model)
{
    const int32_t count = rct_model_body_count(model);
    double heaviest = 0.0;
    double *numbers = cli_numbers(3 * (int64_t)count, "the masses of trees");
    if (numbers == NULL) {
        return NAN;
    }
    double *mass = numbers, *tree = numbers + count;
    int32_t *parent = (int32_t *)(tree + count);
    for (int32_t i = 0; i < count; i++) {
        rct_body body = rct_body_default();
        rct_model_body(model, i, &body, NULL);
        mass[i] = body.mass;
        parent[i] = body.parent;
    }
    for (int32_t i = 0; i < count; i++) {
        double *sum = &tree[root_of(parent, i)];
        *sum += mass[i];
        heaviest = fmax(heaviest, *sum);
    }
    free(numbers);
    return heaviest;
}

/* The largest of the base, and what it may have come to zero from, as in free fall and at rest: gravity and the
 * acceleration of what spins; over a length, turned; on the heaviest tree, as a force. 1 where nothing acts. */
static bool find_scales(cli_comparison *comparison)
{
    const cli_census natural = cli_take_census(comparison->model);
    const double tree = heaviest_tree(comparison->model);
    const cli_accelerations *rows = &comparison->base->rows;
    double *scale = comparison->scale;
    for (int k = 0; k < CLI_COMPARED; k++) {
        scale[k] = cli_largest_length(rows->vectors[k], rows->count);
    }
    const double spinning = comparison->spin * comparison->spin * natural.length;
    scale[CLI_LINEAR] = fmax(scale[CLI_LINEAR], fmax(natural.gravity, spinning));
    const double turning = natural.length > 0.0 ? scale[CLI_LINEAR] / natural.length : 0.0;
    scale[CLI_ANGULAR] = fmax(scale[CLI_ANGULAR], turning);
    scale[CLI_FORCE] = fmax(scale[CLI_FORCE], tree * scale[CLI_LINEAR]);
    for (int k = 0; k < CLI_COMPARED; k++) {
        scale[k] = scale[k] > 0.0 ? scale[k] : 1.0;
    }
    return !isnan(tree);
}

/* NaN for both if any row is not finite. */
static void differ(const double *rows, const double *base, int64_t count, double scale,
                   double difference[2])
{
    double squares = 0.0, largest = 0.0;
    for (int64_t b = 0; b < count; b++) {
        const double d = cli_distance(rows + 3 * b, base + 3 * b) / scale;
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
    cli_difference *difference = &entry->difference;
    difference->no_force = redundant && entry->solver != base->solver;
    for (int k = 0; k < CLI_COMPARED; k++) {
        double of_all[2] = {NAN, NAN};
        if (k != CLI_FORCE || !difference->no_force) {
            differ(entry->rows.vectors[k], base->rows.vectors[k], entry->rows.count,
                   comparison->scale[k], of_all);
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
    const bool redundant = comparison->entries[CLI_ENTRY_ABI_SERIAL].rows.info.redundant > 0;
    if (!find_scales(comparison)) {
        return false;
    }
    for (int64_t i = 0; i < comparison->count; i++) {
        if (comparison->entries[i].present) {
            measure(&comparison->entries[i], comparison, redundant);
        }
    }
    return true;
}
