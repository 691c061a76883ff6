/* Sweep files: an ensemble and how it is run, in JSON, as an alternative to options.
 * docs/ensemble.md has the keys. */
#ifndef RICCATREE_SWEEP_H
#define RICCATREE_SWEEP_H

#include <riccatree/ensemble.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contents of a sweep file. Keys that the file does not have take the values of the default
 * functions, dt 0 and t_end 1 s. Texts and arrays live until the sweep is freed. */
typedef struct rct_sweep {
    rct_ensemble_options ensemble;
    double dt, t_end;   /* s; dt 0: the file sets none */
    int64_t series;     /* frames */
    int32_t tracked;    /* names in `track` */
    const char **track; /* bodies */
} rct_sweep;

/* Read a sweep file. NULL on failure: RCT_ERROR_IO, RCT_ERROR_SYNTAX with line and column,
 * RCT_ERROR_ARGUMENT for a key that is unknown or of the wrong kind. */
RCT_API rct_sweep *rct_sweep_read_sized(const char *path, rct_out sizes, rct_error *error);
static inline rct_sweep *rct_sweep_read(const char *path, rct_error *error)
{
    return rct_sweep_read_sized(
        path,
        rct_out_of(NULL, sizeof(rct_sweep), sizeof(rct_ensemble_options), sizeof(rct_variation)),
        error);
}
/* Free a sweep. */
RCT_API void rct_sweep_free(rct_sweep *sweep);

/* Parse a variation as on the command line: PATH=FROM:TO:COUNT, PATH=normal:MEAN:SD or
 * PATH=uniform:LOW:HIGH. Its path is the beginning of `text`, `path_length` bytes; `path` in
 * `variation` stays NULL. RCT_ERROR_ARGUMENT if the text has another form. */
RCT_API rct_status rct_variation_parse_sized(const char *text, rct_out variation,
                                             int64_t *path_length, rct_error *error);
static inline rct_status rct_variation_parse(const char *text, rct_variation *variation,
                                             int64_t *path_length, rct_error *error)
{
    return rct_variation_parse_sized(text, rct_out_of(variation, sizeof *variation, 0, 0),
                                     path_length, error);
}

#ifdef __cplusplus
}
#endif
#endif
