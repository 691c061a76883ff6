// Emulated streams, events and graphs: the required order of work, and that deferred mode keeps no
// other order.
#include "emulation_test.h"

#include "samples.h"

namespace
{
// Deferred work is done only when it is waited for, and no other work with it.
void test_deferred(void **)
{
    set_option("deferred");
    double *a = on_device(std::vector<double>{1.0}), *b = on_device(std::vector<double>{1.0});
    double got[2] = {};
    cudaStream_t one = nullptr, two = nullptr;
    OK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    OK(sample_scale(a, a, 3.0, 1, one));
    OK(cudaMemcpyAsync(&got[0], a, 8, cudaMemcpyDeviceToHost, one));
    OK(sample_scale(b, b, 5.0, 1, two));
    OK(cudaMemcpyAsync(&got[1], b, 8, cudaMemcpyDeviceToHost, two));
    assert_true(got[0] == 0.0 && got[1] == 0.0);
    OK(cudaStreamSynchronize(two));
    assert_true(got[0] == 0.0 && got[1] == 5.0);
    assert_int_equal(cudaStreamQuery(one), cudaErrorNotReady);
    OK(cudaPeekAtLastError());
    assert_int_equal(cudaStreamQuery(one), cudaErrorNotReady);
    OK(cudaStreamQuery(one));
    assert_true(got[0] == 3.0);
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaStreamDestroy(one));
    OK(cudaStreamDestroy(two));
    assert_int_equal(cudaStreamSynchronize(one), cudaErrorInvalidResourceHandle);
    assert_int_equal(emulation_alive().streams, 0);
    assert_int_equal(emulation_counted().launches, 2);
}

// An event orders two streams; waiting for it waits for the work before it, not for the work after
// it.
void test_events(void **)
{
    set_option("deferred");
    double *a = on_device(std::vector<double>{1.0}), got[2] = {};
    cudaStream_t one = nullptr, two = nullptr;
    cudaEvent_t before = nullptr, after = nullptr;
    float milliseconds = -1.0f;
    OK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    OK(cudaEventCreate(&before));
    OK(cudaEventCreateWithFlags(&after, cudaEventDefault));
    OK(cudaEventQuery(before));
    OK(cudaEventSynchronize(before));
    OK(cudaEventRecord(before, one));
    OK(sample_scale(a, a, 7.0, 1, one));
    OK(cudaEventRecord(after, one));
    OK(cudaMemcpyAsync(&got[0], a, 8, cudaMemcpyDeviceToHost, one));
    OK(cudaStreamWaitEvent(two, after));
    OK(cudaMemcpyAsync(&got[1], a, 8, cudaMemcpyDeviceToHost, two));
    assert_int_equal(cudaEventElapsedTime(&milliseconds, before, after), cudaErrorNotReady);
    OK(cudaStreamSynchronize(two));
    assert_true(got[0] == 0.0 && got[1] == 7.0);
    OK(cudaEventElapsedTime(&milliseconds, before, after));
    assert_true(milliseconds >= 0.0f);
    OK(cudaEventRecord(before, one));
    OK(cudaEventSynchronize(before));
    assert_true(got[0] == 7.0);
    OK(cudaEventDestroy(before));
    OK(cudaEventDestroy(after));
    assert_int_equal(cudaEventDestroy(after), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventRecord(after, one), cudaErrorInvalidResourceHandle);
    OK(cudaStreamDestroy(one));
    OK(cudaStreamDestroy(two));
    OK(cudaFree(a));
}

// The default stream and blocking streams wait for each other.
void test_default_stream(void **)
{
    set_option("deferred");
    double *a = on_device(std::vector<double>{1.0});
    cudaStream_t stream = nullptr;
    OK(cudaStreamCreate(&stream));
    OK(sample_scale(a, a, 2.0, 1, stream));
    OK(cudaMemsetAsync(a, 0, 8, nullptr));
    assert_true(from_device(a, 1)[0] == 0.0);
    OK(sample_scale(a, a, 2.0, 1, stream));
    assert_true(from_device(a, 1)[0] == 0.0);
    OK(cudaMemsetAsync(a, 0, 8, nullptr));
    OK(sample_scale(a, a, 2.0, 1, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(a));
}

void test_graph(void **)
{
    for (const char *word : {"poison=1", "deferred"}) {
        set_option(word);
        double *a = on_device(std::vector<double>{1.0}), host = 3.0, got = 0.0;
        cudaStream_t stream = nullptr, side = nullptr;
        cudaEvent_t event = nullptr;
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        OK(cudaStreamCreate(&stream));
        OK(cudaStreamCreate(&side));
        OK(cudaEventCreate(&event));
        OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        OK(cudaStreamIsCapturing(stream, &status));
        assert_int_equal(status, cudaStreamCaptureStatusActive);
        OK(cudaMemcpyAsync(a, &host, 8, cudaMemcpyHostToDevice, stream));
        OK(sample_scale(a, a, 2.0, 1, stream));
        OK(cudaEventRecord(event, stream));
        OK(cudaStreamWaitEvent(side, event));
        OK(sample_scale(a, a, 2.0, 1, side));
        OK(cudaEventRecord(event, side));
        OK(cudaStreamWaitEvent(stream, event));
        OK(cudaMemcpyAsync(&got, a, 8, cudaMemcpyDeviceToHost, stream));
        OK(cudaStreamEndCapture(stream, &graph));
        OK(cudaStreamIsCapturing(side, &status));
        assert_int_equal(status, cudaStreamCaptureStatusNone);
        OK(cudaGraphInstantiate(&executable, graph));
        OK(cudaGraphDestroy(graph));
        OK(cudaStreamSynchronize(stream));
        assert_true(got == 0.0);
        emulation_count_from_here();
        for (int i = 1; i < 4; i++) {
            host = i;
            OK(cudaGraphLaunch(executable, stream));
            OK(cudaStreamSynchronize(stream));
            assert_true(got == 4.0 * i);
        }
        assert_int_equal(emulation_counted().graph_launches, 3);
        assert_int_equal(emulation_counted().launches, 0);
        assert_int_equal(emulation_counted().calls, 6);
        OK(cudaGraphExecDestroy(executable));
        assert_int_equal(cudaGraphLaunch(executable, stream), cudaErrorInvalidValue);
        OK(cudaEventDestroy(event));
        OK(cudaStreamDestroy(stream));
        OK(cudaStreamDestroy(side));
        OK(cudaFree(a));
        emulation_live left = emulation_alive();
        assert_int_equal(left.graphs + left.executables + left.streams + left.events, 0);
    }
}

// Calls that are not allowed while a stream is captured invalidate the capture.
void test_spoilt_capture(void **)
{
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    void *memory = nullptr;
    double *a = on_device(std::vector<double>{1.0}), host = 0.0;
    OK(cudaStreamCreate(&stream));
    assert_int_equal(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
                     cudaErrorStreamCaptureUnsupported);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaErrorInvalidValue);
    for (int what = 0; what < 4; what++) {
        OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        cudaError_t error = what == 0   ? cudaStreamSynchronize(stream)
                            : what == 1 ? cudaMalloc(&memory, 8)
                            : what == 2 ? cudaDeviceSynchronize()
                                        : cudaMemcpy(&host, a, 8, cudaMemcpyDeviceToHost);
        assert_int_equal(error, what == 3 ? cudaErrorStreamCaptureImplicit
                                          : cudaErrorStreamCaptureUnsupported);
        assert_int_equal(sample_scale(a, a, 2.0, 1, stream), cudaErrorStreamCaptureInvalidated);
        assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
        assert_null(graph);
    }
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(a));
    OK(cudaDeviceSynchronize());
}
} // namespace

int main(void)
{
    const CMUnitTest tests[] = {
        QUIET(test_deferred), QUIET(test_events),         QUIET(test_default_stream),
        QUIET(test_graph),    QUIET(test_spoilt_capture),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
