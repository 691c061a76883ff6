/* The version of the headers; rct_version() gives that of the library. The version is written only
 * here: CMake, pkg-config, the Python package and the Debian packages take it from these three
 * lines, and t94_version compares CITATION.cff with them. */
#ifndef RICCATREE_VERSION_H
#define RICCATREE_VERSION_H

#include <riccatree/status.h>

#define RCT_VERSION_MAJOR 0 /* incompatible changes */
#define RCT_VERSION_MINOR 1 /* additions; before 1.0 also incompatible changes */
#define RCT_VERSION_PATCH 0 /* corrections */

#ifdef __cplusplus
extern "C" {
#endif

RCT_API const char *rct_version(void); /* "MAJOR.MINOR.PATCH" */

/* What the library was built from and how: version, compiler, machine, digests of flags and of
 * sources. Two builds with the same text compute the same bits. */
RCT_API const char *rct_build(void);

#ifdef __cplusplus
}
#endif
#endif
