// The waits of threads: barriers of a block and of the grid, exchanges of a warp, and the reports
// of waits that never end. Also the other requests of a thread to its block: shared memory, fences.
#include "blocks.h"

#include <sstream>

namespace emulation
{
namespace
{
const char *const wait_names[] = {"__syncthreads",   "rct_grid_sync",  "__syncwarp",
                                  "__shfl_sync",     "__shfl_up_sync", "__shfl_down_sync",
                                  "__shfl_xor_sync", "__ballot_sync"};

constexpr int spins_in_turn = 1 << 10, spins_in_all = 1 << 22;

bool same(const wait &a, const wait &b)
{
    return a.kind == b.kind && a.mask == b.mask && a.width == b.width && a.line == b.line &&
           std::strcmp(a.file, b.file) == 0;
}

std::string place(const uint3 &p)
{
    return text("(%u,%u,%u)", p.x, p.y, p.z);
}

std::string describe(const wait &w)
{
    const char *name = std::strrchr(w.file, '/');
    std::string what = text("waits in %s at %s:%d", wait_names[w.kind],
                            name == nullptr ? w.file : name + 1, w.line);
    return w.kind < EMULATED_SYNCWARP ? what : what + text(" with mask %08x", w.mask);
}

std::string describe(const thread &t)
{
    static const char *const states[] = {"has not begun", "runs", "", "has exited"};
    return "thread " + place(t.index) + " " +
           (t.state == thread::WAITING ? describe(t.at) : std::string(states[t.state]));
}

std::string describe(const block &b)
{
    return std::string("kernel ") + now->launch.name + ", block " + place(b.index);
}

// Waits until another thread makes the current one ready; for ever if the launch has failed.
void leave()
{
    release(&now->ended);
    fiber_leave(now->current->on);
}

void wake(thread &t, uint64_t result)
{
    t.spins = 0;
    t.result = result;
    t.state = thread::READY;
}

// A thread that polls for another thread lets the others continue, but only a limited number of
// times.
void spin()
{
    thread &t = *now->current;
    t.spins++;
    if (t.spins == spins_in_all) {
        fail(text("deadlock: %d atomics with no end: ", t.spins) + describe(*now->current_block) +
             ", " + describe(t));
    }
    if (t.spins % spins_in_turn == 0) {
        leave();
    }
}

// All threads have reached a barrier: it must be the same one.
void end_barrier(block &b, bool grid)
{
    for (thread &t : b.threads) {
        if (!same(t.at, now->current->at)) {
            fail(text("divergent %s: ", wait_names[t.at.kind]) + describe(b) + ", " +
                 describe(*now->current) + ", but " + describe(t));
            return;
        }
    }
    for (thread &t : b.threads) {
        wake(t, static_cast<uint64_t>(b.joined));
    }
    b.waiting = 0;
    b.joined = 0;
    if (!grid) {
        b.generation++;
    }
}

void end_grid_barrier()
{
    now->grid_waiting = 0;
    now->grid_generation++;
    for (block &b : now->blocks) {
        end_barrier(b, true);
    }
}

// The value for a lane when all lanes of the mask have arrived; a lane outside the mask gets
// garbage.
uint64_t exchanged(const thread *lanes, int lane)
{
    const wait &w = lanes[lane].at;
    int within = lane & (w.width - 1), first = lane - within, from = lane;
    uint64_t votes = 0;
    switch (w.kind) {
    case EMULATED_SHFL: from = first + (w.operand & (w.width - 1)); break;
    case EMULATED_SHFL_UP: from = within < w.operand ? lane : lane - w.operand; break;
    case EMULATED_SHFL_DOWN: from = within + w.operand >= w.width ? lane : lane + w.operand; break;
    case EMULATED_SHFL_XOR:
        from = (lane ^ w.operand) >= first + w.width ? lane : lane ^ w.operand;
        break;
    case EMULATED_BALLOT:
        for (int i = 0; i < warp_lanes; i++) {
            votes |= w.mask >> i & 1 ? lanes[i].at.value << i : 0;
        }
        return votes;
    default: return 0;
    }
    bool there = from >= 0 && from < warp_lanes && (w.mask >> from & 1) != 0;
    return there ? lanes[from].at.value : 0x7ff4dead7fa0deadu;
}

// Lanes of the warp of t, from its first; fewer than 32 in the last warp of an odd block.
thread *warp_of(block &b, const thread &t, int &lanes)
{
    int first = t.number / warp_lanes * warp_lanes;
    lanes = std::min(warp_lanes, static_cast<int>(b.threads.size()) - first);
    return &b.threads[static_cast<size_t>(first)];
}

bool all_have_come(const thread *lanes, int count, const wait &w)
{
    for (int i = 0; i < warp_lanes; i++) {
        if (w.mask >> i & 1 &&
            (i >= count || lanes[i].state != thread::WAITING || !same(lanes[i].at, w))) {
            return false;
        }
    }
    return true;
}

// For ThreadSanitizer, which needs a new object for every meeting: that of the first lane to
// arrive.
void *warp_meeting(block &b, const thread *lanes, int count, const thread &self)
{
    for (int i = 0; i < count; i++) {
        if (&lanes[i] != &self && lanes[i].state == thread::WAITING && same(lanes[i].at, self.at)) {
            return lanes[i].meeting;
        }
    }
    unobserved us;
    b.warp_meetings.push_back(::operator new(meeting_bytes));
    return b.warp_meetings.back();
}

// The reason why the lanes of a warp wait in vain: the first lane of the mask that is not there.
std::string explain_warp(block &b, thread &t)
{
    int count = 0;
    thread *lanes = warp_of(b, t, count);
    for (int i = 0; i < warp_lanes; i++) {
        if (t.at.mask >> i & 1 && i >= count) {
            return text("lane %d of the mask does not exist", i);
        }
        if (t.at.mask >> i & 1 && (lanes[i].state != thread::WAITING || !same(lanes[i].at, t.at))) {
            return text("but lane %d of the mask does not: ", i) + describe(lanes[i]);
        }
    }
    return "";
}

// The threads, of the block or of the grid, that are not at the barrier where t waits.
std::string missing_from_barrier(const block &b, const thread &t)
{
    for (const block &c : now->blocks) {
        for (const thread &u : c.threads) {
            if ((&c == &b || t.at.kind == EMULATED_GRID) &&
                (u.state != thread::WAITING || !same(u.at, t.at))) {
                return (&c == &b ? "" : "block " + place(c.index) + " ") + describe(u);
            }
        }
    }
    return "";
}
} // namespace

void report_stall()
{
    for (block &b : now->blocks) {
        for (thread &t : b.threads) {
            if (t.state == thread::WAITING && t.at.kind >= EMULATED_SYNCWARP) {
                fail("wrong mask or divergent warp: " + describe(b) + ", " + describe(t) + ", " +
                     explain_warp(b, t));
                return;
            }
        }
    }
    for (block &b : now->blocks) {
        for (thread &t : b.threads) {
            std::string missing = t.state == thread::WAITING ? missing_from_barrier(b, t) : "";
            if (!missing.empty()) {
                fail(text("divergent %s: ", wait_names[t.at.kind]) + describe(b) + ", " +
                     describe(t) + ", but " + missing);
                return;
            }
        }
    }
    fail(std::string("deadlock: kernel ") + now->launch.name + ": no thread can go on");
}
} // namespace emulation

using namespace emulation;

int emulated_barrier(emulated_wait kind, int predicate, const char *file, int line)
{
    block &b = *now->current_block;
    thread &t = *now->current;
    bool grid = kind == EMULATED_GRID;
    t.at = {kind, file, line, 0xffffffffu, 0, 0, 0};
    t.state = thread::WAITING;
    char *meeting = grid ? now->grid_meeting[now->grid_generation & 1]
                         : b.meeting + (b.generation & 1) * meeting_bytes;
    if (grid && !now->launch.cooperative) {
        fail("grid barrier in an ordinary launch: " + describe(b) + ", " + describe(t));
        leave();
    }
    release(meeting);
    b.joined |= predicate != 0;
    b.waiting++;
    now->grid_waiting += grid;
    int64_t all = static_cast<int64_t>(b.threads.size());
    if (grid && now->grid_waiting == all * static_cast<int64_t>(now->blocks.size())) {
        end_grid_barrier();
    } else if (!grid && b.waiting == all) {
        end_barrier(b, false);
    }
    if (t.state == thread::WAITING || now->failed) {
        leave();
    }
    acquire(meeting);
    return static_cast<int>(t.result);
}

uint64_t emulated_warp(emulated_wait kind, unsigned mask, uint64_t value, int operand, int width,
                       const char *file, int line)
{
    block &b = *now->current_block;
    thread &t = *now->current;
    int count = 0;
    thread *lanes = warp_of(b, t, count);
    t.at = {kind, file, line, mask, value, operand, width};
    t.state = thread::WAITING;
    bool badly_wide = width < 1 || width > warp_lanes || (width & (width - 1)) != 0;
    if (!(mask >> (t.number % warp_lanes) & 1) || badly_wide) {
        fail((badly_wide ? "width no power of two up to 32: " : "lane not in its own mask: ") +
             describe(b) + ", " + describe(t));
        leave();
    }
    if (races_watched && kind == EMULATED_SYNCWARP) {
        t.meeting = warp_meeting(b, lanes, count, t);
        release(t.meeting);
    }
    if (all_have_come(lanes, count, t.at)) {
        for (int i = 0; i < count; i++) {
            if (mask >> i & 1) {
                wake(lanes[i], exchanged(lanes, i));
            }
        }
    } else {
        leave();
    }
    if (races_watched && kind == EMULATED_SYNCWARP) {
        acquire(t.meeting);
    }
    return t.result;
}

unsigned emulated_active()
{
    int count = 0;
    unsigned mask = 0;
    thread *lanes = warp_of(*now->current_block, *now->current, count);
    for (int i = 0; i < count; i++) {
        mask |= lanes[i].state != thread::DONE ? 1u << i : 0;
    }
    return mask;
}

void *emulated_shared(const void *site, size_t bytes)
{
    block &b = *now->current_block;
    size_t used = now->launch.dynamic_bytes;
    for (const shared_array &a : b.arrays) {
        if (a.site == site) {
            return a.memory;
        }
        used += a.bytes;
    }
    if (used - now->launch.dynamic_bytes + bytes > block_shared ||
        used + bytes > block_shared_optin) {
        fail(text("more shared memory than a block may have, %zu bytes: ", used + bytes) +
             describe(b));
        leave();
    }
    unobserved us;
    void *memory = ::operator new(bytes);
    fill_new(memory, bytes);
    b.arrays.push_back({site, memory, bytes});
    return memory;
}

void *emulated_dynamic()
{
    return now->current_block->dynamic;
}

void emulated_fence()
{
    now->current->fenced = true;
    spin();
}

bool emulated_fenced()
{
    spin();
    return now->current->fenced;
}
