// How CUDA kernels are launched and get shared memory, for nvcc and for the host emulation of
// tests/emulation/ (RCT_EMULATED), which has no <<<>>> and no __shared__:
//     RCT_LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...)              -> cudaError_t
//     RCT_LAUNCH_COOPERATIVE(kernel, grid, block, shared_bytes, stream, arguments...)  -> cudaError_t
//     RCT_SHARED(type, name, count);      type name[count], one for the block
//     RCT_SHARED_DYNAMIC(type, name);     type *name, the shared_bytes of the launch
//     rct_grid_sync();                    all threads of a cooperative launch
//     rct_fetch(to, from);                starts a copy of 16 bytes to shared memory
//     rct_fetch_apart();                  separates earlier copies from later ones, to wait for them first
//     rct_fetched_before();               waits until this thread's copies before that are there
//     rct_fetched();                      waits for all; other threads see them after a barrier
//     RCT_ROLLED                          before a loop that is to be short code, since all code is fetched
//     rct_make_ready(kernels, count);     on the host, before they are launched              -> cudaError_t
// A kernel template with commas needs parentheses: RCT_LAUNCH((sum<double, 4>), ...).
#ifndef RCT_KERNELS_CUDA_LAUNCH_H
#define RCT_KERNELS_CUDA_LAUNCH_H

#include <cuda_runtime.h>

#ifdef RCT_EMULATED

#include <string.h>

inline void rct_fetch(void *to, const void *from)
{
    memcpy(to, from, 16);
}

inline void rct_fetch_apart()
{
}

inline void rct_fetched_before()
{
}

inline void rct_fetched()
{
}

#define RCT_ROLLED

#define RCT_LAUNCH(kernel, ...)             emulated_start(#kernel, false, kernel, __VA_ARGS__)
#define RCT_LAUNCH_COOPERATIVE(kernel, ...) emulated_start(#kernel, true, kernel, __VA_ARGS__)
#define RCT_SHARED(type, name, count)                                                              \
    static const char name##_site = 0;                                                             \
    type(&name)[count] = *static_cast<type(*)[count]>(emulated_shared(&name##_site, sizeof(name)))
#define RCT_SHARED_DYNAMIC(type, name) type *const name = static_cast<type *>(emulated_dynamic())

#else

#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>

__device__ __forceinline__ void rct_fetch(void *to, const void *from)
{
    __pipeline_memcpy_async(to, from, 16);
}

__device__ __forceinline__ void rct_fetch_apart()
{
    __pipeline_commit();
}

__device__ __forceinline__ void rct_fetched_before()
{
    __pipeline_commit();
    __pipeline_wait_prior(1);
}

__device__ __forceinline__ void rct_fetched()
{
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

template <typename T> struct rct_same {
    typedef T type;
};

// The arguments are converted to what the kernel takes, as a call would.
template <typename... P>
cudaError_t rct_launch(bool cooperative, void (*kernel)(P...), dim3 grid, dim3 block,
                       size_t shared_bytes, cudaStream_t stream,
                       typename rct_same<P>::type... arguments)
{
    void *pointers[] = {&arguments..., nullptr};
    const void *function = reinterpret_cast<const void *>(kernel);
    return cooperative
               ? cudaLaunchCooperativeKernel(function, grid, block, pointers, shared_bytes, stream)
               : cudaLaunchKernel(function, grid, block, pointers, shared_bytes, stream);
}

__device__ __forceinline__ void rct_grid_sync()
{
    cooperative_groups::this_grid().sync();
}

#define RCT_ROLLED                          _Pragma("unroll 1")
#define RCT_LAUNCH(kernel, ...)             rct_launch(false, kernel, __VA_ARGS__)
#define RCT_LAUNCH_COOPERATIVE(kernel, ...) rct_launch(true, kernel, __VA_ARGS__)
#define RCT_SHARED(type, name, count)       __shared__ type name[count]
#define RCT_SHARED_DYNAMIC(type, name)                                                             \
    extern __shared__ __align__(16) unsigned char rct_dynamic_shared[];                            \
    type *const name = reinterpret_cast<type *>(rct_dynamic_shared)

#endif

// Loads the kernels, so that no graph capture has to load one, and allows each as much shared
// memory as a block may have. The allowance of a kernel holds for every launch on the device, from
// any run.
inline cudaError_t rct_make_ready(const void *const *kernels, int count)
{
    int device = 0, most = 0;
    cudaError_t result = cudaGetDevice(&device);
    if (result == cudaSuccess) {
        result = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    }
    for (int k = 0; k < count && result == cudaSuccess; k++) {
        cudaFuncAttributes facts;
        result = cudaFuncGetAttributes(&facts, kernels[k]);
        if (result == cudaSuccess) {
            result = cudaFuncSetAttribute(kernels[k], cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          most - static_cast<int>(facts.sharedSizeBytes));
        }
    }
    return result;
}

#endif
