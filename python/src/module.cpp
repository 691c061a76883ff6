/* riccatree._core: the library as Python sees it. Package and extension are described in docs/python.md. */
#include "core.h"

NB_MODULE(_core, module)
{
    nb::set_leak_warnings(false); /* functions of the user may hold objects to the very end */
    add_errors(module);
    add_model(module);
    add_solver(module);
    add_files(module);
    add_ensemble(module);
}
