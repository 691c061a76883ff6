/* Corrects the checksum at the end of a checkpoint. */
#ifndef RCT_TESTS_CHECKPOINT_SEAL_H
#define RCT_TESTS_CHECKPOINT_SEAL_H

#include <stddef.h>
#include <stdint.h>

/* For a file of runs or of ensembles; does nothing if the file is too short for a checksum. */
void checkpoint_seal(uint8_t *bytes, size_t size);

#endif
