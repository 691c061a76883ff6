/* Events of models: adding and showing them; and hinges that may break. */
#include "core.h"

enum {
    DISTANCE = 1 << RCT_EVENT_DISTANCE,
    OF_BODIES = DISTANCE | 1 << RCT_EVENT_COORDINATE,
};

static const std::vector<Field> event_fields = {
    OTHER(rct_event, name, Kind::text),
    OTHER(rct_event, type, Kind::event),
    needed(REAL(rct_event, value, 1), ANY_TYPE, "give the value to be reached or crossed"),
    OTHER(rct_event, way, Kind::way),
    needed(OTHER(rct_event, body, Kind::body), OF_BODIES, "give the number or name of a body"),
    OTHER(rct_event, coordinate, Kind::whole),
    REAL(rct_event, at, 3),
    needed(OTHER(rct_event, other, Kind::body), DISTANCE,
           "give the number or name of a body, or None for the ground"),
    REAL(rct_event, other_at, 3),
    OTHER(rct_event, of, Kind::whole),
    OTHER(rct_event, loop, Kind::whole),
    OTHER(rct_event, state, Kind::state),
    OTHER(rct_event, again, Kind::flag),
};

static int32_t add_event(Model &model, const nb::kwargs &given)
{
    rct_event event = rct_event_default();
    rct_error error = {};
    std::vector<std::string> texts;
    int32_t index = -1;
    fill(&event, event_fields, given, model.get(), texts);
    require(&event, event_fields, given);
    check(rct_model_add_event(model.own.get(), &event, &index, &error), error);
    return index;
}

static int32_t loosen(Model &model, nb::handle body)
{
    rct_error error = {};
    int32_t loop = -1;
    check(rct_model_loosen(model.own.get(), body_number(model.get(), body), &loop, &error), error);
    return loop;
}

static nb::dict show_event(const Model &model, int32_t index)
{
    rct_event event;
    rct_error error = {};
    check(rct_model_event(model.get(), index, &event, &error), error);
    nb::dict all = shown(&event, event_fields);
    if (event.type != RCT_EVENT_FORCE) {
        all.attr("pop")("of");
    }
    return all;
}

static std::string event_name(const Model &model, int32_t index)
{
    rct_event event;
    rct_error error = {};
    char name[RCT_NAME_SIZE];
    check(rct_model_event(model.get(), index, &event, &error), error);
    rct_model_event_name(model.get(), index, name);
    return name;
}

void add_events(nb::class_<Model> &type)
{
    type.def("add_event", &add_event)
        .def("event", &show_event, nb::arg("index"))
        .def("event_name", &event_name, nb::arg("index"))
        .def_prop_ro("events",
                     [](const Model &model) { return rct_model_event_count(model.get()); })
        .def("loosen", &loosen, nb::arg("body").none(),
             "Make the hinge of a body breakable: the body becomes free, and the hinge a loop, "
             "whose number is returned\n"
             "(riccatree/event.h, rct_model_loosen).");
}
