/* The emulated accelerator behind the backend "cuda" (emulated.h). */
#define _GNU_SOURCE /* setenv */
#include "tests/support/device/emulated.h"

#include "tests/support/cmocka_all.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATH_SIZE = 4096 };

const emulation_table *emulated_or_none(void)
{
    char path[PATH_SIZE];
    const char *folder = getenv("RICCATREE_PLUGINS");
    snprintf(path, sizeof path, "%s/libriccatree_cuda.so", folder != NULL ? folder : ".");
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* the library opens the same one */
    const emulation_table *table = plugin != NULL ? dlsym(plugin, "emulation_exported") : NULL;
    if (plugin != NULL && table == NULL) {
        dlclose(plugin);
    }
    return table;
}

const emulation_table *emulated(void)
{
    static const emulation_table *table = NULL;
    table = table != NULL ? table : emulated_or_none();
    if (table == NULL) {
        fail_msg("no emulated plugin: %s", dlerror());
    }
    return table;
}

void emulated_reset(const char *words)
{
    assert_int_equal(setenv("RCT_EMULATION", words, 1), 0);
    emulated()->reset();
    assert_int_equal(unsetenv("RCT_EMULATION"), 0);
}

void emulated_expect_clean(void)
{
    const emulation_live live = emulated()->alive();
    assert_string_equal(emulated()->last_report(), "");
    assert_int_equal(emulated()->reports(), 0);
    assert_int_equal(live.device_allocations, 0);
    assert_int_equal(live.device_bytes, 0);
    assert_int_equal(live.host_allocations, 0);
    assert_int_equal(live.streams, 0);
    assert_int_equal(live.events, 0);
    assert_int_equal(live.graphs, 0);
    assert_int_equal(live.executables, 0);
}
