// Streams and events. Issued work gets a number. A stream does its work in the order of issue, at
// once or, deferred, when something waits for it: then only the awaited work, and the work that
// this in turn waits for. The default stream of a device waits for all its blocking streams, and
// they wait for it. While any thread captures one of them, the default stream cannot be used.
// Streams and events are kept until the reset, so that a destroyed one is recognized.
#include "streams.h"
#include "machine.h"

#include <chrono>
#include <deque>
#include <vector>

namespace
{
struct work {
    int64_t number;
    std::function<void()> act;
};
} // namespace

struct CUstream_st {
    bool alive = true, blocking = true;
    int device = 0;
    std::deque<work> waiting;
    CUgraph_st *recording = nullptr; // the graph it is captured into
};

struct CUevent_st {
    bool alive = true, timed = true;
    int device = 0;
    CUstream_st *stream = nullptr; // where it was recorded last, and as which work
    int64_t number = 0;
    CUgraph_st *recording = nullptr; // it was recorded into, with its stream
    std::chrono::steady_clock::time_point time;
};

namespace emulation
{
namespace
{
std::vector<std::unique_ptr<CUstream_st>> streams;
std::vector<std::unique_ptr<CUevent_st>> events;
CUstream_st default_streams[most_devices];
int64_t issued;

// The stream behind a handle; null for an invalid one.
CUstream_st *stream_of(cudaStream_t handle)
{
    if (handle == nullptr) {
        CUstream_st *own = &default_streams[current_device()];
        own->device = current_device();
        return own;
    }
    for (auto &s : streams) {
        if (s.get() == handle) {
            return s->alive ? handle : nullptr;
        }
    }
    return nullptr;
}

CUevent_st *event_of(cudaEvent_t handle)
{
    for (auto &e : events) {
        if (e.get() == handle) {
            return e->alive ? handle : nullptr;
        }
    }
    return nullptr;
}

bool is_default(const CUstream_st &s)
{
    return &s == &default_streams[s.device];
}

// Invalidates the captures of these streams; returns whether there are any.
template <typename F> bool spoil(F as_said)
{
    bool any = false;
    for (auto &s : streams) {
        if (s->recording != nullptr && as_said(*s)) {
            graph_spoil(s->recording);
            any = true;
        }
    }
    return any;
}

void do_until(CUstream_st &s, int64_t number);

void do_first(CUstream_st &s)
{
    work w = std::move(s.waiting.front());
    s.waiting.pop_front();
    if (is_default(s)) {
        for (auto &other : streams) {
            if (other->blocking && other->device == s.device) {
                do_until(*other, w.number);
            }
        }
    } else if (s.blocking) {
        do_until(default_streams[s.device], w.number);
    }
    if (sticky == cudaSuccess) {
        w.act();
    }
}

// Does the work of the stream up to that number.
void do_until(CUstream_st &s, int64_t number)
{
    while (!s.waiting.empty() && s.waiting.front().number <= number) {
        do_first(s);
    }
}

cudaError_t issue_to(CUstream_st &s, std::function<void()> act)
{
    if (s.recording != nullptr) {
        return graph_add(s.recording, std::move(act));
    }
    auto depends = [&s](const CUstream_st &o) { return o.blocking && o.device == s.device; };
    if (is_default(s) && spoil(depends)) {
        return cudaErrorStreamCaptureImplicit;
    }
    s.waiting.push_back({++issued, std::move(act)});
    if (!options.deferred) {
        do_until(s, issued);
    }
    return cudaSuccess;
}

// The host waits for work; not allowed during a capture.
cudaError_t wait_until(CUstream_st &s, int64_t number)
{
    counts.waits++;
    if (s.recording != nullptr) {
        graph_spoil(s.recording);
        return cudaErrorStreamCaptureUnsupported;
    }
    do_until(s, number);
    return sticky;
}

// Whether the work is done. A query advances the work, otherwise a loop of queries would never end.
cudaError_t ask_for(CUstream_st &s, int64_t number)
{
    if (s.waiting.empty() || s.waiting.front().number > number) {
        return sticky;
    }
    do_first(s);
    return cudaErrorNotReady;
}
} // namespace

cudaError_t issue(cudaStream_t handle, std::function<void()> act)
{
    CUstream_st *s = stream_of(handle);
    return s == nullptr ? cudaErrorInvalidResourceHandle : issue_to(*s, std::move(act));
}

cudaError_t wait_for_default_stream()
{
    return wait_until(*stream_of(nullptr), issued);
}

int device_of(cudaStream_t handle)
{
    CUstream_st *s = stream_of(handle);
    return s == nullptr ? -1 : s->device;
}

cudaError_t unsafe_call()
{
    bool breaks = spoil([](const CUstream_st &s) { return graph_forbids(s.recording); });
    return breaks ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

void finish()
{
    do_until(*stream_of(nullptr), issued);
    for (auto &s : streams) {
        if (s->device == current_device()) {
            do_until(*s, issued);
        }
    }
}

CUgraph_st **recording_of(cudaStream_t handle)
{
    CUstream_st *s = handle == nullptr ? nullptr : stream_of(handle);
    return s == nullptr ? nullptr : &s->recording;
}

void end_recording(const CUgraph_st *graph)
{
    for (auto &s : streams) {
        s->recording = s->recording == graph ? nullptr : s->recording;
    }
    for (auto &e : events) {
        e->recording = e->recording == graph ? nullptr : e->recording;
    }
}

void streams_reset()
{
    for (CUstream_st &s : default_streams) {
        s.waiting.clear();
    }
    streams.clear();
    events.clear();
    live.streams = 0;
    live.events = 0;
}
} // namespace emulation

using namespace emulation;

cudaError_t cudaDeviceSynchronize(void)
{
    return runtime([&] {
        counts.waits++;
        if (spoil([](const CUstream_st &s) { return s.device == current_device(); })) {
            return cudaErrorStreamCaptureUnsupported;
        }
        finish();
        return sticky;
    });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return runtime([&] {
        streams.push_back(std::make_unique<CUstream_st>());
        streams.back()->blocking = (flags & cudaStreamNonBlocking) == 0;
        streams.back()->device = current_device();
        *stream = streams.back().get();
        live.streams++;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

// The work issued to the stream is done, but only waiting for the whole device can wait for it.
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return runtime_always([&] {
        CUstream_st *s = stream == nullptr ? nullptr : stream_of(stream);
        if (s == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        s->alive = false;
        live.streams--;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return runtime([&] {
        CUstream_st *s = stream_of(stream);
        return s == nullptr ? cudaErrorInvalidResourceHandle : wait_until(*s, issued);
    });
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return runtime([&] {
        CUstream_st *s = stream_of(stream);
        return s == nullptr ? cudaErrorInvalidResourceHandle : ask_for(*s, issued);
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int)
{
    return runtime([&] {
        CUstream_st *s = stream_of(stream);
        CUevent_st *e = event_of(event);
        if (s == nullptr || e == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        if (e->recording != nullptr) {
            s->recording = e->recording; // joins the capture, whose work keeps the order of issue
            return cudaSuccess;
        }
        if (e->stream == nullptr) {
            return cudaSuccess;
        }
        CUstream_st *other = e->stream;
        int64_t number = e->number;
        return issue_to(*s, [other, number] { do_until(*other, number); });
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return runtime([&] {
        events.push_back(std::make_unique<CUevent_st>());
        events.back()->timed = (flags & cudaEventDisableTiming) == 0;
        events.back()->device = current_device();
        *event = events.back().get();
        live.events++;
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return runtime_always([&] {
        CUevent_st *e = event_of(event);
        if (e == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        e->alive = false;
        live.events--;
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return runtime([&] {
        CUstream_st *s = stream_of(stream);
        CUevent_st *e = event_of(event);
        if (s == nullptr || e == nullptr || s->device != e->device) {
            return cudaErrorInvalidResourceHandle;
        }
        e->recording = s->recording;
        if (e->recording != nullptr) {
            return cudaSuccess;
        }
        e->stream = s;
        e->number = issued + 1;
        return issue_to(*s, [e] { e->time = std::chrono::steady_clock::now(); });
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return runtime([&] {
        CUevent_st *e = event_of(event);
        if (e == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        return e->stream == nullptr ? cudaSuccess : wait_until(*e->stream, e->number);
    });
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return runtime([&] {
        CUevent_st *e = event_of(event);
        if (e == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        return e->stream == nullptr ? cudaSuccess : ask_for(*e->stream, e->number);
    });
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    return runtime([&] {
        CUevent_st *a = event_of(start), *b = event_of(end);
        if (a == nullptr || b == nullptr || !a->timed || !b->timed || a->stream == nullptr ||
            b->stream == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        for (const CUevent_st *e : {a, b}) {
            if (!e->stream->waiting.empty() && e->stream->waiting.front().number <= e->number) {
                return cudaErrorNotReady;
            }
        }
        *milliseconds = std::chrono::duration<float, std::milli>(b->time - a->time).count();
        return cudaSuccess;
    });
}
