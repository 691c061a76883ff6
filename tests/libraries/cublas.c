/* A stand-in for libcublas.so in tests: the batched calls that the benchmarks make, by LAPACK and
 * BLAS, one matrix after the other. It checks arguments as the documentation of cuBLAS says. */
#include <cblas.h>
#include <lapacke.h>
#include <stddef.h>
#include <stdlib.h>

enum { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID = 7, LARGEST_INVERSE = 32 };

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int cublasCreate_v2(void **handle);
EXPORTED int cublasDestroy_v2(void *handle);
EXPORTED int cublasDgemmStridedBatched(void *handle, int a_turned, int b_turned, int m, int n,
                                       int k, const double *alpha, const double *a, int lda,
                                       long long stride_a, const double *b, int ldb,
                                       long long stride_b, const double *beta, double *c, int ldc,
                                       long long stride_c, int batch);
EXPORTED int cublasDmatinvBatched(void *handle, int n, const double *const *a, int lda,
                                  double *const *inverse, int ld_inverse, int *info, int batch);
EXPORTED int cublasDgetrfBatched(void *handle, int n, double *const *a, int lda, int *pivots,
                                 int *info, int batch);
EXPORTED int cublasDgetriBatched(void *handle, int n, const double *const *a, int lda,
                                 const int *pivots, double *const *inverse, int ld_inverse,
                                 int *info, int batch);

static int started; /* the handle is its address */

int cublasCreate_v2(void **handle)
{
    started++;
    *handle = &started;
    return SUCCESS;
}

int cublasDestroy_v2(void *handle)
{
    if (handle != &started || started == 0) {
        return NOT_INITIALIZED;
    }
    started--;
    return SUCCESS;
}

static int usable(const void *handle)
{
    return handle == &started && started > 0;
}

int cublasDgemmStridedBatched(void *handle, int a_turned, int b_turned, int m, int n, int k,
                              const double *alpha, const double *a, int lda, long long stride_a,
                              const double *b, int ldb, long long stride_b, const double *beta,
                              double *c, int ldc, long long stride_c, int batch)
{
    if (!usable(handle)) {
        return NOT_INITIALIZED;
    }
    if (m < 0 || n < 0 || k < 0 || batch < 0 || lda < (a_turned ? k : m) ||
        ldb < (b_turned ? n : k) || ldc < m) {
        return INVALID;
    }
    for (int i = 0; i < batch; i++) {
        cblas_dgemm(CblasColMajor, a_turned ? CblasTrans : CblasNoTrans,
                    b_turned ? CblasTrans : CblasNoTrans, m, n, k, *alpha, a + i * stride_a, lda,
                    b + i * stride_b, ldb, *beta, c + i * stride_c, ldc);
    }
    return SUCCESS;
}

int cublasDgetrfBatched(void *handle, int n, double *const *a, int lda, int *pivots, int *info,
                        int batch)
{
    if (!usable(handle)) {
        return NOT_INITIALIZED;
    }
    if (n < 0 || lda < n || batch < 0) {
        return INVALID;
    }
    for (int i = 0; i < batch; i++) {
        info[i] = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a[i], lda, pivots + (ptrdiff_t)i * n);
    }
    return SUCCESS;
}

int cublasDgetriBatched(void *handle, int n, const double *const *a, int lda, const int *pivots,
                        double *const *inverse, int ld_inverse, int *info, int batch)
{
    if (!usable(handle)) {
        return NOT_INITIALIZED;
    }
    if (n < 0 || n > LARGEST_INVERSE || lda < n || ld_inverse < n || batch < 0) {
        return INVALID;
    }
    double work[LARGEST_INVERSE];
    for (int i = 0; i < batch; i++) {
        LAPACKE_dlacpy_work(LAPACK_COL_MAJOR, 'A', n, n, a[i], lda, inverse[i], ld_inverse);
        info[i] = LAPACKE_dgetri_work(LAPACK_COL_MAJOR, n, inverse[i], ld_inverse,
                                      pivots + (ptrdiff_t)i * n, work, LARGEST_INVERSE);
    }
    return SUCCESS;
}

int cublasDmatinvBatched(void *handle, int n, const double *const *a, int lda,
                         double *const *inverse, int ld_inverse, int *info, int batch)
{
    if (!usable(handle)) {
        return NOT_INITIALIZED;
    }
    if (n < 0 || n > LARGEST_INVERSE || lda < n || ld_inverse < n || batch < 0) {
        return INVALID;
    }
    double work[LARGEST_INVERSE];
    int pivots[LARGEST_INVERSE];
    for (int i = 0; i < batch; i++) {
        LAPACKE_dlacpy_work(LAPACK_COL_MAJOR, 'A', n, n, a[i], lda, inverse[i], ld_inverse);
        info[i] = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, inverse[i], ld_inverse, pivots);
        if (info[i] == 0) {
            info[i] = LAPACKE_dgetri_work(LAPACK_COL_MAJOR, n, inverse[i], ld_inverse, pivots, work,
                                          LARGEST_INVERSE);
        }
    }
    return SUCCESS;
}
