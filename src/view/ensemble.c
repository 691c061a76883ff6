/* A view of the results of an ensemble: the choice of what is shown, and the page. */
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/whole_file.h"
#include "view/view.h"

#include <riccatree/model_h5.h>

#include <inttypes.h>
#include <math.h>

enum {
    LEAST_FRAMES = 8,      /* members are left out before frames go below this */
    MOST_COORDINATES = 64, /* of a member                                 */
    MOST_FAILURES = 100
};

/* ---- what is shown ------------------------------------------------------------------------ */

static int64_t page_bytes(const rct_view_members *shown)
{
    const rct_view_page *page = &rct_view_ensemble_page;
    return page->head_bytes + rct_view_member_bytes(shown) + page->tail_bytes;
}

/* As many of `count` as would fit if the page held only these, at least one fewer. */
static int64_t fewer(int64_t count, int64_t least, double part)
{
    const int64_t fit = (int64_t)floor(part * (double)count) - 1;
    return fit > least ? fit : least;
}

static rct_status choose(rct_view_members *shown, int64_t most, rct_error *error)
{
    const rct_ensemble_results_info *info = &shown->info;
    const int64_t least = info->series < LEAST_FRAMES ? info->series : LEAST_FRAMES;
    shown->members = info->members;
    shown->frames = info->series;
    shown->coordinates =
        info->coordinates < MOST_COORDINATES ? info->coordinates : MOST_COORDINATES;
    for (int64_t k = 0; k < info->members && shown->failures < MOST_FAILURES; k++) {
        shown->failures += shown->status[k] > RCT_OK;
    }
    while (page_bytes(shown) > most && shown->frames > least) {
        const double part = (double)most / (double)page_bytes(shown);
        shown->frames = fewer(shown->frames, least, part);
    }
    while (page_bytes(shown) > most && shown->members > 1) {
        const double part = (double)most / (double)page_bytes(shown);
        shown->members = fewer(shown->members, 1, part);
    }
    return page_bytes(shown) <= most
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_ARGUMENT,
                          "a page of %" PRId64 " bytes cannot show one member; allow for %" PRId64
                          " bytes or more",
                          most, page_bytes(shown));
}

/* The box of all places that are shown. */
static rct_status survey(rct_view_members *shown, rct_error *error)
{
    rct_status status = RCT_OK;
    const int64_t tracked = shown->info.tracked;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t k = 0; k < shown->members && tracked > 0 && status == RCT_OK; k++) {
        status = rct_view_read_places(shown, k, error);
        for (int64_t f = 0; f < shown->frames && status == RCT_OK; f++) {
            const int64_t frame = rct_view_evenly(f, shown->frames, shown->info.series);
            for (int64_t i = 0; i < 3 * tracked; i++) {
                const double x = shown->position[3 * tracked * frame + i];
                low[i % 3] = isfinite(x) ? fmin(low[i % 3], x) : low[i % 3];
                high[i % 3] = isfinite(x) ? fmax(high[i % 3], x) : high[i % 3];
            }
        }
    }
    for (int i = 0; i < 3; i++) { /* 0 if no member has a place */
        shown->low[i] = low[i] <= high[i] ? low[i] : 0.0;
        shown->extent[i] = low[i] <= high[i] ? high[i] - low[i] : 0.0;
        RCT_THEN(status, rct_view_check_size(RCT_VIEW_SPREAD, shown->extent[i], error));
    }
    return status;
}

/* ---- the page ----------------------------------------------------------------------------- */

static rct_status write_page(const rct_view_members *shown, const char *path, int64_t *bytes,
                             rct_error *error)
{
    rct_whole_file file;
    const rct_view_page *page = &rct_view_ensemble_page;
    rct_status status = rct_whole_file_open(&file, path, error);
    if (status != RCT_OK) {
        return status;
    }
    fwrite(page->head, 1, (size_t)page->head_bytes, file.stream);
    status = rct_view_write_members(shown, file.stream, error);
    fwrite(page->tail, 1, (size_t)page->tail_bytes, file.stream);
    *bytes = rct_whole_file_bytes(&file);
    return rct_whole_file_close(&file, status, error);
}

static rct_status read_columns(const rct_view_members *shown, rct_error *error)
{
    const int64_t n = shown->info.members;
    const rct_status status =
        rct_ensemble_results_read(shown->results, shown->status, shown->ends, shown->ends + n,
                                  shown->ends + 2 * n, shown->parameters, error);
    return status == RCT_OK
               ? rct_ensemble_results_series(shown->results, shown->time, shown->track, error)
               : status;
}

static rct_status show(rct_view_members *shown, const char *path, int64_t most,
                       rct_view_report *found, rct_error *error)
{
    const rct_ensemble_results_info *info = &shown->info;
    const int64_t n = info->members;
    const rct_array arrays[] = {
        RCT_ARRAY(shown->status, n),
        RCT_ARRAY(shown->ends, 3 * n),
        RCT_ARRAY(shown->parameters, n * info->variations),
        RCT_ARRAY(shown->time, info->series),
        RCT_ARRAY(shown->track, info->tracked),
        RCT_ARRAY(shown->state, info->coordinates),
        RCT_ARRAY(shown->energy, info->series),
        RCT_ARRAY(shown->position, 3 * info->series * info->tracked),
    };
    const int32_t count = sizeof arrays / sizeof arrays[0];
    int64_t bytes = 0;
    rct_status status = rct_allocate_arrays(arrays, count, "a view of an ensemble", error);
    RCT_THEN(status, read_columns(shown, error));
    RCT_THEN(status, choose(shown, most, error));
    RCT_THEN(status, survey(shown, error));
    RCT_THEN(status, write_page(shown, path, &bytes, error));
    rct_release_arrays(arrays, count);
    const double *extent = shown->extent;
    *found = (rct_view_report){
        .bodies = info->tracked,
        .bodies_shown = info->tracked,
        .frames = info->series,
        .frames_shown = shown->frames,
        .bytes = bytes,
        .position_error =
            fmax(extent[0], fmax(extent[1], extent[2])) / (RCT_VIEW_NOWHERE - 1) / 2.0,
        .members = n,
        .members_shown = shown->members,
    };
    return status;
}

rct_status rct_view_ensemble_sized(const char *from, const char *path, rct_in options,
                                   rct_out report, rct_error *error)
{
    rct_error why;
    error = error != NULL ? error : &why;
    rct_view_options own = rct_view_options_default();
    if (!rct_given(from, "from", error) || !rct_given(path, "path", error) ||
        rct_whole_file_apart(path, from, error) != RCT_OK ||
        (options.at != NULL && !rct_take(&own, rct_whole(sizeof own), options, "options", error))) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_ensemble_results *results = rct_ensemble_results_open(from, error);
    if (results == NULL) {
        return error->status;
    }
    rct_view_members shown = {.results = results};
    rct_view_report found;
    rct_model *model = rct_model_read_h5(from, error);
    rct_status status = model != NULL ? RCT_OK : error->status;
    shown.model = model;
    rct_ensemble_results_get_info(results, &shown.info);
    RCT_THEN(status, show(&shown, path, own.most_bytes, &found, error));
    if (status == RCT_OK) {
        rct_give(report, &found, rct_whole(sizeof found));
    }
    rct_model_free(model);
    rct_ensemble_results_close(results);
    return status;
}
