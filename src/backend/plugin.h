/* Plugins: backends in shared objects of their own, opened when asked for, so that the library starts
 * without the software they need. */
#ifndef RCT_BACKEND_PLUGIN_H
#define RCT_BACKEND_PLUGIN_H

#include "backend/backend.h"

#include <riccatree/version.h>

/* What a plugin exports under the name `rct_plugin_exported`. It and the library share the layouts of plans and
 * runs, so both must be of the same build of the same version; a checkpoint knows but one name of a build, too. */
typedef struct rct_plugin {
    int32_t identity[6]; /* RCT_PLUGIN_IDENTITY */
    const rct_backend *backend;
    const char *(*build)(void); /* the rct_build it is made with */
} rct_plugin;

#define RCT_PLUGIN_IDENTITY                                                                        \
    {                                                                                              \
        0x72637471, RCT_VERSION_MAJOR, RCT_VERSION_MINOR, RCT_VERSION_PATCH,                       \
            (int32_t)sizeof(rct_plan), (int32_t)sizeof(rct_backend)                                \
    }

/* The backend of plugin libriccatree_NAME.so, from the directory in the environment variable
 * RICCATREE_PLUGINS if that is set, else from beside the library. NULL if there is none that can be
 * used; `reason` then says why in one line that lives as long as the library. */
const rct_backend *rct_plugin_open(const char *name, const char **reason);

#endif
