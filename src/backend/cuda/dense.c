/* Dense systems on the device by cuSOLVER (backend/dense.h). The library is opened for the first
 * system and stays open. Opening it takes a tenth of a second and a quarter of a gigabyte, which a
 * sweep never needs. The declarations are written here, with the types that they have had since
 * CUDA 8. */
#include "backend/dense.h"
#include "backend/cuda/lease.h"
#include "core/error.h"
#include "core/memory.h"

#include <dlfcn.h>
#include <inttypes.h>

enum { NOT_TURNED = 0 }; /* cublasOperation_t */

typedef struct solver_library {
    int (*create)(void **handle); /* all: 0 is success */
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, cudaStream_t stream);
    int (*room)(void *handle, int m, int n, double *a, int lda, int *numbers);
    int (*factor)(void *handle, int m, int n, double *a, int lda, double *work, int *pivots,
                  int *info);
    int (*solve)(void *handle, int turned, int n, int columns, const double *a, int lda,
                 const int *pivots, double *b, int ldb, int *info);
} solver_library;

struct rct_dense {
    solver_library library;
    rct_lease lease; /* its stream and device */
    void *handle;
    int32_t n;
    double *a, *x, *work; /* on the device: factors [n][n], right-hand side [n]            */
    int *pivots;          /* [n + 1], the last is the result that cuSOLVER gives of a call */
};

static rct_status missing(rct_error *error)
{
    return rct_fail(
        error, RCT_ERROR_UNSUPPORTED,
        "dense systems on the device need cuSOLVER, and no libcusolver.so.12 or .11 can be loaded; "
        "install the libraries of CUDA or set LD_LIBRARY_PATH to their directory");
}

static rct_status open_library(solver_library *library, rct_error *error)
{
    static const char *const names[] = {"libcusolver.so.12", "libcusolver.so.11"};
    void *opened = NULL;
    for (int i = 0; i < 2 && opened == NULL; i++) {
        opened = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
    if (opened == NULL) {
        return missing(error);
    }
    *(void **)&library->create = dlsym(opened, "cusolverDnCreate");
    *(void **)&library->destroy = dlsym(opened, "cusolverDnDestroy");
    *(void **)&library->set_stream = dlsym(opened, "cusolverDnSetStream");
    *(void **)&library->room = dlsym(opened, "cusolverDnDgetrf_bufferSize");
    *(void **)&library->factor = dlsym(opened, "cusolverDnDgetrf");
    *(void **)&library->solve = dlsym(opened, "cusolverDnDgetrs");
    const int whole = library->create != NULL && library->destroy != NULL &&
                      library->set_stream != NULL && library->room != NULL &&
                      library->factor != NULL && library->solve != NULL;
    dlclose(opened); /* the library stays: RTLD_NODELETE */
    return whole ? RCT_OK : missing(error);
}

static rct_status refused(const char *call, int result, rct_error *error)
{
    return rct_fail(error, RCT_ERROR_DEVICE, "cuSOLVER failed: %s returned %d", call, result);
}

static rct_status failed(const char *doing, cudaError_t result, rct_error *error)
{
    rct_cuda_fail(doing, result, error);
    return RCT_ERROR_DEVICE;
}

static rct_status make_room(void **room, int64_t bytes, rct_error *error)
{
    const cudaError_t result = cudaMalloc(room, (size_t)(bytes > 0 ? bytes : 1));
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        return rct_fail(error, RCT_ERROR_MEMORY,
                        "the device does not have %" PRId64
                        " MB for a dense system; use a smaller model",
                        (bytes >> 20) + 1);
    }
    return result == cudaSuccess ? RCT_OK : failed("asking for memory", result, error);
}

static void destroy(rct_dense *dense)
{
    if (dense != NULL) {
        cudaFree(dense->a);
        cudaFree(dense->x);
        cudaFree(dense->work);
        cudaFree(dense->pivots);
        if (dense->handle != NULL) {
            dense->library.destroy(dense->handle);
        }
        rct_cuda_lease_end(&dense->lease);
        rct_release(dense);
    }
}

/* On a stream of its own, on the device of this process. */
static rct_status start_library(rct_dense *dense, rct_error *error)
{
    rct_status status = open_library(&dense->library, error);
    if (status == RCT_OK) {
        status = rct_cuda_lease_begin(&dense->lease, NULL, error);
    }
    if (status != RCT_OK) {
        return status;
    }
    int result = dense->library.create(&dense->handle);
    if (result != 0) {
        dense->handle = NULL;
        return refused("cusolverDnCreate", result, error);
    }
    result = dense->library.set_stream(dense->handle, dense->lease.stream);
    return result == 0 ? RCT_OK : refused("cusolverDnSetStream", result, error);
}

static rct_status start(rct_dense *dense, rct_error *error)
{
    const int64_t n = dense->n, number = sizeof(double);
    rct_status status = start_library(dense, error);
    if (status == RCT_OK) {
        status = make_room((void **)&dense->a, n * n * number, error);
    }
    if (status == RCT_OK) {
        status = make_room((void **)&dense->x, n * number, error);
    }
    if (status == RCT_OK) {
        status = make_room((void **)&dense->pivots, (n + 1) * (int64_t)sizeof(int), error);
    }
    int numbers = 0;
    if (status == RCT_OK) {
        const int result =
            dense->library.room(dense->handle, dense->n, dense->n, dense->a, dense->n, &numbers);
        status = result == 0 ? RCT_OK : refused("cusolverDnDgetrf_bufferSize", result, error);
    }
    return status == RCT_OK ? make_room((void **)&dense->work, numbers * number, error) : status;
}

/* Fetches what was computed in place, and the library's report on the call: `info` below 0 is an
 * argument that it did not accept; a pivot that vanished, info > 0, shows in the factors. */
static rct_status fetch(rct_dense *dense, double *numbers, const double *from, size_t bytes,
                        const char *call, rct_error *error)
{
    int info = 0;
    const cudaStream_t stream = dense->lease.stream;
    cudaError_t copied = cudaMemcpyAsync(numbers, from, bytes, cudaMemcpyDeviceToHost, stream);
    if (copied == cudaSuccess) {
        copied = cudaMemcpyAsync(&info, dense->pivots + dense->n, sizeof info,
                                 cudaMemcpyDeviceToHost, stream);
    }
    const cudaError_t done = cudaStreamSynchronize(stream); /* before info goes, whatever failed */
    copied = copied == cudaSuccess ? done : copied;
    if (copied != cudaSuccess) {
        return failed("solving a dense system", copied, error);
    }
    return info >= 0 ? RCT_OK
                     : rct_fail(error, RCT_ERROR_DEVICE,
                                "cuSOLVER failed: %s would not take its argument %d", call, -info);
}

/* Sends to the device of the system, whatever device this thread has used since. */
static rct_status give(rct_dense *dense, double *to, const double *numbers, size_t bytes,
                       rct_error *error)
{
    cudaError_t result = cudaSetDevice(dense->lease.device);
    if (result == cudaSuccess) {
        result = cudaMemcpyAsync(to, numbers, bytes, cudaMemcpyHostToDevice, dense->lease.stream);
    }
    return result == cudaSuccess ? RCT_OK : failed("copying a dense system to it", result, error);
}

static rct_status factor_in_place(rct_dense *dense, double *matrix, rct_error *error)
{
    const size_t bytes = (size_t)dense->n * (size_t)dense->n * sizeof *matrix;
    const int n = dense->n;
    const rct_status given = give(dense, dense->a, matrix, bytes, error);
    if (given != RCT_OK) {
        return given;
    }
    const int result = dense->library.factor(dense->handle, n, n, dense->a, n, dense->work,
                                             dense->pivots, dense->pivots + n);
    return result == 0 ? fetch(dense, matrix, dense->a, bytes, "cusolverDnDgetrf", error)
                       : refused("cusolverDnDgetrf", result, error);
}

static rct_dense *factor(double *matrix, int32_t n, rct_status *status, rct_error *error)
{
    rct_dense *dense = rct_allocate(1, sizeof *dense, "a dense system", error);
    if (dense == NULL) {
        *status = RCT_ERROR_MEMORY;
        return NULL;
    }
    dense->n = n;
    *status = start(dense, error);
    if (*status == RCT_OK) {
        *status = factor_in_place(dense, matrix, error);
    }
    if (*status != RCT_OK) {
        destroy(dense);
        dense = NULL;
    }
    return dense;
}

static rct_status solve(rct_dense *dense, double *x, rct_error *error)
{
    const size_t bytes = (size_t)dense->n * sizeof *x;
    const int n = dense->n;
    const rct_status given = give(dense, dense->x, x, bytes, error);
    if (given != RCT_OK) {
        return given;
    }
    const int result = dense->library.solve(dense->handle, NOT_TURNED, n, 1, dense->a, n,
                                            dense->pivots, dense->x, n, dense->pivots + n);
    return result == 0 ? fetch(dense, x, dense->x, bytes, "cusolverDnDgetrs", error)
                       : refused("cusolverDnDgetrs", result, error);
}

const rct_dense_operations rct_cuda_dense = {factor, solve, destroy};
