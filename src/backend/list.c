/* The backends of this build. A new one is a folder and a line here. */
#include "backend/backend.h"
#include "core/error.h"

#include <stddef.h>
#include <string.h>

static const rct_backend *const backends[] = {&rct_backend_cpu, NULL};

const rct_backend *const *rct_backend_list(void)
{
    return backends;
}

const rct_backend *rct_backend_find(const char *name, rct_error *error)
{
    const int automatic = name == NULL || strcmp(name, "auto") == 0;
    for (int i = 0; backends[i] != NULL; i++) {
        const char *reason = backends[i]->unavailable();
        if (automatic && reason == NULL) {
            return backends[i];
        }
        if (!automatic && strcmp(name, backends[i]->name) == 0) {
            if (reason != NULL) {
                rct_fail(error, RCT_ERROR_UNSUPPORTED, "backend \"%s\" cannot run here: %s", name,
                         reason);
                return NULL;
            }
            return backends[i];
        }
    }
    rct_fail(error, RCT_ERROR_UNSUPPORTED, "no backend \"%s\" in this build; use auto or cpu",
             name != NULL ? name : "auto");
    return NULL;
}
