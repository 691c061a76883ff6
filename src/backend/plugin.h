/* Backends in plugins (core/plugin.h), which share the layouts of plans and runs with the
 * library. */
#ifndef RCT_BACKEND_PLUGIN_H
#define RCT_BACKEND_PLUGIN_H

#include "backend/backend.h"
#include "core/plugin.h"

/* For a plugin whose table is an rct_backend. */
#define RCT_BACKEND_IDENTITY RCT_PLUGIN_IDENTITY(sizeof(rct_plan), sizeof(rct_backend))

#endif
