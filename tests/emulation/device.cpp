// The emulated devices: their properties, the device that a thread has chosen, and the limits of a
// kernel on it.
#include "streams.h"

#include <cstdio>
#include <map>

namespace emulation
{
namespace
{
std::map<std::pair<const void *, int>, kernel_facts> kernels; // by kernel and device
thread_local int chosen_device;

// The facts about a kernel; the query loads the kernel.
kernel_facts &loaded(const void *kernel)
{
    kernel_facts &facts = facts_of(kernel, current_device());
    facts.loaded = true;
    return facts;
}

int blocks_per_multiprocessor(const kernel_facts &facts, int block_size, size_t dynamic_bytes)
{
    int threads = (block_size + warp_lanes - 1) / warp_lanes * warp_lanes;
    size_t shared = block_shared_reserved + facts.static_bytes + dynamic_bytes;
    if (block_size < 1 || block_size > block_threads || shared > multiprocessor_shared) {
        return 0;
    }
    int fit = std::min(multiprocessor_blocks, multiprocessor_threads / threads);
    return std::min(fit, static_cast<int>(multiprocessor_shared / shared));
}
} // namespace

int current_device()
{
    return chosen_device;
}

kernel_facts &facts_of(const void *kernel, int device)
{
    return kernels[{kernel, device}];
}

void devices_reset()
{
    kernels.clear();
    chosen_device = 0;
}
} // namespace emulation

using namespace emulation;

cudaError_t cudaGetDeviceCount(int *count)
{
    return runtime([&] {
        *count = options.devices;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    return runtime([&] {
        if (device < 0 || device >= options.devices) {
            return cudaErrorInvalidDevice;
        }
        cudaDeviceProp p = {};
        std::snprintf(p.name, sizeof p.name, "emulated on the host");
        p.totalGlobalMem = static_cast<size_t>(options.memory_bytes);
        p.sharedMemPerBlock = block_shared;
        p.sharedMemPerBlockOptin = block_shared_optin;
        p.sharedMemPerMultiprocessor = multiprocessor_shared;
        p.regsPerBlock = p.regsPerMultiprocessor = 65536;
        p.warpSize = warp_lanes;
        p.maxThreadsPerBlock = block_threads;
        p.maxThreadsDim[0] = p.maxThreadsDim[1] = block_threads;
        p.maxThreadsDim[2] = 64;
        p.maxGridSize[0] = 0x7fffffff;
        p.maxGridSize[1] = p.maxGridSize[2] = 65535;
        p.totalConstMem = 65536;
        p.major = 9;
        p.multiProcessorCount = options.multiprocessors;
        p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.cooperativeLaunch = 1;
        p.asyncEngineCount = 2;
        p.memoryBusWidth = 4096;
        p.l2CacheSize = 50 << 20;
        p.maxThreadsPerMultiProcessor = multiprocessor_threads;
        p.maxBlocksPerMultiProcessor = multiprocessor_blocks;
        *properties = p;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
    cudaDeviceProp p = {};
    if (cudaError_t error = cudaGetDeviceProperties(&p, device)) {
        return error;
    }
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = static_cast<int>(block_shared); break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = 1980000; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: *value = options.ratio; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrKernelExecTimeout: *value = 0; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = multiprocessor_threads; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = static_cast<int>(multiprocessor_shared);
        break;
    case cudaDevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = static_cast<int>(block_shared_optin);
        break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = multiprocessor_blocks; break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return runtime([&] {
        if (device < 0 || device >= options.devices) {
            return cudaErrorInvalidDevice;
        }
        chosen_device = device;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDevice(int *device)
{
    return runtime([&] {
        *device = current_device();
        return cudaSuccess;
    });
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    return runtime([&] {
        *available = static_cast<size_t>(options.memory_bytes - bytes_on(current_device()));
        *total = static_cast<size_t>(options.memory_bytes);
        return cudaSuccess;
    });
}

cudaError_t cudaDriverGetVersion(int *version)
{
    bool driver = options.device == EMULATION_PRESENT || options.device == EMULATION_NO_DEVICE;
    *version = driver ? CUDART_VERSION : 0;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel)
{
    return runtime([&] {
        const kernel_facts &facts = loaded(kernel);
        *attributes = {};
        attributes->sharedSizeBytes = facts.static_bytes;
        attributes->maxThreadsPerBlock = block_threads;
        attributes->numRegs = registers;
        attributes->ptxVersion = attributes->binaryVersion = 90;
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(facts.dynamic_limit);
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
    return runtime([&] {
        kernel_facts &facts = loaded(kernel);
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) {
            return cudaSuccess; // a hint
        }
        if (value < 0 || static_cast<size_t>(value) + facts.static_bytes > block_shared_optin) {
            return cudaErrorInvalidValue;
        }
        facts.dynamic_limit = static_cast<size_t>(value);
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int block_size, size_t dynamic_bytes)
{
    return runtime([&] {
        const kernel_facts &facts = loaded(kernel);
        bool fits = dynamic_bytes <= facts.dynamic_limit;
        *blocks = fits ? blocks_per_multiprocessor(facts, block_size, dynamic_bytes) : 0;
        return cudaSuccess;
    });
}

static cudaError_t refuse(const emulated_launch &l, const std::string &why, cudaError_t error)
{
    report(std::string("impossible launch: kernel ") + l.name + ": " + why);
    return error;
}

// Launches that the driver refuses before it runs anything.
static cudaError_t check(const emulated_launch &l)
{
    const dim3 &b = l.block, &g = l.grid;
    bool grid_fits = g.x <= 0x7fffffffu && g.y <= 65535 && g.z <= 65535;
    bool block_fits = b.x <= block_threads && b.y <= block_threads && b.z <= 64;
    int64_t threads = block_fits ? int64_t{b.x} * b.y * b.z : 0;
    int64_t blocks = grid_fits ? int64_t{g.x} * g.y * g.z : 0;
    if (threads == 0 || threads > block_threads || blocks == 0) {
        return refuse(
            l, text("%u x %u x %u blocks of %u x %u x %u threads", g.x, g.y, g.z, b.x, b.y, b.z),
            cudaErrorInvalidConfiguration);
    }
    const kernel_facts &facts = facts_of(l.kernel, l.device);
    size_t limit = facts.dynamic_limit;
    if (l.dynamic_bytes > limit) {
        return refuse(
            l, text("%zu bytes of dynamic shared memory, %zu allowed", l.dynamic_bytes, limit),
            cudaErrorInvalidValue);
    }
    int64_t fit = blocks_per_multiprocessor(facts, static_cast<int>(threads), l.dynamic_bytes);
    fit *= options.multiprocessors;
    if (l.cooperative && blocks > fit) {
        return refuse(
            l, std::to_string(blocks) + " cooperative blocks, " + std::to_string(fit) + " fit",
            cudaErrorCooperativeLaunchTooLarge);
    }
    return cudaSuccess;
}

// A kernel that is not loaded yet would be loaded now.
static cudaError_t load(const emulated_launch &l, cudaStream_t stream)
{
    kernel_facts &facts = facts_of(l.kernel, l.device);
    CUgraph_st **recording = recording_of(stream);
    if (options.lazy && !facts.loaded && recording != nullptr && *recording != nullptr) {
        graph_spoil(*recording);
        return refuse(l, "loaded in a capture; ask for its attributes before",
                      cudaErrorStreamCaptureUnsupported);
    }
    facts.loaded = true;
    return cudaSuccess;
}

cudaError_t emulated_launch_on(cudaStream_t stream, emulated_launch launch)
{
    return runtime([&] {
        launch.device = current_device();
        if (device_of(stream) != launch.device) {
            return cudaErrorInvalidResourceHandle;
        }
        cudaError_t error = check(launch);
        error = error != cudaSuccess ? error : load(launch, stream);
        if (error == cudaSuccess) {
            counts.launches += !launch.cooperative;
            counts.cooperative_launches += launch.cooperative;
            error = issue(stream, [l = std::move(launch)] { run(l); });
        }
        return error;
    });
}
