/* Models: built body by body, loaded, generated, written. */
#include "core.h"

enum {
    TWO_AXES = 1 << RCT_HINGE_UNIVERSAL,
    HELICAL = 1 << RCT_HINGE_HELICAL,
    WITHOUT_AXES = 1 << RCT_HINGE_FIXED | 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_FREE,
    CLOSURES = ~(1 << RCT_LOOP_RELATION),
    AXIS = CLOSURES & ~(1 << RCT_LOOP_FIXED | 1 << RCT_LOOP_BALL | 1 << RCT_LOOP_DISTANCE),
    AXIS2 = 1 << RCT_LOOP_UNIVERSAL | 1 << RCT_LOOP_PLANAR_PRISMATIC | 1 << RCT_LOOP_SLOT |
            1 << RCT_LOOP_CAM,
    DISTANCE = 1 << RCT_LOOP_DISTANCE,
};

static const char first_direction[] = "give a direction, such as (0, 0, 1)";
static const char second_direction[] = "give a second direction, such as (1, 0, 0)";

static const std::vector<Field> body_fields = {
    OTHER(rct_body, name, Kind::text),
    OTHER(rct_body, parent, Kind::body),
    OTHER(rct_body, hinge, Kind::hinge),
    REAL(rct_body, hinge_at, 3),
    REAL(rct_body, hinge_orientation, 4),
    needed(REAL(rct_body, hinge_axis, 3), ~WITHOUT_AXES, first_direction),
    needed(REAL(rct_body, hinge_axis2, 3), TWO_AXES, second_direction),
    needed(REAL(rct_body, hinge_pitch, 1), HELICAL,
           "give the way along the axis of a turn of 1 rad, in m/rad"),
    needed(REAL(rct_body, mass, 1), ANY_TYPE, "give it in kg"),
    REAL(rct_body, com, 3),
    needed(SOME(rct_body, inertia, 6, 3), ANY_TYPE,
           "give xx yy zz xy xz yz about the centre of mass, in kg m^2"),
    REAL(rct_body, orientation, 4),
    REAL(rct_body, angular_velocity, 3),
    SOME(rct_body, position, 3, 1),
    SOME(rct_body, rate, 3, 1),
    SOME(rct_body, stiffness, 3, 1),
    SOME(rct_body, rest, 3, 1),
    SOME(rct_body, damping, 3, 1),
    SOME(rct_body, applied, 3, 1),
    SOME(rct_body, armature, 3, 1),
};

static const std::vector<Field> loop_fields = {
    OTHER(rct_loop, name, Kind::text),
    OTHER(rct_loop, type, Kind::loop),
    OTHER(rct_loop, active, Kind::flag),
    needed(OTHER(rct_loop, body, Kind::body), CLOSURES, "give the number or name of a body"),
    REAL(rct_loop, at, 3),
    REAL(rct_loop, orientation, 4),
    needed(OTHER(rct_loop, other, Kind::body), CLOSURES,
           "give the number or name of a body, or None for the ground"),
    REAL(rct_loop, other_at, 3),
    REAL(rct_loop, other_orientation, 4),
    needed(REAL(rct_loop, axis, 3), AXIS, first_direction),
    needed(REAL(rct_loop, axis2, 3), AXIS2, second_direction),
    needed(REAL(rct_loop, length, 1), DISTANCE, "give how far apart the points are, in m"),
    REAL(rct_loop, offset, 1),
    REAL(rct_loop, rate, 1),
    REAL(rct_loop, acceleration, 1),
    REAL(rct_loop, radius, 1),
    SOME(rct_loop, cosine, RCT_LOOP_HARMONICS, 1),
    SOME(rct_loop, sine, RCT_LOOP_HARMONICS, 1),
    REAL(rct_loop, amplitude, 1),
    REAL(rct_loop, angular_frequency, 1),
    REAL(rct_loop, phase, 1),
};

static const std::vector<Field> base_fields = {
    REAL(rct_base, velocity, 3), REAL(rct_base, acceleration, 3),         REAL(rct_base, axis, 3),
    REAL(rct_base, rate, 1),     REAL(rct_base, angular_acceleration, 1),
};

static int32_t add_body(Model &model, const nb::kwargs &given)
{
    rct_body body = rct_body_default();
    rct_error error = {};
    std::vector<std::string> texts;
    int32_t id = -1;
    fill(&body, body_fields, given, model.get(), texts);
    require(&body, body_fields, given);
    check(rct_model_add_body(model.own.get(), &body, &id, &error), error);
    return id;
}

/* Terms of a relation are (body, freedom, factor). */
static int32_t add_loop(Model &model, nb::handle table, const nb::kwargs &given)
{
    In rows = {};
    rct_loop loop = rct_loop_default();
    rct_error error = {};
    std::vector<std::string> texts;
    std::vector<rct_loop_term> terms;
    nb::dict plain;
    int32_t index = -1;
    for (auto [key, value] : given) {
        if (nb::cast<std::string>(key) != "terms") {
            plain[key] = value;
            continue;
        }
        for (nb::handle term : value) {
            const nb::tuple parts(nb::borrow(term));
            if (nb::len(parts) != 3) {
                throw nb::value_error("terms: give (body, freedom, factor) for each");
            }
            terms.push_back({body_number(model.get(), parts[0]),
                             taken<int32_t>(parts[1], "terms: freedom"),
                             taken<double>(parts[2], "terms: factor")});
        }
    }
    fill(&loop, loop_fields, plain, model.get(), texts);
    require(&loop, loop_fields, plain);
    if (!table.is_none()) {
        loop.rows = static_cast<int64_t>(nb::len(table));
        rows = take(table, {static_cast<size_t>(loop.rows), 2}, "table");
        loop.table = rows.data;
    }
    loop.terms = terms.empty() ? nullptr : terms.data();
    loop.term_count = static_cast<int32_t>(terms.size());
    check(rct_model_add_loop(model.own.get(), &loop, &index, &error), error);
    return index;
}

static void set_base(Model &model, nb::handle table, const nb::kwargs &given)
{
    rct_base base = rct_base_default();
    rct_error error = {};
    std::vector<std::string> texts;
    In rows = {};
    fill(&base, base_fields, given, model.get(), texts);
    if (!table.is_none()) {
        base.rows = static_cast<int32_t>(nb::len(table));
        rows = take(table, {static_cast<size_t>(base.rows), 5}, "table");
        base.table = rows.data;
    }
    check(rct_model_set_base(model.own.get(), &base, &error), error);
}

static nb::dict show_body(const Model &model, nb::handle which)
{
    rct_body body;
    rct_error error = {};
    check(rct_model_body(model.get(), body_number(model.get(), which), &body, &error), error);
    return shown(&body, body_fields);
}

static nb::dict show_loop(const Model &model, int32_t index)
{
    rct_loop loop;
    rct_error error = {};
    check(rct_model_loop(model.get(), index, &loop, &error), error);
    nb::dict all = shown(&loop, loop_fields);
    nb::list terms;
    for (int32_t k = 0; k < loop.term_count; k++) {
        terms.append(
            nb::make_tuple(loop.terms[k].body, loop.terms[k].freedom, loop.terms[k].factor));
    }
    all["terms"] = terms;
    all["table"] = table_of(loop.rows, loop.table);
    return all;
}

static std::string body_name(const Model &model, int32_t id)
{
    rct_body body;
    rct_error error = {};
    char name[RCT_NAME_SIZE] = "";
    check(rct_model_body(model.get(), id, &body, &error), error);
    rct_model_body_name(model.get(), id, name);
    return name;
}

/* Where the coordinates and rates of each hinge begin, and behind the last one where they end, both
 * [bodies + 1]. */
static nb::tuple layout(const Model &model)
{
    const int32_t n = rct_model_body_count(model.get());
    nb::object empty = nb::module_::import_("numpy").attr("zeros");
    nb::object firsts[2];
    int64_t *first[2];
    for (int k = 0; k < 2; k++) {
        firsts[k] = empty(n + 1, "int64");
        first[k] = nb::cast<nb::ndarray<int64_t, nb::c_contig>>(firsts[k], false).data();
    }
    for (int32_t b = 0; b < n; b++) {
        rct_body body;
        rct_error error = {};
        check(rct_model_body(model.get(), b, &body, &error), error);
        first[0][b + 1] = first[0][b] + rct_hinge_coordinates(body.hinge);
        first[1][b + 1] = first[1][b] + rct_hinge_freedoms(body.hinge);
    }
    return nb::make_tuple(firsts[0], firsts[1]);
}

static nb::dict base_motion(const Model &model, double time)
{
    rct_base_motion motion = {};
    nb::dict all;
    rct_model_base_motion(model.get(), time, &motion);
    all["orientation"] = copied(motion.orientation, 4);
    all["angular_velocity"] = copied(motion.angular_velocity, 3);
    all["angular_acceleration"] = copied(motion.angular_acceleration, 3);
    all["position"] = copied(motion.position, 3);
    all["velocity"] = copied(motion.velocity, 3);
    all["acceleration"] = copied(motion.acceleration, 3);
    return all;
}

static int32_t loop_number(const Model &model, const std::string &name)
{
    const int32_t number = rct_model_find_loop(model.get(), plain(name, "loop").c_str());
    if (number < 0) {
        throw nb::key_error(("there is no loop \"" + name + "\"").c_str());
    }
    return number;
}

/* `rod`: further fields of the family rod; none: its defaults. */
static Model *generate(const std::string &name, int64_t bodies, const std::string &hinge,
                       uint64_t seed, double perturb, int64_t systems, const nb::dict &rod)
{
    rct_family family = rct_family_default();
    rct_body body = rct_body_default();
    rct_error error = {};
    std::vector<std::string> texts;
    nb::dict given;
    given["hinge"] = hinge;
    fill(&body, body_fields, given, nullptr, texts);
    family.family = name.c_str();
    family.bodies = bodies;
    family.hinge = body.hinge;
    family.seed = seed;
    family.perturb = perturb;
    family.systems = systems;
    if (nb::len(rod) > 0) {
        set_rod(family, rod);
    }
    return new Model(
        made(without_gil([&]() { return rct_model_generate(&family, &error); }), error));
}

static nb::list families()
{
    nb::list names;
    for (const char *const *name = rct_family_names(); *name != nullptr; name++) {
        names.append(*name);
    }
    return names;
}

static nb::tuple import_model(const std::string &path, bool ignore_unsupported, bool floating_root,
                              bool repair_inertia)
{
    rct_import_report report = {};
    rct_import_options options = {};
    rct_error error = {};
    options.ignore_unsupported = ignore_unsupported;
    options.floating_root = floating_root;
    options.repair_inertia = repair_inertia;
    options.report = &report;
    rct_model *model =
        without_gil([&]() { return rct_model_import(path.c_str(), &options, &error); });
    auto *own = new Model(made(model, error));
    nb::list notes;
    for (int32_t k = 0; k < report.notes; k++) {
        notes.append(nb::make_tuple(report.note[k].line, report.note[k].text));
    }
    const bool soft = report.format == RCT_IMPORT_MJCF;
    return nb::make_tuple(nb::cast(own, nb::rv_policy::take_ownership), report.ignored, notes,
                          nb::make_tuple(report.inertias_repaired, report.massless_left_out,
                                         report.frictions, report.frictions_left_out,
                                         soft ? report.loops : 0));
}

static void add_reading(nb::module_ &module)
{
    module.def(
        "read_json",
        [](const std::string &path) {
            rct_error error = {};
            return new Model(
                made(without_gil([&]() { return rct_model_read(path.c_str(), &error); }), error));
        },
        nb::arg("path"));
    module.def(
        "read_h5",
        [](const std::string &path) {
            rct_error error = {};
            return new Model(made(
                without_gil([&]() { return rct_model_read_h5(path.c_str(), &error); }), error));
        },
        nb::arg("path"));
    module.def(
        "parse",
        [](const std::string &text) {
            rct_error error = {};
            const auto size = static_cast<int64_t>(text.size());
            return new Model(made(
                without_gil([&]() { return rct_model_parse(text.c_str(), size, &error); }), error));
        },
        nb::arg("text"));
    module.def("import_model", &import_model, nb::arg("path"), nb::arg("ignore_unsupported"),
               nb::arg("floating_root"), nb::arg("repair_inertia"));
    module.def("generate", &generate, nb::arg("family"), nb::arg("bodies"), nb::arg("hinge"),
               nb::arg("seed"), nb::arg("perturb"), nb::arg("systems"), nb::arg("rod"));
    module.def("families", &families, "The names of the families that generate knows.");
}

static void add_building(nb::class_<Model> &type)
{
    type.def(
            "__init__",
            [](Model *self, const std::string &name) {
                rct_error error = {};
                new (self)
                    Model(made(rct_model_create(plain(name, "name").c_str(), &error), error));
            },
            nb::arg("name") = "")
        .def(
            "__init__",
            [](Model *self, Model &made_model) { new (self) Model(made_model.own.release()); },
            nb::arg("made"))
        .def("add_body", &add_body)
        .def("add_loop", &add_loop, nb::arg("table").none(), nb::arg("kwargs"))
        .def("set_base", &set_base, nb::arg("table").none(), nb::arg("kwargs"))
        .def("body", &show_body, nb::arg("body").none())
        .def("loop", &show_loop, nb::arg("index"))
        .def_prop_rw(
            "gravity",
            [](const Model &model) {
                double gravity[3];
                rct_model_gravity(model.get(), gravity);
                return copied(gravity, 3);
            },
            [](Model &model, nb::handle values) {
                rct_error error = {};
                const In gravity = take(values, {3}, "gravity");
                check(rct_model_set_gravity(model.own.get(), gravity.data, &error), error);
            });
}

void add_model(nb::module_ &module)
{
    nb::class_<Model> type(module, "Model");
    add_building(type);
    add_events(type);
    add_shapes(type);
    add_model_forces(type);
    add_rods(type);
    add_census(type);
    type.def_prop_ro("name", [](const Model &model) { return rct_model_name(model.get()); })
        .def_prop_ro("bodies", [](const Model &model) { return rct_model_body_count(model.get()); })
        .def_prop_ro("loops", [](const Model &model) { return rct_model_loop_count(model.get()); })
        .def("body_name", &body_name, nb::arg("body"))
        .def(
            "body_number",
            [](const Model &model, nb::handle body) { return body_number(model.get(), body); },
            nb::arg("body").none())
        .def("layout", &layout,
             "The index of the first coordinate and of the first rate of the hinge of each body, "
             "with the totals at the end,\n"
             "both [bodies + 1].")
        .def("base_motion", &base_motion, nb::arg("time"),
             "Pose and motion of the ground at a time (s), a dict: orientation [4], "
             "angular_velocity [3] (rad/s),\n"
             "angular_acceleration [3] (rad/s^2), position [3] (m), velocity [3] (m/s), "
             "acceleration [3] (m/s^2), inertial axes.")
        .def("loop_number", &loop_number, nb::arg("name"))
        .def("check",
             [](const Model &model) {
                 rct_error error = {};
                 check(rct_model_check(model.get(), &error), error);
             })
        .def(
            "write_json",
            [](const Model &model, const std::string &path) {
                rct_error error = {};
                check(without_gil(
                          [&]() { return rct_model_write(model.get(), path.c_str(), &error); }),
                      error);
            },
            nb::arg("path"))
        .def(
            "write_h5",
            [](const Model &model, const std::string &path) {
                rct_error error = {};
                check(without_gil(
                          [&]() { return rct_model_write_h5(model.get(), path.c_str(), &error); }),
                      error);
            },
            nb::arg("path"));
    add_reading(module);
}
