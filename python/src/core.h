/* What the files of the extension share: owned objects of the library, errors of the library as exceptions, numpy arrays in
 * and out, structs of the library from keywords. The extension knows the public interface alone. */
#ifndef RCT_PYTHON_CORE_H
#define RCT_PYTHON_CORE_H

#include <riccatree/riccatree.h>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace nb = nanobind;

/* ---- errors ------------------------------------------------------------------------------- */

/* Raise the exception of riccatree.errors that belongs to the status, with the words of the library. The GIL is held. */
[[noreturn]] void raise_error(const rct_error &error);
[[noreturn]] void raise_argument(const std::string &text);

/* Raise an exception that was caught. */
[[noreturn]] void raise_again(const nb::object &raised);

inline void check(rct_status status, const rct_error &error)
{
    if (status != RCT_OK) {
        raise_error(error);
    }
}

/* Work without the GIL, for as long as `work` takes. */
template <typename Work> auto without_gil(Work work)
{
    nb::gil_scoped_release released;
    return work();
}

/* ---- objects of the library --------------------------------------------------------------- */

template <auto free> struct Freed {
    template <typename T> void operator()(T *object) const
    {
        free(object);
    }
};
template <typename T, auto free> using Owned = std::unique_ptr<T, Freed<free>>;

struct Model {
    Owned<rct_model, rct_model_free> own;
    explicit Model(rct_model *model) : own(model)
    {
    }
    const rct_model *get() const
    {
        if (own == nullptr) {
            throw nb::value_error("this model is no longer valid: another model has taken it over");
        }
        return own.get();
    }
};

/* What a `create` gave. */
template <typename T> T *made(T *object, const rct_error &error)
{
    if (object == nullptr) {
        raise_error(error);
    }
    return object;
}

/* ---- arrays ------------------------------------------------------------------------------- */

/* What the stubs say of arrays, given and got, or none. */
#define RCT_ARRAY "numpy.typing.NDArray[numpy.float64]"
#define RCT_GIVEN "numpy.typing.ArrayLike"
#define RCT_OUT   "out: " RCT_ARRAY " | None = None"

/* What an argument is; TypeError with its name where it is something else. */
template <typename T> T taken(nb::handle value, const std::string &name)
{
    T own;
    if (!nb::try_cast<T>(value, own)) {
        const char *what = std::is_same_v<T, std::string> ? "text"
                           : std::is_same_v<T, bool>      ? "True or False"
                           : std::is_integral_v<T>        ? "a whole number"
                           : std::is_same_v<T, double>    ? "a number"
                                                          : "numbers";
        throw nb::type_error(
            (name + ": " + nb::cast<std::string>(nb::repr(value)) + " is not " + what).c_str());
    }
    return own;
}

/* A number from `least` to `most`; ArgumentError if it is none. */
template <typename T> T within(nb::handle value, const std::string &name, T least, T most)
{
    const T number = taken<T>(value, name);
    if (!(number >= least && number <= most)) {
        nb::str given = nb::repr(value);
        const bool bound = most < std::numeric_limits<T>::max();
        std::string range = nb::cast<std::string>(nb::repr(nb::cast(least)));
        range += bound ? " to " + nb::cast<std::string>(nb::repr(nb::cast(most))) : " or more";
        raise_argument(name + ": give " + range + ", not " + given.c_str());
    }
    return number;
}

/* A text as the library takes it, which ends at its first NUL: ValueError where more comes after. */
inline const std::string &plain(const std::string &text, const std::string &name)
{
    if (text.find('\0') != std::string::npos) {
        throw nb::value_error((name + ": the text must not contain a NUL character").c_str());
    }
    return text;
}

using Shape = std::vector<size_t>;

/* Numbers of the caller's as one block of doubles; `keep` holds them. */
struct In {
    nb::object keep;
    const double *data;
    size_t count = 0;
};

/* An array to be filled, new or the caller's `out`. */
struct Out {
    nb::object array;
    double *data;
    size_t count = 0;
};

/* Anything that numpy makes doubles of, of this shape, or of its last axes, for all of the first ones; a single number for
 * all only with `single`. ValueError names `name`. */
In take(nb::handle values, const Shape &shape, const char *name, bool single = false);

/* `out`, which must be a writable block of doubles of this shape; None: a new array. */
Out place(nb::handle out, const Shape &shape);

/* Numbers that do not lie in `out`, which is written before all are read: a copy where they would. */
void keep_apart(In &in, const Out &out);

/* A numpy array of a copy of `count` numbers. */
nb::object copied(const double *values, size_t count);

/* ---- structs ------------------------------------------------------------------------------ */

enum class Kind {
    real,
    whole,
    flag,
    text,
    hinge,
    force,
    loop,
    body,
    event,
    way,
    state,
    shape,
    over
};

/* A field of a struct of the library: a keyword in Python. */
struct Field {
    const char *name;
    Kind kind;
    size_t offset;
    int count; /* of doubles; 1: a number                                                       */
    int least; /* of them that must be given; the others are 0                                  */
    int needed = 0; /* 1 << type, for each type that a model file refuses without the field     */
    const char *advice = nullptr; /* what to do where it is missing                             */
};

/* A member of a struct: so many doubles; at most so many; something else. */
#define REAL(type, member, count) SOME(type, member, count, count)
#define SOME(type, member, count, least)                                                           \
    {                                                                                              \
#member, Kind::real, offsetof(type, member), count, least                                  \
    }
#define OTHER(type, member, kind)                                                                  \
    {                                                                                              \
#member, kind, offsetof(type, member), 1, 1                                                \
    }

/* Fill a struct from keywords, where names of bodies are looked up in `model`; texts live in `texts`. TypeError for a keyword
 * that is none. */
void fill(void *thing, const std::vector<Field> &fields, const nb::dict &given,
          const rct_model *model, std::vector<std::string> &texts);

/* A field that things of these types need. */
enum { ANY_TYPE = -1 };
inline Field needed(Field field, int types, const char *advice)
{
    field.needed = types;
    field.advice = advice;
    return field;
}

/* TypeError where a field is not given that a thing of this type needs. */
void require(const void *thing, const std::vector<Field> &fields, const nb::dict &given);

/* All fields of a struct as a dict. */
nb::dict shown(const void *thing, const std::vector<Field> &fields);

/* The number of a body that is given by number or by name; "ground" and None are RCT_GROUND. */
int32_t body_number(const rct_model *model, nb::handle body);

/* ---- the parts of the module -------------------------------------------------------------- */

void add_errors(nb::module_ &module);
void add_model(nb::module_ &module);
void add_events(nb::class_<Model> &type);
void add_shapes(nb::class_<Model> &type);
void add_model_forces(nb::class_<Model> &type);
void add_rods(nb::class_<Model> &type);

/* The fields of the family `rod`, with the defaults of rods. */
void set_rod(rct_family &family, const nb::dict &given);

void add_census(nb::class_<Model> &type);

/* A table as a list of rows of two numbers. */
nb::object table_of(int64_t rows, const double *table);
void add_solver(nb::module_ &module);
void add_files(nb::module_ &module);
void add_ensemble(nb::module_ &module);

#endif
