// Several threads of the host, several devices, and their shared objects: the default stream,
// captures, the attributes of a kernel.
#include "emulation_test.h"

#include "samples.h"

#include <cstring>
#include <thread>

namespace
{
__global__ void reverse(double *out, const double *in)
{
    RCT_SHARED_DYNAMIC(double, held);
    held[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = held[blockDim.x - 1 - threadIdx.x];
}

cudaError_t start_reverse(double *out, const double *in, size_t bytes, cudaStream_t stream)
{
    return RCT_LAUNCH(reverse, 1, 32, bytes, stream, out, in);
}

// The result of a call in another thread, while this thread waits for it.
template <typename F> cudaError_t elsewhere(F call)
{
    cudaError_t result = cudaSuccess;
    std::thread other([&] { result = call(); });
    other.join();
    return result;
}

// Sums by a stream of its own, repeatedly; returns the number of wrong ones.
void sum_often(int *wrong, int factor)
{
    const std::vector<double> numbers(1000, factor);
    double *in = nullptr, *out = nullptr, got[2] = {};
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&in, 8000);
    cudaMalloc(&out, sizeof got);
    cudaMemcpyAsync(in, numbers.data(), 8000, cudaMemcpyHostToDevice, stream);
    for (int i = 0; i < 20; i++) {
        sample_sum(out, in, 1000, 2, stream);
        cudaMemcpyAsync(got, out, sizeof got, cudaMemcpyDeviceToHost, stream);
        *wrong += cudaStreamSynchronize(stream) != cudaSuccess;
        *wrong += got[0] + got[1] != 1000.0 * factor;
    }
    *wrong += cudaFree(in) != cudaSuccess || cudaFree(out) != cudaSuccess;
    *wrong += cudaStreamDestroy(stream) != cudaSuccess;
}

void test_threads_launch_at_once(void **)
{
    for (const char *word : {"poison=1", "deferred", "order=random seed=3"}) {
        int wrong[4] = {};
        std::vector<std::thread> threads;
        set_option(word);
        for (int k = 0; k < 4; k++) {
            threads.emplace_back(sum_often, &wrong[k], k + 1);
        }
        for (std::thread &t : threads) {
            t.join();
        }
        assert_int_equal(wrong[0] + wrong[1] + wrong[2] + wrong[3], 0);
        assert_int_equal(emulation_counted().launches, 80);
    }
}

void test_errors_are_of_a_thread(void **)
{
    assert_int_equal(cudaSetDevice(7), cudaErrorInvalidDevice);
    OK(elsewhere([] { return cudaPeekAtLastError(); }));
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDevice);
}

// While any thread captures a blocking stream, in any mode, no thread uses the default stream.
void test_default_stream_in_a_capture(void **)
{
    double *a = on_device(std::vector<double>{1.0}), host = 0.0;
    for (int what = 0; what < 3; what++) {
        for (int blocking = 0; blocking < 2; blocking++) {
            cudaStream_t stream = nullptr;
            cudaGraph_t graph = nullptr;
            OK(cudaStreamCreateWithFlags(&stream, blocking ? 0 : cudaStreamNonBlocking));
            OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
            const cudaError_t used = elsewhere([&] {
                return what == 0   ? cudaMemset(a, 0, 8)
                       : what == 1 ? cudaMemcpy(&host, a, 8, cudaMemcpyDeviceToHost)
                                   : sample_scale(a, a, 2.0, 1, nullptr);
            });
            assert_int_equal(used, blocking ? cudaErrorStreamCaptureImplicit : cudaSuccess);
            assert_int_equal(cudaStreamEndCapture(stream, &graph),
                             blocking ? cudaErrorStreamCaptureInvalidated : cudaSuccess);
            if (graph != nullptr) {
                OK(cudaGraphDestroy(graph));
            }
            OK(cudaStreamDestroy(stream));
        }
    }
    OK(cudaFree(a));
}

// The mode of a capture determines which threads may not ask for memory; no thread may wait for the
// whole device.
void test_modes_of_a_capture(void **)
{
    static const struct {
        cudaStreamCaptureMode mode;
        bool here, there; // whether memory may be had
    } cases[] = {{cudaStreamCaptureModeGlobal, false, false},
                 {cudaStreamCaptureModeThreadLocal, false, true},
                 {cudaStreamCaptureModeRelaxed, true, true}};
    auto ask = [] {
        void *memory = nullptr;
        const cudaError_t made = cudaMalloc(&memory, 8);
        return made == cudaSuccess ? cudaFree(memory) : made;
    };
    for (const auto &one : cases) {
        for (int k = 0; k < 3; k++) {
            cudaStream_t stream = nullptr;
            cudaGraph_t graph = nullptr;
            OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            OK(cudaStreamBeginCapture(stream, one.mode));
            const bool good = k == 0 ? one.here : k == 1 && one.there;
            const cudaError_t got = k == 0   ? ask()
                                    : k == 1 ? elsewhere(ask)
                                             : elsewhere(cudaDeviceSynchronize);
            assert_int_equal(got, good ? cudaSuccess : cudaErrorStreamCaptureUnsupported);
            if (one.mode != cudaStreamCaptureModeRelaxed) {
                assert_int_equal(elsewhere([&] { return cudaStreamEndCapture(stream, &graph); }),
                                 cudaErrorStreamCaptureWrongThread);
            }
            assert_int_equal(cudaStreamEndCapture(stream, &graph),
                             good ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
            OK(graph != nullptr ? cudaGraphDestroy(graph) : cudaSuccess);
            OK(cudaStreamDestroy(stream));
        }
    }
}

// The work for a capture is done once, during the capture, and other threads continue.
void test_at_capture(void **)
{
    struct place {
        cudaStream_t stream;
        cudaStreamCaptureStatus seen;
        int times;
    } here = {};
    cudaGraph_t graph = nullptr;
    OK(cudaStreamCreateWithFlags(&here.stream, cudaStreamNonBlocking));
    emulation_at_capture(
        [](void *with) {
            place *p = static_cast<place *>(with);
            p->times++;
            OK(elsewhere([p] { return cudaStreamIsCapturing(p->stream, &p->seen); }));
        },
        &here);
    for (int k = 0; k < 2; k++) {
        OK(cudaStreamBeginCapture(here.stream, cudaStreamCaptureModeThreadLocal));
        OK(cudaStreamEndCapture(here.stream, &graph));
        OK(cudaGraphDestroy(graph));
    }
    assert_int_equal(here.times, 1);
    assert_int_equal(here.seen, cudaStreamCaptureStatusActive);
    OK(cudaStreamDestroy(here.stream));
}

// A non-blocking stream does not wait for the work of the default stream, nor the reverse.
void test_streams_that_do_not_block(void **)
{
    for (int blocking = 0; blocking < 2; blocking++) {
        set_option("deferred");
        double *a = on_device(std::vector<double>{1.0}), got = 0.0;
        cudaStream_t stream = nullptr;
        OK(cudaStreamCreateWithFlags(&stream, blocking ? 0 : cudaStreamNonBlocking));
        OK(cudaMemset(a, 0, 8));
        OK(cudaMemcpyAsync(&got, a, 8, cudaMemcpyDeviceToHost, stream));
        OK(cudaStreamSynchronize(stream));
        assert_true(got == (blocking ? 0.0 : 1.0));
        OK(cudaStreamDestroy(stream));
        OK(cudaFree(a));
    }
}

// A kernel attribute holds for all later launches on that device, whichever thread has set it.
void test_what_a_kernel_is_allowed(void **)
{
    const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
    cudaFuncAttributes facts;
    set_option("devices=2");
    double *a = on_device(std::vector<double>(32, 1.0));
    OK(cudaFuncSetAttribute(reverse, attribute, 60000));
    OK(start_reverse(a, a, 60000, nullptr));
    OK(elsewhere([] { return cudaFuncSetAttribute(reverse, attribute, 1000); }));
    assert_int_equal(start_reverse(a, a, 60000, nullptr), cudaErrorInvalidValue);
    assert_non_null(std::strstr(emulation_last_report(), "1000 allowed"));
    OK(cudaSetDevice(1));
    OK(cudaFuncGetAttributes(&facts, reverse));
    assert_int_equal(facts.maxDynamicSharedSizeBytes, 48 * 1024);
    OK(cudaSetDevice(0));
    OK(cudaFree(a));
}

void test_kernels_loaded_in_a_capture(void **)
{
    for (int asked = 0; asked < 3; asked++) {
        set_option("lazy devices=2");
        double *a = on_device(std::vector<double>(32, 1.0));
        cudaStream_t stream = nullptr;
        cudaGraph_t graph = nullptr;
        cudaFuncAttributes facts;
        OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        OK(cudaSetDevice(asked == 1)); // loaded there, not here
        OK(asked ? cudaFuncGetAttributes(&facts, reverse) : cudaSuccess);
        OK(cudaSetDevice(0));
        OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        const cudaError_t launched = start_reverse(a, a, 256, stream);
        const bool good = asked == 2;
        assert_int_equal(launched, good ? cudaSuccess : cudaErrorStreamCaptureUnsupported);
        assert_int_equal(emulation_reports(), good ? 0 : 1);
        assert_int_equal(cudaStreamEndCapture(stream, &graph),
                         good ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
        OK(graph != nullptr ? cudaGraphDestroy(graph) : cudaSuccess);
        OK(start_reverse(a, a, 256, stream));
        OK(cudaStreamDestroy(stream));
        OK(cudaFree(a));
    }
}

// Each thread chooses its device; memory, streams and events belong to the chosen device.
void test_devices(void **)
{
    set_option("devices=2 memory=1000");
    int count = 0, device = -1;
    size_t available = 0, total = 0;
    void *memory = nullptr, *more = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    OK(cudaGetDeviceCount(&count));
    assert_int_equal(count, 2);
    assert_int_equal(cudaSetDevice(2), cudaErrorInvalidDevice);
    OK(cudaSetDevice(1));
    OK(elsewhere([&device] { return cudaGetDevice(&device); }));
    assert_int_equal(device, 0);
    OK(cudaMalloc(&memory, 800));
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&event));
    assert_int_equal(cudaMalloc(&more, 800), cudaErrorMemoryAllocation);
    OK(cudaSetDevice(0));
    OK(cudaMalloc(&more, 800));
    OK(cudaMemGetInfo(&available, &total));
    assert_int_equal(available, 200);
    double *own = static_cast<double *>(more), *there = static_cast<double *>(memory);
    assert_int_equal(sample_scale(own, own, 2.0, 1, stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventRecord(event, nullptr), cudaErrorInvalidResourceHandle);
    OK(cudaEventRecord(event, stream));
    OK(cudaMemset(there, 0, 800)); // copies and fills reach all devices
    OK(cudaMemcpyAsync(own, there, 800, cudaMemcpyDeviceToDevice, stream));
    OK(cudaStreamSynchronize(stream));
    assert_true(from_device(own, 1)[0] == 0.0);
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(memory));
    OK(cudaFree(more));
}

// Each device has a default stream, which waits for the streams of that device.
void test_default_streams(void **)
{
    set_option("devices=2 deferred");
    double *a = on_device(std::vector<double>{1.0}), got = 0.0;
    cudaStream_t stream = nullptr;
    OK(cudaStreamCreate(&stream));
    OK(cudaMemcpyAsync(&got, a, 8, cudaMemcpyDeviceToHost, stream));
    OK(cudaSetDevice(1));
    OK(cudaStreamSynchronize(nullptr));
    OK(cudaDeviceSynchronize());
    assert_true(got == 0.0);
    OK(cudaSetDevice(0));
    OK(cudaMemset(a, 0, 8));
    OK(cudaStreamSynchronize(nullptr));
    assert_true(got == 1.0);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(a));
}

// Like QUIET, for tests whose misuse is reported.
#define LOUD(test) cmocka_unit_test_setup(test, fresh)
} // namespace

int main(void)
{
    const CMUnitTest tests[] = {
        QUIET(test_threads_launch_at_once),
        QUIET(test_errors_are_of_a_thread),
        QUIET(test_default_stream_in_a_capture),
        QUIET(test_modes_of_a_capture),
        QUIET(test_at_capture),
        QUIET(test_streams_that_do_not_block),
        LOUD(test_what_a_kernel_is_allowed),
        LOUD(test_kernels_loaded_in_a_capture),
        QUIET(test_devices),
        QUIET(test_default_streams),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
