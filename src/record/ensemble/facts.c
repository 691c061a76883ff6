/* The facts on which the bits of an ensemble's results depend (facts.h): one table, from which
 * they are written, read and compared. */
#include "record/ensemble/facts.h"

#include "backend/backend.h"
#include "backend/cpu/kernels.h"
#include "core/error.h"
#include "core/memory.h"
#include "ensemble/ensemble.h"
#include "model/json/print.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE = 128,                         /* bytes of a line without paths */
    TRACK_LINE = 6 * RCT_NAME_SIZE + 32 /* of a name, if all of it is \u001f */
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
    DRIFT,
    INTEGRATOR
} fact_kind;

#define OF(field) offsetof(rct_ensemble_facts, field)

typedef struct fact {
    const char *name;
    fact_kind kind;
    size_t offset;
} fact;

static const fact facts_table[] = {
    {"members", INT64, OF(ensemble.members)},
    {"seed", SEED, OF(ensemble.seed)},
    {"perturb", REAL, OF(ensemble.perturb)},
    {"first_member", INT64, OF(run.first)},
    {"rows", INT64, OF(run.count)},
    {"dt", REAL, OF(run.dt)},
    {"steps", INT64, OF(run.steps)},
    {"series", INT64, OF(run.series)},
    {"method", METHOD, OF(run.solver.method)},
    {"backend", TEXT, OF(backend)},
    {"lanes", INT32, OF(run.solver.lanes)}, /* of the cpu; 0 if the cpu takes no part */
    {"segment", INT64, OF(run.solver.segment)},
    {"junction", JUNCTION, OF(run.solver.junction)},
    {"user_forces", INT32, OF(run.solver.user_forces)},
    {"closing", CLOSING, OF(run.solver.closing)},
    {"drift", DRIFT, OF(run.solver.drift)},
    {"baumgarte_alpha", REAL, OF(run.solver.baumgarte[0])},
    {"baumgarte_beta", REAL, OF(run.solver.baumgarte[1])},
    {"as_given", INT32, OF(run.solver.as_given)},
    {"integrator", INTEGRATOR, OF(run.solver.integrator)},
    {"tolerance", REAL, OF(run.solver.tolerance)},
};

enum { FACTS = sizeof facts_table / sizeof facts_table[0] };

int rct_ensemble_asked(rct_ensemble_run_options *own, const char *path, const char *name,
                       const rct_ensemble *e, rct_in run, rct_error *error)
{
    if (!rct_given(path, name, error) || !rct_given(e, "ensemble", error) ||
        !rct_ensemble_take_run(own, run, "run", error) ||
        rct_ensemble_check_run(e, own, error) != RCT_OK) {
        return 0;
    }
    own->count = own->count > 0 ? own->count : e->members - own->first;
    return 1;
}

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
    case INTEGRATOR: name = rct_integrator_name((rct_integrator)value); break;
    case JUNCTION: name = value >= 0 && value < 3 ? junctions[value] : "unknown"; break;
    default: break;
    }
    return strcmp(name, "unknown") != 0 ? name : NULL;
}

static int is_named(fact_kind kind)
{
    return kind >= METHOD;
}

static int32_t number_of(const fact *f, const rct_ensemble_facts *facts)
{
    const void *at = (const char *)facts + f->offset;
    return *(const int32_t *)at;
}

static const char *named(const fact *f, const rct_ensemble_facts *facts)
{
    return is_named(f->kind) ? name_of(f->kind, number_of(f, facts)) : NULL;
}

/* ---- settling ----------------------------------------------------------------------------- */

static void take_machine(rct_call *call, rct_ensemble_facts *facts, const rct_ensemble *e)
{
    rct_error why = {.status = RCT_OK};
    rct_solver_options *solver = &facts->run.solver;
    const rct_backend *backend = rct_ensemble_backend(e, solver, &why);
    const rct_lane_kernels *kernels =
        backend == &rct_backend_cpu ? rct_cpu_kernels(solver->lanes, &why) : NULL;
    if (why.status != RCT_OK) {
        rct_call_fail(call, why.status, "%s", why.text);
        return;
    }
    snprintf(facts->backend, sizeof facts->backend, "%s", backend->name);
    solver->lanes = kernels != NULL ? kernels->lanes : 0;
}

void rct_ensemble_facts_take(rct_call *call, rct_ensemble_facts *facts, const rct_ensemble *e,
                             const rct_ensemble_run_options *run)
{
    *facts = (rct_ensemble_facts){.ensemble = {.members = e->members,
                                               .seed = e->seed,
                                               .variation_count = e->count,
                                               .variations = e->variations,
                                               .perturb = e->perturb},
                                  .run = *run};
    facts->run.solver = rct_ensemble_solver_options(e, &run->solver);
    for (const fact *f = facts_table; f < facts_table + FACTS; f++) {
        if (is_named(f->kind) && named(f, facts) == NULL) {
            rct_call_fail(call, RCT_ERROR_ARGUMENT,
                          "the solver's %s is %" PRId32
                          ", which is unknown; give one that riccatree/solver.h lists",
                          f->name, number_of(f, facts));
        }
    }
    take_machine(call, facts, e);
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
    for (const fact *f = facts_table; f < facts_table + FACTS; f++) {
        const void *at = (const char *)facts + f->offset;
        const char *text = f->kind == TEXT ? at : named(f, facts);
        if (text != NULL) {
            rct_h5_put_text(call, file, f->name, text);
        } else {
            rct_h5_put_values(call, file, f->name, type_of(f->kind), 0, at);
        }
    }
}

static int32_t get_named(rct_call *call, hid_t file, const fact *f)
{
    char text[RCT_FACT_NAME];
    int32_t value = 0;
    rct_h5_get_text(call, file, f->name, sizeof text, text);
    const char *name = name_of(f->kind, value);
    while (name != NULL && strcmp(name, text) != 0) {
        name = name_of(f->kind, ++value);
    }
    if (name == NULL) {
        rct_call_fail(call, RCT_ERROR_UNSUPPORTED,
                      "was made with %s \"%s\", which this build does not know", f->name, text);
    }
    return value;
}

void rct_ensemble_facts_get(rct_call *call, hid_t file, rct_ensemble_facts *facts)
{
    memset(facts, 0, sizeof *facts);
    facts->run = rct_ensemble_run_options_default();
    for (const fact *f = facts_table; f < facts_table + FACTS; f++) {
        void *at = (char *)facts + f->offset;
        if (is_named(f->kind)) {
            *(int32_t *)at = get_named(call, file, f);
        } else if (f->kind == TEXT) {
            rct_h5_get_text(call, file, f->name, RCT_FACT_NAME, at);
        } else {
            rct_h5_get_values(call, file, f->name, type_of(f->kind), at);
        }
    }
    facts->run.solver.backend = facts->backend;
}

/* ---- lines -------------------------------------------------------------------------------- */

static void print_fact(FILE *out, const rct_ensemble_facts *facts, const fact *f)
{
    const void *at = (const char *)facts + f->offset;
    fprintf(out, "%s ", f->name);
    switch (f->kind) {
    case INT32: fprintf(out, "%" PRId32, *(const int32_t *)at); break;
    case INT64: fprintf(out, "%" PRId64, *(const int64_t *)at); break;
    case SEED: fprintf(out, "%" PRIu64, *(const uint64_t *)at); break;
    case REAL: rct_json_print_number(out, *(const double *)at); break;
    case TEXT: fputs(at, out); break;
    default: fputs(named(f, facts), out); break;
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
    if (v->type == RCT_VARY_GRID) { /* other variations have no count */
        fprintf(out, " %" PRId64, v->count);
    }
    fputc('\n', out);
}

/* Print the name of the body, because the user asked for it by name and a number would say
 * nothing. */
static void print_track(FILE *out, int32_t k, const rct_model *model, int32_t body)
{
    char name[RCT_NAME_SIZE];
    rct_model_body_name(model, body, name);
    fprintf(out, "track[%" PRId32 "] ", k);
    rct_json_print_string(out, name);
    fputc('\n', out);
}

char *rct_ensemble_facts_text(rct_call *call, const rct_ensemble_facts *facts,
                              const rct_model *model)
{
    const int32_t count = facts->ensemble.variation_count, tracked = facts->run.tracked;
    const rct_variation *variations = facts->ensemble.variations;
    int64_t room = (FACTS + 3 + (int64_t)count) * LINE + tracked * (int64_t)TRACK_LINE;
    for (int32_t i = 0; i < count; i++) {
        room += (int64_t)strlen(variations[i].path);
    }
    char *text = rct_call_allocate(call, room, 1, "what an ensemble depends on");
    FILE *out = text != NULL ? fmemopen(text, (size_t)room, "w") : NULL;
    if (out == NULL) {
        rct_call_fail(call, RCT_ERROR_MEMORY,
                      "out of memory for the facts that an ensemble depends on; free some");
        rct_release(text);
        return NULL;
    }
    for (const fact *f = facts_table; f < facts_table + FACTS; f++) {
        print_fact(out, facts, f);
    }
    fprintf(out, "variations %" PRId32 "\n", count);
    for (int32_t i = 0; i < count; i++) {
        print_variation(out, i, &variations[i]);
    }
    fprintf(out, "tracked %" PRId32 "\n", tracked);
    for (int32_t k = 0; k < tracked; k++) {
        print_track(out, k, model, facts->run.track[k]);
    }
    fclose(out); /* memory of its own with enough room */
    return text;
}

char *rct_ensemble_text(rct_call *call, const rct_ensemble *e, const rct_ensemble_run_options *run)
{
    rct_ensemble_facts facts;
    rct_ensemble_facts_take(call, &facts, e, run);
    return rct_ensemble_facts_text(call, &facts, e->model);
}
