/* Rows of the file of an ensemble as they are read: which exist, and whether each is as it was
 * written. A row exists when its checksum does. The checksum is written last and read first,
 * because other processes may be writing rows. */
#include "record/ensemble/members.h"

#include "core/memory.h"
#include "record/file/checksum.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { ROWS_READ = 65536 };

static const rct_table narrow = {.rank = 1};

/* Compare with the checksums. An existing row has a status; the status of a missing row does not
 * count. */
static int64_t hold_against(rct_call *call, int64_t first, int64_t count, const uint32_t *checksums,
                            int8_t *statuses)
{
    int64_t present = 0;
    for (int64_t k = 0; k < count && call->status == RCT_OK; k++) {
        const int there = checksums == NULL || checksums[k] != RCT_ABSENT_SUM;
        const int least = checksums == NULL ? RCT_PENDING_VALUE : RCT_PENDING_VALUE + 1;
        if (there && (statuses[k] < least || statuses[k] > RCT_ERROR_LOOP + 1)) {
            rct_call_fail(call, RCT_ERROR_IO, "is damaged: row %" PRId64 " has status %d",
                          first + k, statuses[k]);
        }
        statuses[k] = there ? statuses[k] : RCT_PENDING_VALUE;
        present += statuses[k] != RCT_PENDING_VALUE;
    }
    return present;
}

int64_t rct_member_statuses(rct_call *call, hid_t status, hid_t checksum, int64_t begin,
                            int64_t end, int8_t *statuses)
{
    int64_t present = 0;
    int8_t *rows = rct_call_allocate(call, ROWS_READ, 1, "the status of members");
    uint32_t *all = rct_call_allocate(call, ROWS_READ, sizeof *all, "the checksums of members");
    uint32_t *sums = checksum >= 0 ? all : NULL;
    hid_t own = RCT_TRY(call, "read numbers", H5Dget_type(status)); /* no conversion */
    if (RCT_TRY(call, "read numbers", (int64_t)H5Tget_size(own)) != 1) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged: the status of members is not stored as bytes");
    }
    for (int64_t first = begin; first < end && call->status == RCT_OK; first += ROWS_READ) {
        const int64_t left = end - first, count = left < ROWS_READ ? left : ROWS_READ;
        if (sums != NULL) {
            rct_h5_read_block(call, checksum, H5T_NATIVE_UINT32, &narrow, first, count, sums);
        }
        rct_h5_read_block(call, status, own, &narrow, first, count, rows);
        present += hold_against(call, first, count, sums, rows);
        if (statuses != NULL) {
            memcpy(statuses + (first - begin), rows, (size_t)count);
        }
    }
    rct_h5_close(call, &own);
    rct_release(rows);
    rct_release(all);
    return present;
}

int64_t rct_rows_statuses(rct_call *call, hid_t file, int sealed, int64_t begin, int64_t end,
                          int8_t *statuses)
{
    hid_t dataset = rct_h5_open_dataset(call, file, "members/status");
    hid_t checksum = sealed ? rct_h5_open_dataset(call, file, "members/checksum") : -1;
    const int64_t there = rct_member_statuses(call, dataset, checksum, begin, end, statuses);
    rct_h5_close(call, &checksum);
    rct_h5_close(call, &dataset);
    return there;
}

void rct_rows_blank(rct_call *call, hid_t file, int sealed, int64_t first, int64_t count,
                    int64_t width, double *values)
{
    int8_t *statuses = rct_call_allocate(call, count, 1, "the status of members");
    if (call->status == RCT_OK) {
        rct_rows_statuses(call, file, sealed, first, first + count, statuses);
    }
    for (int64_t i = 0; call->status == RCT_OK && i < count * width; i++) {
        values[i] = statuses[i / width] == RCT_PENDING_VALUE ? (double)NAN : values[i];
    }
    rct_release(statuses);
}

/* ---- checksums ---------------------------------------------------------------------------- */

uint32_t rct_row_checksum(const rct_member_columns *c, int64_t row, int64_t k)
{
    uint32_t sum = rct_checksum(0, &row, sizeof row);
    for (int i = 0; i < RCT_COLUMN_CHECKSUM; i++) {
        const rct_column *column = &c->column[i];
        if (column->bytes > 0) {
            sum = rct_checksum(sum, (const char *)column->rows + k * column->bytes, column->bytes);
        }
    }
    return sum != RCT_ABSENT_SUM ? sum : UINT32_MAX;
}

static void check_block(rct_call *call, rct_member_columns *c, int64_t first, int64_t count)
{
    const uint32_t *said = c->column[RCT_COLUMN_CHECKSUM].rows;
    for (int i = RCT_COLUMNS - 1; i >= 0; i--) {
        const rct_column *column = &c->column[i];
        if (column->bytes > 0) {
            rct_h5_read_block(call, column->dataset, column->type, &column->table, first, count,
                              column->rows);
        }
    }
    for (int64_t k = 0; k < count && call->status == RCT_OK; k++) {
        const uint32_t found = rct_row_checksum(c, first + k, k);
        if (said[k] != RCT_ABSENT_SUM && found != said[k]) {
            rct_call_fail(call, RCT_ERROR_IO,
                          "is damaged: the checksum of row %" PRId64 " is %08" PRIx32
                          ", but the file records %08" PRIx32 "; take an older copy",
                          first + k, found, said[k]);
        }
    }
}

void rct_columns_check(rct_call *call, rct_member_columns *c)
{
    for (int64_t first = 0; first < c->members && call->status == RCT_OK; first += c->room) {
        const int64_t left = c->members - first;
        check_block(call, c, first, left < c->room ? left : c->room);
    }
}
