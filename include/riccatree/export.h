/* Recordings in formats of other programs. docs/trajectory-file.md has what is in the files. */
#ifndef RICCATREE_EXPORT_H
#define RICCATREE_EXPORT_H

#include <riccatree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Write the recording `from` to `path`, in place of a file that is there. Errors are those of rct_recording_open; RCT_ERROR_IO,
 * and no file, where `path` cannot be written; RCT_ERROR_ARGUMENT: there is no frame yet, or `path` is `from`. */

/* Arrays of numpy (numpy.load): all quantities of /frames, [frames], [frames][width] or [frames][bodies][width], float64; `body`,
 * the names of the bodies, and `parent` [bodies], their rows, -1 the ground. Nothing is compressed. */
RCT_API rct_status rct_export_npz(const char *from, const char *path, rct_error *error);

/* VTKHDF 2.0, which ParaView 5.12 and later opens: hinge points as points that move, a line from each to that of the parent, and
 * orientation, angular velocity and number of the body as data of the points; a step a frame. */
RCT_API rct_status rct_export_vtkhdf(const char *from, const char *path, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
