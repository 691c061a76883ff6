// The functions that a kernel may use on the device, for cuda_runtime.h: indices, barriers, warp
// exchange, atomics. The parameters with the defaults __builtin_FILE() and __builtin_LINE() are the
// place of the call: two threads wait for the same thing only if they wait at the same line.
#ifndef RCT_EMULATION_EMULATED_DEVICE_H
#define RCT_EMULATION_EMULATED_DEVICE_H

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
constexpr int warpSize = 32;

enum emulated_wait {
    EMULATED_BARRIER,
    EMULATED_GRID,
    EMULATED_SYNCWARP,
    EMULATED_SHFL,
    EMULATED_SHFL_UP,
    EMULATED_SHFL_DOWN,
    EMULATED_SHFL_XOR,
    EMULATED_BALLOT
};

int emulated_barrier(emulated_wait kind, int predicate, const char *file, int line);
uint64_t emulated_warp(emulated_wait kind, unsigned mask, uint64_t value, int operand, int width,
                       const char *file, int line);
unsigned emulated_active();
void *emulated_shared(const void *site, size_t bytes);
void *emulated_dynamic();
void emulated_fence();
bool emulated_fenced();

inline void __syncthreads(const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    emulated_barrier(EMULATED_BARRIER, 0, file, line);
}

inline int __syncthreads_or(int predicate, const char *file = __builtin_FILE(),
                            int line = __builtin_LINE())
{
    return emulated_barrier(EMULATED_BARRIER, predicate, file, line);
}

inline void rct_grid_sync(const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    emulated_barrier(EMULATED_GRID, 0, file, line);
}

inline void __syncwarp(unsigned mask = 0xffffffffu, const char *file = __builtin_FILE(),
                       int line = __builtin_LINE())
{
    emulated_warp(EMULATED_SYNCWARP, mask, 0, 0, warpSize, file, line);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, const char *file = __builtin_FILE(),
                              int line = __builtin_LINE())
{
    return static_cast<unsigned>(
        emulated_warp(EMULATED_BALLOT, mask, predicate != 0, 0, warpSize, file, line));
}

inline int __any_sync(unsigned mask, int predicate, const char *file = __builtin_FILE(),
                      int line = __builtin_LINE())
{
    return __ballot_sync(mask, predicate, file, line) != 0;
}

inline int __all_sync(unsigned mask, int predicate, const char *file = __builtin_FILE(),
                      int line = __builtin_LINE())
{
    return __ballot_sync(mask, predicate, file, line) == mask;
}

inline unsigned __activemask()
{
    return emulated_active();
}

template <typename T>
T emulated_shuffle(emulated_wait kind, unsigned mask, T value, int operand, int width,
                   const char *file, int line)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle moves 4 or 8 bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = emulated_warp(kind, mask, bits, operand, width, file, line);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

#define EMULATED_SHUFFLE(name, kind, operand_type)                                                 \
    template <typename T>                                                                          \
    T name(unsigned mask, T value, operand_type operand, int width = warpSize,                     \
           const char *file = __builtin_FILE(), int line = __builtin_LINE())                       \
    {                                                                                              \
        return emulated_shuffle(kind, mask, value, static_cast<int>(operand), width, file, line);  \
    }
EMULATED_SHUFFLE(__shfl_sync, EMULATED_SHFL, int)
EMULATED_SHUFFLE(__shfl_up_sync, EMULATED_SHFL_UP, unsigned)
EMULATED_SHUFFLE(__shfl_down_sync, EMULATED_SHFL_DOWN, unsigned)
EMULATED_SHUFFLE(__shfl_xor_sync, EMULATED_SHFL_XOR, int)
#undef EMULATED_SHUFFLE

inline void __threadfence()
{
    emulated_fence();
}

// Relaxed as on the device; after a __threadfence() of the thread an atomic also releases what the
// thread wrote. The order must be a constant: the compiler takes any other for the strongest.
template <typename T> T emulated_exchange(T *address, T expected, T value)
{
    if (emulated_fenced()) {
        __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE);
    } else {
        __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_ACQUIRE);
    }
    return expected;
}

template <typename T, typename change> T emulated_update(T *address, change changed)
{
    T old = __atomic_load_n(address, __ATOMIC_RELAXED);
    for (T seen; (seen = emulated_exchange(address, old, changed(old))) != old; old = seen) {
    }
    return old;
}

#define EMULATED_ATOMICS(T)                                                                        \
    inline T atomicCAS(T *address, T expected, T value)                                            \
    {                                                                                              \
        return emulated_exchange(address, expected, value);                                        \
    }                                                                                              \
    inline T atomicAdd(T *address, T value)                                                        \
    {                                                                                              \
        return emulated_update(address, [value](T old) {                                           \
            T sum;                                                                                 \
            (void)__builtin_add_overflow(old, value, &sum);                                        \
            return sum;                                                                            \
        });                                                                                        \
    }                                                                                              \
    inline T atomicMin(T *address, T value)                                                        \
    {                                                                                              \
        return emulated_update(address, [value](T old) { return std::min(old, value); });          \
    }                                                                                              \
    inline T atomicMax(T *address, T value)                                                        \
    {                                                                                              \
        return emulated_update(address, [value](T old) { return std::max(old, value); });          \
    }
EMULATED_ATOMICS(int)
EMULATED_ATOMICS(unsigned)
EMULATED_ATOMICS(unsigned long long)
#undef EMULATED_ATOMICS

template <typename T> T __ldg(const T *address)
{
    return *address;
}

inline long long __double_as_longlong(double x)
{
    long long bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

inline int __ffs(int x)
{
    return __builtin_ffs(x);
}

#endif
