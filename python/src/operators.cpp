/* Operators of a solver: forward and inverse dynamics, the mass matrix and the Jacobian times
 * columns. */
#include "solver.h"

/* Columns of an array that has a dimension for them, or a single one. */
struct Columns {
    bool many;
    size_t count;
};

/* Those of `x`; a single one has `dimensions` dimensions. */
static Columns columns_of(nb::handle x, size_t dimensions)
{
    const nb::object shape = nb::module_::import_("numpy").attr("shape")(x);
    const bool many = nb::len(shape) == dimensions + 1;
    return {many, many ? nb::cast<size_t>(shape[0]) : 1};
}

static Shape with_columns(const Columns &columns, Shape shape)
{
    if (columns.many) {
        shape.insert(shape.begin(), columns.count);
    }
    return shape;
}

static nb::object forward(Solver &solver, nb::handle q, nb::handle v, nb::handle tau,
                          nb::handle out)
{
    const Columns states = columns_of(q, 1);
    const Shape rates = with_columns(states, {solver.dof()});
    In q_in = take(q, with_columns(states, {solver.coordinates()}), "q");
    In v_in = take(v, rates, "v");
    In tau_in = take_efforts(tau, rates, "tau");
    const Out to = place(out, rates);
    for (In *in : {&q_in, &v_in, &tau_in}) {
        keep_apart(*in, to);
    }
    Turn turn(solver);
    solver.evaluated = false;
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_forward(own, static_cast<int64_t>(states.count), q_in.data, v_in.data,
                                  tau_in.data, to.data, error);
    });
    solver.evaluated = true;
    return to.array;
}

using Product = rct_status(rct_solver *, int32_t, const double *, double *, rct_error *);

template <Product product> static nb::object times(Solver &solver, nb::handle x, nb::handle out)
{
    const Columns columns = columns_of(x, 1);
    const Shape shape = with_columns(columns, {solver.dof()});
    In in = take(x, shape, "x");
    const Out to = place(out, shape);
    keep_apart(in, to);
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        return product(own, static_cast<int32_t>(columns.count), in.data, to.data, error);
    });
    return to.array;
}

static nb::tuple jacobian_times(Solver &solver, nb::handle x)
{
    const Columns columns = columns_of(x, 1);
    const In in = take(x, with_columns(columns, {solver.dof()}), "x");
    const Shape shape = with_columns(columns, {solver.bodies(), 3});
    const Out linear = place(nb::none(), shape), angular = place(nb::none(), shape);
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_jacobian_times(own, static_cast<int32_t>(columns.count), in.data,
                                         linear.data, angular.data, error);
    });
    return nb::make_tuple(linear.array, angular.array);
}

static nb::object jacobian_transposed(Solver &solver, nb::handle force, nb::handle moment,
                                      nb::handle out)
{
    const Columns columns = columns_of(force, 2);
    const Shape shape = with_columns(columns, {solver.bodies(), 3});
    In force_in = take(force, shape, "force"), moment_in = take(moment, shape, "moment");
    const Out to = place(out, with_columns(columns, {solver.dof()}));
    keep_apart(force_in, to);
    keep_apart(moment_in, to);
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_jacobian_transposed(own, static_cast<int32_t>(columns.count),
                                              force_in.data, moment_in.data, to.data, error);
    });
    return to.array;
}

static nb::tuple inverse_dynamics(Solver &solver, nb::handle a)
{
    const In in = take(a, {solver.dof()}, "a");
    const Out force = place(nb::none(), {solver.bodies(), 3});
    const Out moment = place(nb::none(), {solver.bodies(), 3});
    const Out effort = place(nb::none(), {solver.dof()});
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_inverse_dynamics(own, in.data, force.data, moment.data, effort.data,
                                           error);
    });
    return nb::make_tuple(force.array, moment.array, effort.array);
}

static nb::object moved(Solver &solver, nb::handle q, nb::handle dq)
{
    const In from = take(q, {solver.coordinates()}, "q"), by = take(dq, {solver.dof()}, "dq");
    const Out to = place(nb::none(), {solver.coordinates()});
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_move_coordinates(own, from.data, by.data, to.data, error);
    });
    return to.array;
}

static nb::object hinge_efforts(Solver &solver)
{
    const Out effort = place(nb::none(), {solver.dof()});
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_hinge_efforts(own, effort.data, error);
    });
    return effort.array;
}

/* How many columns each given array has; ArgumentError if none is given, ValueError of `take` if
 * their numbers differ. */
static Columns columns_of_any(nb::handle dq, nb::handle dv, nb::handle dtau)
{
    for (nb::handle x : {dq, dv, dtau}) {
        if (!x.is_none()) {
            return columns_of(x, 1);
        }
    }
    raise_argument("acceleration_tangent: give dq, dv or dtau");
}

static In take_given(nb::handle x, const Shape &shape, const char *name)
{
    return x.is_none() ? In{} : take(x, shape, name);
}

static nb::object acceleration_tangent(Solver &solver, nb::handle dq, nb::handle dv,
                                       nb::handle dtau, nb::handle out)
{
    const Columns columns = columns_of_any(dq, dv, dtau);
    const Shape shape = with_columns(columns, {solver.dof()});
    In q = take_given(dq, shape, "dq"), v = take_given(dv, shape, "dv");
    In tau = take_given(dtau, shape, "dtau");
    const Out to = place(out, shape);
    for (In *in : {&q, &v, &tau}) {
        keep_apart(*in, to);
    }
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_acceleration_tangent(own, static_cast<int32_t>(columns.count), q.data,
                                               v.data, tau.data, to.data, error);
    });
    return to.array;
}

static nb::tuple acceleration_adjoint(Solver &solver, nb::handle x)
{
    const Columns columns = columns_of(x, 1);
    const Shape shape = with_columns(columns, {solver.dof()});
    const In in = take(x, shape, "x");
    const Out q = place(nb::none(), shape), v = place(nb::none(), shape);
    const Out tau = place(nb::none(), shape);
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_acceleration_adjoint(own, static_cast<int32_t>(columns.count), in.data,
                                               q.data, v.data, tau.data, error);
    });
    return nb::make_tuple(q.array, v.array, tau.array);
}

void add_operators(nb::class_<Solver> &type)
{
    type.def("_forward", &forward, nb::arg("q"), nb::arg("v"), nb::arg("tau").none(),
             nb::arg("out").none())
        .def("mass_times", &times<rct_solver_mass_times>, nb::arg("x"),
             nb::arg("out").none() = nb::none(),
             nb::sig("def mass_times(self, x: " RCT_GIVEN ", " RCT_OUT ") -> " RCT_ARRAY),
             "M x: the generalized forces [dof] for derivatives x [dof] of the rates; or [k, dof] "
             "for [k, dof].")
        .def("mass_solve", &times<rct_solver_mass_solve>, nb::arg("x"),
             nb::arg("out").none() = nb::none(),
             nb::sig("def mass_solve(self, x: " RCT_GIVEN ", " RCT_OUT ") -> " RCT_ARRAY),
             "M^-1 x: the derivatives [dof] of the rates caused by generalized forces x [dof] "
             "alone; or [k, dof] for [k, dof].")
        .def("jacobian_times", &jacobian_times, nb::arg("x"),
             nb::sig("def jacobian_times(self, x: " RCT_GIVEN ") -> tuple[" RCT_ARRAY ", " RCT_ARRAY
                     "]"),
             "Velocities (m/s) of all hinge points and angular velocities (rad/s) of all bodies, "
             "both [n, 3],\n"
             "for rates x [dof] and the ground at rest; or [k, n, 3] for [k, dof].")
        .def("jacobian_transposed", &jacobian_transposed, nb::arg("force"), nb::arg("moment"),
             nb::arg("out").none() = nb::none(),
             nb::sig("def jacobian_transposed(self, force: " RCT_GIVEN ", moment: " RCT_GIVEN
                     ", " RCT_OUT ") -> " RCT_ARRAY),
             "Generalized forces [dof] of forces (N, at the hinge points) and moments (N m) on all "
             "bodies, [n, 3];\n"
             "or [k, dof] for [k, n, 3].")
        .def("inverse_dynamics", &inverse_dynamics, nb::arg("a"),
             nb::sig("def inverse_dynamics(self, a: " RCT_GIVEN ") -> tuple[" RCT_ARRAY
                     ", " RCT_ARRAY ", " RCT_ARRAY "]"),
             "What the parents must exert on the bodies through the hinges for derivatives a [dof] "
             "of the rates in the present\n"
             "state: force [n, 3] (N), moment about the hinge point [n, 3] (N m), effort [dof].")
        .def("acceleration_tangent", &acceleration_tangent, nb::arg("dq").none() = nb::none(),
             nb::arg("dv").none() = nb::none(), nb::arg("dtau").none() = nb::none(),
             nb::arg("out").none() = nb::none(),
             nb::sig("def acceleration_tangent(self, dq: " RCT_GIVEN
                     " | None = None, dv: " RCT_GIVEN " | None = None, dtau: " RCT_GIVEN
                     " | None = None, " RCT_OUT ") -> " RCT_ARRAY),
             "The change of a [dof] in the present state for changes dq, dv, dtau [dof] of "
             "coordinates, rates and efforts,\n"
             "exact and in O(n); or [k, dof] for [k, dof]. dq is in the order of the rates, for "
             "ball and free hinges a rotation vector.")
        .def("acceleration_adjoint", &acceleration_adjoint, nb::arg("x"),
             nb::sig("def acceleration_adjoint(self, x: " RCT_GIVEN ") -> tuple[" RCT_ARRAY
                     ", " RCT_ARRAY ", " RCT_ARRAY "]"),
             "The transpose of acceleration_tangent: gradients of x @ a by coordinates, rates and "
             "efforts, in O(n), each [dof] for x [dof];\n"
             "or [k, dof] for [k, dof].")
        .def("moved", &moved, nb::arg("q"), nb::arg("dq"),
             nb::sig("def moved(self, q: " RCT_GIVEN ", dq: " RCT_GIVEN ") -> " RCT_ARRAY),
             "Coordinates q [coordinates] changed by dq [dof], as in derivatives by q: for ball "
             "and free hinges exp(dq) q\n"
             "with a rotation vector in inertial axes; all others are added. The state of the "
             "solver is not changed.")
        .def("hinge_efforts", &hinge_efforts, nb::sig("def hinge_efforts(self) -> " RCT_ARRAY),
             "Efforts that the model itself exerts at its hinges in the present state, [dof]: "
             "springs, dampers, applied efforts, friction, limits,\n"
             "servos, curves.");
}
