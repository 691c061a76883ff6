// Fibers: stacks of their own that the host's thread switches to and from, for CUDA threads to wait on.
// The sanitizers are told: AddressSanitizer of the stack, ThreadSanitizer of another thread of control,
// which the switch itself does not order with any other.
#ifndef RCT_EMULATION_FIBER_H
#define RCT_EMULATION_FIBER_H

namespace emulation
{
struct fiber;

// A fiber that is not in use; its first entry calls body, which must not return.
fiber *fiber_take(void (*body)(fiber *self));
void fiber_give(fiber *f);  // back, when it is about to leave with nothing to remember
void fiber_drop(fiber *f);  // for good, in the midst of whatever it does
void fiber_enter(fiber *f); // from the host; returns when the fiber leaves
void fiber_leave(fiber *f); // from the fiber; returns when the host enters it again

// For ThreadSanitizer, nothing without: all before release(x) happens before all after acquire(x).
void release(void *object);
void acquire(void *object);

// While alive, what malloc, free and memset do is no access to the memory for ThreadSanitizer.
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
