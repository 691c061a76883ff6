/* The accelerator of this machine, for programs that test it where there is one. */
#ifndef RCT_TESTS_SUPPORT_DEVICE_ACCELERATOR_H
#define RCT_TESTS_SUPPORT_DEVICE_ACCELERATOR_H

#include "tests/support/cmocka_all.h"

#include <riccatree/solver.h>

/* Its name; or NULL, with a message. */
static inline const char *accelerator(void)
{
    rct_backend_info info;
    assert_int_equal(rct_backend_describe(0, &info, NULL), RCT_OK);
    if (!info.available) {
        print_message("%s skipped: %s\n", info.name, info.reason);
    }
    return info.available ? info.name : NULL;
}

#endif
