/* Export of recordings to formats of other programs. docs/trajectory-file.md describes the
 * files. */
#ifndef RICCATREE_EXPORT_H
#define RICCATREE_EXPORT_H

#include <riccatree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The functions below write the recording `from` to `path` and replace an existing file. Errors are
 * those of rct_recording_open; RCT_ERROR_IO, and no file, if `path` cannot be written;
 * RCT_ERROR_ARGUMENT if there is no frame yet or `path` is `from`. */

/* Write arrays of numpy (numpy.load), not compressed: all quantities of /frames, [frames],
 * [frames][width] or [frames][bodies][width], float64; `body`, the names of the bodies; and
 * `parent` [bodies], the row of the parent, -1 for the ground. */
RCT_API rct_status rct_export_npz(const char *from, const char *path, rct_error *error);

/* Write VTKHDF 2.0, which ParaView 5.12 and later opens: hinge points as moving points, a line from
 * each to the hinge point of its parent, and orientation, angular velocity and number of the body
 * as data of the points; one time step per frame. */
RCT_API rct_status rct_export_vtkhdf(const char *from, const char *path, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
