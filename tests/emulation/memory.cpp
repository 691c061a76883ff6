// Memory of the emulated devices and pinned memory of the host. Every allocation is a heap block of
// its own, known by its address, so that copies can be checked against it and AddressSanitizer
// finds accesses beyond its end. Under AddressSanitizer device memory is accessible only while the
// device works: a host that dereferences a device pointer is caught.
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

struct allocation {
    size_t bytes;
    int device; // whose thread asked for it
};
typedef std::map<char *, allocation> allocations; // by address

allocations on_device, on_host;
int opened[most_devices]; // device_memory_open alive

// The allocation of a device that contains the address; the end if there is none.
allocations::iterator holder(const void *address)
{
    char *p = static_cast<char *>(const_cast<void *>(address));
    auto after = on_device.upper_bound(p);
    if (after == on_device.begin()) {
        return on_device.end();
    }
    auto at = std::prev(after);
    return p < at->first + at->second.bytes ? at : on_device.end();
}

// Whether [address, address + count) is valid memory of the device.
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
        there
            ? static_cast<size_t>(at->first + at->second.bytes - static_cast<const char *>(address))
            : count;
    if (count > left) {
        report(text("%s: %zu bytes at %p, %zu to the end of the allocation of %zu", what, count,
                    address, left, at->second.bytes));
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

cudaError_t allocate(allocations &where, void **pointer, size_t size)
{
    cudaError_t error = unsafe_call();
    if (error != cudaSuccess) {
        return error;
    }
    if (size == 0) {
        *pointer = nullptr;
        return cudaSuccess;
    }
    bool device = &where == &on_device;
    int here = current_device();
    bool full = device && static_cast<int64_t>(size) > options.memory_bytes - bytes_on(here);
    void *memory =
        allocation_fails() || full ? nullptr : ::operator new(size, alignment, std::nothrow);
    if (memory == nullptr) {
        return cudaErrorMemoryAllocation;
    }
    {
        unobserved us;
        fill_new(memory, size);
    }
    where[static_cast<char *>(memory)] = {size, here};
    if (device) {
        live.device_allocations++;
        live.device_bytes += static_cast<int64_t>(size);
        if (opened[here] == 0) {
            ASAN_POISON_MEMORY_REGION(memory, size);
        }
    } else {
        live.host_allocations++;
    }
    *pointer = memory;
    return cudaSuccess;
}

void forget(allocations &where, allocations::iterator at)
{
    if (&where == &on_device) {
        live.device_allocations--;
        live.device_bytes -= static_cast<int64_t>(at->second.bytes);
        ASAN_UNPOISON_MEMORY_REGION(at->first, at->second.bytes);
    } else {
        live.host_allocations--;
    }
    ::operator delete(at->first, alignment);
    where.erase(at);
}

cudaError_t release(allocations &where, void *pointer, const char *name)
{
    cudaError_t error = pointer == nullptr || sticky != cudaSuccess ? cudaSuccess : unsafe_call();
    if (pointer == nullptr || error != cudaSuccess) {
        return error;
    }
    finish();
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
    counts.copied_bytes += kind == cudaMemcpyDeviceToDevice ? 0 : static_cast<int64_t>(count);
    auto target = holder(to), source = holder(from);
    int of_target = target != on_device.end() ? target->second.device : 0;
    int of_source = source != on_device.end() ? source->second.device : 0;
    return issue(stream, [=] {
        device_memory_open one(of_target), other(of_source);
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

int64_t bytes_on(int device)
{
    int64_t sum = 0;
    for (auto &one : on_device) {
        sum += one.second.device == device ? static_cast<int64_t>(one.second.bytes) : 0;
    }
    return sum;
}

device_memory_open::device_memory_open(int d) : device(d)
{
    for (auto &one : on_device) {
        if (opened[device] == 0 && one.second.device == device) {
            ASAN_UNPOISON_MEMORY_REGION(one.first, one.second.bytes);
        }
    }
    opened[device]++;
}

device_memory_open::~device_memory_open()
{
    opened[device]--;
    for (auto &one : on_device) {
        if (opened[device] == 0 && one.second.device == device) {
            ASAN_POISON_MEMORY_REGION(one.first, one.second.bytes);
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

int64_t emulation_bytes_on(int device)
{
    in_turn mine(turn);
    return bytes_on(device);
}

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    return runtime([&] { return allocate(on_device, pointer, size); });
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
        error = error != cudaSuccess ? error : unsafe_call();
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
        int device = holder(pointer)->second.device;
        return issue(stream, [=] {
            device_memory_open open(device);
            std::memset(pointer, value, count);
        });
    });
}

cudaError_t cudaMemset(void *pointer, int value, size_t count)
{
    return cudaMemsetAsync(pointer, value, count, nullptr);
}
