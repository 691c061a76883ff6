/* Errors of the library as exceptions, whose classes are those of riccatree/errors.py. */
#include "core.h"

#include <cstdio>

void raise_error(const rct_error &error)
{
    nb::object type =
        nb::module_::import_("riccatree.errors").attr("by_status")[rct_status_name(error.status)];
    nb::object exception = type(error.text);
    exception.attr("status") = rct_status_name(error.status);
    exception.attr("body") = error.body;
    exception.attr("line") = error.line;
    exception.attr("column") = error.column;
    exception.attr("step") = error.step;
    PyErr_SetObject(type.ptr(), exception.ptr());
    throw nb::python_error();
}

void raise_argument(const std::string &text)
{
    rct_error error = {};
    error.status = RCT_ERROR_ARGUMENT;
    error.body = -1;
    error.step = -1;
    std::snprintf(error.text, sizeof error.text, "%s", text.c_str());
    raise_error(error);
}

void raise_again(const nb::object &raised)
{
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(raised.ptr())), raised.ptr());
    throw nb::python_error();
}

void add_errors(nb::module_ &module)
{
    module.def("version", &rct_version, "The version of the library.");
    module.def("build", &rct_build,
               "What the library was built from and how. Two builds with the same text compute the "
               "same bits.");
    module.def(
        "backends",
        []() {
            nb::list all;
            for (int32_t k = 0; k < rct_backend_count(); k++) {
                rct_backend_info info;
                rct_error error = {};
                check(rct_backend_describe(k, &info, &error), error);
                nb::object reason = info.reason != nullptr ? nb::cast(info.reason) : nb::none();
                all.append(nb::make_tuple(info.name, info.available != 0, reason));
            }
            return all;
        },
        "The backends of this build, accelerators first: (name, whether it can run here, the "
        "reason if "
        "it cannot).");
}
