/* Models from files of other programs: URDF, and the part of MJCF that trees of rigid bodies and their loops have use for.
 * docs/import.md says what is read, what is ignored and what is refused.
 */
#ifndef RICCATREE_IMPORT_H
#define RICCATREE_IMPORT_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The languages that are read. */
typedef enum rct_import_format {
    RCT_IMPORT_AUTO = 0, /* by the root element: <robot> or <mujoco> */
    RCT_IMPORT_URDF = 1,
    RCT_IMPORT_MJCF = 2,
} rct_import_format;

/* rad/s or m/s: the rate below which dry friction of imported joints is regularized (riccatree/force.h); files do not say. */
#define RCT_IMPORT_SLIP 1e-2

enum { RCT_IMPORT_NOTES = 8, RCT_IMPORT_NOTE_SIZE = 192 };

/* What was left out because options.ignore_unsupported asked for it; and what bodies look like, as far as that is not read. */
typedef struct rct_import_report {
    rct_import_format
        format;      /* of the file; AUTO if that is not known                            */
    int64_t ignored; /* elements and attributes ignored that may change the motion       */
    int32_t notes;   /* how many of them, the first, are described below                 */
    struct {
        int32_t line;                    /* in the file, from 1                                   */
        char text[RCT_IMPORT_NOTE_SIZE]; /* what it is, one line                                  */
    } note[RCT_IMPORT_NOTES];
    int64_t
        shapes_left_out; /* of bodies: meshes, other forms, what cannot be read; they change no motion */
    int64_t
        massless_left_out; /* bodies that move, but have no mass and carry none; all else moves as with them */
    int64_t
        frictions_left_out; /* balls and free hinges with dry friction, which is not in the model */
    int64_t
        inertias_repaired; /* that no rigid body has, where options.repair_inertia asked for it */
    int64_t loops; /* closures and relations read; soft ones of MJCF are exact in the model */
    int64_t
        frictions; /* coordinates with dry friction, a force of the model with a slip of RCT_IMPORT_SLIP */
} rct_import_report;

/* All zero is the default. */
typedef struct rct_import_options {
    rct_import_format format;
    int ignore_unsupported; /* 1: go on without what changes the motion and is not supported    */
    int floating_root;      /* URDF, 1: the root link is free; 0: it is fixed to the ground    */
    rct_import_report *report; /* filled if not NULL, also on failure                             */
    int64_t repair_inertia; /* 1: inertia that no rigid body has becomes the closest one that is */
} rct_import_options;

/* A model from a file or from memory. Bodies have the names of links and bodies; each comes after its parent.
 * `options` may be NULL. NULL on failure: RCT_ERROR_SYNTAX is no XML (with line and column), RCT_ERROR_MODEL a
 * file that describes no valid system, RCT_ERROR_UNSUPPORTED what is valid but not supported; all name the
 * line. No network, no entities; of other files only regular ones that an MJCF file includes, attaches or takes a mass from (docs/import.md), of a
 * text none. */
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
