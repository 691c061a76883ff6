/* The seal of a file of results: a checksum of all bytes except ranges that stay open to
 * writing, and the counters that say how much of these is written. HDF5 notices little damage in
 * a file, and may crash on the rest; a valid seal says that HDF5 reads what was written.
 *
 *     head and counters | HDF5 | ranges
 *
 * Head and counters lie before HDF5's first byte, in its user block: a file that begins with
 * them has a seal or is damaged. Files of format version 1 begin with HDF5; those of ensembles
 * have a seal at their end. */
#ifndef RCT_RECORD_FILE_SEAL_H
#define RCT_RECORD_FILE_SEAL_H

#include "record/file/call.h"

enum { RCT_SEAL_BYTES = 512 }; /* before HDF5, which requires a power of two, at least 512 */

typedef enum rct_seal {
    RCT_SEAL_FOREIGN, /* the file begins neither with a seal nor with HDF5                       */
    RCT_SEAL_NONE,    /* version 1, without a seal                                               */
    RCT_SEAL_OLDER,   /* version 1, with a valid seal                                            */
    RCT_SEAL_WHOLE    /* the seal is valid                                                       */
} rct_seal;

/* Written in one piece with a checksum of its own, before and after the numbers of HDF5 that say
 * the same: at any moment those numbers are `before` or `now`. */
typedef struct rct_counters {
    int64_t before, now; /* frames written; 0 for an ensemble                                    */
    int64_t complete;
} rct_counters;

/* Seal a file that HDF5 has closed and that ends at `end`. Sorts the ranges. Returns the length
 * of the file; its counters are 0. */
int64_t rct_seal_put(rct_call *call, int file, int64_t end, rct_ranges *ranges);

/* RCT_ERROR_IO if the seal is broken. */
rct_seal rct_seal_check(rct_call *call, int file);

/* Write and read the counters of a file that has them. */
void rct_seal_count(rct_call *call, int file, const rct_counters *counters);
rct_counters rct_seal_counted(rct_call *call, int file);

#endif
