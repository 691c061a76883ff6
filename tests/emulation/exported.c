/* The table of exported.h. */
#include "exported.h"

#include "core/memory.h"

__attribute__((visibility("default"))) extern const emulation_table emulation_exported;
const emulation_table emulation_exported = {.defaults = emulation_defaults,
                                            .set = emulation_set,
                                            .reset = emulation_reset,
                                            .counted = emulation_counted,
                                            .count_from_here = emulation_count_from_here,
                                            .alive = emulation_alive,
                                            .last_report = emulation_last_report,
                                            .reports = emulation_reports,
                                            .bytes_on = emulation_bytes_on,
                                            .at_capture = emulation_at_capture,
                                            .last_error = cudaGetLastError,
                                            .allocate_fail_after = rct_allocate_fail_after};
