// The emulated runtime, function by function: the device, errors, memory, and induced failures.
#include "emulation_test.h"

#include "samples.h"

#include <cstring>

namespace
{
bool reported(const char *word)
{
    return std::strstr(emulation_last_report(), word) != nullptr;
}

void test_device(void **)
{
    int count = 0, value = 0, device = -1;
    cudaDeviceProp p;
    size_t available = 0, total = 0;
    OK(cudaGetDeviceCount(&count));
    assert_int_equal(count, 1);
    OK(cudaSetDevice(0));
    assert_int_equal(cudaSetDevice(1), cudaErrorInvalidDevice);
    assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDevice);
    OK(cudaGetLastError());
    OK(cudaGetDevice(&device));
    assert_int_equal(device, 0);
    OK(cudaGetDeviceProperties(&p, 0));
    assert_int_equal(p.multiProcessorCount, 4);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    assert_int_equal(value, 4);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    assert_int_equal(value, p.sharedMemPerBlockOptin);
    OK(cudaMemGetInfo(&available, &total));
    assert_int_equal(available, 1 << 30);
    assert_int_equal(total, p.totalGlobalMem);
    OK(cudaDriverGetVersion(&value));
    assert_int_equal(value, 13000);
    OK(cudaRuntimeGetVersion(&value));
    assert_int_equal(value, 13000);
    assert_string_equal(cudaGetErrorName(cudaErrorLaunchFailure), "cudaErrorLaunchFailure");
    assert_string_equal(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    assert_string_equal(cudaGetErrorString(static_cast<cudaError_t>(1000)),
                        "unrecognized error code");
}

void test_missing_device(void **)
{
    static const struct {
        const char *word;
        cudaError_t answer;
        int driver;
    } cases[] = {{"device=none", cudaErrorNoDevice, 13000},
                 {"device=driverless", cudaErrorInsufficientDriver, 0},
                 {"device=stub", cudaErrorStubLibrary, 0}};
    for (const auto &one : cases) {
        int count = 77, version = -1;
        void *memory = nullptr;
        set_option(one.word);
        assert_int_equal(cudaGetDeviceCount(&count), one.answer);
        assert_int_equal(count, 77);
        assert_int_equal(cudaGetLastError(), one.answer);
        OK(cudaGetLastError());
        assert_int_equal(cudaMalloc(&memory, 8), one.answer);
        OK(cudaDriverGetVersion(&version));
        assert_int_equal(version, one.driver);
    }
}

__global__ void nothing(double)
{
}

__global__ void with_shared(double *out)
{
    RCT_SHARED(double, held, 1000);
    held[threadIdx.x] = 1.0;
    out[threadIdx.x] = held[threadIdx.x];
}

void test_occupancy(void **)
{
    int blocks = 0;
    cudaFuncAttributes facts;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 33, 0));
    assert_int_equal(blocks, 32);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1024, 0));
    assert_int_equal(blocks, 2);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 40000));
    assert_int_equal(blocks, 5);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 60000));
    assert_int_equal(blocks, 0);
    OK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 60000));
    assert_int_equal(blocks, 3);
    assert_int_equal(
        cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
        cudaErrorInvalidValue);
    double *out = on_device(std::vector<double>(32));
    OK(RCT_LAUNCH(with_shared, 1, 32, 0, nullptr, out));
    OK(cudaFuncGetAttributes(&facts, with_shared));
    assert_int_equal(facts.sharedSizeBytes, 8000);
    assert_int_equal(facts.maxThreadsPerBlock, 1024);
    OK(cudaFree(out));
}

void test_memory(void **)
{
    double *memory = nullptr, *pinned = nullptr, *none = nullptr;
    OK(cudaMalloc(&memory, 10 * sizeof(double)));
    OK(cudaMallocHost(&pinned, 10 * sizeof(double)));
    assert_int_equal(emulation_alive().device_bytes, 80);
    assert_int_equal(emulation_alive().host_allocations, 1);
    for (double x : from_device(memory, 10)) {
        assert_true(x != x); // poison
    }
    OK(cudaMemset(memory, 0, 80));
    OK(cudaMemcpy(pinned, memory, 80, cudaMemcpyDefault));
    assert_true(pinned[9] == 0.0);
    pinned[3] = 4.0;
    OK(cudaMemcpyAsync(memory, pinned, 80, cudaMemcpyHostToDevice));
    OK(cudaMemcpyAsync(memory + 5, memory, 40, cudaMemcpyDeviceToDevice, nullptr));
    assert_true(from_device(memory, 10)[8] == 4.0);
    OK(cudaFree(memory));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(nullptr));
    OK(cudaMalloc(&none, 0));
    assert_null(none);
    emulation_counts counted = emulation_counted();
    assert_int_equal(counted.copies, 5);
    assert_int_equal(counted.copied_bytes, 80 * 4);
    assert_int_equal(counted.sets, 1);
    assert_int_equal(counted.allocations, 2);
    assert_int_equal(counted.waits, 3); // copies that block
}

void test_memory_misuse(void **)
{
    double host[10] = {}, *memory = nullptr, *other = nullptr;
    OK(cudaMalloc(&memory, sizeof host));
    OK(cudaMalloc(&other, sizeof host));
    assert_int_equal(cudaMemcpy(memory + 1, host, sizeof host, cudaMemcpyHostToDevice),
                     cudaErrorInvalidValue);
    assert_true(reported("copy to: 80 bytes") && reported("72 to the end"));
    assert_int_equal(cudaMemcpy(host, memory, sizeof host, cudaMemcpyHostToDevice),
                     cudaErrorInvalidValue);
    assert_true(reported("is no device memory"));
    assert_int_equal(cudaMemcpy(memory, other, sizeof host, cudaMemcpyHostToDevice),
                     cudaErrorInvalidValue);
    assert_true(reported("where one of the host belongs"));
    assert_int_equal(cudaMemset(host, 0, 8), cudaErrorInvalidValue);
    assert_int_equal(cudaMemset(memory, 0, 88), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(memory, host, 8, static_cast<cudaMemcpyKind>(7)),
                     cudaErrorInvalidMemcpyDirection);
    assert_int_equal(cudaFree(host), cudaErrorInvalidValue);
    OK(cudaFree(memory));
    assert_int_equal(cudaFree(memory), cudaErrorInvalidValue);
    assert_true(reported("was freed before"));
    assert_int_equal(cudaFreeHost(other), cudaErrorInvalidValue);
    assert_int_equal(emulation_reports(), 8);
    assert_int_equal(emulation_alive().device_allocations, 1);
    emulation_reset();
    assert_int_equal(emulation_alive().device_allocations, 0);
}

void test_no_memory(void **)
{
    set_option("fail_allocation=2 memory=1000");
    void *a = nullptr, *b = nullptr;
    OK(cudaMalloc(&a, 600));
    assert_int_equal(cudaMallocHost(&b, 8), cudaErrorMemoryAllocation);
    assert_int_equal(cudaGetLastError(), cudaErrorMemoryAllocation);
    assert_int_equal(cudaMalloc(&b, 401), cudaErrorMemoryAllocation);
    OK(cudaMalloc(&b, 400));
    OK(cudaFree(a));
    OK(cudaFree(b));
}

// One call fails and does nothing, later calls work.
void test_failing_call(void **)
{
    set_option("fail_at_call=2 fail_error=2");
    double *memory = nullptr;
    cudaStream_t stream = nullptr;
    OK(cudaMalloc(&memory, 8));
    assert_int_equal(cudaStreamCreate(&stream), cudaErrorMemoryAllocation);
    assert_null(stream);
    assert_int_equal(cudaGetLastError(), cudaErrorMemoryAllocation);
    OK(cudaGetLastError());
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(memory));
    assert_int_equal(emulation_alive().streams, 0);
}

// Whichever call finds the device lost, later calls return the same error, and freed objects are
// released.
void test_lost_device(void **)
{
    for (int k = 1; k <= 6; k++) {
        emulation_options options = emulation_defaults();
        options.lose_at_call = k;
        options.lose_error = k % 2 ? cudaErrorDevicesUnavailable : cudaErrorIllegalAddress;
        emulation_reset();
        emulation_set(&options);
        double *memory = nullptr, host[4] = {};
        cudaStream_t stream = nullptr;
        const cudaError_t results[] = {
            cudaStreamCreate(&stream),
            cudaMalloc(&memory, sizeof host),
            k < 3 ? options.lose_error
                  : cudaMemcpyAsync(memory, host, sizeof host, cudaMemcpyDefault, stream),
            k < 3 ? options.lose_error : sample_scale(memory, memory, 2.0, 4, stream),
            cudaStreamSynchronize(stream),
            cudaDeviceSynchronize(),
        };
        for (int i = 0; i < 6; i++) {
            assert_int_equal(results[i], i + 1 < k ? cudaSuccess : options.lose_error);
        }
        assert_int_equal(cudaGetLastError(), options.lose_error);
        assert_int_equal(cudaGetLastError(), options.lose_error);
        assert_int_equal(cudaFree(memory), options.lose_error);
        if (stream != nullptr) {
            assert_int_equal(cudaStreamDestroy(stream), options.lose_error);
        }
        assert_int_equal(emulation_alive().device_allocations, 0);
        assert_int_equal(emulation_alive().streams, 0);
        assert_int_equal(emulation_reports(), 0);
    }
}

} // namespace

int main(void)
{
    const CMUnitTest tests[] = {
        QUIET(test_device),
        QUIET(test_missing_device),
        QUIET(test_occupancy),
        QUIET(test_memory),
        cmocka_unit_test_setup(test_memory_misuse, fresh),
        QUIET(test_no_memory),
        QUIET(test_failing_call),
        cmocka_unit_test_setup(test_lost_device, fresh),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
