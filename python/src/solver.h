/* The solver of the extension: what it owns, whose turn it is, and the function of the user that it calls. */
#ifndef RCT_PYTHON_SOLVER_H
#define RCT_PYTHON_SOLVER_H

#include "core.h"

#include <thread>

/* Efforts [dof], or one number for all; without data for None and for zeros, which act nowhere. */
In take_efforts(nb::handle efforts, const Shape &shape, const char *name);

/* Options from keywords, riccatree/options.h; `backend` holds the text. */
rct_solver_options solver_options(const nb::dict &given, std::string &backend);

struct Solver {
    Owned<rct_solver, rct_solver_free> own;
    rct_solver_info info = {};
    size_t loops = 0, events = 0;
    std::atomic<bool> busy{false};
    std::atomic<std::thread::id> reader{}; /* who may read it although it is at work           */
    bool evaluated = false; /* the results are of the present state                            */

    /* A function of the user, the object that it is called with, and numbers of that object. */
    nb::object function, loads;
    struct Rows {
        double *orientation, *angular_velocity, *position, *velocity, *force, *moment;
    } rows = {};
    nb::object raised; /* the exception that came out of it                                     */
    nb::object paused; /* Ctrl-C during a run, which ends between steps                         */
    bool runs = false;

    Solver(const Model &model, const nb::dict &options);
    rct_solver *get() const
    {
        return own.get();
    }
    size_t bodies() const
    {
        return static_cast<size_t>(info.bodies);
    }
    size_t dof() const
    {
        return static_cast<size_t>(info.dof);
    }
    size_t coordinates() const
    {
        return static_cast<size_t>(info.coordinates);
    }
};

/* A call of the solver: one at a time, but for those of who watches its run; whoever comes from another thread or from the function of the user is refused. Made and
 * ended with the GIL held. */
class Turn
{
  public:
    explicit Turn(Solver &solver);
    ~Turn()
    {
        if (!inside_) {
            solver_.busy = false;
        }
    }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

    /* `work` is handed the solver and an error, without the GIL. What the function of the user raised comes first. */
    template <typename Work> rct_status go(rct_error &error, Work work)
    {
        const rct_status status = without_gil([&]() { return work(solver_.get(), &error); });
        raise_pending();
        return status;
    }
    template <typename Work> void must(Work work)
    {
        rct_error error = {};
        check(go(error, work), error);
    }

    void raise_pending();

  private:
    Solver &solver_;
    const bool inside_; /* of a run that is watched */
};

void add_state(nb::class_<Solver> &type);
void add_user_forces(nb::class_<Solver> &type);
void add_loops(nb::class_<Solver> &type);
void add_operators(nb::class_<Solver> &type);
void add_analyses(nb::class_<Solver> &type);
void add_runs(nb::module_ &module, nb::class_<Solver> &type);
extern PyType_Slot solver_slots[];

#endif
