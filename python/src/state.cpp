/* The state of a solver and its results, as arrays: states in, states and results out. */
#include "solver.h"

#include <cstring>

enum class Size { coordinates, dof, bodies };

/* A quantity to read: a row of `width` numbers per body, or as many numbers as there are
 * coordinates or rates. */
struct Quantity {
    const char *name;
    Size size;
    size_t width;
    bool result; /* of an evaluation */
    void (*get)(const rct_solver *solver, double *to);
};

using Get = const rct_solver *;
static const Quantity quantities[] = {
    {"q", Size::coordinates, 0, false,
     [](Get s, double *to) { rct_solver_get_coordinates(s, to, nullptr); }},
    {"v", Size::dof, 0, false,
     [](Get s, double *to) { rct_solver_get_coordinates(s, nullptr, to); }},
    {"orientation", Size::bodies, 4, false,
     [](Get s, double *to) { rct_solver_get_state(s, to, nullptr, nullptr, nullptr); }},
    {"angular_velocity", Size::bodies, 3, false,
     [](Get s, double *to) { rct_solver_get_state(s, nullptr, to, nullptr, nullptr); }},
    {"position", Size::bodies, 3, false,
     [](Get s, double *to) { rct_solver_get_state(s, nullptr, nullptr, to, nullptr); }},
    {"velocity", Size::bodies, 3, false,
     [](Get s, double *to) { rct_solver_get_state(s, nullptr, nullptr, nullptr, to); }},
    {"acceleration", Size::bodies, 3, true,
     [](Get s, double *to) { rct_solver_get_accelerations(s, to, nullptr); }},
    {"angular_acceleration", Size::bodies, 3, true,
     [](Get s, double *to) { rct_solver_get_accelerations(s, nullptr, to); }},
    {"a", Size::dof, 0, true, rct_solver_get_rate_derivatives},
    {"hinge_force", Size::bodies, 3, true,
     [](Get s, double *to) { rct_solver_get_hinge_forces(s, to, nullptr); }},
    {"hinge_moment", Size::bodies, 3, true,
     [](Get s, double *to) { rct_solver_get_hinge_forces(s, nullptr, to); }},
    {"outboard", Size::bodies, 12, true,
     [](Get s, double *to) { rct_solver_get_state_vectors(s, to, nullptr); }},
    {"inboard", Size::bodies, 12, true,
     [](Get s, double *to) { rct_solver_get_state_vectors(s, nullptr, to); }},
};

static const Quantity &quantity(const std::string &name)
{
    std::string all;
    for (const Quantity &q : quantities) {
        if (name == q.name) {
            return q;
        }
        all += (all.empty() ? "" : ", ") + std::string(q.name);
    }
    throw nb::key_error(("\"" + name + "\" is not one of: " + all).c_str());
}

static Shape shape_of(const Solver &solver, const Quantity &q)
{
    return q.size == Size::coordinates ? Shape{solver.coordinates()}
           : q.size == Size::dof       ? Shape{solver.dof()}
                                       : Shape{solver.bodies(), q.width};
}

static nb::object read_array(Solver &solver, const std::string &name, nb::handle out)
{
    const Quantity &q = quantity(name);
    const Out to = place(out, shape_of(solver, q));
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        if (q.result && !solver.evaluated) {
            const rct_status status = rct_solver_evaluate(own, error);
            if (status != RCT_OK) {
                return status;
            }
            solver.evaluated = true;
        }
        q.get(own, to.data);
        return rct_solver_check(own, error);
    });
    return to.array;
}

/* Read the whole state into arrays of the caller, at once. */
static void read_state(Solver &solver, nb::handle q, nb::handle v, nb::handle orientation,
                       nb::handle angular_velocity, nb::handle position, nb::handle velocity)
{
    const size_t n = solver.bodies();
    const Out to_q = place(q, {solver.coordinates()}), to_v = place(v, {solver.dof()});
    const Out turns = place(orientation, {n, 4}), rates = place(angular_velocity, {n, 3});
    const Out places = place(position, {n, 3}), velocities = place(velocity, {n, 3});
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        rct_solver_get_coordinates(own, to_q.data, to_v.data);
        rct_solver_get_state(own, turns.data, rates.data, places.data, velocities.data);
        return rct_solver_check(own, error);
    });
}

static void set_coordinates(Solver &solver, nb::handle q, nb::handle v)
{
    std::vector<double> own_q(q.is_none() ? solver.coordinates() : 0);
    std::vector<double> own_v(v.is_none() ? solver.dof() : 0);
    const In q_in =
        q.is_none() ? In{nb::object(), own_q.data()} : take(q, {solver.coordinates()}, "q");
    const In v_in = v.is_none() ? In{nb::object(), own_v.data()} : take(v, {solver.dof()}, "v");
    Turn turn(solver);
    solver.evaluated = false;
    turn.must([&](rct_solver *own, rct_error *error) {
        rct_solver_get_coordinates(own, q.is_none() ? own_q.data() : nullptr,
                                   v.is_none() ? own_v.data() : nullptr);
        return rct_solver_set_coordinates(own, q_in.data, v_in.data, error);
    });
}

void add_state(nb::class_<Solver> &type)
{
    type.def("read", &read_array, nb::arg("name"), nb::arg("out").none() = nb::none(),
             nb::sig("def read(self, name: str, " RCT_OUT ") -> " RCT_ARRAY),
             "Read one of the arrays of the solver by its name, into `out` if it is given.")
        .def("_read_state", &read_state, nb::arg("q"), nb::arg("v"), nb::arg("orientation"),
             nb::arg("angular_velocity"), nb::arg("position"), nb::arg("velocity"))
        .def("set", &set_coordinates, nb::arg("q").none() = nb::none(),
             nb::arg("v").none() = nb::none(),
             nb::sig("def set(self, q: " RCT_GIVEN " | None = None, v: " RCT_GIVEN
                     " | None = None) -> None"),
             "Set coordinates q [coordinates] and rates v [dof]; None keeps them. Quaternions are "
             "normalized, loops are\n"
             "not assembled: the next step closes them. The time stays. Raises rt.ArgumentError\n"
             "for an orientation of length zero, an angle of 2^50 rad or more, or a number that is "
             "not finite;\n"
             "the state is then kept.");
}
