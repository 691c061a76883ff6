/* riccatree._core: the library for Python. docs/python.md describes the package and the
 * extension. */
#include "core.h"

NB_MODULE(_core, module)
{
    nb::set_leak_warnings(false); /* functions of the user may keep objects alive until the end */
    add_errors(module);
    add_model(module);
    add_solver(module);
    add_files(module);
    add_ensemble(module);
}
