/* Opening cuBLAS and the CUDA runtime (libraries.h). */
#include "bench/libraries.h"

#include <dlfcn.h>
#include <stdio.h>

enum { REASON_SIZE = 256 };

/* Open the newest version that exists. */
static void *open_any(const char *const names[], const char *what, char *reason)
{
    void *opened = NULL;
    for (int i = 0; names[i] != NULL && opened == NULL; i++) {
        opened = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (opened == NULL) {
        snprintf(reason, REASON_SIZE,
                 "%s cannot be opened: no %s that can be loaded; install the libraries of CUDA, or "
                 "set LD_LIBRARY_PATH to where they are",
                 what, names[0]);
    }
    return opened;
}

static int find_all(libraries *l, char *reason)
{
    const struct {
        void *library;
        const char *name;
        void *function; /* a pointer to the pointer */
    } wanted[] = {
        {l->runtime, "cudaGetDeviceCount", &l->count_devices},
        {l->runtime, "cudaGetErrorString", &l->error_text},
        {l->runtime, "cudaMalloc", &l->allocate},
        {l->runtime, "cudaFree", &l->release},
        {l->runtime, "cudaMemcpy", &l->copy},
        {l->runtime, "cudaMemcpyAsync", &l->copy_later},
        {l->runtime, "cudaDeviceSynchronize", &l->wait},
        {l->blas, "cublasCreate_v2", &l->create},
        {l->blas, "cublasDestroy_v2", &l->destroy},
        {l->blas, "cublasDgemmStridedBatched", &l->gemm},
        {l->blas, "cublasDmatinvBatched", &l->invert},
        {l->blas, "cublasDgetrfBatched", &l->factor},
        {l->blas, "cublasDgetriBatched", &l->invert_factored},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        *(void **)wanted[i].function = dlsym(wanted[i].library, wanted[i].name);
        if (*(void **)wanted[i].function == NULL) {
            snprintf(reason, REASON_SIZE,
                     "cuBLAS is of another kind: it has no %s; use CUDA 11 to 13", wanted[i].name);
            return 0;
        }
    }
    return 1;
}

static int start(libraries *l, char *reason)
{
    int devices = 0;
    const int failed = l->count_devices(&devices);
    if (failed != 0 || devices == 0) {
        snprintf(reason, REASON_SIZE, "no GPU for cuBLAS: %s",
                 failed != 0 ? l->error_text(failed) : "no device");
        return 0;
    }
    const int refused = l->create(&l->handle);
    if (refused != 0) {
        l->handle = NULL;
        snprintf(reason, REASON_SIZE, "cuBLAS does not start: its status is %d", refused);
    }
    return refused == 0;
}

int libraries_open(libraries *opened, char *reason)
{
    static const char *const runtimes[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so",
                                           NULL};
    static const char *const blases[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so",
                                         NULL};
    *opened = (libraries){0};
    opened->runtime = open_any(runtimes, "the CUDA runtime", reason);
    opened->blas = opened->runtime != NULL ? open_any(blases, "cuBLAS", reason) : NULL;
    const int ready = opened->blas != NULL && find_all(opened, reason) && start(opened, reason);
    if (!ready) {
        libraries_close(opened);
    }
    return ready;
}

void libraries_close(libraries *opened)
{
    if (opened->handle != NULL) {
        opened->destroy(opened->handle);
    }
    if (opened->blas != NULL) {
        dlclose(opened->blas);
    }
    if (opened->runtime != NULL) {
        dlclose(opened->runtime);
    }
    *opened = (libraries){0};
}
