/* What a run comes to, as a table or as JSON. */
#include "output.h"
#include "run/run.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <sys/resource.h>

double cli_run_cost(const cli_run_state *run)
{
    const double evaluations = (double)run->done * CLI_EVALUATIONS_PER_STEP;
    return run->stepping * 1e9 / ((double)run->info.bodies * evaluations);
}

static int64_t peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024 * (int64_t)usage.ru_maxrss : 0;
}

/* What a drift is to be held against: the largest exchange; but where next to nothing was exchanged but the drift
 * itself, or rounding, the energies that there are. J, 0: there are none. */
typedef struct energy_scale {
    double energy;
    bool exchanged;
} energy_scale;

static energy_scale find_scale(const cli_run_state *run)
{
    const cli_scales *s = &run->scales;
    const double energies = run->first.kinetic + fabs(run->first.potential) + run->exchange +
                            s->mass * s->gravity * s->length;
    const bool exchanged =
        run->exchange > 2.0 * run->drift && run->exchange > 64.0 * DBL_EPSILON * energies;
    return (energy_scale){exchanged ? run->exchange : energies, exchanged};
}

static double relative_drift(const cli_run_state *run)
{
    const double energy = find_scale(run).energy;
    return energy > 0.0 ? run->drift / energy : 0.0;
}

/* A drift is an error only where energy is conserved; elsewhere there is none to tell. */
static void json_drift(cli_output *out, const cli_run_state *run)
{
    char changers[CLI_REASONS_TEXT];
    const bool conserved = cli_energy_changers(&run->census, changers)[0] == '\0';
    cli_json_bool(out, "conservative", conserved);
    cli_json_text(out, "energy_changed_by", conserved ? NULL : changers);
    cli_json_real(out, "energy_drift", conserved ? run->drift : NAN);
    cli_json_real(out, "exchange", run->exchange);
    cli_json_real(out, "energy_scale", find_scale(run).energy);
    cli_json_real(out, "energy_drift_relative", conserved ? relative_drift(run) : NAN);
}

static void table_drift(cli_output *out, const cli_run_state *run)
{
    char changers[CLI_REASONS_TEXT];
    if (cli_energy_changers(&run->census, changers)[0] == '\0') {
        const energy_scale scale = find_scale(run);
        cli_print(out, "energy drift       %.3g J, %.3g of %s (%.6g J)\n", run->drift,
                  relative_drift(run),
                  scale.exchanged ? "the largest exchange" : "the energies there are",
                  scale.energy);
    } else {
        cli_print(out, "energy drift       none to tell: energy is changed by %s\n", changers);
    }
}

static double distance(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void json_measures(cli_output *out, const cli_run_state *run)
{
    const rct_measures *first = &run->first;
    const rct_measures *last = &run->last;
    cli_json_real(out, "kinetic_initial", first->kinetic);
    cli_json_real(out, "kinetic_final", last->kinetic);
    cli_json_real(out, "potential_initial", first->potential);
    cli_json_real(out, "potential_final", last->potential);
    cli_json_real(out, "energy_initial", first->kinetic + first->potential);
    cli_json_real(out, "energy_final", last->kinetic + last->potential);
    json_drift(out, run);
    cli_json_vector(out, "momentum_initial", first->momentum, 3);
    cli_json_vector(out, "momentum_final", last->momentum, 3);
    cli_json_real(out, "momentum_change", distance(last->momentum, first->momentum));
    cli_json_vector(out, "angular_momentum_initial", first->angular_momentum, 3);
    cli_json_vector(out, "angular_momentum_final", last->angular_momentum, 3);
    cli_json_real(out, "angular_momentum_change",
                  distance(last->angular_momentum, first->angular_momentum));
}

static void print_json(cli_output *out, const cli_run_state *run)
{
    rct_loop_info loops;
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "model", rct_model_name(run->model));
    cli_json_count(out, "bodies", run->info.bodies);
    cli_json_count(out, "dof", run->info.dof);
    cli_json_text(out, "method", run->info.method);
    cli_json_text(out, "backend", run->info.backend);
    cli_json_count(out, "threads", run->info.threads);
    cli_json_count(out, "lanes", run->info.lanes);
    cli_json_count(out, "segment_length", run->info.segment_length);
    cli_json_count(out, "segments", run->info.segments);
    cli_json_real(out, "dt", run->arguments->dt);
    cli_json_real(out, "t_end", run->arguments->t_end);
    cli_json_count(out, "steps", run->steps);
    cli_json_count(out, "evaluations", run->steps * CLI_EVALUATIONS_PER_STEP);
    cli_json_real(out, "wall_s", run->stepping);
    cli_json_real(out, "total_s", cli_seconds() - run->started);
    cli_json_real(out, "ns_per_body_evaluation", cli_run_cost(run));
    json_measures(out, run);
    rct_solver_get_loop_info(run->solver, &loops);
    cli_json_loops(out, run->model, &loops, &run->violation);
    cli_json_count(out, "warnings", run->warnings);
    cli_json_real(out, "step_error", run->step_error);
    cli_json_real(out, "step_advised", run->step_advised);
    cli_json_count(out, "frames", run->measured);
    cli_json_text(out, "file", run->arguments->out);
    if (run->arguments->out != NULL) {
        cli_json_count(out, "file_bytes", run->file_bytes);
    } else {
        cli_json_null(out, "file_bytes");
    }
    cli_json_count(out, "bytes", run->info.bytes);
    cli_json_count(out, "peak_memory_bytes", peak_memory());
    cli_json_close(out, '}');
    cli_print(out, "\n");
}

static void table_measures(cli_output *out, const cli_run_state *run)
{
    const rct_measures *last = &run->last;
    const double *p = last->momentum;
    const double *l = last->angular_momentum;
    cli_print(out, "energy             %.9g J at the start, %.9g J at the end\n",
              run->first.kinetic + run->first.potential, last->kinetic + last->potential);
    cli_print(out, "  at the end       %.9g J kinetic, %.9g J potential\n", last->kinetic,
              last->potential);
    table_drift(out, run);
    cli_print(out, "momentum           %.6g %.6g %.6g kg m/s at the end\n", p[0], p[1], p[2]);
    cli_print(out, "angular momentum   %.6g %.6g %.6g kg m^2/s at the end\n", l[0], l[1], l[2]);
}

static void print_table(cli_output *out, const cli_run_state *run)
{
    const rct_solver_info *info = &run->info;
    rct_loop_info loops;
    char name[RCT_NAME_SIZE];
    char memory[CLI_SHORT_TEXT];
    char peak[CLI_SHORT_TEXT];
    cli_bytes_text(info->bytes, memory);
    cli_bytes_text(peak_memory(), peak);
    cli_print(out, "model              %s: %" PRId32 " bodies, %" PRId64 " degrees of freedom\n",
              cli_plain_name(rct_model_name(run->model), name), info->bodies, info->dof);
    cli_print(out, "method             %s on %s, %" PRId32 " thread%s\n", info->method,
              info->backend, info->threads, info->threads == 1 ? "" : "s");
    cli_print(out, "simulated          %.9g s in %" PRId64 " steps of %.9g s\n",
              run->arguments->t_end, run->steps, run->arguments->dt);
    cli_print(out, "time               %.4g s in steps, %.4g s in all\n", run->stepping,
              cli_seconds() - run->started);
    cli_print(out, "cost               %.4g ns per body and evaluation\n", cli_run_cost(run));
    table_measures(out, run);
    rct_solver_get_loop_info(run->solver, &loops);
    cli_print_loops(out, run->model, &loops, &run->violation);
    cli_print(out, "memory             %s for the solver, %s at most in all\n", memory, peak);
    if (run->arguments->out != NULL) {
        cli_print(out, "recorded           %" PRId64 " frames in %s\n", run->measured,
                  run->arguments->out);
    }
}

int cli_run_report(const cli_run_state *run)
{
    cli_output out = cli_output_start();
    if (run->arguments->given[CLI_JSON]) {
        print_json(&out, run);
    } else {
        print_table(&out, run);
    }
    return cli_output_finish(&out);
}
