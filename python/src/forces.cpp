/* Forces of the user: a function of Python that a solver calls, and efforts at hinges. */
#include "solver.h"

#include <algorithm>
#include <cmath>
#include <cstring>

/* Shows the garbage collector the objects that a solver refers to: a function often refers to its
 * solver. */
static int traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) {
        const Solver *solver = nb::inst_ptr<Solver>(self);
        Py_VISIT(solver->function.ptr());
        Py_VISIT(solver->loads.ptr());
        Py_VISIT(solver->raised.ptr());
        Py_VISIT(solver->paused.ptr());
    }
    return 0;
}

static int clear(PyObject *self)
{
    Solver *solver = nb::inst_ptr<Solver>(self);
    solver->function.reset();
    solver->loads.reset();
    solver->raised.reset();
    solver->paused.reset();
    return 0;
}

PyType_Slot solver_slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                              {Py_tp_clear, reinterpret_cast<void *>(clear)},
                              {0, nullptr}};

/* Whether the first Ctrl-C of a run came during the function, which is then called once more: the run
 * ends between steps. */
static bool pauses(Solver &solver, const nb::python_error &error)
{
    if (!solver.runs || solver.paused.is_valid() || !error.matches(PyExc_KeyboardInterrupt)) {
        return false;
    }
    solver.paused = nb::borrow(error.value());
    return true;
}

/* Call the function; false after an exception. */
static bool call_once(Solver &solver, double time, size_t n, const double *orientation,
                      const double *angular_velocity, const double *position,
                      const double *velocity)
{
    const size_t three = 3 * n * sizeof(double);
    const Solver::Rows &rows = solver.rows;
    std::memcpy(rows.orientation, orientation, 4 * n * sizeof(double));
    std::memcpy(rows.angular_velocity, angular_velocity, three);
    std::memcpy(rows.position, position, three);
    std::memcpy(rows.velocity, velocity, three);
    std::memset(rows.force, 0, three);
    std::memset(rows.moment, 0, three);
    try {
        if (!solver.function(time, solver.loads).is_none()) {
            PyErr_SetString(PyExc_TypeError, "a function of forces returns nothing: it sets "
                                             "loads.force[...] and loads.moment[...]");
            throw nb::python_error();
        }
        return true;
    } catch (nb::python_error &error) {
        if (!pauses(solver, error)) {
            solver.raised = nb::borrow(error.value());
        }
        return false;
    }
}

/* After an exception of the function the forces are NaN: the step that asked for them fails and is
 * taken back. */
static void call(void *context, double time, int32_t bodies, const double *orientation,
                 const double *angular_velocity, const double *position, const double *velocity,
                 double *force, double *moment)
{
    Solver &solver = *static_cast<Solver *>(context);
    const size_t n = static_cast<size_t>(bodies);
    nb::gil_scoped_acquire held;
    bool done = false;
    while (!done && !solver.raised.is_valid()) {
        done = call_once(solver, time, n, orientation, angular_velocity, position, velocity);
    }
    for (size_t i = 0; i < 3 * n; i++) {
        force[i] = done ? solver.rows.force[i] : NAN;
        moment[i] = done ? solver.rows.moment[i] : NAN;
    }
}

/* `loads` has the arrays of the bodies, all or those in `bodies`. */
static void set_function(Solver &solver, nb::handle function, nb::handle loads, nb::handle bodies)
{
    Turn turn(solver);
    Solver::Rows rows = {};
    const bool some = !bodies.is_none();
    std::vector<int32_t> ids;
    if (some) {
        ids = nb::cast<std::vector<int32_t>>(bodies);
    }
    if (!function.is_none()) {
        const size_t n = some ? ids.size() : solver.bodies();
        rows.orientation = place(loads.attr("orientation"), {n, 4}).data;
        rows.angular_velocity = place(loads.attr("angular_velocity"), {n, 3}).data;
        rows.position = place(loads.attr("position"), {n, 3}).data;
        rows.velocity = place(loads.attr("velocity"), {n, 3}).data;
        rows.force = place(loads.attr("force"), {n, 3}).data;
        rows.moment = place(loads.attr("moment"), {n, 3}).data;
    }
    rct_force_function *const calls = function.is_none() ? nullptr : call;
    turn.must([&](rct_solver *own, rct_error *error) {
        return some ? rct_solver_set_body_forces(own, ids.data(), static_cast<int32_t>(ids.size()),
                                                 calls, &solver, error)
                    : rct_solver_set_force_function(own, calls, &solver, error);
    });
    solver.function = nb::borrow(function);
    solver.loads = nb::borrow(loads);
    solver.rows = rows;
    solver.evaluated = false;
}

In take_efforts(nb::handle efforts, const Shape &shape, const char *name)
{
    In in = efforts.is_none() ? In{} : take(efforts, shape, name, true);
    return std::any_of(in.data, in.data + in.count, [](double x) { return x != 0.0; }) ? in : In{};
}

static void set_efforts(Solver &solver, nb::handle efforts)
{
    const In in = take_efforts(efforts, {solver.dof()}, "efforts");
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_set_efforts(own, in.data, error);
    });
    solver.evaluated = false;
}

void add_user_forces(nb::class_<Solver> &type)
{
    type.def("_set_function", &set_function, nb::arg("function").none(), nb::arg("loads").none(),
             nb::arg("bodies").none())
        .def("set_efforts", &set_efforts, nb::arg("efforts").none(),
             nb::sig("def set_efforts(self, efforts: " RCT_GIVEN " | None) -> None"),
             "Set efforts at all hinges [dof], N or N m, which act from now on in addition to "
             "those of the model; None or 0: no efforts.");
}
