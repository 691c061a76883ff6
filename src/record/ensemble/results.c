/* Reading the file of an ensemble. */
#include "record/ensemble/file.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "record/file/seal.h"

#include <riccatree/version.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { SHORT = 64 };

/* Read all numbers of a column of this size; `width` 0: one number for each row. */
static void read_column(rct_call *call, hid_t file, const char *name, hid_t type, int64_t rows,
                        int64_t width, void *values)
{
    const rct_table table = {.name = name, .rank = width > 0 ? 2 : 1, .extent = {rows, width}};
    rct_h5_get_dataset(call, file, type, &table, values);
}

static void check_format(rct_call *call, hid_t file)
{
    char format[SHORT];
    int32_t version = 0;
    rct_h5_get_text(call, file, "format", sizeof format, format);
    const int told = call->status == RCT_OK;
    call->status = RCT_OK;
    if (told && strcmp(format, "riccatree trajectory") == 0) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is the recording of a run, not a file of an ensemble; a run continues from "
                      "its checkpoint");
    } else if (!told || strcmp(format, "riccatree ensemble") != 0) {
        rct_call_fail(call, RCT_ERROR_IO, "is not a file of an ensemble; give the results of one");
    }
    rct_h5_get_values(call, file, "format_version", H5T_NATIVE_INT32, &version);
    if (version != 1 && version != 2) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "has format version %" PRId32 "; this version reads 1 and 2", version);
    }
}

/* The extent of a column in this dimension; 0: the column does not exist. No column has more
 * numbers than the file has room for. */
static int64_t width_of(rct_call *call, hid_t file, const char *name, int dimension)
{
    int64_t extent[RCT_H5_RANK] = {0};
    int64_t room = rct_h5_file_size(call, file) / (int64_t)sizeof(double);
    if (rct_h5_has(call, file, name)) {
        rct_h5_extent_of(call, file, name, extent);
    }
    for (int i = 0; i < RCT_H5_RANK && room > 0; i++) {
        room /= extent[i] > 1 ? extent[i] : 1;
    }
    if (extent[dimension] < 0 || room == 0) {
        rct_call_fail(call, RCT_ERROR_IO, "is damaged: its dataset %s has another shape", name);
    }
    return call->status == RCT_OK ? extent[dimension] : 0;
}

/* HDF5's mark is read first, because it is written last. */
static int read_complete(rct_call *call, const rct_ensemble_results *r, int file)
{
    int8_t complete = 0;
    const rct_table mark = {.name = "complete"};
    rct_h5_get_dataset(call, r->file, H5T_NATIVE_INT8, &mark, &complete);
    if (!r->sealed) {
        return complete;
    }
    const rct_counters counters = rct_seal_counted(call, file);
    if (complete < 0 || complete > counters.complete || counters.complete > 1) {
        rct_call_fail(
            call, RCT_ERROR_IO,
            "is damaged: it says that it is complete, but its seal does not; take an older copy");
    }
    return (int)counters.complete;
}

static void check_rows(rct_call *call, const rct_ensemble_results *r)
{
    const rct_member_sizes sizes = {.members = r->info.members,
                                    .variations = r->info.variations,
                                    .coordinates = r->info.coordinates,
                                    .rates = r->info.rates,
                                    .series = r->info.series,
                                    .tracked = r->info.tracked};
    rct_member_columns columns = rct_columns_of(&sizes);
    rct_columns_have(call, r->file, &columns, 0);
    rct_columns_check(call, &columns);
    rct_columns_close(call, &columns);
}

/* Read the facts needed to continue the ensemble or to run it again. */
static void read_facts(rct_call *call, rct_ensemble_results *r)
{
    int64_t extent[RCT_H5_RANK] = {0};
    rct_h5_get_text(call, r->file, "build", sizeof r->build, r->build);
    if (call->status != RCT_OK || strcmp(r->build, rct_build()) != 0) {
        return; /* another build may know other options */
    }
    rct_ensemble_facts_get(call, r->file, &r->facts);
    r->facts.ensemble.variation_count = r->info.variations;
    r->facts.ensemble.variations = r->variations;
    if (r->facts.run.series > 0 && rct_h5_has(call, r->file, "series/body")) {
        rct_h5_extent_of(call, r->file, "series/body", extent);
        r->track = rct_call_allocate(call, extent[0], sizeof *r->track, "bodies that are tracked");
        read_column(call, r->file, "series/body", H5T_NATIVE_INT32, extent[0], 0, r->track);
        r->facts.run.tracked = (int32_t)extent[0];
        r->facts.run.track = r->track;
    }
}

/* Read a short text; "" if the file has none. */
static void get_short(rct_call *call, const rct_ensemble_results *r, const char *name,
                      char text[RCT_SHORT_READ], const char **shown)
{
    if (rct_h5_has_attribute(call, r->file, name)) {
        rct_h5_get_text(call, r->file, name, RCT_SHORT_READ, text);
    }
    *shown = text;
}

static void read_info(rct_call *call, rct_ensemble_results *r, int file)
{
    rct_ensemble_results_info *info = &r->info;
    int64_t extent[RCT_H5_RANK] = {0};
    check_format(call, r->file);
    rct_h5_get_text(call, r->file, "model_name", sizeof r->model_name, r->model_name);
    rct_h5_get_text(call, r->file, "command_line", sizeof r->command_line, r->command_line);
    rct_h5_get_values(call, r->file, "first_member", H5T_NATIVE_INT64, &info->first);
    rct_h5_get_values(call, r->file, "steps", H5T_NATIVE_INT64, &info->steps);
    rct_h5_get_values(call, r->file, "dt", H5T_NATIVE_DOUBLE, &info->dt);
    rct_h5_extent_of(call, r->file, "members/status", extent);
    info->members = extent[0];
    info->complete = read_complete(call, r, file);
    info->checked = r->sealed;
    info->variations = (int32_t)width_of(call, r->file, "members/parameters", 1);
    info->coordinates = width_of(call, r->file, "members/coordinates", 1);
    info->rates = width_of(call, r->file, "members/rates", 1);
    info->series = width_of(call, r->file, "members/series_energy", 1);
    info->tracked = width_of(call, r->file, "members/series_position", 2) / 3;
    get_short(call, r, "library_version", r->library_version, &info->library_version);
    get_short(call, r, "method", r->method, &info->method);
    get_short(call, r, "backend", r->backend, &info->backend);
    info->model_name = r->model_name;
    info->command_line = r->command_line;
    if (info->variations > 0) {
        r->variations = rct_variations_get(call, r->file, info->variations, &r->paths);
    }
    if (r->sealed && call->status == RCT_OK) {
        check_rows(call, r);
        read_facts(call, r);
    }
}

/* The seal is checked before HDF5 reads the file. */
static void read_all(rct_call *call, rct_ensemble_results *r)
{
    const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
    const int file = rct_call_go(call) ? open(call->path, flags) : -1;
    if (rct_call_system(call, file, "open the file") >= 0) {
        const rct_seal seal = rct_seal_check(call, file);
        r->sealed = seal == RCT_SEAL_WHOLE;
        if (seal == RCT_SEAL_FOREIGN) {
            rct_call_fail(call, RCT_ERROR_IO,
                          "is not a file of an ensemble: it does not begin like one; give the "
                          "results of one");
        }
        r->file = rct_h5_open_to_read(call, call->path);
    }
    if (call->status == RCT_OK) {
        read_info(call, r, file);
    }
    if (file >= 0) {
        close(file);
    }
}

rct_ensemble_results *rct_ensemble_results_open(const char *path, rct_error *error)
{
    if (!rct_given(path, "path", error)) {
        return NULL;
    }
    rct_call call;
    rct_call_begin(&call, path, NULL, error);
    rct_ensemble_results *r = rct_call_allocate(&call, 1, sizeof *r, "the results of an ensemble");
    if (r != NULL) {
        r->file = -1;
        r->path = rct_call_print(&call, 0, "the results of an ensemble", "%s", path);
        read_all(&call, r);
    }
    if (rct_call_end(&call) != RCT_OK) {
        rct_ensemble_results_close(r);
        r = NULL;
    }
    return r;
}

void rct_ensemble_results_close(rct_ensemble_results *r)
{
    if (r != NULL) {
        rct_call call;
        rct_call_begin(&call, r->path, NULL, NULL);
        rct_h5_close(&call, &r->file);
        rct_call_end(&call);
        rct_release(r->path);
        rct_release(r->variations);
        rct_release(r->paths);
        rct_release(r->track);
        rct_release(r);
    }
}

void rct_ensemble_results_get_info_sized(const rct_ensemble_results *r, rct_out info)
{
    const rct_ensemble_results_info none = {.members = 0};
    rct_give(info, r != NULL ? &r->info : &none, rct_whole(sizeof none));
}

rct_status rct_ensemble_results_variation_sized(const rct_ensemble_results *r, int32_t index,
                                                rct_out variation, rct_error *error)
{
    if (!rct_given(r, "results", error) || !rct_given(variation.at, "variation", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= r->info.variations) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "there is no variation %" PRId32 "; the file has %" PRId32, index,
                        r->info.variations);
    }
    rct_give(variation, &r->variations[index], rct_whole(sizeof(rct_variation)));
    return RCT_OK;
}

int64_t rct_ensemble_results_count(rct_call *call, const rct_ensemble_results *r, int8_t *statuses)
{
    return rct_rows_statuses(call, r->file, r->sealed, 0, r->info.members, statuses);
}

/* Read the statuses as rct_status. */
static void read_statuses(rct_call *call, const rct_ensemble_results *r, int32_t *status)
{
    int8_t *rows = rct_call_allocate(call, r->info.members, 1, "the status of members");
    rct_ensemble_results_count(call, r, rows);
    for (int64_t row = 0; row < r->info.members && call->status == RCT_OK; row++) {
        status[row] = rows[row] - 1;
    }
    rct_release(rows);
}

rct_status rct_ensemble_results_read(const rct_ensemble_results *r, int32_t *status, double *time,
                                     double *energy, double *energy_drift, double *parameters,
                                     rct_error *error)
{
    if (!rct_given(r, "results", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    const int64_t width = r->info.variations;
    const struct {
        const char *name;
        int64_t width;
        double *values;
    } columns[] = {{"members/time", 0, time},
                   {"members/energy", 0, energy},
                   {"members/energy_drift", 0, energy_drift},
                   {"members/parameters", width, width > 0 ? parameters : NULL}};
    rct_call_begin(&call, r->path, NULL, error);
    if (status != NULL) {
        read_statuses(&call, r, status);
    }
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
        if (columns[k].values != NULL) {
            read_column(&call, r->file, columns[k].name, H5T_NATIVE_DOUBLE, r->info.members,
                        columns[k].width, columns[k].values);
            rct_rows_blank(&call, r->file, r->sealed, 0, r->info.members,
                           columns[k].width > 0 ? columns[k].width : 1, columns[k].values);
        }
    }
    return rct_call_end(&call);
}

rct_status rct_ensemble_results_text(const rct_ensemble_results *r, int64_t row,
                                     char text[RCT_MEMBER_TEXT], rct_error *error)
{
    if (!rct_given(r, "results", error) || !rct_given(text, "text", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    const rct_table table = {.rank = 1};
    rct_call_begin(&call, r->path, NULL, error);
    if (row < 0 || row >= r->info.members) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT, "has no row %" PRId64 "; it has %" PRId64 " rows",
                      row, r->info.members);
    }
    memset(text, 0, RCT_MEMBER_TEXT);
    hid_t dataset = rct_h5_open_dataset(&call, r->file, "members/text");
    hid_t type = rct_h5_text_type(&call, RCT_MEMBER_TEXT);
    rct_h5_read_block(&call, dataset, type, &table, row, 1, text);
    text[RCT_MEMBER_TEXT - 1] = '\0';
    rct_h5_close(&call, &type);
    rct_h5_close(&call, &dataset);
    return rct_call_end(&call);
}

rct_status rct_ensemble_results_series(const rct_ensemble_results *r, double *time, int32_t *bodies,
                                       rct_error *error)
{
    if (!rct_given(r, "results", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    rct_call_begin(&call, r->path, NULL, error);
    if (time != NULL && r->info.series > 0) {
        read_column(&call, r->file, "series/time", H5T_NATIVE_DOUBLE, r->info.series, 0, time);
    }
    if (bodies != NULL && r->info.tracked > 0) {
        read_column(&call, r->file, "series/body", H5T_NATIVE_INT32, r->info.tracked, 0, bodies);
    }
    return rct_call_end(&call);
}

/* Read rows of a column as `table` describes; nothing if the file lacks the column or the caller
 * does not want it. */
static void read_rows(rct_call *call, const rct_ensemble_results *r, const rct_table *table,
                      int64_t first, int64_t count, double *values)
{
    const int64_t n = r->info.members;
    int wanted = values != NULL;
    if (first < 0 || count < 0 || count > n - first) {
        rct_call_fail(call, RCT_ERROR_ARGUMENT,
                      "has no rows %" PRId64 " to %" PRId64 "; it has %" PRId64 " rows", first,
                      first + count - 1, n);
    }
    for (int i = 1; i < table->rank; i++) {
        wanted = wanted && table->extent[i] > 0;
    }
    if (wanted) {
        hid_t dataset = rct_h5_open_shaped(call, r->file, table);
        rct_h5_read_block(call, dataset, H5T_NATIVE_DOUBLE, table, first, count, values);
        rct_h5_close(call, &dataset);
        rct_rows_blank(call, r->file, r->sealed, first, count,
                       table->extent[1] * (table->rank > 2 ? table->extent[2] : 1), values);
    }
}

rct_status rct_ensemble_results_states(const rct_ensemble_results *r, int64_t first, int64_t count,
                                       double *coordinates, double *rates, rct_error *error)
{
    if (!rct_given(r, "results", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    const rct_ensemble_results_info *info = &r->info;
    const rct_table q = {"members/coordinates", .rank = 2,
                         .extent = {info->members, info->coordinates}};
    const rct_table u = {"members/rates", .rank = 2, .extent = {info->members, info->rates}};
    rct_call_begin(&call, r->path, NULL, error);
    read_rows(&call, r, &q, first, count, coordinates);
    read_rows(&call, r, &u, first, count, rates);
    return rct_call_end(&call);
}

rct_status rct_ensemble_results_motions(const rct_ensemble_results *r, int64_t first, int64_t count,
                                        double *energy, double *position, rct_error *error)
{
    if (!rct_given(r, "results", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    const rct_ensemble_results_info *info = &r->info;
    const rct_table e = {"members/series_energy", .rank = 2,
                         .extent = {info->members, info->series}};
    const rct_table p = {"members/series_position", .rank = 3,
                         .extent = {info->members, info->series, 3 * info->tracked}};
    rct_call_begin(&call, r->path, NULL, error);
    read_rows(&call, r, &e, first, count, energy);
    read_rows(&call, r, &p, first, count, position);
    return rct_call_end(&call);
}
