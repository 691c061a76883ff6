/* Solvers: made from a model, stepped, measured. */
#include "solver.h"

#include <cfloat>

#include <algorithm>
#include <chrono>

/* ---- options ------------------------------------------------------------------------------ */

/* The number, below `count`, whose name by `name_of` is `value`. */
template <typename Enum>
static Enum numbered(nb::handle value, const char *(*name_of)(Enum), int count, const char *what)
{
    const std::string name = taken<std::string>(value, what);
    std::string all;
    for (int k = 0; k < count; k++) {
        const char *known = name_of(static_cast<Enum>(k));
        if (name == known) {
            return static_cast<Enum>(k);
        }
        all += (k > 0 ? ", " : "") + std::string(known);
    }
    throw nb::value_error((what + (" \"" + name) + "\" is not one of: " + all).c_str());
}

static const char *junction_name(rct_junction junction)
{
    static const char *const names[] = {"auto", "host", "device"};
    return names[junction];
}

static int64_t segment_of(nb::handle value)
{
    if (!nb::isinstance<nb::str>(value)) {
        return within<int64_t>(value, "segment", 0, INT64_MAX);
    }
    const std::string name = nb::cast<std::string>(value);
    if (name != "auto" && name != "whole") {
        throw nb::value_error("segment: give a number of links, \"auto\" or \"whole\"");
    }
    return name == "auto" ? RCT_SEGMENT_AUTO : RCT_SEGMENT_WHOLE;
}

static int32_t lanes_of(nb::handle value)
{
    const int32_t lanes = taken<int32_t>(value, "lanes");
    if (lanes != 0 && lanes != 1 && lanes != 2 && lanes != 4 && lanes != 8) {
        raise_argument("lanes: give 1, 2, 4 or 8, or 0 to let the solver choose, not " +
                       std::to_string(lanes));
    }
    return lanes;
}

/* Refuse what is given and would have no effect. */
static void check_effects(const nb::dict &given, const rct_solver_options &options)
{
    if (given.contains("tolerance") && !rct_integrator_adapts(options.integrator)) {
        raise_argument("tolerance: it needs steps with error control; give integrator=\"dopri5\" "
                       "or \"implicit\" too");
    }
    if (given.contains("baumgarte") && options.drift != RCT_DRIFT_BAUMGARTE) {
        raise_argument("baumgarte: it needs drift=\"baumgarte\"; give this too");
    }
}

rct_solver_options solver_options(const nb::dict &given, std::string &backend)
{
    rct_solver_options options = rct_solver_options_default();
    for (auto [key, value] : given) {
        const std::string name = nb::cast<std::string>(key);
        if (name == "method") {
            options.method = numbered(value, rct_method_name, RCT_METHOD_RICCATI + 1, "method");
        } else if (name == "backend") {
            backend = plain(taken<std::string>(value, name), name);
            options.backend = backend.c_str();
        } else if (name == "threads") {
            options.threads = within(value, name, 0, 1024);
        } else if (name == "lanes") {
            options.lanes = lanes_of(value);
        } else if (name == "segment") {
            options.segment = segment_of(value);
        } else if (name == "junction") {
            options.junction = numbered(value, junction_name, RCT_JUNCTION_DEVICE + 1, "junction");
        } else if (name == "user_forces") {
            options.user_forces = taken<bool>(value, name);
        } else if (name == "closing") {
            options.closing = numbered(value, rct_closing_name, RCT_CLOSING_SVD + 1, "closing");
        } else if (name == "drift") {
            options.drift = numbered(value, rct_drift_name, RCT_DRIFT_PARTITION + 1, "drift");
        } else if (name == "baumgarte") {
            const auto pair = taken<std::vector<double>>(value, name);
            if (pair.size() != 2) {
                throw nb::value_error("baumgarte: give two numbers");
            }
            std::copy(pair.begin(), pair.end(), options.baumgarte);
        } else if (name == "as_given") {
            options.as_given = taken<bool>(value, name);
        } else if (name == "integrator") {
            options.integrator =
                numbered(value, rct_integrator_name, RCT_INTEGRATOR_CONSERVING + 1, "integrator");
        } else if (name == "tolerance") {
            options.tolerance = taken<double>(value, name);
        } else {
            throw nb::type_error(("a solver has no option \"" + name + "\"").c_str());
        }
    }
    check_effects(given, options);
    return options;
}

/* The predicted time of an evaluation on each backend, s. */
static nb::dict backend_times(const Model &model, const nb::dict &given)
{
    std::string backend;
    const rct_solver_options options = solver_options(given, backend);
    nb::dict all;
    for (int32_t k = 0; k < rct_backend_count(); k++) {
        rct_backend_info info;
        double seconds;
        rct_error error = {};
        check(rct_backend_describe(k, &info, &error), error);
        check(rct_backend_predict(k, model.get(), &options, &seconds, &error), error);
        if (info.available) {
            all[info.name] = seconds;
        }
    }
    return all;
}

/* ---- one call at a time ------------------------------------------------------------------- */

Turn::Turn(Solver &solver)
    : solver_(solver), inside_(solver.reader.load() == std::this_thread::get_id())
{
    if (!inside_ && solver.busy.exchange(true)) {
        raise_argument("the solver is busy: it takes one call at a time, and none from its own "
                       "force function; wait until the call returns, or make another solver");
    }
}

void Turn::raise_pending()
{
    if (solver_.raised.is_valid()) {
        nb::object raised = std::move(solver_.raised);
        solver_.raised = nb::object();
        raise_again(raised);
    }
}

Solver::Solver(const Model &model, const nb::dict &options)
{
    std::string backend;
    const rct_solver_options chosen = solver_options(options, backend);
    rct_error error = {};
    rct_solver *made_solver =
        without_gil([&]() { return rct_solver_create(model.get(), &chosen, &error); });
    own.reset(made(made_solver, error));
    rct_solver_get_info(get(), &info);
    loops = static_cast<size_t>(rct_model_loop_count(model.get()));
    events = static_cast<size_t>(rct_model_event_count(model.get()));
}

/* ---- steps -------------------------------------------------------------------------------- */

/* Steps of about a twentieth of a second, so that Ctrl-C is handled between them. */
static int64_t chunk_of(int64_t left, int64_t done, double seconds)
{
    const double chunk_seconds = 0.05;
    const double steps = done > 0 ? chunk_seconds * static_cast<double>(done) / seconds : 1.0;
    return steps >= static_cast<double>(left) ? left
           : steps <= 1.0                     ? (left > 0 ? 1 : left)
                                              : static_cast<int64_t>(steps);
}

static void step(Solver &solver, nb::handle length, nb::handle count)
{
    using clock = std::chrono::steady_clock;
    const double dt = taken<double>(length, "dt");
    const int64_t steps = taken<int64_t>(count, "steps");
    Turn turn(solver);
    const clock::time_point start = clock::now();
    int64_t done = 0;
    solver.evaluated = false;
    do {
        const std::chrono::duration<double> spent = clock::now() - start;
        const int64_t chunk = chunk_of(steps - done, done, spent.count());
        rct_error error = {};
        const rct_status status = turn.go(error, [&](rct_solver *own, rct_error *words) {
            return rct_solver_step(own, dt, chunk, words);
        });
        if (status != RCT_OK) {
            error.step += error.step >= 0 ? done : 0;
            raise_error(error);
        }
        done += chunk;
        if (done < steps && PyErr_CheckSignals() != 0) {
            throw nb::python_error();
        }
    } while (done < steps);
}

static nb::dict check_step(Solver &solver, nb::handle length)
{
    const double dt = taken<double>(length, "dt");
    rct_step_report report = {};
    Turn turn(solver);
    solver.evaluated = false;
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_check_step(own, dt, &report, error);
    });
    nb::dict all;
    all["dt"] = report.dt;
    all["kinetic"] = report.kinetic;
    all["difference"] = report.difference;
    all["error"] = report.error;
    all["advised"] = report.advised;
    return all;
}

static nb::tuple measure(Solver &solver)
{
    rct_measures m = {};
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        rct_solver_measure(own, &m);
        return rct_solver_check(own, error);
    });
    return nb::make_tuple(m.kinetic, m.potential, copied(m.momentum, 3),
                          copied(m.angular_momentum, 3));
}

static void evaluate(Solver &solver)
{
    Turn turn(solver);
    solver.evaluated = false;
    turn.must(rct_solver_evaluate);
    solver.evaluated = true;
}

static nb::dict info_of(const Solver &solver)
{
    const rct_solver_info &info = solver.info;
    nb::dict all;
    all["bodies"] = info.bodies;
    all["links"] = info.links;
    all["dof"] = info.dof;
    all["coordinates"] = info.coordinates;
    all["wide"] = info.wide;
    all["roots"] = info.roots;
    all["tips"] = info.tips;
    all["junctions"] = info.junctions;
    all["depth"] = info.depth;
    all["branching"] = info.branching;
    all["bytes"] = info.bytes;
    all["method"] = info.method;
    all["backend"] = info.backend;
    all["threads"] = info.threads;
    all["lanes"] = info.lanes;
    all["segment_length"] = info.segment_length;
    all["segments"] = info.segments;
    all["tiles"] = info.tiles;
    all["tasks"] = info.tasks;
    all["bushes"] = info.bushes;
    all["waves"] = info.waves;
    all["trunk"] = info.trunk;
    all["padding"] = info.padding;
    all["imbalance"] = info.imbalance;
    return all;
}

void add_solver(nb::module_ &module)
{
    nb::class_<Solver> type(module, "Solver", nb::type_slots(solver_slots));
    type.def(nb::init<const Model &, const nb::dict &>(), nb::arg("model"), nb::arg("options"))
        .def_prop_ro("info", &info_of,
                     "The model in numbers, and how the plan divides its work, a dict: "
                     "riccatree/solver.h, rct_solver_info.")
        .def_prop_rw(
            "time",
            [](Solver &solver) {
                Turn turn(solver);
                return rct_solver_time(solver.get());
            },
            [](Solver &solver, nb::handle value) {
                const double time = within(value, "time", -DBL_MAX, DBL_MAX);
                Turn turn(solver);
                solver.evaluated = false;
                rct_solver_set_time(solver.get(), time);
            },
            nb::for_setter(nb::arg("time").none()),
            nb::for_getter(nb::sig("def time(self) -> float")),
            nb::for_setter(nb::sig("def time(self, time: float, /) -> None")), "Time, s.")
        .def("step", &step, nb::arg("dt").none(), nb::arg("steps").none() = 1,
             nb::sig("def step(self, dt: float, steps: int = 1) -> None"),
             "Take steps of dt (s) by the integrator of the solver. Ctrl-C stops between steps;\n"
             "a step that fails is taken back whole.")
        .def("evaluate", &evaluate,
             "Compute the accelerations of the present state. Reading a result does this "
             "automatically.")
        .def("check_step", &check_step, nb::arg("dt").none(),
             nb::sig("def check_step(self, dt: float) -> dict"),
             "Compare one step of dt (s) with two steps of dt/2, a dict: dt, kinetic (J), "
             "difference (J), error, advised (s).\n"
             "The state is not changed.")
        .def("_measure", &measure);
    add_state(type);
    add_user_forces(type);
    add_loops(type);
    add_operators(type);
    add_analyses(type);
    add_runs(module, type);
    module.def("backend_times", &backend_times, nb::arg("model"), nb::arg("options"));
}
