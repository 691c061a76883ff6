// Runs a launch. Every CUDA thread runs on a fiber, up to its next wait, in the order of the mode.
// Threads that never wait share one fiber and take one call each. Blocks run one after another,
// those of a cooperative launch side by side. A wait ends when the last required thread arrives. If
// no thread can continue, the cause is reported. waits.cpp has the waits themselves.
#include "blocks.h"

#include <numeric>
#include <utility>

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace emulation
{
running *now;

namespace
{
uint3 place_of(int64_t number, const dim3 &size)
{
    return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
            static_cast<unsigned>(number / size.x / size.y)};
}

int64_t volume(const dim3 &size)
{
    return static_cast<int64_t>(size.x) * size.y * size.z;
}

std::vector<int> order_of(int64_t count)
{
    std::vector<int> order(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    if (options.order == EMULATION_REVERSE) {
        std::reverse(order.begin(), order.end());
    } else if (options.order == EMULATION_RANDOM) {
        for (size_t i = order.size(); i > 1; i--) {
            std::swap(order[i - 1], order[random_number() % i]);
        }
    }
    return order;
}

// The next thread of this pass that can continue and was not taken yet; null at the end of the
// pass.
thread *next_thread()
{
    block &b = *now->current_block;
    for (int count = static_cast<int>(b.threads.size()); now->position < count; now->position++) {
        thread &t = b.threads[static_cast<size_t>(now->order[static_cast<size_t>(now->position)])];
        if (t.state <= thread::READY && !(now->resting >> (t.number / warp_lanes) & 1)) {
            return &t;
        }
    }
    return nullptr;
}

void make_current(thread *t)
{
    now->position++;
    now->current = t;
    threadIdx = t->index;
}

// The work of a fiber: runs threads from their first to their last line, one after another, until
// one of them waits.
[[noreturn]] void live_through_threads(fiber *self)
{
    for (;;) {
        thread *t = now->current;
        t->on = self;
        t->state = thread::READY;
        acquire(&now->started);
        now->launch.call->run();
        release(&now->ended);
        t->state = thread::DONE;
        now->current_block->living--;
        t = races_watched ? nullptr : next_thread();
        if (t != nullptr && t->state == thread::UNSTARTED) {
            make_current(t);
            continue;
        }
        now->idle = self;
        fiber_leave(self);
    }
}

// Runs every thread of the block that can continue once; false if there was none.
bool pass(block &b)
{
    bool any = false;
    now->current_block = &b;
    now->position = 0;
    blockIdx = b.index;
    for (thread *t; !now->failed && (t = next_thread()) != nullptr;) {
        any = true;
        make_current(t);
        if (t->state == thread::UNSTARTED) {
            t->on = fiber_take(live_through_threads);
        }
        now->idle = nullptr;
        fiber_enter(t->on);
        if (now->idle != nullptr) {
            fiber_give(now->idle);
        }
    }
    return any;
}

// In random order half of the warps rest in a pass, so that the others run ahead.
bool random_pass(block &b)
{
    now->order = order_of(static_cast<int64_t>(b.threads.size()));
    now->resting = static_cast<uint32_t>(random_number() >> 32);
    bool any = pass(b);
    now->resting = 0;
    return any || pass(b);
}

void begin(block &b, int64_t number)
{
    b.index = place_of(number, now->launch.grid);
    b.living = static_cast<int>(b.threads.size());
    b.waiting = 0;
    b.joined = 0;
    b.generation = 0;
    unobserved us;
    b.dynamic = nullptr;
    if (now->launch.dynamic_bytes > 0) {
        b.dynamic = ::operator new(now->launch.dynamic_bytes);
        fill_new(b.dynamic, now->launch.dynamic_bytes);
    }
    b.meeting = new char[2 * meeting_bytes];
    for (size_t i = 0; i < b.threads.size(); i++) {
        thread &t = b.threads[i];
        t.state = thread::UNSTARTED;
        t.fenced = false;
        t.spins = 0;
    }
}

void end(block &b)
{
    unobserved us;
    for (thread &t : b.threads) {
        if (t.state == thread::READY || t.state == thread::WAITING) {
            fiber_drop(t.on);
        }
    }
    size_t bytes = 0;
    for (const shared_array &a : b.arrays) {
        bytes += a.bytes;
        ::operator delete(a.memory);
    }
    kernel_facts &facts = facts_of(now->launch.kernel, now->launch.device);
    facts.static_bytes = std::max(facts.static_bytes, bytes);
    for (void *meeting : b.warp_meetings) {
        ::operator delete(meeting);
    }
    b.arrays.clear();
    b.warp_meetings.clear();
    ::operator delete(b.dynamic);
    delete[] b.meeting;
}

int living(const std::vector<block> &blocks)
{
    return std::accumulate(blocks.begin(), blocks.end(), 0,
                           [](int sum, const block &b) { return sum + b.living; });
}

// A pass over all blocks, or over half of them.
bool sweep(const std::vector<int> &order, bool some_rest)
{
    bool any = false;
    for (int i : order) {
        block &b = now->blocks[static_cast<size_t>(i)];
        if (b.living > 0 && !(some_rest && random_number() % 2 == 0)) {
            any = (options.order == EMULATION_RANDOM ? random_pass(b) : pass(b)) || any;
        }
    }
    return any;
}

// Runs the blocks in now->blocks to their ends.
void run_side_by_side()
{
    std::vector<int> order = order_of(static_cast<int64_t>(now->blocks.size()));
    bool some_rest = options.order == EMULATION_RANDOM && order.size() > 1;
    while (!now->failed && living(now->blocks) > 0) {
        if (!(some_rest && sweep(order, true)) && !sweep(order, false) && !now->failed) {
            report_stall();
        }
    }
}
} // namespace

void fail(const std::string &what)
{
    report(what);
    now->failed = true;
}

void run(const emulated_launch &launch)
{
    if (sticky != cudaSuccess) {
        return;
    }
    running here(launch);
    device_memory_open open(launch.device);
    now = &here;
    blockDim = launch.block;
    gridDim = launch.grid;
    here.order = order_of(volume(launch.block));
    release(&here.started);
    std::vector<int> order = order_of(volume(launch.grid));
    here.blocks.resize(launch.cooperative ? order.size() : 1);
    for (block &b : here.blocks) {
        b.threads.resize(static_cast<size_t>(volume(launch.block)));
        for (size_t i = 0; i < b.threads.size(); i++) {
            b.threads[i].number = static_cast<int>(i);
            b.threads[i].index = place_of(static_cast<int64_t>(i), launch.block);
        }
    }
    for (size_t done = 0; done < order.size() && !here.failed; done += here.blocks.size()) {
        for (size_t i = 0; i < here.blocks.size(); i++) {
            begin(here.blocks[i], launch.cooperative ? static_cast<int64_t>(i) : order[done]);
        }
        run_side_by_side();
        for (block &b : here.blocks) {
            end(b);
        }
    }
    acquire(&here.ended);
    now = nullptr;
    if (here.failed) {
        sticky = cudaErrorLaunchFailure;
    }
}
} // namespace emulation
