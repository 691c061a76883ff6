/* Drake by the contract of peers (peer.h). Its wheel has no headers, so it is called from
 * Python, in this process: drake_plant.py. Python itself takes some microseconds of a call.
 *
 * A revolute coordinate is the neutral one. The coordinates of a ball hinge are roll, pitch,
 * yaw; its rates are in axes of the parent: R u of the neutral ones, with R the turn of the body
 * against its parent; their derivatives are R u', because u x u is zero. For a free body a
 * quaternion replaces the angles; position and velocity follow, as in the neutral ones. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "bench/peers/peer.h"

#include "core/rotation.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct made_drake {
    const bench_system *system;
    PyObject *plant;
    int *q, *u; /* [bodies], where coordinates and rates begin */
} made_drake;

/* Put the error of Python into one line. */
static void tell(char *reason)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *text = value != NULL ? PyObject_Str(value) : NULL;
    const char *told = text != NULL ? PyUnicode_AsUTF8(text) : NULL;
    snprintf(reason, BENCH_REASON, "%.200s", told != NULL ? told : "Python fails");
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    PyErr_Clear();
}

/* The class Plant of drake_plant.py. NULL: Python has the error. Python and its extensions stay
 * until the process ends. */
static PyObject *plant_class(void)
{
    if (!Py_IsInitialized()) {
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        dlopen(BENCH_LIBPYTHON,
               RTLD_NOW | RTLD_GLOBAL); /* extensions look for its symbols in all objects */
        Py_InitializeEx(0);
        PyRun_SimpleString(
            "import sys; sys.dont_write_bytecode = True; sys.path[:0] = ['" BENCH_HERE
            "', '" BENCH_PACKAGES "']");
    }
    PyObject *module = PyImport_ImportModule("drake_plant");
    PyObject *found = module != NULL ? PyObject_GetAttrString(module, "Plant") : NULL;
    Py_XDECREF(module);
    return found;
}

static PyObject *bodies_of(const bench_system *system)
{
    PyObject *list = PyList_New(system->bodies);
    for (int32_t i = 0; list != NULL && i < system->bodies; i++) {
        const bench_body *b = &system->body[i];
        const double *j = b->inertia;
        PyList_SET_ITEM(list, i,
                        Py_BuildValue("iii(ddd)(ddd)d(ddd)(dddddd)", b->parent, b->ball, b->free,
                                      b->at[0], b->at[1], b->at[2], b->axis[0], b->axis[1],
                                      b->axis[2], b->mass, b->com[0], b->com[1], b->com[2], j[0],
                                      j[1], j[2], j[3], j[4], j[5]));
    }
    return list;
}

static PyObject *loops_of(const bench_system *system)
{
    PyObject *list = PyList_New(system->loops);
    for (int32_t i = 0; list != NULL && i < system->loops; i++) {
        const bench_loop *l = &system->loop[i];
        PyList_SET_ITEM(list, i,
                        Py_BuildValue("ii(ddd)(ddd)", l->body, l->other, l->at[0], l->at[1],
                                      l->at[2], l->other_at[0], l->other_at[1], l->other_at[2]));
    }
    return list;
}

static void free_drake(void *made)
{
    made_drake *m = made;
    if (m != NULL) {
        Py_XDECREF(m->plant);
        free(m->q);
        free(m->u);
        free(m);
    }
}

static int take_places(made_drake *m)
{
    PyObject *places = PyObject_CallMethod(m->plant, "places", NULL);
    m->q = calloc((size_t)m->system->bodies, sizeof *m->q);
    m->u = calloc((size_t)m->system->bodies, sizeof *m->u);
    const int good = places != NULL && m->q != NULL && m->u != NULL;
    for (int32_t i = 0; good && i < m->system->bodies; i++) {
        m->q[i] = (int)PyLong_AsLong(PyList_GET_ITEM(PyTuple_GET_ITEM(places, 0), i));
        m->u[i] = (int)PyLong_AsLong(PyList_GET_ITEM(PyTuple_GET_ITEM(places, 1), i));
    }
    Py_XDECREF(places);
    return good;
}

static void *make_drake(const bench_system *system, char *reason)
{
    made_drake *m = calloc(1, sizeof *m);
    snprintf(reason, BENCH_REASON, "no memory");
    if (m == NULL) {
        return NULL;
    }
    PyObject *plant = plant_class();
    const double *g = system->gravity;
    m->system = system;
    if (plant != NULL) {
        m->plant = PyObject_CallFunction(plant, "(ddd)NN", g[0], g[1], g[2], bodies_of(system),
                                         loops_of(system));
    }
    Py_XDECREF(plant);
    if (m->plant == NULL || !take_places(m)) {
        tell(reason);
        free_drake(m);
        m = NULL;
    }
    return m;
}

static void adopt_drake(void *made, const double *q, const double *u, double *own_q, double *own_u)
{
    const made_drake *m = made;
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body *body = &m->system->body[i];
        double *to = own_q + m->q[i], r[3][3];
        *to = q[body->q];
        own_u[m->u[i]] = u[body->u];
        if (body->ball) {
            rct_rotation(q + body->q, r);
            to[0] = atan2(r[2][1], r[2][2]);
            to[1] = atan2(-r[2][0], hypot(r[2][1], r[2][2]));
            to[2] = atan2(r[1][0], r[0][0]);
            rct_rotate(r, u + body->u, own_u + m->u[i]);
        }
        if (body->free) {
            memcpy(to, q + body->q, 7 * sizeof *q);
            memcpy(own_u + m->u[i] + 3, u + body->u + 3, 3 * sizeof *u);
        }
    }
}

static void yield_drake(void *made, const double *q, const double *u, const double *own_du,
                        double *du)
{
    const made_drake *m = made;
    (void)u;
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body *body = &m->system->body[i];
        double r[3][3];
        du[body->u] = own_du[m->u[i]];
        if (body->ball) {
            rct_rotation(q + body->q, r);
            rct_rotate_back(r, own_du + m->u[i], du + body->u);
        }
        if (body->free) {
            memcpy(du + body->u + 3, own_du + m->u[i] + 3, 3 * sizeof *du);
        }
    }
}

static PyObject *view(const double *x, int32_t count, int flags)
{
    union {
        const double *read;
        char *bytes;
    } at = {.read = x};
    return PyMemoryView_FromMemory(at.bytes, (Py_ssize_t)count * (Py_ssize_t)sizeof *x, flags);
}

static int forward_drake(void *made, const double *own_q, const double *own_u, double *own_du)
{
    const made_drake *m = made;
    const bench_system *system = m->system;
    PyObject *done = PyObject_CallMethod(
        m->plant, "forward", "NNN", view(own_q, system->coordinates, PyBUF_READ),
        view(own_u, system->freedoms, PyBUF_READ), view(own_du, system->freedoms, PyBUF_WRITE));
    if (done == NULL) {
        PyErr_Clear();
    }
    Py_XDECREF(done);
    return done != NULL;
}

const bench_peer *bench_peer_here(int number)
{
    static const bench_peer peer = {
        .name = "Drake",
        .version = BENCH_VERSION ", as its wheel comes, from Python",
        .call = "MultibodyPlant, continuous: get_generalized_acceleration_output_port",
        .closing =
            "MultibodyPlant, SAP, AddBallConstraint: get_generalized_acceleration_output_port",
        .make = make_drake,
        .free = free_drake,
        .adopt = adopt_drake,
        .yield = yield_drake,
        .forward = forward_drake,
    };
    return number == 0 ? &peer : NULL;
}
