/* How many steps a run takes, and after which of them a frame is measured. */
#include "run/run.h"

#include <inttypes.h>
#include <math.h>

enum { USUAL_INTERVALS = 100 };

static const double most_steps = 1e15;
static const int64_t most_frames = 1000000000;

/* t_end must be a whole number of steps: neither is bent silently. */
static int plan_steps(cli_run_state *run)
{
    const double t_end = run->arguments->t_end;
    const double dt = run->arguments->dt;
    const double ratio = t_end / dt;
    if (!(ratio <= most_steps)) {
        return cli_fail(CLI_BAD_INPUT, "--t-end %.12g with --dt %.12g: more than %g steps", t_end,
                        dt, most_steps);
    }
    run->steps = llround(ratio);
    if (run->steps > 0 && fabs((double)run->steps * dt - t_end) <= 1e-9 * t_end) {
        return CLI_OK;
    }
    const double below = floor(ratio);
    if (below < 1.0) {
        return cli_fail(CLI_BAD_INPUT,
                        "--t-end %.12g is less than one step of --dt %.12g; "
                        "the nearest is --t-end %.12g",
                        t_end, dt, dt);
    }
    return cli_fail(CLI_BAD_INPUT,
                    "--t-end %.12g is not a whole number of steps of --dt %.12g; "
                    "the nearest are --t-end %.12g and --t-end %.12g",
                    t_end, dt, below * dt, (below + 1.0) * dt);
}

static int plan_frames(cli_run_state *run)
{
    const int64_t intervals = run->steps < USUAL_INTERVALS ? run->steps : USUAL_INTERVALS;
    const bool given = run->arguments->given[CLI_FRAMES];
    run->frames = given ? run->arguments->frames : intervals + 1;
    if (run->frames > run->steps + 1) {
        return cli_fail(CLI_BAD_INPUT,
                        "--frames %" PRId64 ": %" PRId64 " steps have no more than %" PRId64
                        " states; give fewer",
                        run->frames, run->steps, run->steps + 1);
    }
    if (run->frames > most_frames) {
        return cli_fail(CLI_BAD_INPUT, "--frames %" PRId64 ": give no more than %" PRId64,
                        run->frames, most_frames);
    }
    return CLI_OK;
}

int cli_run_plan(cli_run_state *run)
{
    const int status = plan_steps(run);
    return status == CLI_OK ? plan_frames(run) : status;
}

/* floor(frame steps / intervals) without the product, which could overflow. */
int64_t cli_run_frame_step(const cli_run_state *run, int64_t frame)
{
    const int64_t intervals = run->frames - 1;
    return run->steps / intervals * frame + run->steps % intervals * frame / intervals;
}
