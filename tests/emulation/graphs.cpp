// Graphs, made only by capture: the captured work in the order of issue, which a launch repeats in
// that order.
#include "streams.h"

#include <thread>
#include <vector>

struct CUgraph_st {
    bool alive = false; // the user has it
    bool spoilt = false;
    cudaStream_t origin = nullptr;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread; // that began its capture
    std::vector<std::function<void()>> acts;
};

struct CUgraphExec_st {
    bool alive = true;
    std::vector<std::function<void()>> acts;
};

namespace emulation
{
namespace
{
std::vector<std::unique_ptr<CUgraph_st>> graphs;
std::vector<std::unique_ptr<CUgraphExec_st>> executables;
void (*at_capture)(void *with);
void *at_capture_with;

template <typename T> bool known(const std::vector<std::unique_ptr<T>> &all, const T *handle)
{
    for (auto &one : all) {
        if (one.get() == handle) {
            return one->alive;
        }
    }
    return false;
}

template <typename T>
cudaError_t forget(const std::vector<std::unique_ptr<T>> &all, T *handle, int64_t &alive)
{
    if (!known(all, handle)) {
        return cudaErrorInvalidValue;
    }
    handle->alive = false;
    alive--;
    return cudaSuccess;
}
} // namespace

cudaError_t graph_add(CUgraph_st *graph, std::function<void()> act)
{
    if (graph->spoilt) {
        return cudaErrorStreamCaptureInvalidated;
    }
    graph->acts.push_back(std::move(act));
    return cudaSuccess;
}

void graph_spoil(CUgraph_st *graph)
{
    graph->spoilt = true;
}

bool graph_forbids(const CUgraph_st *graph)
{
    bool own = graph->thread == std::this_thread::get_id();
    return own ? graph->mode != cudaStreamCaptureModeRelaxed
               : graph->mode == cudaStreamCaptureModeGlobal;
}

void graphs_reset()
{
    at_capture = nullptr;
    graphs.clear();
    executables.clear();
    live.graphs = 0;
    live.executables = 0;
}
} // namespace emulation

using namespace emulation;

void emulation_at_capture(void (*act)(void *with), void *with)
{
    in_turn mine(turn);
    at_capture = act;
    at_capture_with = with;
}

// Runs the work for a capture out of turn, so that other threads can continue.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    void (*act)(void *) = nullptr;
    void *with = nullptr;
    cudaError_t error = runtime([&] {
        CUgraph_st **recording = recording_of(stream);
        if (recording == nullptr || *recording != nullptr) {
            return recording == nullptr ? cudaErrorStreamCaptureUnsupported : cudaErrorInvalidValue;
        }
        graphs.push_back(std::make_unique<CUgraph_st>());
        *recording = graphs.back().get();
        graphs.back()->origin = stream;
        graphs.back()->mode = mode;
        graphs.back()->thread = std::this_thread::get_id();
        std::swap(act, at_capture);
        with = at_capture_with;
        return cudaSuccess;
    });
    if (act != nullptr) {
        act(with);
    }
    return error;
}

// A capture ends even if the call fails; otherwise nothing could be freed.
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    in_turn mine(turn);
    cudaError_t error = call();
    CUgraph_st **recording = recording_of(stream);
    CUgraph_st *made = recording == nullptr ? nullptr : *recording;
    *graph = nullptr;
    if (error == cudaSuccess && made != nullptr && made->mode != cudaStreamCaptureModeRelaxed &&
        made->thread != std::this_thread::get_id()) {
        error = cudaErrorStreamCaptureWrongThread;
    } else if (error == cudaSuccess && (made == nullptr || made->origin != stream)) {
        error = made == nullptr ? cudaErrorInvalidValue : cudaErrorStreamCaptureUnmatched;
    } else if (made != nullptr) {
        end_recording(made);
        error = error == cudaSuccess && made->spoilt ? cudaErrorStreamCaptureInvalidated : error;
    }
    if (error == cudaSuccess) {
        made->alive = true;
        live.graphs++;
        *graph = made;
    }
    return outcome(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status)
{
    return runtime([&] {
        CUgraph_st **recording = recording_of(stream);
        CUgraph_st *graph = recording == nullptr ? nullptr : *recording;
        *status = graph == nullptr ? cudaStreamCaptureStatusNone
                  : graph->spoilt  ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long)
{
    return runtime([&] {
        if (!known(graphs, graph)) {
            return cudaErrorInvalidValue;
        }
        executables.push_back(std::make_unique<CUgraphExec_st>());
        executables.back()->acts = graph->acts;
        *executable = executables.back().get();
        live.executables++;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    return runtime([&] {
        if (!known(executables, executable)) {
            return cudaErrorInvalidValue;
        }
        counts.graph_launches++;
        return issue(stream, [executable] {
            for (const auto &act : executable->acts) {
                if (sticky == cudaSuccess) {
                    act();
                }
            }
        });
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    return runtime_always([&] { return forget(executables, executable, live.executables); });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return runtime_always([&] { return forget(graphs, graph, live.graphs); });
}
