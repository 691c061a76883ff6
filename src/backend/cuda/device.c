/* Chooses the device of a run (lease.h). */
#include "backend/cuda/lease.h"
#include "ranks/launcher.h"

#include <string.h>

/* As many as a machine may have; further devices that the driver shows have no name. */
static const char *const names[] = {"cuda:0",  "cuda:1",  "cuda:2",  "cuda:3", "cuda:4",  "cuda:5",
                                    "cuda:6",  "cuda:7",  "cuda:8",  "cuda:9", "cuda:10", "cuda:11",
                                    "cuda:12", "cuda:13", "cuda:14", "cuda:15"};

enum { NAMES = sizeof names / sizeof names[0] };

int32_t rct_cuda_devices(const char *const **list)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();
        count = 0;
    }
    *list = names;
    return count < NAMES ? count : NAMES;
}

int rct_cuda_device_named(const char *name, int32_t count)
{
    for (int32_t i = 0; name != NULL && i < count && i < NAMES; i++) {
        if (strcmp(name, names[i]) == 0) {
            return i;
        }
    }
    return count > 0 ? rct_launched_here() % count : 0;
}
