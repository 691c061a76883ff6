/* One call into the recorder, as a row of steps that may fail (HDF5, files, memory). The first
 * failure is put into words for the caller; the steps after it are not tried. So the code that
 * makes the steps reads straight down and asks for the status once, at the end:
 *
 *     file = rct_call_hdf5(call, rct_call_go(call) ? H5Fopen(...) : -1, "open the file"); */
#ifndef RCT_RECORD_FILE_CALL_H
#define RCT_RECORD_FILE_CALL_H

#include "record/file/disk.h"

#include <riccatree/status.h>

typedef struct rct_call {
    const char *path;  /* the file that the texts name                                          */
    int64_t frame;     /* the frame being written, or -1                                        */
    rct_status status; /* of the first step that failed                                         */
    rct_error *error;  /* the caller's, may be NULL                                             */
    rct_disk *disk;    /* the file's disk, for failures that HDF5 does not see; may be NULL      */
    int told_to_fail;  /* a test makes the present step fail                                    */
    H5E_auto2_t print; /* HDF5's printing of errors, silenced during the call                   */
    void *print_data;
} rct_call;

/* Begin a call; `disk` (may be NULL) has no failure yet, and other threads wait until the call
 * ends. HDF5 prints no errors until the end, which returns the status. */
void rct_call_begin(rct_call *call, const char *path, rct_disk *disk, rct_error *error);
rct_status rct_call_end(rct_call *call);

/* 1 if the next step is to be tried: no earlier step failed, and no test makes this one fail. */
int rct_call_go(rct_call *call);

/* The result of a step of HDF5 (< 0: failed, with the reason on HDF5's error stack; or a
 * transfer to the disk failed without HDF5 knowing) or of the operating system (< 0: failed,
 * with the reason in errno). `what` completes "cannot ...". */
int64_t rct_call_hdf5(rct_call *call, int64_t result, const char *what);
int rct_call_system(rct_call *call, int result, const char *what);

/* A step of the operating system: `expression` is evaluated only if no earlier step failed. */
#define RCT_SYSTEM(call, what, expression)                                                         \
    rct_call_system(call, rct_call_go(call) ? (expression) : -1, what)

/* Read `size` bytes of a file from `at` on; fewer are a failure. */
void rct_call_read(rct_call *call, int file, int64_t at, void *bytes, int64_t size);

/* Fail with "PATH: text". */
__attribute__((format(printf, 3, 4))) void rct_call_fail(rct_call *call, rct_status status,
                                                         const char *format, ...);

/* Fail with the status and the text of `why`, unchanged. */
void rct_call_fail_as(rct_call *call, const rct_error *why);

/* rct_allocate as a step. */
void *rct_call_allocate(rct_call *call, int64_t count, int64_t size, const char *what);

/* Printf-style text with `room` spare bytes behind its zero, for `what`; free by rct_release. */
__attribute__((format(printf, 4, 5), nonnull(4))) char *
rct_call_print(rct_call *call, int64_t room, const char *what, const char *format, ...);

/* Tests only: let `successes` further steps pass, then fail every step; -1: never fail. Steps
 * that close something close it before they fail. Holds for the calling thread. */
void rct_call_fail_after(int64_t successes);

#endif
