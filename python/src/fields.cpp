/* Structs of the library from keywords, and back as dicts. */
#include "core.h"

#include <cstring>

int32_t body_number(const rct_model *model, nb::handle body)
{
    if (body.is_none()) {
        return RCT_GROUND;
    }
    if (!nb::isinstance<nb::str>(body)) {
        return taken<int32_t>(body, "body");
    }
    const std::string name = plain(nb::cast<std::string>(body), "body");
    const int32_t number = name == "ground" ? RCT_GROUND : rct_model_find_body(model, name.c_str());
    if (number == -1 && name != "ground") {
        throw nb::key_error(("there is no body \"" + name + "\"").c_str());
    }
    return number;
}

/* The number of a name among the names of `name_of`. */
template <typename NameOf>
static int named(nb::handle value, NameOf name_of, int count, const char *what)
{
    const std::string name = taken<std::string>(value, what);
    std::string all;
    for (int k = 0; k < count; k++) {
        if (name == name_of(k)) {
            return k;
        }
        all += (k > 0 ? ", " : "") + std::string(name_of(k));
    }
    throw nb::value_error((what + (" \"" + name) + "\" is not one of: " + all).c_str());
}

static const char *hinge_name(int k)
{
    return rct_hinge_name(static_cast<rct_hinge_type>(k));
}

static const char *loop_name(int k)
{
    return rct_loop_type_name(static_cast<rct_loop_type>(k));
}

static const char *event_name(int k)
{
    return rct_event_type_name(static_cast<rct_event_type>(k));
}

static const char *shape_name(int k)
{
    return rct_shape_type_name(static_cast<rct_shape_type>(k));
}

static const char *way_name(int k)
{
    return rct_event_way_name(static_cast<rct_event_way>(k));
}

static const char *state_name(int k)
{
    return rct_loop_state_name(static_cast<rct_loop_state>(k));
}

static const char *force_name(int k)
{
    return rct_force_type_name(static_cast<rct_force_type>(k));
}

static const char *over_name(int k)
{
    return rct_curve_over_name(static_cast<rct_curve_over>(k));
}

[[noreturn]] static void raise_field(const Field &field, const std::string &text)
{
    throw nb::value_error((std::string(field.name) + ": " + text).c_str());
}

/* Whether a value is a sequence of numbers: a text is none, and an array without dimensions is one
 * number. */
static bool is_series(nb::handle value)
{
    const bool none = nb::isinstance<nb::str>(value) || nb::isinstance<nb::bytes>(value) ||
                      PySequence_Check(value.ptr()) == 0;
    const bool series = !none && PySequence_Size(value.ptr()) >= 0;
    PyErr_Clear();
    return series;
}

/* Write the given numbers, a list or a single number; the others are 0. */
static void fill_reals(double *to, const Field &field, nb::handle value)
{
    int given = 0;
    std::vector<double> own(static_cast<size_t>(field.count));
    if (nb::isinstance<nb::str>(value)) {
        raise_field(field, "\"" + nb::cast<std::string>(value) + "\" is not a number");
    }
    if (!is_series(value)) {
        own[0] = taken<double>(value, field.name);
        given = 1;
    } else {
        for (nb::handle number : value) {
            if (given == field.count) {
                raise_field(field, "give at most " + std::to_string(field.count) + " numbers");
            }
            own[static_cast<size_t>(given++)] = taken<double>(number, field.name);
        }
    }
    if (given < field.least) {
        raise_field(field, "give at least " + std::to_string(field.least) +
                               (field.least == 1 ? " number" : " numbers"));
    }
    std::memcpy(to, own.data(), own.size() * sizeof *to);
}

static void fill_field(char *at, const Field &field, nb::handle value, const rct_model *model,
                       std::vector<std::string> &texts)
{
    const auto whole = [at](int number) { std::memcpy(at, &number, sizeof number); };
    switch (field.kind) {
    case Kind::real: fill_reals(reinterpret_cast<double *>(at), field, value); break;
    case Kind::whole: whole(taken<int>(value, field.name)); break;
    case Kind::flag: whole(taken<bool>(value, field.name) ? 1 : 0); break;
    case Kind::hinge: whole(named(value, hinge_name, RCT_HINGE_TYPES, "hinge")); break;
    case Kind::force: whole(named(value, force_name, RCT_FORCE_TYPES, "type")); break;
    case Kind::loop: whole(named(value, loop_name, RCT_LOOP_TYPES, "type")); break;
    case Kind::event: whole(named(value, event_name, RCT_EVENT_TYPES, "type")); break;
    case Kind::way: whole(named(value, way_name, RCT_EVENT_WAYS, "way")); break;
    case Kind::state: whole(named(value, state_name, RCT_LOOP_STATES, "state")); break;
    case Kind::shape: whole(named(value, shape_name, RCT_SHAPE_TYPES, "type")); break;
    case Kind::over: whole(named(value, over_name, RCT_OVER_TIME + 1, "over")); break;
    case Kind::body: whole(body_number(model, value)); break;
    case Kind::text: {
        texts.push_back(plain(taken<std::string>(value, field.name), field.name));
        const char *text = texts.back().c_str();
        std::memcpy(at, &text, sizeof text);
    } break;
    }
}

void fill(void *thing, const std::vector<Field> &fields, const nb::dict &given,
          const rct_model *model, std::vector<std::string> &texts)
{
    texts.reserve(fields.size());
    for (auto [key, value] : given) {
        const std::string name = nb::cast<std::string>(key);
        const Field *found = nullptr;
        std::string all;
        for (const Field &field : fields) {
            found = name == field.name ? &field : found;
            all += (all.empty() ? "" : ", ") + std::string(field.name);
        }
        if (found == nullptr) {
            throw nb::type_error(("\"" + name + "\" is not one of: " + all).c_str());
        }
        fill_field(static_cast<char *>(thing) + found->offset, *found, value, model, texts);
    }
}

/* The type of a thing, and what it is called. */
static int type_of(const void *thing, const std::vector<Field> &fields, std::string &what)
{
    for (const Field &field : fields) {
        int type = 0;
        std::memcpy(&type, static_cast<const char *>(thing) + field.offset, sizeof type);
        switch (field.kind) {
        case Kind::hinge: what = "body on a hinge of type " + std::string(hinge_name(type)); break;
        case Kind::force: what = force_name(type) + std::string(" force"); break;
        case Kind::loop: what = loop_name(type) + std::string(" loop"); break;
        case Kind::event: what = event_name(type) + std::string(" event"); break;
        case Kind::shape: what = shape_name(type); break;
        default: continue;
        }
        return type;
    }
    return 0;
}

void require(const void *thing, const std::vector<Field> &fields, const nb::dict &given)
{
    std::string what;
    const int type = type_of(thing, fields, what);
    for (const Field &field : fields) {
        if ((field.needed >> type & 1) != 0 && !given.contains(field.name)) {
            throw nb::type_error(
                (what + ": \"" + field.name + "\" is missing; " + field.advice).c_str());
        }
    }
}

nb::dict shown(const void *thing, const std::vector<Field> &fields)
{
    nb::dict all;
    for (const Field &field : fields) {
        const char *at = static_cast<const char *>(thing) + field.offset;
        const double *reals = reinterpret_cast<const double *>(at);
        int whole = 0;
        const char *text = nullptr;
        std::memcpy(&whole, at, sizeof whole);
        switch (field.kind) {
        case Kind::real:
            all[field.name] = field.count > 1 ? copied(reals, static_cast<size_t>(field.count))
                                              : nb::cast(*reals);
            break;
        case Kind::whole:
        case Kind::body: all[field.name] = whole; break;
        case Kind::flag: all[field.name] = whole != 0; break;
        case Kind::hinge: all[field.name] = hinge_name(whole); break;
        case Kind::over: all[field.name] = over_name(whole); break;
        case Kind::force: all[field.name] = force_name(whole); break;
        case Kind::loop: all[field.name] = loop_name(whole); break;
        case Kind::event: all[field.name] = event_name(whole); break;
        case Kind::way: all[field.name] = way_name(whole); break;
        case Kind::shape: all[field.name] = shape_name(whole); break;
        case Kind::state: all[field.name] = state_name(whole); break;
        case Kind::text:
            std::memcpy(&text, at, sizeof text);
            all[field.name] = text != nullptr ? text : "";
            break;
        }
    }
    return all;
}
