/* The version of the library, from the numbers in its headers, and the name of its build, which
 * cmake/Identity.cmake makes. */
#include <build_name.h>

#include <riccatree/version.h>

#define TEXT(x)                           #x
#define VERSION_TEXT(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *rct_version(void)
{
    return VERSION_TEXT(RCT_VERSION_MAJOR, RCT_VERSION_MINOR, RCT_VERSION_PATCH);
}

const char *rct_build(void)
{
    return VERSION_TEXT(RCT_VERSION_MAJOR, RCT_VERSION_MINOR,
                        RCT_VERSION_PATCH) ", " RCT_BUILD_NAME;
}
