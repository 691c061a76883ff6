/* What the bits of an ensemble's results depend on (facts.h): one table, from which they are written, read and
 * compared. */
#include "record/ensemble/facts.h"

#include "backend/backend.h"
#include "backend/cpu/kernels.h"
#include "core/memory.h"
#include "ensemble/ensemble.h"
#include "model/json/print.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE = 128,                         /* bytes of a line, paths not counted */
    TRACK_LINE = 6 * RCT_NAME_SIZE + 32 /* of a name, all of it as \u001f */
};

typedef enum fact_kind {
    INT32,
    INT64,
    SEED,
    REAL,
    TEXT,
    METHOD,
    JUNCTION,
    CLOSING,
    DRIFT
} fact_kind;

static const struct {
    const char *name;
    fact_kind kind;
    size_t offset;
} facts_table[] = {
#define FACT(name, kind, field)                                                                    \
    {                                                                                              \
        name, kind, offsetof(rct_ensemble_facts, field)                                            \
    }
    FACT("members", INT64, members),
    FACT("seed", SEED, seed),
    FACT("perturb", REAL, perturb),
    FACT("first_member", INT64, first),
    FACT("rows", INT64, rows),
    FACT("dt", REAL, dt),
    FACT("steps", INT64, steps),
    FACT("series", INT64, series),
    FACT("method", METHOD, method),
    FACT("backend", TEXT, backend),
    FACT("lanes", INT32, lanes),
    FACT("segment", INT64, segment),
    FACT("junction", JUNCTION, junction),
    FACT("user_forces", INT32, user_forces),
    FACT("closing", CLOSING, closing),
    FACT("drift", DRIFT, drift),
    FACT("baumgarte_alpha", REAL, baumgarte[0]),
    FACT("baumgarte_beta", REAL, baumgarte[1]),
    FACT("as_given", INT32, as_given),
#undef FACT
};

enum { FACTS = sizeof facts_table / sizeof facts_table[0] };

/* ---- names of numbers --------------------------------------------------------------------- */

/* NULL: no such number. */
static const char *name_of(fact_kind kind, int32_t value)
{
    static const char *const junctions[] = {"auto", "host", "device"};
    const char *name = "unknown";
    switch (kind) {
    case METHOD: name = rct_method_name((rct_method)value); break;
    case CLOSING: name = rct_closing_name((rct_closing)value); break;
    case DRIFT: name = rct_drift_name((rct_drift)value); break;
    case JUNCTION: name = value >= 0 && value < 3 ? junctions[value] : "unknown"; break;
    default: break;
    }
    return strcmp(name, "unknown") != 0 ? name : NULL;
}

static int is_named(fact_kind kind)
{
    return kind == METHOD || kind == JUNCTION || kind == CLOSING || kind == DRIFT;
}

static void check_names(rct_call *call, const rct_ensemble_facts *facts)
{
    for (int i = 0; i < FACTS; i++) {
        int32_t value = 0;
        if (is_named(facts_table[i].kind)) {
            memcpy(&value, (const char *)facts + facts_table[i].offset, sizeof value);
            if (name_of(facts_table[i].kind, value) == NULL) {
                rct_call_fail(call, RCT_ERROR_ARGUMENT,
                              "the solver's %s is %" PRId32
                              ", which is none; give one that riccatree/solver.h lists",
                              facts_table[i].name, value);
            }
        }
    }
}

/* ---- settling ----------------------------------------------------------------------------- */

static void take_machine(rct_call *call, rct_ensemble_facts *facts,
                         const rct_solver_options *solver)
{
    rct_error why;
    const rct_backend *backend = rct_backend_find(solver->backend, &why);
    if (backend == NULL) {
        rct_call_fail(call, why.status, "%s", why.text);
        return;
    }
    snprintf(facts->backend, sizeof facts->backend, "%s", backend->name);
    if (backend == &rct_backend_cpu) {
        const rct_lane_kernels *kernels = rct_cpu_kernels(solver->lanes, &why);
        if (kernels == NULL) {
            rct_call_fail(call, why.status, "%s", why.text);
        } else {
            facts->lanes = kernels->lanes;
        }
    }
}

void rct_ensemble_facts_take(rct_call *call, rct_ensemble_facts *facts, const rct_ensemble *e,
                             const rct_ensemble_run_options *run)
{
    const rct_solver_options solver = rct_ensemble_solver_options(e, &run->solver);
    *facts = (rct_ensemble_facts){.members = e->members,
                                  .seed = e->seed,
                                  .perturb = e->perturb,
                                  .first = run->first,
                                  .rows = run->count > 0 ? run->count : e->members - run->first,
                                  .dt = run->dt,
                                  .steps = run->steps,
                                  .series = run->series,
                                  .method = (int32_t)solver.method,
                                  .segment = solver.segment,
                                  .junction = (int32_t)solver.junction,
                                  .user_forces = solver.user_forces,
                                  .closing = (int32_t)solver.closing,
                                  .drift = (int32_t)solver.drift,
                                  .baumgarte = {solver.baumgarte[0], solver.baumgarte[1]},
                                  .as_given = solver.as_given};
    check_names(call, facts);
    take_machine(call, facts, &solver);
}

rct_ensemble_run_options rct_ensemble_facts_options(const rct_ensemble_facts *facts)
{
    rct_ensemble_run_options run = rct_ensemble_run_options_default();
    run.first = facts->first;
    run.count = facts->rows;
    run.dt = facts->dt;
    run.steps = facts->steps;
    run.series = facts->series;
    run.solver.method = (rct_method)facts->method;
    run.solver.backend = facts->backend;
    run.solver.lanes = facts->lanes;
    run.solver.segment = facts->segment;
    run.solver.junction = (rct_junction)facts->junction;
    run.solver.user_forces = facts->user_forces;
    run.solver.closing = (rct_closing)facts->closing;
    run.solver.drift = (rct_drift)facts->drift;
    memcpy(run.solver.baumgarte, facts->baumgarte, sizeof facts->baumgarte);
    run.solver.as_given = facts->as_given;
    return run;
}

/* ---- attributes --------------------------------------------------------------------------- */

static hid_t type_of(fact_kind kind)
{
    return kind == INT32  ? H5T_NATIVE_INT32
           : kind == REAL ? H5T_NATIVE_DOUBLE
           : kind == SEED ? H5T_NATIVE_UINT64
                          : H5T_NATIVE_INT64;
}

void rct_ensemble_facts_put(rct_call *call, hid_t file, const rct_ensemble_facts *facts)
{
    for (int i = 0; i < FACTS; i++) {
        const fact_kind kind = facts_table[i].kind;
        const void *at = (const char *)facts + facts_table[i].offset;
        if (is_named(kind)) {
            int32_t value = 0;
            memcpy(&value, at, sizeof value);
            const char *name = name_of(kind, value);
            rct_h5_put_text(call, file, facts_table[i].name, name != NULL ? name : "");
        } else if (kind == TEXT) {
            rct_h5_put_text(call, file, facts_table[i].name, at);
        } else {
            rct_h5_put_values(call, file, facts_table[i].name, type_of(kind), 0, at);
        }
    }
}

static void get_named(rct_call *call, hid_t file, int i, void *at)
{
    char text[RCT_FACT_NAME];
    int32_t value = 0;
    const fact_kind kind = facts_table[i].kind;
    rct_h5_get_text(call, file, facts_table[i].name, sizeof text, text);
    const char *name = name_of(kind, value);
    while (name != NULL && strcmp(name, text) != 0) {
        name = name_of(kind, ++value);
    }
    if (name == NULL) {
        rct_call_fail(call, RCT_ERROR_UNSUPPORTED,
                      "was made with %s \"%s\", which this build does not know",
                      facts_table[i].name, text);
    }
    memcpy(at, &value, sizeof value);
}

void rct_ensemble_facts_get(rct_call *call, hid_t file, rct_ensemble_facts *facts)
{
    memset(facts, 0, sizeof *facts);
    for (int i = 0; i < FACTS; i++) {
        const fact_kind kind = facts_table[i].kind;
        char *at = (char *)facts + facts_table[i].offset;
        if (is_named(kind)) {
            get_named(call, file, i, at);
        } else if (kind == TEXT) {
            rct_h5_get_text(call, file, facts_table[i].name, RCT_FACT_NAME, at);
        } else {
            rct_h5_get_values(call, file, facts_table[i].name, type_of(kind), at);
        }
    }
}

/* ---- lines -------------------------------------------------------------------------------- */

static void print_fact(FILE *out, const rct_ensemble_facts *facts, int i)
{
    const fact_kind kind = facts_table[i].kind;
    const char *at = (const char *)facts + facts_table[i].offset;
    int32_t narrow = 0;
    int64_t wide = 0;
    double real = 0.0;
    fprintf(out, "%s ", facts_table[i].name);
    if (kind == TEXT) {
        fputs(at, out);
    } else if (kind == REAL) {
        memcpy(&real, at, sizeof real);
        rct_json_print_number(out, real);
    } else if (kind == INT64 || kind == SEED) {
        memcpy(&wide, at, sizeof wide);
        fprintf(out, kind == SEED ? "%" PRIu64 : "%" PRId64, wide);
    } else {
        memcpy(&narrow, at, sizeof narrow);
        const char *name = is_named(kind) ? name_of(kind, narrow) : NULL;
        name != NULL ? fputs(name, out) : fprintf(out, "%" PRId32, narrow);
    }
    fputc('\n', out);
}

static void print_variation(FILE *out, int32_t i, const rct_variation *v)
{
    const char *type = v->type == RCT_VARY_GRID     ? "grid"
                       : v->type == RCT_VARY_NORMAL ? "normal"
                                                    : "uniform";
    fprintf(out, "variation[%" PRId32 "] %s %s ", i, v->path, type);
    rct_json_print_number(out, v->a);
    fputc(' ', out);
    rct_json_print_number(out, v->b);
    if (v->type == RCT_VARY_GRID) { /* others have no use for a count */
        fprintf(out, " %" PRId64, v->count);
    }
    fputc('\n', out);
}

/* By name: a number says nothing to whoever asked for it by name. */
static void print_track(FILE *out, int32_t k, const rct_model *model, int32_t body)
{
    char name[RCT_NAME_SIZE];
    rct_model_body_name(model, body, name);
    fprintf(out, "track[%" PRId32 "] ", k);
    rct_json_print_string(out, name);
    fputc('\n', out);
}

char *rct_ensemble_facts_text(rct_call *call, const rct_ensemble_facts *facts,
                              const rct_model *model, int32_t count,
                              const rct_variation *variations, int32_t tracked,
                              const int32_t *track)
{
    int64_t room = (FACTS + 3 + (int64_t)count) * LINE + tracked * (int64_t)TRACK_LINE;
    for (int32_t i = 0; i < count; i++) {
        room += (int64_t)strlen(variations[i].path);
    }
    char *text = rct_call_allocate(call, room, 1, "what an ensemble depends on");
    FILE *out = text != NULL ? fmemopen(text, (size_t)room, "w") : NULL;
    if (out == NULL) {
        rct_call_fail(call, RCT_ERROR_MEMORY, "no memory for what an ensemble depends on");
        rct_release(text);
        return NULL;
    }
    for (int i = 0; i < FACTS; i++) {
        print_fact(out, facts, i);
    }
    fprintf(out, "variations %" PRId32 "\n", count);
    for (int32_t i = 0; i < count; i++) {
        print_variation(out, i, &variations[i]);
    }
    fprintf(out, "tracked %" PRId32 "\n", tracked);
    for (int32_t k = 0; k < tracked; k++) {
        print_track(out, k, model, track[k]);
    }
    fclose(out); /* into memory of its own: there is room */
    return text;
}

char *rct_ensemble_text(rct_call *call, const rct_ensemble *e, const rct_ensemble_run_options *run,
                        int64_t *size)
{
    rct_ensemble_facts facts;
    rct_ensemble_facts_take(call, &facts, e, run);
    char *text = call->status == RCT_OK
                     ? rct_ensemble_facts_text(call, &facts, e->model, e->count, e->variations,
                                               run->tracked, run->track)
                     : NULL;
    *size = text != NULL ? (int64_t)strlen(text) + 1 : 0;
    return text;
}
