/* Models in HDF5: huge models, read in a third of the time of JSON; and the models inside
 * recordings and ensembles. */
#ifndef RICCATREE_MODEL_H5_H
#define RICCATREE_MODEL_H5_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Write the model as the group /model of an HDF5 file (docs/trajectory-file.md), bit for bit, with
 * a checksum of everything. The file appears whole or not at all, and replaces an existing one.
 * RCT_ERROR_MODEL: there are no bodies; RCT_ERROR_IO. */
RCT_API rct_status rct_model_write_h5(const rct_model *model, const char *path, rct_error *error);

/* Read the model of such a file, of a recording (its start), or of an ensemble (its base). In a
 * file of another program /model/parent and /model/mass must exist; missing datasets have the
 * values of rct_body_default, rct_force_default or rct_loop_default, and datasets that no model has
 * are refused. NULL on failure: RCT_ERROR_IO for a file that cannot be read, is damaged, or has no
 * model; RCT_ERROR_MODEL as rct_model_add_body and rct_model_check, with the number of the body;
 * RCT_ERROR_SYNTAX and RCT_ERROR_MODEL as rct_model_parse for the base of an ensemble, which is
 * stored as text. */
RCT_API rct_model *rct_model_read_h5(const char *path, rct_error *error);

#ifdef __cplusplus
}
#endif
#endif
