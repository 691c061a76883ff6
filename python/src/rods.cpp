/* Elastic rods of a model. */
#include "core.h"

static const std::vector<Field> rod_fields = {
    OTHER(rct_rod, parent, Kind::body),
    OTHER(rct_rod, bodies, Kind::whole),
    REAL(rct_rod, at, 3),
    REAL(rct_rod, orientation, 4),
    REAL(rct_rod, length, 1),
    REAL(rct_rod, density, 1),
    REAL(rct_rod, radius, 1),
    REAL(rct_rod, bending, 2),
    REAL(rct_rod, twist, 1),
    REAL(rct_rod, delay, 1),
};

static int32_t add_rod(Model &model, bool pinned, const nb::kwargs &given)
{
    rct_rod rod = rct_rod_default();
    rct_error error = {};
    std::vector<std::string> texts;
    int32_t first = -1;
    fill(&rod, rod_fields, given, model.get(), texts);
    rod.pinned = pinned ? 1 : 0;
    check(rct_model_add_rod(model.own.get(), &rod, &first, &error), error);
    return first;
}

void add_rods(nb::class_<Model> &type)
{
    type.def("add_rod", &add_rod, nb::arg("pinned"), nb::arg("kwargs"));
}
