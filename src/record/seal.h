/* The seal of a file: at its end a checksum of all of its bytes but those of ranges that stay open to writing. HDF5 notices
 * little of what has happened to a file, and may fall over the rest; a seal that holds says that it reads what was written. */
#ifndef RCT_RECORD_SEAL_H
#define RCT_RECORD_SEAL_H

#include "record/call.h"

enum { RCT_SEAL_RANGES = 16 };

typedef struct rct_seal_range {
    int64_t at, bytes;
} rct_seal_range;

/* The file, closed by HDF5, ends at `end`; its seal comes behind. The ranges, at most RCT_SEAL_RANGES, are put
 * in order. Gives the length of the file. */
int64_t rct_seal_put(rct_call *call, int file, int64_t end, int count, rct_seal_range *ranges);

/* 1: the seal holds; 0: there is none at the end. RCT_ERROR_IO if it is broken. */
int rct_seal_check(rct_call *call, int file);

#endif
