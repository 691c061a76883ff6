/* How many steps a run takes, and after which of them a frame is measured. */
#include "run/run.h"

#include <inttypes.h>
#include <math.h>

static const double most_steps = 1e15;
static const int64_t most_frames = 1000000000;

/* t_end must be a whole number of steps: neither is bent silently. */
static bool plan_steps(cli_run_note *note, double t_end, double dt)
{
    const double ratio = t_end / dt;
    if (!(ratio <= most_steps)) {
        return cli_refuse("--t-end %.12g with --dt %.12g: more than %g steps", t_end, dt,
                          most_steps);
    }
    note->steps = llround(ratio);
    if (note->steps > 0 && fabs((double)note->steps * dt - t_end) <= 1e-9 * t_end) {
        return true;
    }
    const double below = floor(ratio);
    if (below < 1.0) {
        return cli_refuse("--t-end %.12g is less than one step of --dt %.12g; "
                          "the nearest is --t-end %.12g",
                          t_end, dt, dt);
    }
    return cli_refuse("--t-end %.12g is not a whole number of steps of --dt %.12g; "
                      "the nearest are --t-end %.12g and --t-end %.12g",
                      t_end, dt, below * dt, (below + 1.0) * dt);
}

static bool plan_frames(cli_run_note *note, const cli_arguments *arguments)
{
    char steps[CLI_COUNTED];
    const int64_t intervals = note->steps < CLI_USUAL_INTERVALS ? note->steps : CLI_USUAL_INTERVALS;
    note->frames = arguments->given[CLI_FRAMES] ? arguments->frames : intervals + 1;
    return (note->frames <= note->steps + 1 ||
            cli_refuse("--frames %" PRId64 ": there are no more than %" PRId64
                       " states in %s; give fewer",
                       note->frames, note->steps + 1, cli_counted(note->steps, "step", steps))) &&
           (note->frames <= most_frames ||
            cli_refuse("--frames %" PRId64 ": give no more than %" PRId64, note->frames,
                       most_frames));
}

bool cli_run_plan(cli_run_note *note, const cli_arguments *arguments)
{
    note->adapts = rct_integrator_adapts((rct_integrator)arguments->integrator);
    return plan_steps(note, arguments->t_end, arguments->dt) && plan_frames(note, arguments);
}

/* floor(frame steps / intervals) without the product, which could overflow. */
int64_t cli_run_frame_step(const cli_run_note *note, int64_t frame)
{
    const int64_t intervals = note->frames - 1;
    return note->steps / intervals * frame + note->steps % intervals * frame / intervals;
}
