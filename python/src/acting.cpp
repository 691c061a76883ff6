/* Forces of a model. */
#include "core.h"

static const std::vector<Field> force_fields = {
    OTHER(rct_force, type, Kind::force),
    OTHER(rct_force, body, Kind::body),
    REAL(rct_force, at, 3),
    OTHER(rct_force, in_body_axes, Kind::flag),
    REAL(rct_force, force, 3),
    REAL(rct_force, moment, 3),
    OTHER(rct_force, other, Kind::body),
    REAL(rct_force, other_at, 3),
    REAL(rct_force, stiffness, 1),
    REAL(rct_force, damping, 1),
    REAL(rct_force, length, 1),
    OTHER(rct_force, coordinate, Kind::whole),
    OTHER(rct_force, over, Kind::over),
    REAL(rct_force, lower, 1),
    REAL(rct_force, upper, 1),
    REAL(rct_force, coulomb, 1),
    REAL(rct_force, breakaway, 1),
    REAL(rct_force, stribeck, 1),
    REAL(rct_force, slip, 1),
    REAL(rct_force, target, 1),
    REAL(rct_force, target_rate, 1),
    REAL(rct_force, amplitude, 1),
    REAL(rct_force, angular_frequency, 1),
    REAL(rct_force, phase, 1),
    REAL(rct_force, saturation, 1),
    REAL(rct_force, end, 3),
    REAL(rct_force, diameter, 1),
    REAL(rct_force, density, 1),
    REAL(rct_force, normal, 1),
    REAL(rct_force, tangential, 1),
    REAL(rct_force, current, 3),
};

static int32_t add_force(Model &model, nb::handle table, const nb::kwargs &given)
{
    rct_force force = rct_force_default();
    rct_error error = {};
    std::vector<std::string> texts;
    In rows = {};
    int32_t index = -1;
    fill(&force, force_fields, given, model.get(), texts);
    if (!table.is_none()) {
        force.rows = static_cast<int64_t>(nb::len(table));
        rows = take(table, {static_cast<size_t>(force.rows), 2}, "table");
        force.table = rows.data;
    }
    check(rct_model_add_force(model.own.get(), &force, &index, &error), error);
    return index;
}

nb::list table_of(int64_t rows, const double *table)
{
    nb::list all;
    for (int64_t i = 0; i < rows; i++) {
        all.append(nb::make_tuple(table[2 * i], table[2 * i + 1]));
    }
    return all;
}

static nb::dict show_force(const Model &model, int32_t index)
{
    rct_force force;
    rct_error error = {};
    check(rct_model_force(model.get(), index, &force, &error), error);
    nb::dict all = shown(&force, force_fields);
    all["table"] = table_of(force.rows, force.table);
    return all;
}

void add_model_forces(nb::class_<Model> &type)
{
    type.def("add_force", &add_force, nb::arg("table").none(), nb::arg("kwargs"))
        .def("force", &show_force, nb::arg("index"))
        .def_prop_ro("forces",
                     [](const Model &model) { return rct_model_force_count(model.get()); });
}
