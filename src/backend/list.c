/* The backends of this build. A new one is a folder and a line here. */
#include "backend/backend.h"
#include "core/error.h"

#include <inttypes.h>
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

int32_t rct_backend_count(void)
{
    return (int32_t)(sizeof backends / sizeof backends[0]) - 1;
}

rct_status rct_backend_describe(int32_t index, rct_backend_info *info, rct_error *error)
{
    if (index < 0 || index >= rct_backend_count()) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "no backend %" PRId32 ": this build has 0 to %" PRId32, index,
                        rct_backend_count() - 1);
    }
    const char *reason = backends[index]->unavailable();
    *info = (rct_backend_info){
        .name = backends[index]->name, .available = reason == NULL, .reason = reason};
    return RCT_OK;
}
