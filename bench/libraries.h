/* cuBLAS and the CUDA runtime, opened when a benchmark needs them, so that nothing links them.
 * The declarations are ours: the few functions used, with the types they have since CUDA 11. In
 * tests small libraries of the same names replace them (tests/libraries/). */
#ifndef RCT_BENCH_LIBRARIES_H
#define RCT_BENCH_LIBRARIES_H

#include <stddef.h>

enum { LIBRARY_PLAIN = 0, LIBRARY_TRANSPOSED = 1 };                 /* cublasOperation_t */
enum { LIBRARY_TO_DEVICE = 1, LIBRARY_TO_HOST, LIBRARY_ON_DEVICE }; /* cudaMemcpyKind */

typedef struct libraries {
    void *runtime, *blas; /* of dlopen */
    void *handle;         /* of cuBLAS */

    /* the runtime; 0: success */
    int (*count_devices)(int *count);
    const char *(*error_text)(int error);
    int (*allocate)(void **pointer, size_t bytes);
    int (*release)(void *pointer);
    int (*copy)(void *to, const void *from, size_t bytes, int kind);
    int (*copy_later)(void *to, const void *from, size_t bytes, int kind, void *stream);
    int (*wait)(void);

    /* cuBLAS; 0: success. Matrices by columns, on the device. */
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*gemm)(void *handle, int a_turned, int b_turned, int m, int n, int k, const double *alpha,
                const double *a, int lda, long long stride_a, const double *b, int ldb,
                long long stride_b, const double *beta, double *c, int ldc, long long stride_c,
                int batch);
    int (*invert)(void *handle, int n, const double *const *a, int lda, double *const *inverse,
                  int ld_inverse, int *info, int batch);
    int (*factor)(void *handle, int n, double *const *a, int lda, int *pivots, int *info,
                  int batch);
    int (*invert_factored)(void *handle, int n, const double *const *a, int lda, const int *pivots,
                           double *const *inverse, int ld_inverse, int *info, int batch);
} libraries;

/* Open both, and cuBLAS on the first device. 1: done; 0: `reason` [256] says why not in one
 * line. */
int libraries_open(libraries *opened, char *reason);
void libraries_close(libraries *opened);

#endif
