// Fibers switch stacks in a few instructions; on machines without the assembly they use ucontext,
// which is some eight times slower. Fibers are reused: the last one first, so that the caches stay
// warm. Under ThreadSanitizer the first one comes first, from a number of fibers prime to the size
// of any block, so that CUDA threads that share a fiber, which ThreadSanitizer takes for one
// thread, are far apart.
#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#if !defined(__x86_64__) && !defined(__aarch64__)
#define EMULATION_UCONTEXT
#endif
#ifdef EMULATION_UCONTEXT
#include <ucontext.h>
#endif
#ifdef EMULATION_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef EMULATION_TSAN
extern "C" {
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
}
#endif

#ifdef __x86_64__
asm(".text\n.globl emulation_switch\n.type emulation_switch, @function\nemulation_switch:\n"
    "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
    "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
    "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n"
    ".size emulation_switch, . - emulation_switch\n");
enum { SAVED_WORDS = 8, RETURN_WORD = 6 }; // 6 registers, return address, none to return to there
#elif defined(__aarch64__)
asm(".text\n.globl emulation_switch\n.type emulation_switch, %function\nemulation_switch:\n"
    "stp x19, x20, [sp, -160]!\nstp x21, x22, [sp, 16]\nstp x23, x24, [sp, 32]\n"
    "stp x25, x26, [sp, 48]\nstp x27, x28, [sp, 64]\nstp x29, x30, [sp, 80]\n"
    "stp d8, d9, [sp, 96]\nstp d10, d11, [sp, 112]\nstp d12, d13, [sp, 128]\n"
    "stp d14, d15, [sp, 144]\nmov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
    "ldp x21, x22, [sp, 16]\nldp x23, x24, [sp, 32]\nldp x25, x26, [sp, 48]\n"
    "ldp x27, x28, [sp, 64]\nldp x29, x30, [sp, 80]\nldp d8, d9, [sp, 96]\n"
    "ldp d10, d11, [sp, 112]\nldp d12, d13, [sp, 128]\nldp d14, d15, [sp, 144]\n"
    "ldp x19, x20, [sp], 160\nret\n"
    ".size emulation_switch, . - emulation_switch\n");
enum { SAVED_WORDS = 20, RETURN_WORD = 11 };
#endif

namespace emulation
{
#ifdef EMULATION_UCONTEXT
typedef ucontext_t place;
#else
typedef void *place; // the stack pointer; the rest is on the stack
extern "C" void emulation_switch(void **from, void *to);
#endif

struct fiber {
    place here;
    char *stack;
    void (*body)(fiber *self);
    fiber *next;      // of those not in use
    void *fake_stack; // of AddressSanitizer
    void *thread;     // of ThreadSanitizer
};

namespace
{
constexpr size_t stack_bytes = 256 * 1024; // virtual: only pages that are touched take memory
constexpr size_t fibers_watched = 251;     // at least this number of fibers before one is reused

fiber *first_idle, *last_idle;
size_t made;
place host;
fiber *entered;
[[maybe_unused]] void *host_fake_stack, *host_thread;
[[maybe_unused]] const void *host_stack;
[[maybe_unused]] size_t host_stack_bytes;

void switch_from_to(place *from, place *to)
{
#ifdef EMULATION_UCONTEXT
    swapcontext(from, to);
#else
    emulation_switch(from, *to);
#endif
}

// Called before and after a switch.
void leaving_host([[maybe_unused]] fiber *f)
{
#ifdef EMULATION_ASAN
    __sanitizer_start_switch_fiber(&host_fake_stack, f->stack, stack_bytes);
#endif
#ifdef EMULATION_TSAN
    host_thread = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(f->thread, 1);
#endif
}

void arrived_in_host()
{
#ifdef EMULATION_ASAN
    __sanitizer_finish_switch_fiber(host_fake_stack, nullptr, nullptr);
#endif
}

void leaving_fiber([[maybe_unused]] fiber *f)
{
#ifdef EMULATION_ASAN
    __sanitizer_start_switch_fiber(&f->fake_stack, host_stack, host_stack_bytes);
#endif
#ifdef EMULATION_TSAN
    __tsan_switch_to_fiber(host_thread, 1);
#endif
}

void arrived_in_fiber([[maybe_unused]] fiber *f)
{
#ifdef EMULATION_ASAN
    __sanitizer_finish_switch_fiber(f->fake_stack, &host_stack, &host_stack_bytes);
#endif
}

void first_entry()
{
    arrived_in_fiber(entered);
    entered->body(entered);
    std::abort();
}

fiber *fiber_create()
{
    unobserved us;
    fiber *f = new fiber();
    size_t guard = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void *memory = mmap(nullptr, guard + stack_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0) {
        std::perror("emulation: no stack for a fiber");
        std::abort();
    }
    f->stack = static_cast<char *>(memory) + guard;
#ifdef EMULATION_UCONTEXT
    getcontext(&f->here);
    f->here.uc_stack.ss_sp = f->stack;
    f->here.uc_stack.ss_size = stack_bytes;
    makecontext(&f->here, first_entry, 0);
#else
    void **top = reinterpret_cast<void **>(f->stack + stack_bytes) - SAVED_WORDS;
    top[RETURN_WORD] = reinterpret_cast<void *>(first_entry);
    f->here = top;
#endif
#ifdef EMULATION_TSAN
    f->thread = __tsan_create_fiber(0);
#endif
    made++;
    return f;
}
} // namespace

fiber *fiber_take(void (*body)(fiber *self))
{
    fiber *f = first_idle;
    if (f == nullptr || (races_watched && made < fibers_watched)) {
        f = fiber_create();
    } else {
        first_idle = f->next;
    }
    f->body = body;
    return f;
}

void fiber_give(fiber *f)
{
    bool to_end = races_watched && first_idle != nullptr;
    f->next = to_end ? nullptr : first_idle;
    (to_end ? last_idle->next : first_idle) = f;
    if (to_end || f->next == nullptr) {
        last_idle = f;
    }
}

void fiber_drop(fiber *f)
{
    size_t guard = static_cast<size_t>(sysconf(_SC_PAGESIZE));
#ifdef EMULATION_ASAN
    __asan_unpoison_memory_region(f->stack, stack_bytes);
#endif
#ifdef EMULATION_TSAN
    __tsan_destroy_fiber(f->thread);
#endif
    munmap(f->stack - guard, guard + stack_bytes);
    delete f;
    made--;
}

void fiber_enter(fiber *f)
{
    entered = f;
    leaving_host(f);
    switch_from_to(&host, &f->here);
    arrived_in_host();
}

void fiber_leave(fiber *f)
{
    leaving_fiber(f);
    switch_from_to(&f->here, &host);
    arrived_in_fiber(f);
}

#ifdef EMULATION_TSAN
void release(void *object)
{
    __tsan_release(object);
}
void acquire(void *object)
{
    __tsan_acquire(object);
}
unobserved::unobserved()
{
    __tsan_ignore_thread_begin();
}
unobserved::~unobserved()
{
    __tsan_ignore_thread_end();
}
#else
void release(void *)
{
}
void acquire(void *)
{
}
unobserved::unobserved()
{
}
unobserved::~unobserved()
{
}
#endif
} // namespace emulation
