/* Constants of links in lanes (constants.h). */
#include "topology/constants.h"

#include "core/memory.h"

#include <string.h>

enum { SHARED_MOST = 256 }; /* most shared distinct records; more would leave the cache */

/* The shared record equal to `record`, found or added; -1 when there are too many. */
static int32_t share(rct_constants *c, const double *record)
{
    const size_t bytes = (size_t)c->fields * sizeof *record;
    for (int32_t k = c->shared_count - 1; k >= 0; k--) {
        if (memcmp(c->shared + (int64_t)k * c->fields, record, bytes) == 0) {
            return k;
        }
    }
    if (c->shared_count == SHARED_MOST) {
        return -1;
    }
    memcpy(c->shared + (int64_t)c->shared_count * c->fields, record, bytes);
    return c->shared_count++;
}

static void write_wide(const rct_constants *c, int64_t k, const double *lanes)
{
    double *to = c->wide + k * c->fields * c->lanes;
    for (int32_t f = 0; f < c->fields; f++) {
        for (int32_t lane = 0; lane < c->lanes; lane++) {
            to[f * c->lanes + lane] = lanes[lane * c->fields + f];
        }
    }
}

/* Numbers the wide records; with `wide` allocated, writes them as well. `lanes`: room for one
 * row. */
static void write_rows(rct_constants *c, int64_t rows, rct_constants_of *of, const void *context,
                       double *lanes)
{
    c->wide_count = 0;
    for (int64_t g = 0; g < rows; g++) {
        int alike = 1;
        for (int32_t lane = 0; lane < c->lanes; lane++) {
            double *record = lanes + lane * c->fields;
            of(context, g, lane, record);
            alike = alike && memcmp(lanes, record, (size_t)c->fields * sizeof *record) == 0;
        }
        const int32_t shared = alike ? share(c, lanes) : -1;
        c->record[g] = shared >= 0 ? shared : ~(int32_t)c->wide_count;
        if (shared < 0 && c->wide != NULL) {
            write_wide(c, c->wide_count, lanes);
        }
        c->wide_count += shared < 0;
    }
}

/* Repeats shared records for all lanes, so that lanes read them as wide ones. Without negative
 * zeros, as when single numbers are spread. */
static void spread(rct_constants *c)
{
    const int64_t count = (int64_t)c->shared_count * c->fields;
    for (int64_t i = 0; i < count; i++) {
        for (int32_t lane = 0; lane < c->lanes; lane++) {
            c->spread[i * c->lanes + lane] = c->shared[i] + 0.0;
        }
    }
}

rct_status rct_constants_pack(rct_constants *c, int64_t rows, rct_constants_of *of,
                              const void *context, rct_error *error)
{
    const char *what = "the constants of links";
    const int64_t record = c->fields * (int64_t)sizeof(double);
    double *lanes = rct_allocate(c->lanes, record, what, error);
    c->record = rct_allocate(rows, sizeof(int32_t), what, error);
    c->shared = rct_allocate(SHARED_MOST, record, what, error);
    rct_status status = RCT_ERROR_MEMORY;
    if (lanes != NULL && c->record != NULL && c->shared != NULL) {
        write_rows(c, rows, of, context, lanes);
        c->wide = rct_allocate(c->wide_count, record * c->lanes, what, error);
        c->spread = rct_allocate(c->shared_count, record * c->lanes, what, error);
        status = c->wide == NULL || c->spread == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    }
    if (status == RCT_OK && c->wide_count > 0) {
        write_rows(c, rows, of, context, lanes);
    }
    if (status == RCT_OK) {
        spread(c);
    }
    rct_release(lanes);
    return status;
}

rct_status rct_constants_renew(rct_constants *c, int64_t rows, rct_constants_of *of,
                               const void *context, rct_error *error)
{
    rct_constants_free(c);
    *c = (rct_constants){.lanes = c->lanes, .fields = c->fields};
    return rct_constants_pack(c, rows, of, context, error);
}

void rct_constants_free(rct_constants *c)
{
    rct_release(c->record);
    rct_release(c->shared);
    rct_release(c->spread);
    rct_release(c->wide);
}

int64_t rct_constants_bytes(const rct_constants *c, int64_t rows)
{
    if (c->record == NULL) {
        return 0;
    }
    const int64_t records = SHARED_MOST + (c->shared_count + c->wide_count) * c->lanes;
    return rows * (int64_t)sizeof *c->record + records * c->fields * (int64_t)sizeof(double);
}
