/* Plugins: code that needs software that may be absent is in shared objects of its own,
 * libriccatree_NAME.so, opened when asked for. So the library starts without that software. */
#ifndef RCT_CORE_PLUGIN_H
#define RCT_CORE_PLUGIN_H

#include <riccatree/version.h>

#include <stdint.h>

/* A plugin exports this under the name `rct_plugin_exported`. The plugin and the library share the
 * layouts of tables and of the data they work on, so both must be of the same build of the same
 * version; a checkpoint too has only one name of a build. */
typedef struct rct_plugin {
    int32_t identity[6];        /* RCT_PLUGIN_IDENTITY */
    const char *(*build)(void); /* the rct_build it is made with */
    const void *table;          /* of the kind that the identity tells */
} rct_plugin;

/* The identity of a kind of plugins: the sizes of its data and of its table tell it from other
 * kinds. */
#define RCT_PLUGIN_IDENTITY(work_size, table_size)                                                 \
    {                                                                                              \
        0x72637471, RCT_VERSION_MAJOR, RCT_VERSION_MINOR, RCT_VERSION_PATCH, (int32_t)(work_size), \
            (int32_t)(table_size)                                                                  \
    }

/* Who sees the symbols of the libraries of a plugin: only the plugin, or everything opened
 * later. */
typedef enum rct_plugin_scope { RCT_PLUGIN_LOCAL, RCT_PLUGIN_GLOBAL } rct_plugin_scope;

/* The table of plugin libriccatree_NAME.so, from the directory in the environment variable
 * RICCATREE_PLUGINS if it is set, else from the directory of the library. NULL if there is no
 * usable plugin; `reason` then says why in one line that lives as long as the library. */
const void *rct_plugin_open(const char *name, const int32_t identity[6], rct_plugin_scope scope,
                            const char **reason);

#endif
