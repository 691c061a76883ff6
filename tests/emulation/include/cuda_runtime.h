// The C++ side of the emulated CUDA: the language of kernels, and the overloads of the runtime for
// typed pointers. First on the include path, this header replaces the toolkit's. There is no
// __shared__, because a host compiler cannot give it meaning; launch.h has RCT_SHARED instead.
#ifndef RCT_EMULATION_CUDA_RUNTIME_H
#define RCT_EMULATION_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <tuple>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

#include "emulated_device.h"

template <typename T> cudaError_t cudaMalloc(T **pointer, size_t size)
{
    return cudaMalloc(reinterpret_cast<void **>(pointer), size);
}

template <typename T> cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int flags = 0)
{
    return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}

template <typename T> cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags)
{
    return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

template <typename T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}

template <typename T>
cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}

template <typename T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int block_size,
                                                          size_t dynamic_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, reinterpret_cast<const void *>(kernel), block_size, dynamic_bytes);
}

// A kernel with its arguments, copied when it is launched; run() does the work of one thread.
struct emulated_call {
    virtual ~emulated_call() = default;
    virtual void run() const = 0;
};

template <typename... P> struct emulated_call_of : emulated_call {
    void (*kernel)(P...);
    std::tuple<P...> arguments;

    emulated_call_of(void (*k)(P...), P... p) : kernel(k), arguments(p...)
    {
    }
    void run() const override
    {
        std::apply(kernel, arguments);
    }
};

struct emulated_launch {
    const char *name;
    const void *kernel;
    dim3 grid, block;
    size_t dynamic_bytes;
    bool cooperative;
    std::shared_ptr<const emulated_call> call;
    int device; // set at the launch
};

cudaError_t emulated_launch_on(cudaStream_t stream, emulated_launch launch);

template <typename T> struct emulated_same {
    typedef T type;
};

// The arguments are converted to the types of the kernel, as in a call.
template <typename... P>
cudaError_t emulated_start(const char *name, bool cooperative, void (*kernel)(P...), dim3 grid,
                           dim3 block, size_t dynamic_bytes, cudaStream_t stream,
                           typename emulated_same<P>::type... arguments)
{
    return emulated_launch_on(
        stream,
        {name, reinterpret_cast<const void *>(kernel), grid, block, dynamic_bytes, cooperative,
         std::make_shared<const emulated_call_of<P...>>(kernel, arguments...), 0});
}

#endif
