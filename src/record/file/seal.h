/* The seal of a file of results: a checksum of all of its bytes but those of ranges that stay open to writing, and the counters
 * that say how far these are written. HDF5 notices little of what has happened to a file, and may fall over the rest; a seal
 * that holds says that it reads what was written.
 *
 *     head and counters | HDF5 | ranges
 *
 * Head and counters lie before HDF5's first byte, in what it calls the user block: a file that begins so has a seal or is
 * damaged. Files of format version 1 begin with HDF5; those of ensembles have a seal at their end. */
#ifndef RCT_RECORD_FILE_SEAL_H
#define RCT_RECORD_FILE_SEAL_H

#include "record/file/call.h"

enum { RCT_SEAL_BYTES = 512 }; /* before HDF5, which asks for a power of two, 512 at least */

typedef enum rct_seal {
    RCT_SEAL_FOREIGN, /* the file begins neither with a seal nor with HDF5                       */
    RCT_SEAL_NONE,    /* of version 1, without a seal                                            */
    RCT_SEAL_OLDER,   /* of version 1, with one that holds                                       */
    RCT_SEAL_WHOLE    /* it holds                                                                */
} rct_seal;

/* Written in one piece and with a checksum of its own, before and after the numbers of HDF5 that say the same: at any moment
 * these are one of both. */
typedef struct rct_counters {
    int64_t before, now; /* frames written; of an ensemble 0                                     */
    int64_t complete;
} rct_counters;

/* The file, closed by HDF5, ends at `end`. The ranges are put in order. Gives the length of the file, whose counters are 0. */
int64_t rct_seal_put(rct_call *call, int file, int64_t end, rct_ranges *ranges);

/* RCT_ERROR_IO if the seal is broken. */
rct_seal rct_seal_check(rct_call *call, int file);

/* Of a file that has them. */
void rct_seal_count(rct_call *call, int file, const rct_counters *counters);
rct_counters rct_seal_counted(rct_call *call, int file);

#endif
