/* Loops of a solver: how well they are closed, the forces that close them, opening and closing
 * them. */
#include "solver.h"

#include <memory>

static nb::dict loop_info(Solver &solver)
{
    rct_loop_info info = {};
    nb::dict all;
    {
        Turn turn(solver);
        turn.must([&](rct_solver *own, rct_error *error) {
            rct_solver_get_loop_info(own, &info);
            return rct_solver_check(own, error);
        });
    }
    const auto text = [](const char *name) {
        return name != nullptr ? nb::cast(name) : nb::none();
    };
    all["loops"] = info.loops;
    all["active"] = info.active;
    all["constraints"] = info.constraints;
    all["rank"] = info.rank;
    all["redundant"] = info.redundant;
    all["position"] = info.position;
    all["velocity"] = info.velocity;
    all["position_loop"] = info.position_loop;
    all["velocity_loop"] = info.velocity_loop;
    all["start_position"] = info.start_position;
    all["start_velocity"] = info.start_velocity;
    all["start_position_loop"] = info.start_position_loop;
    all["start_velocity_loop"] = info.start_velocity_loop;
    all["closing"] = text(info.closing);
    all["drift"] = text(info.drift);
    all["bound"] = info.bound;
    all["open"] = info.open;
    all["opening"] = info.opening;
    return all;
}

static nb::list numbers_of(const int32_t *numbers, int32_t count)
{
    nb::list all;
    for (int32_t i = 0; i < count; i++) {
        all.append(numbers[i]);
    }
    return all;
}

/* An unknown number, -1, becomes None. */
static nb::object known(int32_t number)
{
    return number >= 0 ? nb::cast(number) : nb::none();
}

static nb::list aggregates(Solver &solver)
{
    std::unique_ptr<rct_aggregates, decltype(&rct_aggregates_free)> all(nullptr,
                                                                        rct_aggregates_free);
    nb::list list;
    {
        Turn turn(solver);
        turn.must([&](rct_solver *own, rct_error *error) {
            all.reset(rct_solver_find_aggregates(own, error));
            return all != nullptr ? RCT_OK : error->status;
        });
    }
    for (int32_t i = 0; i < rct_aggregates_count(all.get()); i++) {
        rct_aggregate_info info = {};
        nb::dict one;
        rct_aggregates_get(all.get(), i, &info, nullptr);
        one["body"] = info.body;
        one["bodies"] = numbers_of(rct_aggregates_bodies(all.get(), i), info.bodies);
        one["loops"] = numbers_of(rct_aggregates_loops(all.get(), i), info.loops);
        one["constraints"] = info.constraints;
        one["rates"] = info.rates;
        one["rank"] = known(info.rank);
        one["independent"] = known(info.independent);
        one["redundant"] = known(info.redundant);
        list.append(one);
    }
    return list;
}

static nb::tuple loop_forces(Solver &solver)
{
    const Out force = place(nb::none(), {solver.loops, 3});
    const Out moment = place(nb::none(), {solver.loops, 3});
    const Out effort = place(nb::none(), {solver.loops});
    Turn turn(solver);
    turn.must([&](rct_solver *own, rct_error *error) {
        const rct_status status = solver.evaluated ? RCT_OK : rct_solver_evaluate(own, error);
        solver.evaluated = status == RCT_OK;
        rct_solver_get_loop_forces(own, force.data, moment.data, effort.data);
        return status;
    });
    return nb::make_tuple(force.array, moment.array, effort.array);
}

static nb::list events(Solver &solver)
{
    std::vector<int64_t> happened(solver.events);
    std::vector<double> time(solver.events);
    nb::list all;
    {
        Turn turn(solver);
        turn.must([&](rct_solver *own, rct_error *error) {
            rct_solver_get_events(own, happened.data(), time.data());
            return rct_solver_check(own, error);
        });
    }
    for (size_t k = 0; k < solver.events; k++) {
        all.append(nb::make_tuple(happened[k], time[k]));
    }
    return all;
}

static nb::list active_loops(Solver &solver)
{
    std::vector<int32_t> active(solver.loops);
    nb::list all;
    {
        Turn turn(solver);
        turn.must([&](rct_solver *own, rct_error *error) {
            rct_solver_get_active_loops(own, active.data());
            return rct_solver_check(own, error);
        });
    }
    for (const int32_t holds : active) {
        all.append(holds != 0);
    }
    return all;
}

static void set_loop(Solver &solver, int32_t loop, int state)
{
    Turn turn(solver);
    solver.evaluated = false;
    turn.must([&](rct_solver *own, rct_error *error) {
        return rct_solver_set_loop_active(own, loop, static_cast<rct_loop_state>(state), error);
    });
}

static void assemble(Solver &solver)
{
    Turn turn(solver);
    solver.evaluated = false;
    turn.must(rct_solver_assemble);
}

void add_loops(nb::class_<Solver> &type)
{
    type.def_prop_ro("loop_info", &loop_info,
                     "The loops in the present state, a dict: riccatree/closure.h, rct_loop_info.")
        .def("loop_forces", &loop_forces,
             nb::sig("def loop_forces(self) -> tuple[" RCT_ARRAY ", " RCT_ARRAY ", " RCT_ARRAY "]"),
             "Forces of the loops: force [loops, 3] (N) and moment [loops, 3] (N m) on the body of "
             "each, inertial axes,\n"
             "and effort [loops] of relations.")
        .def("aggregates", &aggregates, nb::sig("def aggregates(self) -> list[dict]"),
             "The aggregates that the active loops form, a dict each: the number of the body it "
             "hangs on (-1: the\n"
             "ground), the numbers of its bodies and its loops, and the fields of "
             "rct_aggregate_info in\n"
             "riccatree/closure.h; None: not known.")
        .def_static("_loops_open", &rct_loops_open, nb::arg("bound"), nb::arg("position"),
                    nb::arg("velocity"))
        .def_prop_ro("active_loops", &active_loops, "Which loops hold, a bool each.")
        .def_prop_ro("_events", &events)
        .def("_set_loop", &set_loop, nb::arg("loop"), nb::arg("state"))
        .def(
            "assemble", &assemble,
            "Close the active loops from the present state. On an error the state is not changed.");
}
