/* Shapes of bodies. */
#include "core.h"

static const std::vector<Field> shape_fields = {
    OTHER(rct_shape, type, Kind::shape),
    needed(OTHER(rct_shape, body, Kind::body), ANY_TYPE, "give the number or name of a body"),
    REAL(rct_shape, at, 3),
    REAL(rct_shape, orientation, 4),
    REAL(rct_shape, radius, 1),
    REAL(rct_shape, length, 1),
    REAL(rct_shape, size, 3),
};

static int32_t add_shape(Model &model, const nb::kwargs &given)
{
    rct_shape shape = rct_shape_default();
    rct_error error = {};
    std::vector<std::string> texts;
    int32_t index = -1;
    fill(&shape, shape_fields, given, model.get(), texts);
    require(&shape, shape_fields, given);
    check(rct_model_add_shape(model.own.get(), &shape, &index, &error), error);
    return index;
}

static nb::list show_shapes(const Model &model, nb::handle which)
{
    rct_body there;
    rct_error error = {};
    int32_t first = 0;
    const int32_t body = body_number(model.get(), which);
    check(rct_model_body(model.get(), body, &there, &error), error);
    const int32_t count = rct_model_body_shapes(model.get(), body, &first);
    nb::list all;
    for (int32_t k = 0; k < count; k++) {
        rct_shape shape;
        check(rct_model_shape(model.get(), first + k, &shape, &error), error);
        all.append(shown(&shape, shape_fields));
    }
    return all;
}

void add_shapes(nb::class_<Model> &type)
{
    type.def("add_shape", &add_shape)
        .def("shapes", &show_shapes, nb::arg("body").none(),
             "The shapes of a body, a dict each: type, body, at [3] (m), orientation [4], radius, "
             "length (m), "
             "size [3] (m).");
}
