/* Plugins that must be refused, one per fault: another version, another layout of plans and
 * backends, another build, no exported symbol, an unresolved function. A call into such a plugin
 * would crash. */
#include "backend/plugin.h"

#if defined ODD_SYMBOL
extern const int rct_plugin_of_something_else;
const int rct_plugin_of_something_else = 1;
#else
__attribute__((visibility("default"))) extern const rct_plugin rct_plugin_exported;

#if defined ODD_UNRESOLVED
extern const rct_backend rct_backend_from_nowhere;
const rct_plugin rct_plugin_exported = {.identity = RCT_BACKEND_IDENTITY,
                                        .table = &rct_backend_from_nowhere};
#elif defined ODD_BUILD
static const char *another(void)
{
    return "0.0.0, of another build";
}
const rct_plugin rct_plugin_exported = {.identity = RCT_BACKEND_IDENTITY, .build = another};
#else
#ifndef ODD_VERSION
#define ODD_VERSION 0
#endif
#ifndef ODD_LAYOUT
#define ODD_LAYOUT 0
#endif
const rct_plugin rct_plugin_exported = {
    .identity = {0x72637471, RCT_VERSION_MAJOR, RCT_VERSION_MINOR + ODD_VERSION, RCT_VERSION_PATCH,
                 (int32_t)sizeof(rct_plan), (int32_t)sizeof(rct_backend) + ODD_LAYOUT}};
#endif
#endif
