/* Dense systems on an accelerator: the library says which backends run here, their plugins have the operations. */
#include "reference/lagrange/accelerator.h"

#include "backend/plugin.h"
#include "core/error.h"

#include <riccatree/solver.h>

#include <stddef.h>

const rct_dense_operations *rct_accelerator_find(rct_error *error)
{
    const int32_t identity[] = RCT_BACKEND_IDENTITY;
    const int32_t count = rct_backend_count();
    rct_backend_info missing = {.name = "", .reason = NULL};
    for (int32_t i = 0; i < count; i++) {
        rct_backend_info info;
        const char *none;
        rct_backend_describe(i, &info, NULL);
        const rct_backend *backend =
            info.available ? rct_plugin_open(info.name, identity, RCT_PLUGIN_LOCAL, &none) : NULL;
        if (backend != NULL && backend->dense != NULL) {
            return backend->dense;
        }
        if (missing.reason == NULL && info.reason != NULL) {
            missing = info;
        }
    }
    rct_fail(error, RCT_ERROR_UNSUPPORTED,
             "no accelerator for dense systems: %s%s%s; the reference lagrange needs none",
             missing.name, missing.reason != NULL ? " cannot run here: " : "",
             missing.reason != NULL ? missing.reason : "");
    return NULL;
}
