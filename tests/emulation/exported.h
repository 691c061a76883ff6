/* The control of the emulation inside a plugin: a table that the plugin exports as
 * `emulation_exported`, for a test that opens the plugin. The functions are those of emulation.h
 * and core/memory.h, of which the test has no copy or a copy of its own. */
#ifndef RCT_EMULATION_EXPORTED_H
#define RCT_EMULATION_EXPORTED_H

#include "emulation.h"

typedef struct emulation_table {
    emulation_options (*defaults)(void);
    void (*set)(const emulation_options *options);
    void (*reset)(void);
    emulation_counts (*counted)(void);
    void (*count_from_here)(void);
    emulation_live (*alive)(void);
    const char *(*last_report)(void);
    int64_t (*reports)(void);
    int64_t (*bytes_on)(int device);
    void (*at_capture)(void (*act)(void *with), void *with);
    cudaError_t (*last_error)(void);                /* of this thread; the call clears it */
    void (*allocate_fail_after)(int64_t successes); /* of the plugin's own memory */
} emulation_table;

#endif
