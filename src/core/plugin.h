/* Plugins: what needs software that may be absent stands in shared objects of its own, libriccatree_NAME.so,
 * opened when asked for, so that the library starts without that software. */
#ifndef RCT_CORE_PLUGIN_H
#define RCT_CORE_PLUGIN_H

#include <riccatree/version.h>

#include <stdint.h>

/* What a plugin exports under the name `rct_plugin_exported`. It and the library share the layouts of tables and
 * of what they work on, so both must be of the same build of the same version; a checkpoint knows but one name of
 * a build, too. */
typedef struct rct_plugin {
    int32_t identity[6];        /* RCT_PLUGIN_IDENTITY */
    const char *(*build)(void); /* the rct_build it is made with */
    const void *table;          /* of the kind that the identity says */
} rct_plugin;

/* Of a kind of plugins: the sizes of what it works on and of its table tell it from the other kinds. */
#define RCT_PLUGIN_IDENTITY(work_size, table_size)                                                 \
    {                                                                                              \
        0x72637471, RCT_VERSION_MAJOR, RCT_VERSION_MINOR, RCT_VERSION_PATCH, (int32_t)(work_size), \
            (int32_t)(table_size)                                                                  \
    }

/* Who sees the symbols of the libraries that come with a plugin: it alone, or everything opened later. */
typedef enum rct_plugin_scope { RCT_PLUGIN_LOCAL, RCT_PLUGIN_GLOBAL } rct_plugin_scope;

/* The table of plugin libriccatree_NAME.so, from the directory in the environment variable
 * RICCATREE_PLUGINS if that is set, else from beside the library. NULL if there is none that can be
 * used; `reason` then says why in one line that lives as long as the library. */
const void *rct_plugin_open(const char *name, const int32_t identity[6], rct_plugin_scope scope,
                            const char **reason);

#endif
