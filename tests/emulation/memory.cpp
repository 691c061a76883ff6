// Memory of the emulated device and pinned memory of the host: every allocation its own heap block, known
// by its address, so that copies can be held against it and AddressSanitizer sees what passes its end.
// Under AddressSanitizer device memory is out of bounds but while the device works: a host that
// dereferences a device pointer is caught.
#include "fiber.h"
#include "machine.h"

#include <map>
#include <new>
#ifdef EMULATION_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, bytes)   ((void)(memory), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(memory, bytes) ((void)(memory), (void)(bytes))
#endif

namespace emulation
{
namespace
{
constexpr std::align_val_t alignment{256};

std::map<char *, size_t> on_device, on_host; // address, bytes
int opened;                                  // device_memory_open alive

// The allocation of the device that holds the address; the end if none does.
std::map<char *, size_t>::iterator holder(const void *address)
{
    char *p = static_cast<char *>(const_cast<void *>(address));
    auto after = on_device.upper_bound(p);
    if (after == on_device.begin()) {
        return on_device.end();
    }
    auto at = std::prev(after);
    return p < at->first + at->second ? at : on_device.end();
}

// Is [address, address + count) memory of the device, as it should be?
cudaError_t check_range(const char *what, const void *address, size_t count, bool device)
{
    auto at = holder(address);
    bool there = at != on_device.end();
    if (there && !device) {
        report(text("%s: device pointer %p where one of the host belongs", what, address));
        return cudaErrorInvalidValue;
    }
    if (!there && device) {
        report(text("%s: %p is no device memory", what, address));
        return cudaErrorInvalidValue;
    }
    size_t left =
        there ? static_cast<size_t>(at->first + at->second - static_cast<const char *>(address))
              : count;
    if (count > left) {
        report(text("%s: %zu bytes at %p, %zu to the end of the allocation of %zu", what, count,
                    address, left, at->second));
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

cudaError_t check_copy(const void *to, const void *from, size_t count, cudaMemcpyKind kind)
{
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
        return cudaErrorInvalidMemcpyDirection;
    }
    bool infer = kind == cudaMemcpyDefault;
    bool to_device = infer ? holder(to) != on_device.end()
                           : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = infer ? holder(from) != on_device.end()
                             : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    cudaError_t error = check_range("copy to", to, count, to_device);
    return error != cudaSuccess ? error : check_range("copy from", from, count, from_device);
}

cudaError_t allocate(std::map<char *, size_t> &where, void **pointer, size_t size)
{
    if (size == 0) {
        *pointer = nullptr;
        return cudaSuccess;
    }
    bool device = &where == &on_device;
    bool full = device && static_cast<int64_t>(size) > options.memory_bytes - live.device_bytes;
    void *memory =
        allocation_fails() || full ? nullptr : ::operator new(size, alignment, std::nothrow);
    if (memory == nullptr) {
        return cudaErrorMemoryAllocation;
    }
    {
        unobserved us;
        fill_new(memory, size);
    }
    where[static_cast<char *>(memory)] = size;
    if (device) {
        live.device_allocations++;
        live.device_bytes += static_cast<int64_t>(size);
        if (opened == 0) {
            ASAN_POISON_MEMORY_REGION(memory, size);
        }
    } else {
        live.host_allocations++;
    }
    *pointer = memory;
    return cudaSuccess;
}

void forget(std::map<char *, size_t> &where, std::map<char *, size_t>::iterator at)
{
    if (&where == &on_device) {
        live.device_allocations--;
        live.device_bytes -= static_cast<int64_t>(at->second);
        ASAN_UNPOISON_MEMORY_REGION(at->first, at->second);
    } else {
        live.host_allocations--;
    }
    ::operator delete(at->first, alignment);
    where.erase(at);
}

cudaError_t release(std::map<char *, size_t> &where, void *pointer, const char *name)
{
    cudaError_t error = pointer == nullptr || sticky != cudaSuccess ? cudaSuccess : finish();
    if (pointer == nullptr || error != cudaSuccess) {
        return error;
    }
    auto at = where.find(static_cast<char *>(pointer));
    if (at == where.end()) {
        report(text("%s: %p is not allocated, or was freed before", name, pointer));
        return cudaErrorInvalidValue;
    }
    forget(where, at);
    return cudaSuccess;
}

cudaError_t copy(void *to, const void *from, size_t count, cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t error = check_copy(to, from, count, kind);
    if (error != cudaSuccess) {
        return error;
    }
    counts.copies++;
    counts.copied_bytes += static_cast<int64_t>(count);
    return issue(stream, [=] {
        device_memory_open open;
        std::memmove(to, from, count);
    });
}
} // namespace

// As doubles and as pairs of floats signalling NaNs.
void fill_new(void *memory, size_t bytes)
{
    const uint64_t nan = options.poison ? 0x7ff4f00d7fa0f00du : 0;
    char *p = static_cast<char *>(memory);
    for (size_t i = 0; i < bytes; i += sizeof nan) {
        std::memcpy(p + i, &nan, std::min(sizeof nan, bytes - i));
    }
}

device_memory_open::device_memory_open()
{
    for (auto &allocation : on_device) {
        if (opened == 0) {
            ASAN_UNPOISON_MEMORY_REGION(allocation.first, allocation.second);
        }
    }
    opened++;
}

device_memory_open::~device_memory_open()
{
    opened--;
    for (auto &allocation : on_device) {
        if (opened == 0) {
            ASAN_POISON_MEMORY_REGION(allocation.first, allocation.second);
        }
    }
}

void memory_reset()
{
    while (!on_device.empty()) {
        forget(on_device, on_device.begin());
    }
    while (!on_host.empty()) {
        forget(on_host, on_host.begin());
    }
}
} // namespace emulation

using namespace emulation;

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    return runtime([&] {
        if (capturing()) {
            invalidate_captures();
            return cudaErrorStreamCaptureUnsupported;
        }
        return allocate(on_device, pointer, size);
    });
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int)
{
    return runtime([&] { return allocate(on_host, pointer, size); });
}

cudaError_t cudaMallocHost(void **pointer, size_t size)
{
    return cudaHostAlloc(pointer, size, cudaHostAllocDefault);
}

cudaError_t cudaFree(void *pointer)
{
    return runtime_always([&] { return release(on_device, pointer, "cudaFree"); });
}

cudaError_t cudaFreeHost(void *pointer)
{
    return runtime_always([&] { return release(on_host, pointer, "cudaFreeHost"); });
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return runtime([&] { return copy(to, from, count, kind, stream); });
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t count, cudaMemcpyKind kind)
{
    return runtime([&] {
        cudaError_t error = copy(to, from, count, kind, nullptr);
        return error != cudaSuccess ? error : wait_for_default_stream();
    });
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t count, cudaStream_t stream)
{
    return runtime([&] {
        cudaError_t error = check_range("memset", pointer, count, true);
        if (error != cudaSuccess) {
            return error;
        }
        counts.sets++;
        return issue(stream, [=] {
            device_memory_open open;
            std::memset(pointer, value, count);
        });
    });
}

cudaError_t cudaMemset(void *pointer, int value, size_t count)
{
    return cudaMemsetAsync(pointer, value, count, nullptr);
}
