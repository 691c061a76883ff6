/* Import of models from other programs: URDF, and the part of MJCF that describes trees of rigid
 * bodies and their loops. docs/import.md says what is read, what is ignored and what is refused.
 */
#ifndef RICCATREE_IMPORT_H
#define RICCATREE_IMPORT_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The formats that are read. */
typedef enum rct_import_format {
    RCT_IMPORT_AUTO = 0, /* by the root element: <robot> or <mujoco> */
    RCT_IMPORT_URDF = 1,
    RCT_IMPORT_MJCF = 2,
} rct_import_format;

/* rad/s or m/s: dry friction of imported joints is regularized below this rate (riccatree/force.h),
 * because the files give none. */
#define RCT_IMPORT_SLIP 1e-2

enum { RCT_IMPORT_NOTES = 8, RCT_IMPORT_NOTE_SIZE = 192 };

/* What an import has left out or changed. */
typedef struct rct_import_report {
    rct_import_format format; /* format of the file; AUTO if it is not known */
    int64_t ignored;          /* elements and attributes that may change the motion, ignored by
                               * ignore_unsupported */
    int32_t notes;            /* number of them that are described below, beginning with the
                               * first */
    struct {
        int32_t line;                    /* line in the file, from 1 */
        char text[RCT_IMPORT_NOTE_SIZE]; /* description in one line */
    } note[RCT_IMPORT_NOTES];
    int64_t shapes_left_out;    /* shapes of bodies left out: meshes, other forms, shapes that
                                 * cannot be read; they do not change the motion */
    int64_t massless_left_out;  /* moving bodies left out because they have no mass and carry
                                 * none; the motion of the others is unchanged */
    int64_t frictions_left_out; /* ball and free hinges whose dry friction is left out */
    int64_t inertias_repaired;  /* inertias that no rigid body can have, replaced by
                                 * repair_inertia */
    int64_t loops;              /* closures and relations read; soft ones of MJCF are exact in
                                 * the model */
    int64_t frictions;          /* coordinates with dry friction, which became forces of the
                                 * model with a slip of RCT_IMPORT_SLIP */
} rct_import_report;

/* Options of an import. The default is all zero. */
typedef struct rct_import_options {
    rct_import_format format;
    int ignore_unsupported;    /* 1: ignore what changes the motion and is not supported */
    int floating_root;         /* URDF, 1: the root link is free; 0: it is fixed to the ground */
    rct_import_report *report; /* filled if not NULL, also on failure */
    int64_t repair_inertia;    /* 1: an inertia that no rigid body can have is replaced by the
                                * closest possible one */
} rct_import_options;

/* Read a model from a file, or from `size` bytes of memory. Bodies have the names of links and
 * bodies; each comes after its parent. `options` may be NULL. NULL on failure, with the line:
 * RCT_ERROR_SYNTAX: not XML (with line and column); RCT_ERROR_MODEL: no valid system;
 * RCT_ERROR_UNSUPPORTED: valid but not supported. The reader uses no network and no entities. A
 * file may read only regular files that an MJCF file includes, attaches or takes a mass from
 * (docs/import.md); a text in memory may read no file. */
RCT_API rct_model *rct_model_import_sized(const char *path, rct_in options, rct_error *error);
static inline rct_model *rct_model_import(const char *path, const rct_import_options *options,
                                          rct_error *error)
{
    return rct_model_import_sized(
        path, rct_in_of(options, sizeof *options, 0, sizeof *options->report), error);
}
RCT_API rct_model *rct_model_import_text_sized(const char *text, int64_t size, rct_in options,
                                               rct_error *error);
static inline rct_model *rct_model_import_text(const char *text, int64_t size,
                                               const rct_import_options *options, rct_error *error)
{
    return rct_model_import_text_sized(
        text, size, rct_in_of(options, sizeof *options, 0, sizeof *options->report), error);
}

#ifdef __cplusplus
}
#endif
#endif
