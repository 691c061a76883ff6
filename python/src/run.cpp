/* Runs of the library, watched from Python. */
#include "solver.h"

#include <cfloat>

namespace
{

struct Watched {
    Solver &solver;
    nb::handle watch;
};

} // namespace

/* An exception from `watch`, or Ctrl-C, ends the run after the frame that is due, which is watched
 * too. The solver may be read meanwhile. */
static int watch_run(void *context, const rct_run_report *so_far)
{
    const Watched *watched = static_cast<const Watched *>(context);
    Solver &solver = watched->solver;
    nb::gil_scoped_acquire held;
    nb::object before = std::move(solver.raised); /* the first one counts */
    solver.raised = nb::object();
    solver.reader = std::this_thread::get_id();
    solver.evaluated = false;
    try {
        watched->watch(so_far->done, so_far->measured);
        if (PyErr_CheckSignals() != 0) {
            throw nb::python_error();
        }
    } catch (nb::python_error &error) {
        solver.raised = nb::borrow(error.value());
    }
    solver.reader = std::thread::id();
    if (before.is_valid()) {
        solver.raised = std::move(before);
    } else if (!solver.raised.is_valid()) {
        solver.raised = std::move(solver.paused);
    }
    return solver.raised.is_valid() ? 1 : 0;
}

static void show(const rct_run_report &report, nb::dict all)
{
    all["steps"] = report.steps;
    all["done"] = report.done;
    all["frames"] = report.frames;
    all["measured"] = report.measured;
    all["saved"] = report.saved;
    all["stepping"] = report.stepping;
    all["elapsed"] = report.elapsed;
    all["drift"] = report.drift;
    all["exchange"] = report.exchange;
    all["position"] = report.position;
    all["velocity"] = report.velocity;
    all["drift_share"] = report.drift_share;
    all["step_error"] = report.step_error;
    all["step_advised"] = report.step_advised;
}

static const char *text_of(const std::optional<std::string> &text)
{
    return text.has_value() ? text->c_str() : nullptr;
}

/* `report` is filled in any case, also if the run ends with an error. */
static void run(Solver &solver, const Model &model, double t_end, double dt, int64_t frames,
                const std::optional<std::string> &out, nb::handle overwrite,
                const std::optional<std::string> &checkpoint, nb::handle every,
                nb::handle max_drift, nb::handle watch, nb::dict report)
{
    rct_run_options options = rct_run_options_default();
    rct_run_report own = {};
    rct_error error = {};
    Watched watched = {solver, watch};
    options.t_end = t_end;
    options.dt = dt;
    options.frames = frames;
    options.recording = text_of(out);
    options.overwrite = taken<bool>(overwrite, "overwrite") ? 1 : 0;
    options.checkpoint = text_of(checkpoint);
    options.checkpoint_seconds = within(every, "every", 0.0, DBL_MAX);
    options.max_drift = within(max_drift, "max_drift", 0.0, DBL_MAX);
    options.command_line = "Python";
    options.watch = watch_run;
    options.context = &watched;
    Turn turn(solver);
    solver.evaluated = false;
    solver.runs = true;
    const rct_status status = without_gil(
        [&]() { return rct_solver_run(solver.get(), model.get(), &options, &own, &error); });
    solver.runs = false;
    if (!solver.raised.is_valid() && status == RCT_OK) {
        solver.raised = std::move(solver.paused);
    }
    solver.paused.reset();
    show(own, report);
    turn.raise_pending();
    check(status, error);
}

static nb::tuple plan(double start, nb::handle t_end, nb::handle dt, nb::handle asked)
{
    int64_t steps = 0, frames = 0;
    rct_error error = {};
    const double span = taken<double>(t_end, "t_end") - start, length = taken<double>(dt, "dt");
    const int64_t given = taken<int64_t>(asked, "frames");
    rct_status status = rct_run_steps(span, length, &steps, &error);
    if (status == RCT_OK) {
        status = rct_run_frames(steps, given, &frames, &error);
    }
    check(status, error);
    return nb::make_tuple(steps, frames);
}

void add_runs(nb::module_ &module, nb::class_<Solver> &type)
{
    type.def("_run", &run, nb::arg("model"), nb::arg("t_end"), nb::arg("dt"), nb::arg("frames"),
             nb::arg("out").none(), nb::arg("overwrite").none(), nb::arg("checkpoint").none(),
             nb::arg("every").none(), nb::arg("max_drift").none(), nb::arg("watch"),
             nb::arg("report"));
    module.def("run_plan", &plan, nb::arg("start"), nb::arg("t_end").none(), nb::arg("dt").none(),
               nb::arg("frames").none());
    module.attr("RUN_SHARE") = RCT_RUN_SHARE;
}
