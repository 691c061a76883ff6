/* A stand-in for libcudart.so in tests of programs that call cuBLAS: host memory stands for device
 * memory and is recognized by its address, so that copies can be checked. The environment variable
 * LIBRARY_DEVICES is the number of devices, 1 by default; 0 means "no device". */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, INVALID = 1, NO_MEMORY = 2, NO_DEVICE = 100, MOST = 4096 };
enum { TO_DEVICE = 1, TO_HOST, ON_DEVICE };

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int cudaGetDeviceCount(int *count);
EXPORTED const char *cudaGetErrorString(int error);
EXPORTED int cudaMalloc(void **pointer, size_t bytes);
EXPORTED int cudaFree(void *pointer);
EXPORTED int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
EXPORTED int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
EXPORTED int cudaDeviceSynchronize(void);

static struct {
    char *at;
    size_t bytes;
} held[MOST];

static int on_device(const void *address, size_t bytes)
{
    const char *p = address;
    for (int i = 0; i < MOST; i++) {
        if (held[i].at != NULL && p >= held[i].at && p < held[i].at + held[i].bytes) {
            return bytes <= (size_t)(held[i].at + held[i].bytes - p);
        }
    }
    return 0;
}

int cudaGetDeviceCount(int *count)
{
    const char *given = getenv("LIBRARY_DEVICES");
    if (given != NULL && given[0] == '0') {
        return NO_DEVICE; /* and the count is left as it is */
    }
    *count = 1;
    return SUCCESS;
}

const char *cudaGetErrorString(int error)
{
    switch (error) {
    case SUCCESS: return "no error";
    case NO_MEMORY: return "out of memory";
    case NO_DEVICE: return "no CUDA-capable device is detected";
    default: return "invalid argument";
    }
}

/* Filled with bytes that are NaN. */
int cudaMalloc(void **pointer, size_t bytes)
{
    for (int i = 0; i < MOST; i++) {
        if (held[i].at == NULL) {
            *pointer = held[i].at = malloc(bytes);
            held[i].bytes = bytes;
            if (*pointer != NULL) {
                memset(*pointer, 0xff, bytes);
            }
            return *pointer != NULL ? SUCCESS : NO_MEMORY;
        }
    }
    return NO_MEMORY;
}

int cudaFree(void *pointer)
{
    for (int i = 0; i < MOST && pointer != NULL; i++) {
        if (held[i].at == pointer) {
            free(pointer);
            held[i].at = NULL;
            return SUCCESS;
        }
    }
    return pointer == NULL ? SUCCESS : INVALID;
}

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    if (on_device(to, bytes) != (kind == TO_DEVICE || kind == ON_DEVICE) ||
        on_device(from, bytes) != (kind == TO_HOST || kind == ON_DEVICE)) {
        return INVALID;
    }
    memcpy(to, from, bytes);
    return SUCCESS;
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream)
{
    return stream == NULL ? cudaMemcpy(to, from, bytes, kind) : INVALID;
}

int cudaDeviceSynchronize(void)
{
    return SUCCESS;
}
