/* Forces of a model. */
#include "core.h"

enum {
    FRICTION = 1 << RCT_FORCE_FRICTION,
    LIMIT = 1 << RCT_FORCE_LIMIT,
    DRAG = 1 << RCT_FORCE_DRAG,
    BETWEEN_POINTS = 1 << RCT_FORCE_SPRING | 1 << RCT_FORCE_CABLE,
};

static const std::vector<Field> force_fields = {
    OTHER(rct_force, type, Kind::force),
    needed(OTHER(rct_force, body, Kind::body), ANY_TYPE, "give the number or name of a body"),
    REAL(rct_force, at, 3),
    OTHER(rct_force, in_body_axes, Kind::flag),
    REAL(rct_force, force, 3),
    REAL(rct_force, moment, 3),
    needed(OTHER(rct_force, other, Kind::body), BETWEEN_POINTS,
           "give the number or name of a body, or None for the ground"),
    REAL(rct_force, other_at, 3),
    REAL(rct_force, stiffness, 1),
    REAL(rct_force, damping, 1),
    REAL(rct_force, length, 1),
    OTHER(rct_force, coordinate, Kind::whole),
    OTHER(rct_force, over, Kind::over),
    needed(REAL(rct_force, lower, 1), LIMIT,
           "give the lowest coordinate without a force, in m or rad"),
    needed(REAL(rct_force, upper, 1), LIMIT,
           "give the highest coordinate without a force, in m or rad"),
    needed(REAL(rct_force, coulomb, 1), FRICTION, "give the friction far from rest, in N or N m"),
    REAL(rct_force, breakaway, 1),
    REAL(rct_force, stribeck, 1),
    needed(REAL(rct_force, slip, 1), FRICTION,
           "give the rate below which it sticks, in m/s or rad/s, such as 0.001"),
    REAL(rct_force, target, 1),
    REAL(rct_force, target_rate, 1),
    REAL(rct_force, amplitude, 1),
    REAL(rct_force, angular_frequency, 1),
    REAL(rct_force, phase, 1),
    REAL(rct_force, saturation, 1),
    needed(REAL(rct_force, end, 3), DRAG,
           "give the end of the slender body, in m and body axes, such as (0, 0, -1)"),
    needed(REAL(rct_force, diameter, 1), DRAG, "give the diameter, in m"),
    needed(REAL(rct_force, density, 1), DRAG,
           "give the density of the fluid, in kg/m^3, such as 1000"),
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
    require(&force, force_fields, given);
    if (!table.is_none()) {
        force.rows = static_cast<int64_t>(nb::len(table));
        rows = take(table, {static_cast<size_t>(force.rows), 2}, "table");
        force.table = rows.data;
    }
    check(rct_model_add_force(model.own.get(), &force, &index, &error), error);
    return index;
}

nb::object table_of(int64_t rows, const double *table)
{
    nb::list all;
    if (rows == 0) {
        return nb::none();
    }
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
