/* The results of a run, as a table or as JSON. */
#include "run/run.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

/* The steps of the whole run, including those before a checkpoint. With error control the solver
 * itself continues the count. */
static rct_stepping stepping_of(const cli_run_state *run, const rct_run_report *r)
{
    rct_stepping s;
    rct_solver_get_stepping(run->solver, &s);
    if (isnan(s.tolerance)) {
        s.steps = r->done;
        s.evaluations =
            s.steps * (int64_t)cli_evaluations((rct_integrator)run->arguments->integrator);
        s.shortest = s.longest = run->options.dt;
    }
    return s;
}

double cli_run_cost(const cli_run_state *run, const rct_run_report *r)
{
    const double evaluations = (double)stepping_of(run, r).evaluations;
    return r->stepping * 1e9 / ((double)run->info.bodies * evaluations);
}

static int64_t peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024 * (int64_t)usage.ru_maxrss : 0;
}

/* The energy to which a drift is compared: the largest transferred energy (exchange). If hardly
 * more than the drift itself or rounding was transferred, the sum of the energies. J, 0: there
 * is none. */
typedef struct energy_scale {
    double energy;
    bool exchanged;
} energy_scale;

static energy_scale find_scale(const cli_run_state *run)
{
    const rct_census *s = &run->census;
    const double energies = run->report.kinetic[0] + fabs(run->report.potential[0]) +
                            run->report.exchange + s->mass * s->gravity * s->length;
    const bool exchanged = run->report.exchange > 2.0 * run->report.drift &&
                           run->report.exchange > 64.0 * DBL_EPSILON * energies;
    return (energy_scale){exchanged ? run->report.exchange : energies, exchanged};
}

static double relative_drift(const cli_run_state *run)
{
    const double energy = find_scale(run).energy;
    return energy > 0.0 ? run->report.drift / energy : 0.0;
}

/* A drift is an error only if energy is conserved; otherwise none is printed. */
static void print_drift(const cli_run_state *run)
{
    const char *changers = run->census.changers;
    const bool conserved = changers[0] == '\0';
    const energy_scale scale = find_scale(run);
    cli_json_bool("conservative", conserved);
    cli_json_text("energy_changed_by", conserved ? NULL : changers);
    cli_json_real("energy_drift", conserved ? run->report.drift : NAN);
    cli_json_real("exchange", run->report.exchange);
    cli_json_real("energy_scale", scale.energy);
    cli_json_real("energy_drift_relative", conserved ? relative_drift(run) : NAN);
    cli_json_real("energy_drift_share", run->report.drift_share);
    if (conserved) {
        cli_line("energy drift", "%.3g J, %.3g of %s (%.6g J)", run->report.drift,
                 relative_drift(run),
                 scale.exchanged ? "the largest transferred energy" : "the energies there are",
                 scale.energy);
    } else {
        cli_line("energy drift", "none to tell: energy is changed by %s", changers);
    }
}

static void json_momentum(const char *what, const double first[3], const double last[3])
{
    char key[CLI_SHORT_TEXT];
    snprintf(key, sizeof key, "%s_initial", what);
    cli_json_vector(key, first, 3);
    snprintf(key, sizeof key, "%s_final", what);
    cli_json_vector(key, last, 3);
    snprintf(key, sizeof key, "%s_change", what);
    cli_json_real(key, cli_distance(last, first));
}

static void print_measures(const cli_run_state *run)
{
    const rct_run_report *r = &run->report;
    const double *p = r->momentum[1], *l = r->angular_momentum[1];
    const double initial = r->kinetic[0] + r->potential[0];
    const double final = r->kinetic[1] + r->potential[1];
    cli_json_real("kinetic_initial", r->kinetic[0]);
    cli_json_real("kinetic_final", r->kinetic[1]);
    cli_json_real("potential_initial", r->potential[0]);
    cli_json_real("potential_final", r->potential[1]);
    cli_json_real("energy_initial", initial);
    cli_json_real("energy_final", final);
    cli_line("energy", "%.9g J at the start, %.9g J at the end", initial, final);
    cli_line("  at the end", "%.9g J kinetic, %.9g J potential", r->kinetic[1], r->potential[1]);
    print_drift(run);
    json_momentum("momentum", r->momentum[0], p);
    json_momentum("angular_momentum", r->angular_momentum[0], l);
    cli_line("momentum", "%.6g %.6g %.6g kg m/s at the end", p[0], p[1], p[2]);
    cli_line("angular momentum", "%.6g %.6g %.6g kg m^2/s at the end", l[0], l[1], l[2]);
}

static void print_solver(const cli_run_state *run)
{
    const rct_solver_info *info = &run->info;
    const char *model = rct_model_name(run->model);
    char name[RCT_NAME_SIZE], first[CLI_COUNTED], second[CLI_COUNTED];
    cli_json_text("model", model);
    cli_json_count("bodies", info->bodies);
    cli_json_count("dof", info->dof);
    cli_line("model", "%s: %s, %s", cli_plain_name(model, name),
             cli_counted(info->bodies, "body", first),
             cli_counted(info->dof, "degree of freedom", second));
    cli_json_text("method", info->method);
    cli_json_text("backend", info->backend);
    cli_json_count("threads", info->threads);
    cli_line("method", "%s on %s, %s", info->method, info->backend,
             cli_counted(info->threads, "thread", first));
    cli_json_count("lanes", info->lanes);
    cli_json_count("segment_length", info->segment_length);
    cli_json_count("segments", info->segments);
}

static void print_steps(const cli_run_state *run)
{
    const rct_run_options *options = &run->options;
    const rct_run_report *r = &run->report;
    const double seconds = run->before + r->elapsed;
    const rct_stepping s = stepping_of(run, r);
    char text[CLI_COUNTED];
    cli_json_real("dt", options->dt);
    cli_json_real("t_end", options->t_end);
    cli_json_count("steps", r->steps);
    cli_json_text("integrator", s.integrator);
    cli_json_real("tolerance", s.tolerance);
    cli_json_count("steps_taken", s.steps);
    cli_json_count("steps_rejected", s.rejected);
    cli_json_real("step_shortest", s.shortest);
    cli_json_real("step_longest", s.longest);
    cli_line("simulated", "%.9g s in %s of %.9g s", options->t_end,
             cli_counted(r->steps, "step", text), options->dt);
    if (!isnan(s.tolerance)) {
        cli_counted(s.steps, "step", text);
        if (isnan(s.shortest)) {
            cli_line("  by error", "%s, tolerance %g: %s, %" PRId64 " rejected", s.integrator,
                     s.tolerance, text, s.rejected);
        } else {
            cli_line("  by error",
                     "%s, tolerance %g: %s, %" PRId64
                     " rejected; %.3g to %.3g s, and shorter where a step of %.9g s ends",
                     s.integrator, s.tolerance, text, s.rejected, s.shortest, s.longest,
                     options->dt);
        }
    }
    cli_json_count("evaluations", s.evaluations);
    cli_json_real("wall_s", r->stepping);
    cli_json_real("total_s", seconds);
    cli_line("time", "%.4g s in steps, %.4g s in all", r->stepping, seconds);
    cli_json_real("ns_per_body_evaluation", cli_run_cost(run, r));
    cli_line("cost", "%.4g ns per body and evaluation", cli_run_cost(run, r));
}

static void print_file(const cli_run_state *run)
{
    const char *file = run->arguments->out;
    cli_json_count("frames", run->report.measured);
    cli_json_text("file", file);
    if (file != NULL) {
        cli_json_count("file_bytes", run->report.file_bytes);
        cli_line("recorded", "%" PRId64 " frames in %s", run->report.measured, file);
    } else {
        cli_json_text("file_bytes", NULL);
    }
}

bool cli_run_print(const cli_run_state *run)
{
    rct_loop_info loops;
    char memory[CLI_SHORT_TEXT], most[CLI_SHORT_TEXT];
    const int64_t peak = peak_memory();
    rct_solver_get_loop_info(run->solver, &loops);
    cli_output_start(run->arguments->given[CLI_JSON], 19);
    print_solver(run);
    print_steps(run);
    print_measures(run);
    cli_print_loops(run->model, &loops, &run->report);
    const bool told = cli_print_events(run->model, run->solver);
    cli_json_count("warnings", run->warnings);
    cli_json_real("step_error", run->report.step_error);
    cli_json_real("step_advised", run->report.step_advised);
    cli_line("memory", "%s for the solver, %s at most in all",
             cli_bytes_text(run->info.bytes, memory), cli_bytes_text(peak, most));
    print_file(run);
    cli_json_count("bytes", run->info.bytes);
    cli_json_count("peak_memory_bytes", peak);
    return cli_output_finish() && told;
}
