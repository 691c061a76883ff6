/* Runs of sums (sums.h). */
#include "topology/sums.h"

#include <string.h>

/* Sums of a run that are added up at once: as many as systems stand side by side in the widest lanes. */
enum { AT_ONCE = 8 };

/* Sums on their way into runs. */
typedef struct sum_draft {
    const int32_t *at, *place;
    int32_t *owner; /* [places] the sum that begins at a place, -1: none */
    int32_t places;
    uint8_t *done; /* [sums] whether a run has it */
} sum_draft;

static int32_t terms_of(const sum_draft *d, int32_t k)
{
    return d->at[k + 1] - d->at[k];
}

/* The sum whose terms are all one place further than those of sum k, if no run has it; or -1. */
static int32_t after(const sum_draft *d, int32_t k)
{
    const int32_t *own = d->place + d->at[k], terms = terms_of(d, k);
    const int32_t next = terms > 0 && own[0] + 1 < d->places ? d->owner[own[0] + 1] : -1;
    if (next < 0 || d->done[next] || terms_of(d, next) != terms) {
        return -1;
    }
    for (int32_t m = 1; m < terms; m++) {
        if (d->place[d->at[next] + m] != own[m] + 1) {
            return -1;
        }
    }
    return next;
}

/* The run that begins with sum k. */
static rct_sum_run run_from(const sum_draft *d, int32_t k)
{
    rct_sum_run run = {.number = k, .count = 1, .terms = terms_of(d, k)};
    d->done[k] = 1;
    for (int32_t last = k, next = after(d, k); next >= 0; next = after(d, next)) {
        if (run.count > 1 && next - last != run.step) {
            break;
        }
        run.step = next - last;
        run.count++;
        d->done[next] = 1;
        last = next;
    }
    return run;
}

/* Lists runs and their places, or only counts them. */
static void list_runs(sum_draft *d, int64_t count, int64_t *runs, int32_t *places, rct_sums *out)
{
    *runs = *places = 0;
    memset(d->done, 0, (size_t)count);
    for (int32_t k = 0; k < count; k++) {
        if (!d->done[k]) {
            rct_sum_run run = run_from(d, k);
            if (out->run != NULL) {
                run.first = *places;
                out->run[*runs] = run;
                memcpy(out->place + *places, d->place + d->at[k],
                       (size_t)run.terms * sizeof *out->place);
            }
            ++*runs;
            *places += run.terms;
        }
    }
}

rct_status rct_sums_lay(rct_sums *sums, const int32_t *at, const int32_t *place, int64_t count,
                        rct_pool *pool, rct_error *error)
{
    rct_pool rough = {.what = pool->what};
    sum_draft d = {.at = at, .place = place};
    int32_t places = 0;
    for (int32_t m = 0; m < at[count]; m++) {
        d.places = place[m] >= d.places ? place[m] + 1 : d.places;
    }
    d.owner = rct_pool_take(&rough, d.places, sizeof *d.owner, error);
    d.done = rct_pool_take(&rough, count, sizeof *d.done, error);
    *sums = (rct_sums){0};
    if (!rough.failed) {
        memset(d.owner, -1, (size_t)d.places * sizeof *d.owner);
        for (int32_t k = 0; k < count; k++) {
            if (terms_of(&d, k) > 0) {
                d.owner[place[at[k]]] = k;
            }
        }
        list_runs(&d, count, &sums->runs, &places, sums);
        sums->run = rct_pool_take(pool, sums->runs, sizeof *sums->run, error);
        sums->place = rct_pool_take(pool, places, sizeof *sums->place, error);
        if (!pool->failed) {
            list_runs(&d, count, &sums->runs, &places, sums);
        }
    }
    const int whole = !rough.failed && !pool->failed;
    rct_pool_empty(&rough);
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* `count` sums of a run, from sum `first` on. */
static inline void add_block(const rct_sum_run *run, const int32_t *place, int32_t first,
                             int32_t count, const double *from, double *to)
{
    double sum[AT_ONCE] = {0.0};
    for (int32_t m = 0; m < run->terms; m++) {
        const double *own = from + place[m] + first;
        for (int32_t j = 0; j < count; j++) {
            sum[j] += own[j];
        }
    }
    for (int32_t j = 0; j < count; j++) {
        to[run->number + (int64_t)(first + j) * run->step] = sum[j];
    }
}

void rct_sums_add_up(const rct_sums *sums, const double *from, double *to)
{
    for (int64_t k = 0; k < sums->runs; k++) {
        const rct_sum_run run = sums->run[k];
        const int32_t *place = sums->place + run.first;
        int32_t first = 0;
        double *out = to + run.number;
        if (run.terms == 1) { /* as for most numbers of two rows */
            for (int32_t j = 0; j < run.count; j++, out += run.step) {
                *out = from[place[0] + j];
            }
            continue;
        }
        if (run.terms == 2) { /* as for most rows */
            const double *a = from + place[0], *b = from + place[1];
            for (int32_t j = 0; j < run.count; j++, out += run.step) {
                *out = a[j] + b[j];
            }
            continue;
        }
        for (; first + AT_ONCE <= run.count; first += AT_ONCE) {
            add_block(&run, place, first, AT_ONCE, from, to);
        }
        if (first < run.count) {
            add_block(&run, place, first, run.count - first, from, to);
        }
    }
}
