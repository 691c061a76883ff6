// Fibers: stacks of their own on which CUDA threads wait; the host's thread switches to and from
// them. The sanitizers are told about a switch: AddressSanitizer about the stack, ThreadSanitizer
// about another thread of control, which the switch itself does not order with any other.
#ifndef RCT_EMULATION_FIBER_H
#define RCT_EMULATION_FIBER_H

namespace emulation
{
struct fiber;

// A fiber that is not in use. Its first entry calls body, which must not return.
fiber *fiber_take(void (*body)(fiber *self));
void fiber_give(fiber *f);  // back to the host, at a point with nothing to remember
void fiber_drop(fiber *f);  // back to the host for good, at any point
void fiber_enter(fiber *f); // from the host; returns when the fiber leaves
void fiber_leave(fiber *f); // from the fiber; returns when the host enters it again

// For ThreadSanitizer, no effect otherwise: everything before release(x) happens before everything
// after acquire(x).
void release(void *object);
void acquire(void *object);

// While such an object is alive, ThreadSanitizer ignores the accesses of malloc, free and memset.
struct unobserved {
    unobserved();
    ~unobserved();
};

#ifdef EMULATION_TSAN
constexpr bool races_watched = true;
#else
constexpr bool races_watched = false;
#endif
} // namespace emulation

#endif
