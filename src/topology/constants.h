/* The constants of links as lane kernels read them. Every row of lanes has one record for all lanes
 * where these are alike, stored once for any number of rows; else a record for each lane. */
#ifndef RCT_TOPOLOGY_CONSTANTS_H
#define RCT_TOPOLOGY_CONSTANTS_H

#include <riccatree/status.h>

typedef struct rct_constants {
    int32_t lanes;
    int32_t fields;  /* of a record                                          */
    int32_t *record; /* [rows] k >= 0: shared record k, else wide record ~k  */
    double *shared;  /* [shared_count][fields]                               */
    double *spread;  /* [shared_count][fields][lanes] the same for all lanes */
    double *wide;    /* [wide_count][fields][lanes]                          */
    int32_t shared_count;
    int64_t wide_count;
} rct_constants;

/* Writes the record of a lane of a row. */
typedef void rct_constants_of(const void *context, int64_t row, int32_t lane, double *record);

/* constants->lanes and fields are set, everything else is zero. rct_constants_free releases what a
 * failure leaves. */
rct_status rct_constants_pack(rct_constants *constants, int64_t rows, rct_constants_of *of,
                              const void *context, rct_error *error);

/* The same, replacing what was packed before, if anything was. */
rct_status rct_constants_renew(rct_constants *constants, int64_t rows, rct_constants_of *of,
                               const void *context, rct_error *error);
void rct_constants_free(rct_constants *constants);

/* Bytes of the arrays for `rows` rows; 0 before anything is packed. */
int64_t rct_constants_bytes(const rct_constants *constants, int64_t rows);

#endif
