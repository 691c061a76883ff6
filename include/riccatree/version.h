/* The version of the headers; rct_version() gives that of the library. It is written here alone: CMake, pkg-config, the
 * Python package and the Debian packages take it from these three lines, and t94_version holds CITATION.cff to them. */
#ifndef RICCATREE_VERSION_H
#define RICCATREE_VERSION_H

#include <riccatree/status.h>

#define RCT_VERSION_MAJOR 0 /* changes of what programs rely on */
#define RCT_VERSION_MINOR 1 /* what is new; before 1.0 changes, too */
#define RCT_VERSION_PATCH 0 /* what was mended */

#ifdef __cplusplus
extern "C" {
#endif

RCT_API const char *rct_version(void); /* "MAJOR.MINOR.PATCH" */

/* What the library was built from and how: version, compiler, machine, digests of flags and of sources. Two
 * builds of one name compute the same bits. */
RCT_API const char *rct_build(void);

#ifdef __cplusplus
}
#endif
#endif
