/* The result of a race as a JSON object: medians of seconds and ratios; quartiles, least and
 * most of the ratios; no difference if accelerations are not finite. The least times are those
 * of the peer and of Riccatree. */
#include "bench/peers/race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value at a share of the way from the least to the most, of up to RACE_ROUNDS. */
static double ranked(const double *values, int count, double share)
{
    double sorted[RACE_ROUNDS];
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    const double place = share * (count - 1);
    const int low = (int)place;
    const int high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
}

/* A text from outside, in quotes. */
static void print_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        const int plain = (unsigned char)*text >= ' ' && *text != '"' && *text != '\\';
        fputc(plain ? *text : '\'', file);
    }
    fputc('"', file);
}

static void print_peer(FILE *file, const bench_racer *r, const bench_race *race)
{
    const int rounds = r->rounds;
    double ratio[RACE_ROUNDS];
    fprintf(file, "{\"name\": ");
    print_text(file, r->peer->name);
    fprintf(file, ", \"version\": ");
    print_text(file, r->peer->version);
    if (r->made == NULL) {
        fprintf(file, ", \"left_out\": ");
        print_text(file, r->reason);
        fprintf(file, "}");
        return;
    }
    for (int k = 0; k < rounds; k++) {
        ratio[k] = r->seconds[k] / r->before[k];
    }
    fprintf(file, ", \"call\": ");
    print_text(file, race->system->loops > 0 ? r->peer->closing : r->peer->call);
    if (isfinite(r->difference)) {
        fprintf(file, ", \"difference\": %.2g", r->difference);
    } else {
        fprintf(file, ", \"difference\": null");
    }
    if (rounds < race->rounds) {
        fprintf(file, ", \"rounds\": %d", rounds);
    }
    fprintf(file, ", \"seconds\": %.4g, \"riccatree_seconds\": %.4g, \"least\": [%.4g, %.4g]",
            ranked(r->seconds, rounds, 0.5), ranked(r->before, rounds, 0.5),
            ranked(r->seconds, rounds, 0.0), ranked(r->before, rounds, 0.0));
    fprintf(file, ", \"ratio\": %.4g, \"quartiles\": [%.4g, %.4g], \"range\": [%.4g, %.4g]}",
            ranked(ratio, rounds, 0.5), ranked(ratio, rounds, 0.25), ranked(ratio, rounds, 0.75),
            ranked(ratio, rounds, 0.0), ranked(ratio, rounds, 1.0));
}

void race_print(FILE *file, const bench_race *race)
{
    fprintf(file, "{\"system\": ");
    print_text(file, race->system->name);
    fprintf(file,
            ", \"bodies\": %d, \"freedoms\": %d, \"loops\": %d, \"apart\": %d, \"threads\": %d, "
            "\"rounds\": %d, \"riccatree\": ",
            (int)race->system->bodies, (int)race->system->freedoms, (int)race->system->loops,
            race->apart, race->system->threads, race->rounds);
    print_text(file, race->riccatree.peer->version);
    if (race_alone(race)) {
        fprintf(file, ", \"seconds\": %.4g",
                ranked(race->riccatree.seconds, race->riccatree.rounds, 0.5));
    }
    fprintf(file, ", \"peers\": [");
    for (int k = 0; k < race->peers; k++) {
        fprintf(file, k > 0 ? ",\n  " : "\n  ");
        print_peer(file, &race->peer[k], race);
    }
    fprintf(file, "]}\n");
}
