/* Collecting the results of an ensemble (collected.h). */
#include "tests/support/files/collected.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/systems/hinge_system.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rct_ensemble_run_options collect_options(int64_t steps, int64_t series, int64_t batch,
                                         int32_t threads)
{
    rct_ensemble_run_options options = rct_ensemble_run_options_default();
    options.steps = steps;
    options.series = series;
    options.batch = batch;
    options.threads = threads;
    options.solver.backend = "cpu";
    return options;
}

rct_status collected_take(void *context, const rct_member_result *r, rct_error *error)
{
    collected *c = context;
    collected_member *m = &c->member[r->member];
    double *to = m->numbers;
    m->times++;
    m->status = r->status;
    m->body = r->body;
    snprintf(m->text, sizeof m->text, "%s", r->text);
    m->time = r->time;
    m->energy = r->energy;
    m->drift = r->energy_drift;
    m->frames = r->frames;
    memcpy(to, r->coordinates, (size_t)c->coordinates * sizeof *to);
    memcpy(to += c->coordinates, r->rates, (size_t)c->rates * sizeof *to);
    memcpy(to += c->rates, r->series_energy, (size_t)c->series * sizeof *to);
    memcpy(to += c->series, r->series_position, (size_t)(c->series * c->tracked * 3) * sizeof *to);
    c->delivered++;
    if (c->fail_after > 0 && c->delivered >= c->fail_after) {
        error->status = RCT_ERROR_IO;
        snprintf(error->text, sizeof error->text, "the disk is full");
        return RCT_ERROR_IO;
    }
    return RCT_OK;
}

static int look(void *context, int64_t members, int64_t steps)
{
    collected *c = context;
    if (steps < c->steps || members != c->delivered) {
        fail_msg("progress: %" PRId64 " members, %" PRId64 " steps", members, steps);
    }
    c->steps = steps;
    return c->stop_after > 0 && members >= c->stop_after;
}

collected *collected_create(const rct_ensemble *ensemble, const rct_ensemble_run_options *options)
{
    collected *c = calloc(1, sizeof *c);
    rct_error error;
    c->members = rct_ensemble_members(ensemble);
    c->member = calloc((size_t)c->members, sizeof *c->member);
    rct_model *model = NULL;
    for (int64_t k = 0; k < c->members && model == NULL; k++) { /* the first that can be made */
        model = rct_ensemble_model(ensemble, k, &error);
    }
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    c->coordinates = hinge_coordinates(model);
    c->rates = hinge_freedoms(model);
    rct_model_free(model);
    c->series = options->series;
    c->tracked = options->tracked;
    c->numbers = c->coordinates + c->rates + c->series * (1 + 3 * c->tracked);
    for (int64_t k = 0; k < c->members; k++) {
        c->member[k].numbers = calloc((size_t)c->numbers, sizeof(double));
    }
    return c;
}

collected *collect_until(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                         int64_t stop_after, int64_t fail_after, rct_status wanted,
                         rct_error *error)
{
    collected *c = collected_create(ensemble, &options);
    rct_error own = {.text = ""};
    error = error != NULL ? error : &own;
    c->stop_after = stop_after;
    c->fail_after = fail_after;
    options.deliver = collected_take;
    options.progress = look;
    options.context = c;
    const rct_status status = rct_ensemble_run(ensemble, &options, error);
    if (status != wanted) {
        fail_msg("status %s: %s", rct_status_name(status), error->text);
    }
    return c;
}

collected *collect(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                   rct_status wanted, rct_error *error)
{
    return collect_until(ensemble, options, 0, 0, wanted, error);
}

void collected_free(collected *c)
{
    for (int64_t k = 0; k < c->members; k++) {
        free(c->member[k].numbers);
    }
    free(c->member);
    free(c);
}

int collected_equal(const collected *a, const collected *b, int64_t k)
{
    const collected_member *x = &a->member[k], *y = &b->member[k];
    const int64_t in_both = a->coordinates + a->rates;
    const int64_t numbers = a->numbers == b->numbers ? a->numbers : in_both;
    const int same =
        x->status == y->status && x->body == y->body && strcmp(x->text, y->text) == 0 &&
        memcmp(&x->time, &y->time, sizeof x->time) == 0 &&
        (a->series != b->series || memcmp(&x->energy, &y->energy, 2 * sizeof x->energy) == 0) &&
        memcmp(x->numbers, y->numbers, (size_t)numbers * sizeof(double)) == 0;
    if (!same) {
        print_message(
            "member %" PRId64
            ": %s at %.17g, energy %.17g, \"%s\"\n     other: %s at %.17g, energy %.17g, \"%s\"\n",
            k, rct_status_name(x->status), x->time, x->energy, x->text, rct_status_name(y->status),
            y->time, y->energy, y->text);
        for (int64_t i = 0; i < numbers; i++) {
            if (memcmp(&x->numbers[i], &y->numbers[i], sizeof(double)) != 0) {
                print_message("number %" PRId64 ": %.17g and %.17g\n", i, x->numbers[i],
                              y->numbers[i]);
                break;
            }
        }
    }
    return same;
}
