/* A stand-in for libcusolver.so in tests of dense systems on the emulated device: LU by LAPACK on
 * the device memory, which is host memory. CUSOLVER_WRONG=getrf or getrs: this call reports that
 * its argument 2 is wrong. */
#include <lapacke.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID = 3 };

/* The emulation keeps instrumented code from device memory; this gives access. */
#define FOR_DEVICE __attribute__((visibility("default"), no_sanitize("address")))
FOR_DEVICE int cusolverDnCreate(void **handle);
FOR_DEVICE int cusolverDnDestroy(void *handle);
FOR_DEVICE int cusolverDnSetStream(void *handle, void *stream);
FOR_DEVICE int cusolverDnDgetrf_bufferSize(void *handle, int m, int n, double *a, int lda,
                                           int *numbers);
FOR_DEVICE int cusolverDnDgetrf(void *handle, int m, int n, double *a, int lda, double *work,
                                int *pivots, int *info);
FOR_DEVICE int cusolverDnDgetrs(void *handle, int turned, int n, int columns, const double *a,
                                int lda, const int *pivots, double *b, int ldb, int *info);

/* Some kernels of BLAS copy by memcpy, which is instrumented wherever it is called from, so BLAS
 * works on copies. */
static __attribute__((no_sanitize("address"))) void copy(volatile double *to,
                                                         const volatile double *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
    }
}

static double *on_host(const double *from, size_t count)
{
    double *made = malloc((count + 1) * sizeof *made);
    if (made == NULL) {
        abort();
    }
    copy(made, from, count);
    return made;
}

static int started; /* the handle is its address */
static int streamed;

static int is_wrong(const char *call)
{
    const char *wrong = getenv("CUSOLVER_WRONG");
    return wrong != NULL && strcmp(wrong, call) == 0;
}

int cusolverDnCreate(void **handle)
{
    started++;
    streamed = 0;
    *handle = &started;
    return SUCCESS;
}

int cusolverDnDestroy(void *handle)
{
    if (handle != &started || started == 0) {
        return NOT_INITIALIZED;
    }
    started--;
    return SUCCESS;
}

int cusolverDnSetStream(void *handle, void *stream)
{
    if (handle != &started) {
        return NOT_INITIALIZED;
    }
    streamed = stream != NULL;
    return SUCCESS;
}

int cusolverDnDgetrf_bufferSize(void *handle, int m, int n, double *a, int lda, int *numbers)
{
    if (handle != &started || a == NULL || m < 0 || n < 0 || lda < m) {
        return INVALID;
    }
    *numbers = m;
    return SUCCESS;
}

int cusolverDnDgetrf(void *handle, int m, int n, double *a, int lda, double *work, int *pivots,
                     int *info)
{
    if (handle != &started || !streamed || a == NULL || work == NULL || pivots == NULL || m < 0 ||
        n < 0 || lda < m) {
        return INVALID;
    }
    const size_t numbers = (size_t)lda * (size_t)n;
    double *own = on_host(a, numbers);
    *info = is_wrong("getrf") ? -2 : LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, n, own, lda, pivots);
    copy(a, own, numbers);
    free(own);
    return SUCCESS;
}

int cusolverDnDgetrs(void *handle, int turned, int n, int columns, const double *a, int lda,
                     const int *pivots, double *b, int ldb, int *info)
{
    if (handle != &started || n < 0 || columns < 0 || lda < n || ldb < n) {
        return INVALID;
    }
    const size_t numbers = (size_t)ldb * (size_t)columns;
    double *own = on_host(a, (size_t)lda * (size_t)n), *x = on_host(b, numbers);
    *info = is_wrong("getrs") ? -2
                              : LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, turned ? 'T' : 'N', n,
                                                    columns, own, lda, pivots, x, ldb);
    copy(b, x, numbers);
    free(own);
    free(x);
    return SUCCESS;
}
