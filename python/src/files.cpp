/* Files of runs: recordings, checkpoints, and whether a file is whole. */
#include "solver.h"

namespace
{

/* The solver and the model of a recorder stay alive with it, by nanobind. */
struct Recorder {
    rct_recorder *own = nullptr;
    ~Recorder()
    {
        close(false, nullptr);
    }
    rct_status close(bool complete, rct_error *error)
    {
        rct_recorder *closed = own;
        own = nullptr;
        return rct_recorder_close(closed, complete ? 1 : 0, error);
    }
};

struct Checkpoint {
    Owned<rct_checkpoint, rct_checkpoint_close> own;
};

} // namespace

/* ---- recordings --------------------------------------------------------------------------- */

static void create_recorder(Recorder *self, const std::string &path, const Model &model,
                            Solver &solver, int64_t frames, double dt, double t_end, bool overwrite)
{
    rct_recorder_options options = rct_recorder_options_default();
    rct_error error = {};
    options.frames = frames;
    options.dt = dt;
    options.t_end = t_end;
    options.overwrite = overwrite;
    options.command_line = "Python";
    Turn turn(solver);
    rct_recorder *recorder = without_gil([&]() {
        return rct_recorder_create(path.c_str(), model.get(), solver.get(), &options, &error);
    });
    made(recorder, error);
    new (self) Recorder();
    self->own = recorder;
}

/* The state of the solver as the next frame; `measures` is (kinetic, potential, momentum, angular
 * momentum) or None. */
static void write_frame(Recorder &recorder, Solver &solver, nb::handle measures)
{
    rct_measures own = {};
    rct_error error = {};
    const bool given = !measures.is_none();
    if (given) {
        own.kinetic = nb::cast<double>(measures[0]);
        own.potential = nb::cast<double>(measures[1]);
        const In momentum = take(measures[2], {3}, "momentum");
        const In angular = take(measures[3], {3}, "angular momentum");
        for (int i = 0; i < 3; i++) {
            own.momentum[i] = momentum.data[i];
            own.angular_momentum[i] = angular.data[i];
        }
    }
    if (recorder.own == nullptr) {
        raise_argument("the recording is closed");
    }
    Turn turn(solver);
    const rct_status status = without_gil([&]() {
        return rct_recorder_write(recorder.own, solver.get(), given ? &own : nullptr, &error);
    });
    check(status, error);
}

static void close_recorder(Recorder &recorder, bool complete)
{
    rct_error error = {};
    const rct_status status = without_gil([&]() { return recorder.close(complete, &error); });
    check(status, error);
}

/* ---- checkpoints -------------------------------------------------------------------------- */

static void write_checkpoint(const std::string &path, const Model &model, Solver &solver,
                             int64_t steps)
{
    rct_error error = {};
    Turn turn(solver);
    const rct_status status = without_gil([&]() {
        const Owned<rct_checkpoint_writer, rct_checkpoint_writer_free> writer(
            rct_checkpoint_writer_create(path.c_str(), model.get(), solver.get(), &error));
        return writer == nullptr ? error.status
                                 : rct_checkpoint_write(writer.get(), steps, nullptr, 0, &error);
    });
    check(status, error);
}

static void open_checkpoint(Checkpoint *self, const std::string &path)
{
    rct_error error = {};
    rct_checkpoint *opened =
        without_gil([&]() { return rct_checkpoint_open(path.c_str(), &error); });
    made(opened, error);
    new (self) Checkpoint();
    self->own.reset(opened);
}

static nb::dict checkpoint_info(const Checkpoint &checkpoint)
{
    rct_checkpoint_info info = {};
    nb::dict all, options;
    rct_checkpoint_get_info(checkpoint.own.get(), &info);
    const rct_solver_options &own = info.options;
    options["method"] = rct_method_name(own.method);
    options["backend"] = own.backend;
    options["lanes"] = own.lanes;
    options["segment"] = own.segment == RCT_SEGMENT_AUTO    ? nb::cast("auto")
                         : own.segment == RCT_SEGMENT_WHOLE ? nb::cast("whole")
                                                            : nb::cast(own.segment);
    options["user_forces"] = own.user_forces != 0;
    options["closing"] = rct_closing_name(own.closing);
    options["drift"] = rct_drift_name(own.drift);
    if (own.drift == RCT_DRIFT_BAUMGARTE) {
        options["baumgarte"] = nb::make_tuple(own.baumgarte[0], own.baumgarte[1]);
    }
    options["as_given"] = own.as_given != 0;
    options["integrator"] = rct_integrator_name(own.integrator);
    if (rct_integrator_adapts(own.integrator)) {
        options["tolerance"] = own.tolerance;
    }
    all["options"] = options;
    all["time"] = info.time;
    all["steps"] = info.steps;
    all["note"] = nb::bytes(info.note, static_cast<size_t>(info.note_bytes));
    return all;
}

static Model *checkpoint_model(const Checkpoint &checkpoint)
{
    rct_error error = {};
    return new Model(made(rct_checkpoint_model(checkpoint.own.get(), &error), error));
}

static void restore(const Checkpoint &checkpoint, const Model &model, Solver &solver)
{
    Turn turn(solver);
    solver.evaluated = false;
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_checkpoint_restore(checkpoint.own.get(), model.get(), own, error);
    });
}

/* ---- files -------------------------------------------------------------------------------- */

static nb::dict check_file(const std::string &path)
{
    static const char *const kinds[] = {"recording", "ensemble", "checkpoint", "model"};
    rct_file_info info = {};
    rct_error error = {};
    const rct_status status =
        without_gil([&]() { return rct_file_check(path.c_str(), &info, &error); });
    check(status, error);
    nb::dict all;
    all["kind"] = kinds[info.kind];
    all["room"] = info.room;
    all["written"] = info.written;
    all["complete"] = info.complete != 0;
    all["checked"] = info.checked != 0;
    return all;
}

/* ---- views -------------------------------------------------------------------------------- */

template <typename Write> static nb::dict view(int64_t most_bytes, Write write)
{
    rct_view_options options = rct_view_options_default();
    rct_view_report report = {};
    rct_error error = {};
    options.most_bytes = most_bytes;
    const rct_status status = without_gil([&]() { return write(&options, &report, &error); });
    check(status, error);
    nb::dict all;
    all["bodies"] = report.bodies;
    all["bodies_shown"] = report.bodies_shown;
    all["frames"] = report.frames;
    all["frames_shown"] = report.frames_shown;
    all["bytes"] = report.bytes;
    all["position_error"] = report.position_error;
    all["members"] = report.members;
    all["members_shown"] = report.members_shown;
    return all;
}

static nb::dict view_recording(const std::string &from, const std::string &path, int64_t most_bytes)
{
    return view(most_bytes, [&](const auto *options, auto *report, auto *error) {
        return rct_view_recording(from.c_str(), path.c_str(), options, report, error);
    });
}

static nb::dict view_ensemble(const std::string &from, const std::string &path, int64_t most_bytes)
{
    return view(most_bytes, [&](const auto *options, auto *report, auto *error) {
        return rct_view_ensemble(from.c_str(), path.c_str(), options, report, error);
    });
}

static nb::dict view_model(const Model &model, const std::string &path, int64_t most_bytes)
{
    return view(most_bytes, [&](const auto *options, auto *report, auto *error) {
        return rct_view_model(model.get(), path.c_str(), options, report, error);
    });
}

void add_files(nb::module_ &module)
{
    nb::class_<Recorder>(module, "Recorder")
        .def("__init__", &create_recorder, nb::arg("path"), nb::arg("model"), nb::arg("solver"),
             nb::arg("frames"), nb::arg("dt"), nb::arg("t_end"), nb::arg("overwrite"),
             nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def("write", &write_frame, nb::arg("solver"), nb::arg("measures").none())
        .def("close", &close_recorder, nb::arg("complete"));
    module.def("write_checkpoint", &write_checkpoint, nb::arg("path"), nb::arg("model"),
               nb::arg("solver"), nb::arg("steps"));
    nb::class_<Checkpoint>(module, "Checkpoint")
        .def("__init__", &open_checkpoint, nb::arg("path"))
        .def_prop_ro("info", &checkpoint_info)
        .def("model", &checkpoint_model)
        .def("restore", &restore, nb::arg("model"), nb::arg("solver"));
    module.def("view_recording", &view_recording, nb::arg("recording"), nb::arg("path"),
               nb::arg("most_bytes"));
    module.def("view_ensemble", &view_ensemble, nb::arg("results"), nb::arg("path"),
               nb::arg("most_bytes"));
    module.def("view_model", &view_model, nb::arg("model"), nb::arg("path"), nb::arg("most_bytes"));
    module.def("check", &check_file, nb::arg("path"));
}
