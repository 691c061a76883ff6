/* Elastic rods of a model. */
#include "core.h"

#include <algorithm>

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

static const std::vector<Field> family_fields = {
    REAL(rct_family, length, 1),
    REAL(rct_family, density, 1),
    REAL(rct_family, radius, 1),
    REAL(rct_family, bending, 2),
    REAL(rct_family, twist, 1),
    REAL(rct_family, delay, 1),
    OTHER(rct_family, pinned, Kind::flag),
};

void set_rod(rct_family &family, const nb::dict &given)
{
    const rct_rod plain = rct_rod_default();
    std::vector<std::string> texts;
    family.length = plain.length;
    family.density = plain.density;
    family.radius = plain.radius;
    std::copy(plain.bending, plain.bending + 2, family.bending);
    family.twist = plain.twist;
    family.delay = plain.delay;
    fill(&family, family_fields, given, nullptr, texts);
}

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
