/* Ensembles: a run has a thread of its own, while the thread of the caller waits, shows progress
 * and handles Ctrl-C; results as columns. */
#include "solver.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <thread>

namespace
{

struct Ensemble {
    Owned<rct_ensemble, rct_ensemble_free> own;
    size_t coordinates = 0, dof = 0;
};

/* Columns for the results of members, a row each, owned by numpy; and the file for them. */
struct Columns {
    int64_t first = 0;
    size_t variations = 0, coordinates = 0, dof = 0, series = 0, tracked = 0;
    double *parameters, *time, *q, *v, *energy, *drift, *start_position, *start_velocity;
    double *series_energy, *series_position;
    int32_t *status;
    std::vector<std::string> texts;
    rct_ensemble_file *file = nullptr;
};

/* The data that the two threads share. */
struct Watch {
    Columns columns;
    std::vector<int32_t> track;
    std::string backend;
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    rct_status status = RCT_OK;
    rct_error error = {};
    std::atomic<bool> stop{false};
    std::atomic<int64_t> members{0}, steps{0};
};

} // namespace

/* ---- in the thread of the run ------------------------------------------------------------- */

static void copy(double *to, const double *from, size_t row, size_t count)
{
    if (from != nullptr && count > 0) {
        std::memcpy(to + row * count, from, count * sizeof *from);
    }
}

static rct_status deliver(void *context, const rct_member_result *result, rct_error *error)
{
    Columns &c = static_cast<Watch *>(context)->columns;
    const size_t row = static_cast<size_t>(result->member - c.first);
    c.status[row] = static_cast<int32_t>(result->status);
    c.texts[row] = result->text;
    c.time[row] = result->time;
    c.energy[row] = result->energy;
    c.drift[row] = result->energy_drift;
    c.start_position[row] = result->start_position;
    c.start_velocity[row] = result->start_velocity;
    copy(c.parameters, result->parameters, row, c.variations);
    copy(c.q, result->coordinates, row, c.coordinates);
    copy(c.v, result->rates, row, c.dof);
    copy(c.series_energy, result->series_energy, row, c.series);
    copy(c.series_position, result->series_position, row, c.series * c.tracked * 3);
    if (c.file == nullptr) {
        return RCT_OK;
    }
    return rct_ensemble_file_write(c.file, result, error);
}

static int progress(void *context, int64_t members, int64_t steps)
{
    Watch *watch = static_cast<Watch *>(context);
    watch->members = members;
    watch->steps = steps;
    return watch->stop ? 1 : 0;
}

/* ---- in the thread of the caller ---------------------------------------------------------- */

/* Wait until the run has ended. `show` is called with the members and steps done. An exception from
 * it, or Ctrl-C, stops the run and is returned. */
static nb::object wait_for(Watch &watch, nb::handle show)
{
    nb::object raised;
    for (bool done = false; !done;) {
        done = without_gil([&]() {
            std::unique_lock<std::mutex> lock(watch.mutex);
            return watch.ended.wait_for(lock, std::chrono::milliseconds(50),
                                        [&]() { return watch.done; });
        });
        try {
            if (!raised.is_valid() && PyErr_CheckSignals() != 0) {
                throw nb::python_error();
            }
            if (!raised.is_valid() && !show.is_none()) {
                show(watch.members.load(), watch.steps.load());
            }
        } catch (nb::python_error &error) {
            raised = nb::borrow(error.value());
            watch.stop = true;
        }
    }
    return raised;
}

static double *column(nb::dict &columns, const char *name, const Shape &shape)
{
    Out out = place(nb::none(), shape);
    size_t count = 1;
    for (const size_t n : shape) {
        count *= n;
    }
    std::fill_n(out.data, count, NAN);
    columns[name] = out.array;
    return out.data;
}

static void make_columns(Watch &watch, nb::dict &columns, const Ensemble &ensemble,
                         const rct_ensemble_run_options &options, size_t rows)
{
    Columns &c = watch.columns;
    c.coordinates = ensemble.coordinates;
    c.dof = ensemble.dof;
    c.variations = static_cast<size_t>(rct_ensemble_variations(ensemble.own.get()));
    c.parameters = column(columns, "parameters", {rows, c.variations});
    c.time = column(columns, "time", {rows});
    c.q = column(columns, "q", {rows, c.coordinates});
    c.v = column(columns, "v", {rows, c.dof});
    c.energy = column(columns, "energy", {rows});
    c.drift = column(columns, "energy_drift", {rows});
    c.start_position = column(columns, "start_position", {rows});
    c.start_velocity = column(columns, "start_velocity", {rows});
    double *series_time = column(columns, "series_time", {c.series});
    for (size_t k = 0; k < c.series; k++) {
        const auto frame = static_cast<int64_t>(k), frames = static_cast<int64_t>(c.series);
        series_time[k] =
            options.dt * static_cast<double>(rct_run_frame_step(options.steps, frames, frame));
    }
    c.series_energy = column(columns, "series_energy", {rows, c.series});
    c.series_position = column(columns, "series_position", {rows, c.series, c.tracked, 3});
    nb::object status =
        nb::module_::import_("numpy").attr("full")(rows, int(RCT_MEMBER_PENDING), "int32");
    c.status = nb::cast<nb::ndarray<int32_t, nb::c_contig>>(status, false).data();
    c.texts.resize(rows);
    columns["status"] = status;
}

/* Options of a run from a dict, and the places of its columns; the memory they point to lives as
 * long as `watch`. */
static rct_ensemble_run_options options_of(const nb::dict &asked, Watch &watch)
{
    rct_ensemble_run_options options = rct_ensemble_run_options_default();
    watch.track = nb::cast<std::vector<int32_t>>(asked["track"]);
    options.first = taken<int64_t>(asked["first"], "first");
    options.count = taken<int64_t>(asked["count"], "count");
    options.dt = nb::cast<double>(asked["dt"]);
    options.steps = nb::cast<int64_t>(asked["steps"]);
    options.series = nb::cast<int64_t>(asked["series"]);
    options.tracked = static_cast<int32_t>(watch.track.size());
    options.track = watch.track.data();
    options.threads = within(asked["threads"], "threads", 0, 1024);
    options.batch = within<int64_t>(asked["batch"], "batch", 0, 1048576);
    options.solver = solver_options(nb::cast<nb::dict>(asked["solver"]), watch.backend);
    options.deliver = deliver;
    options.progress = progress;
    options.context = &watch;
    watch.columns.first = options.first;
    watch.columns.series = static_cast<size_t>(options.series);
    watch.columns.tracked = watch.track.size();
    return options;
}

/* Run, and fill the columns and the file as far as the run comes, also if an exception ends it. */
static void execute(const Ensemble &ensemble, const rct_ensemble_run_options &options, Watch &watch,
                    nb::dict &columns, nb::handle show)
{
    rct_error error = {};
    std::thread worker([&]() {
        const rct_status status = rct_ensemble_run(ensemble.own.get(), &options, &watch.error);
        std::lock_guard<std::mutex> lock(watch.mutex);
        watch.status = status;
        watch.done = true;
        watch.ended.notify_all();
    });
    const nb::object raised = wait_for(watch, show);
    without_gil([&]() { worker.join(); });
    columns["texts"] = nb::cast(watch.columns.texts);
    const int whole = watch.status == RCT_OK && !raised.is_valid();
    const rct_status closed =
        without_gil([&]() { return rct_ensemble_file_close(watch.columns.file, whole, &error); });
    if (raised.is_valid()) {
        raise_again(raised);
    }
    check(watch.status, watch.error);
    check(closed, error);
}

static void run(const Ensemble &ensemble, nb::dict columns, const nb::dict &asked, nb::handle out,
                nb::handle overwrite, nb::handle show)
{
    Watch watch;
    const rct_ensemble_run_options options = options_of(asked, watch);
    const int replace = taken<bool>(overwrite, "overwrite") ? 1 : 0;
    make_columns(watch, columns, ensemble, options, static_cast<size_t>(options.count));
    if (!out.is_none()) {
        rct_error error = {};
        const std::string path = nb::cast<std::string>(out);
        rct_ensemble_file *file = without_gil([&]() {
            return rct_ensemble_file_create(path.c_str(), ensemble.own.get(), &options, replace,
                                            "Python", &error);
        });
        watch.columns.file = made(file, error);
    }
    execute(ensemble, options, watch, columns, show);
}

/* Variations are (path, type, a, b, count). */
static void create(Ensemble *self, const Model &model, int64_t members, nb::handle seed,
                   nb::handle perturb, nb::handle variations)
{
    rct_ensemble_options options = rct_ensemble_options_default();
    rct_error error = {};
    std::vector<std::string> paths;
    std::vector<rct_variation> all;
    paths.reserve(nb::len(variations));
    for (nb::handle one : variations) {
        paths.push_back(plain(taken<std::string>(one[0], "path"), "path"));
        const std::string &path = paths.back();
        rct_variation variation = {};
        variation.path = path.c_str();
        variation.type = static_cast<rct_variation_type>(taken<int>(one[1], path));
        variation.a = taken<double>(one[2], path);
        variation.b = taken<double>(one[3], path);
        variation.count = taken<int64_t>(one[4], path);
        all.push_back(variation);
    }
    options.members = members;
    options.seed = taken<uint64_t>(seed, "seed");
    options.perturb = taken<double>(perturb, "perturb");
    options.variation_count = static_cast<int32_t>(all.size());
    options.variations = all.data();
    rct_ensemble *own =
        without_gil([&]() { return rct_ensemble_create(model.get(), &options, &error); });
    made(own, error);
    new (self) Ensemble();
    self->own.reset(own);
    for (int32_t b = 0; b < rct_model_body_count(model.get()); b++) {
        rct_body body;
        check(rct_model_body(model.get(), b, &body, &error), error);
        self->coordinates += static_cast<size_t>(rct_hinge_coordinates(body.hinge));
        self->dof += static_cast<size_t>(rct_hinge_freedoms(body.hinge));
    }
}

static nb::object parameters(const Ensemble &ensemble, int64_t member)
{
    rct_error error = {};
    const Out to =
        place(nb::none(), {static_cast<size_t>(rct_ensemble_variations(ensemble.own.get()))});
    check(rct_ensemble_parameters(ensemble.own.get(), member, to.data, &error), error);
    return to.array;
}

static Model *member_model(const Ensemble &ensemble, int64_t member)
{
    rct_error error = {};
    return new Model(made(rct_ensemble_model(ensemble.own.get(), member, &error), error));
}

static nb::tuple parse_variation(const std::string &text)
{
    rct_variation variation = {};
    rct_error error = {};
    int64_t length = 0;
    check(rct_variation_parse(plain(text, "path").c_str(), &variation, &length, &error), error);
    return nb::make_tuple(text.substr(0, static_cast<size_t>(length)),
                          static_cast<int>(variation.type), variation.a, variation.b,
                          variation.count);
}

/* ---- results of a file -------------------------------------------------------------------- */

static nb::dict read_results(const std::string &path)
{
    rct_error error = {};
    rct_ensemble_results_info info = {};
    nb::dict all;
    Owned<rct_ensemble_results, rct_ensemble_results_close> own(made(
        without_gil([&]() { return rct_ensemble_results_open(path.c_str(), &error); }), error));
    rct_ensemble_results_get_info(own.get(), &info);
    const size_t rows = static_cast<size_t>(info.members);
    const size_t variations = static_cast<size_t>(info.variations);
    double *time = column(all, "time", {rows}), *energy = column(all, "energy", {rows});
    double *drift = column(all, "energy_drift", {rows});
    double *values = column(all, "parameters", {rows, variations});
    nb::object status = nb::module_::import_("numpy").attr("empty")(rows, "int32");
    int32_t *statuses = nb::cast<nb::ndarray<int32_t, nb::c_contig>>(status, false).data();
    check(rct_ensemble_results_read(own.get(), statuses, time, energy, drift, values, &error),
          error);
    all["status"] = status;
    nb::list texts, paths;
    for (int64_t row = 0; row < info.members; row++) {
        char text[RCT_MEMBER_TEXT] = "";
        if (statuses[row] > RCT_OK) {
            check(rct_ensemble_results_text(own.get(), row, text, &error), error);
        }
        texts.append(nb::str(text));
    }
    for (int32_t k = 0; k < info.variations; k++) {
        rct_variation variation = {};
        check(rct_ensemble_results_variation(own.get(), k, &variation, &error), error);
        paths.append(variation.path);
    }
    all["texts"] = texts;
    all["paths"] = paths;
    all["first"] = info.first;
    all["complete"] = info.complete != 0;
    return all;
}

void add_ensemble(nb::module_ &module)
{
    nb::class_<Ensemble>(module, "Ensemble")
        .def("__init__", &create, nb::arg("model"), nb::arg("members"), nb::arg("seed").none(),
             nb::arg("perturb").none(), nb::arg("variations"))
        .def_prop_ro("members", [](const Ensemble &e) { return rct_ensemble_members(e.own.get()); })
        .def("parameters", &parameters, nb::arg("member"))
        .def("model", &member_model, nb::arg("member"))
        .def("run", &run, nb::arg("columns"), nb::arg("asked"), nb::arg("out").none(),
             nb::arg("overwrite").none(), nb::arg("show").none());
    module.def("parse_variation", &parse_variation, nb::arg("text"));
    module.def("read_results", &read_results, nb::arg("path"));
    module.def(
        "status_name", [](int status) { return rct_status_name(static_cast<rct_status>(status)); },
        nb::arg("status"));
}
