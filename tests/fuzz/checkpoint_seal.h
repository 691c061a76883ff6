/* Corrects the checksum at the end of a checkpoint. */
#ifndef RCT_TESTS_CHECKPOINT_SEAL_H
#define RCT_TESTS_CHECKPOINT_SEAL_H

#include <stddef.h>
#include <stdint.h>

/* Of a file of runs or of ensembles; nothing where it is too short to have one. */
void checkpoint_seal(uint8_t *bytes, size_t size);

#endif
