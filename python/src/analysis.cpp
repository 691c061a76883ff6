/* Analyses of a state: where it rests, how it oscillates, the longest step; and the contents of a
 * model. */
#include "solver.h"

static nb::dict equilibrium(Solver &solver)
{
    rct_equilibrium found = {};
    Turn turn(solver);
    solver.evaluated = false;
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_equilibrium(own, &found, error);
    });
    nb::dict all;
    all["steps"] = found.steps;
    all["residual"] = found.residual;
    all["unstable"] = found.unstable;
    all["indifferent"] = found.indifferent;
    all["energy"] = found.energy;
    return all;
}

/* At most `asked` modes, as rows of the two arrays. */
static nb::dict modes(Solver &solver, nb::handle asked)
{
    const int32_t count = taken<int32_t>(asked, "count");
    const size_t rows = count > 0 ? static_cast<size_t>(count) : 0;
    const Out square = place(nb::none(), {rows}), shape = place(nb::none(), {rows, solver.dof()});
    rct_modes found = {};
    Turn turn(solver);
    solver.evaluated = false;
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_modes(own, count, square.data, shape.data, &found, error);
    });
    const nb::slice first(0, found.found, 1);
    nb::dict all;
    all["square"] = square.array[first];
    all["shape"] = shape.array[first];
    all["unstable"] = found.unstable;
    all["indifferent"] = found.indifferent;
    all["largest"] = found.largest;
    return all;
}

static nb::tuple longest_step(Solver &solver, const Model &model)
{
    double step = 0.0;
    int32_t body = -1;
    Turn turn(solver);
    solver.evaluated = false;
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_longest_step(own, model.get(), &step, &body, error);
    });
    return nb::make_tuple(step, body >= 0 ? nb::cast(body) : nb::none());
}

void add_analyses(nb::class_<Solver> &type)
{
    type.def("_equilibrium", &equilibrium)
        .def("_modes", &modes, nb::arg("count").none())
        .def("_longest_step", &longest_step, nb::arg("model"));
}

/* Counts by the names of the counted types. */
template <typename Enum>
static nb::dict counted(const int64_t *counts, int types, const char *(*name_of)(Enum))
{
    nb::dict all;
    for (int k = 0; k < types; k++) {
        all[name_of(static_cast<Enum>(k))] = counts[k];
    }
    return all;
}

static nb::dict census(const Model &model)
{
    rct_census made_of = {};
    nb::dict all;
    rct_model_take_census(model.get(), &made_of);
    all["hinges"] = counted(made_of.hinges, RCT_HINGE_TYPES, rct_hinge_name);
    all["hinge_springs"] = made_of.hinge_springs;
    all["hinge_dampers"] = made_of.hinge_dampers;
    all["hinge_forces"] = made_of.hinge_forces;
    all["hinge_rotors"] = made_of.hinge_rotors;
    all["forces"] = counted(made_of.forces, RCT_FORCE_TYPES, rct_force_type_name);
    all["dampers"] = made_of.dampers;
    all["losing"] = made_of.losing;
    all["driven"] = made_of.driven;
    all["impacts"] = made_of.impacts;
    all["ground_moves"] = made_of.ground_moves != 0;
    all["ground_rows"] = made_of.ground_rows;
    all["kinks"] = made_of.kinks != nullptr ? nb::cast(made_of.kinks) : nb::none();
    all["mass"] = made_of.mass;
    all["length"] = made_of.length;
    all["gravity"] = made_of.gravity;
    all["holds"] = made_of.holds;
    all["changers"] = made_of.changers;
    return all;
}

void add_census(nb::class_<Model> &type)
{
    type.def("census", &census, nb::sig("def census(self) -> dict[str, typing.Any]"),
             "Statistics of the model, a dict: riccatree/census.h, rct_census.\n"
             "`hinges` and `forces` are dicts, from every type to its count; mass (kg), length "
             "(m), gravity (m/s^2),\n"
             "holds (J); `changers` names what changes the total energy, \"\" if nothing does; "
             "`kinks` is None or\n"
             "the reason why a motion has kinks.");
}
