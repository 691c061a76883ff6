// The control of the emulation: options and the environment, errors, reports, counts.
#include "machine.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace emulation
{
emulation_options options = emulation_defaults();
emulation_counts counts;
emulation_live live;
cudaError_t sticky = cudaSuccess;
std::recursive_mutex turn;

namespace
{
thread_local cudaError_t last_error = cudaSuccess;
int64_t calls_to_loss = options.lose_at_call, calls_to_failure = options.fail_at_call;
int64_t allocations_to_failure = options.fail_allocation;
int64_t reports;
uint64_t random_state = options.seed;

// A fixed buffer for ThreadSanitizer reports, from places that must not allocate.
char last_report[2000];

void note(const char *what)
{
    std::snprintf(last_report, sizeof last_report, "%s", what);
    reports++;
}

void read_word(emulation_options &o, const std::string &name, const std::string &value)
{
    auto choice = [&value](std::initializer_list<const char *> words) {
        int i = 0;
        for (const char *word : words) {
            if (value == word) {
                return i;
            }
            i++;
        }
        std::fprintf(stderr, "RCT_EMULATION: unknown word %s\n", value.c_str());
        std::abort();
    };
    int64_t number = std::strtoll(value.c_str(), nullptr, 10);
    if (name == "order") {
        o.order = static_cast<emulation_order>(choice({"forward", "reverse", "random"}));
    } else if (name == "device") {
        o.device = static_cast<emulation_device>(choice({"present", "none", "driverless", "stub"}));
    } else if (name == "seed") {
        o.seed = static_cast<uint64_t>(number);
    } else if (name == "deferred") {
        o.deferred = value.empty() || number != 0;
    } else if (name == "lazy") {
        o.lazy = value.empty() || number != 0;
    } else if (name == "poison") {
        o.poison = value.empty() || number != 0;
    } else if (name == "abort") {
        o.abort_on_report = value.empty() || number != 0;
    } else if (name == "multiprocessors") {
        o.multiprocessors = static_cast<int>(number);
    } else if (name == "memory") {
        o.memory_bytes = number;
    } else if (name == "ratio") {
        o.ratio = static_cast<int>(number);
    } else if (name == "devices") {
        o.devices = static_cast<int>(std::min<int64_t>(std::max<int64_t>(number, 1), most_devices));
    } else if (name == "fail_allocation") {
        o.fail_allocation = number;
    } else if (name == "fail_at_call") {
        o.fail_at_call = number;
    } else if (name == "fail_error") {
        o.fail_error = static_cast<cudaError_t>(number);
    } else if (name == "lose_at_call") {
        o.lose_at_call = number;
    } else if (name == "lose_error") {
        o.lose_error = static_cast<cudaError_t>(number);
    } else {
        std::fprintf(stderr, "RCT_EMULATION: unknown option %s\n", name.c_str());
        std::abort();
    }
}
} // namespace

cudaError_t call()
{
    static const cudaError_t answers[] = {cudaSuccess, cudaErrorNoDevice,
                                          cudaErrorInsufficientDriver, cudaErrorStubLibrary};
    counts.calls++;
    if (sticky == cudaSuccess && calls_to_loss > 0 && --calls_to_loss == 0) {
        sticky = options.lose_error;
    }
    bool fails = calls_to_failure > 0 && --calls_to_failure == 0;
    if (sticky == cudaSuccess && fails) {
        return options.fail_error;
    }
    return sticky != cudaSuccess ? sticky : answers[options.device];
}

cudaError_t outcome(cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady) {
        last_error = error;
    }
    return error;
}

bool allocation_fails()
{
    counts.allocations++;
    return allocations_to_failure > 0 && --allocations_to_failure == 0;
}

void report(const std::string &what)
{
    note(what.c_str());
    std::fprintf(stderr, "emulation: %s\n", last_report);
    if (options.abort_on_report) {
        std::abort();
    }
}

std::string text(const char *format, ...)
{
    char buffer[500];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    return buffer;
}

// splitmix64
uint64_t random_number()
{
    uint64_t x = random_state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}
} // namespace emulation

using namespace emulation;

emulation_options emulation_defaults(void)
{
    emulation_options o = {};
    o.poison = 1;
    o.multiprocessors = 4;
    o.devices = 1;
    o.ratio = 2;
    o.memory_bytes = int64_t{1} << 30;
    o.fail_error = cudaErrorInvalidValue;
    o.lose_error = cudaErrorDevicesUnavailable;
    const char *words = std::getenv("RCT_EMULATION");
    std::istringstream stream(words == nullptr ? "" : words);
    for (std::string word; stream >> word;) {
        size_t equals = word.find('=');
        read_word(o, word.substr(0, equals),
                  equals == std::string::npos ? "" : word.substr(equals + 1));
    }
    return o;
}

void emulation_set(const emulation_options *wanted)
{
    in_turn mine(turn);
    options = *wanted;
    random_state = options.seed;
    calls_to_loss = options.lose_at_call;
    calls_to_failure = options.fail_at_call;
    allocations_to_failure = options.fail_allocation;
}

void emulation_reset(void)
{
    in_turn mine(turn);
    streams_reset();
    graphs_reset();
    devices_reset();
    memory_reset();
    emulation_options o = emulation_defaults();
    emulation_set(&o);
    sticky = cudaSuccess;
    last_error = cudaSuccess;
    last_report[0] = '\0';
    reports = 0;
    counts = {};
}

emulation_counts emulation_counted(void)
{
    in_turn mine(turn);
    return counts;
}

void emulation_count_from_here(void)
{
    in_turn mine(turn);
    counts = {};
}

emulation_live emulation_alive(void)
{
    in_turn mine(turn);
    return live;
}

const char *emulation_last_report(void)
{
    return last_report;
}

int64_t emulation_reports(void)
{
    return reports;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    in_turn mine(turn);
    return sticky != cudaSuccess ? sticky : last_error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
#define CASE(name, number, words)                                                                  \
    case name: return #name;
        EMULATED_ERRORS(CASE)
#undef CASE
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
#define CASE(name, number, words)                                                                  \
    case name: return words;
        EMULATED_ERRORS(CASE)
#undef CASE
    }
    return "unrecognized error code";
}

#ifdef EMULATION_TSAN
// Fibers look like running threads; ThreadSanitizer need not wait a second for them at exit. One
// race must not hide another, of a later kernel on the same memory.
extern "C" const char *__tsan_default_options()
{
    return "atexit_sleep_ms=0 suppress_equal_addresses=0";
}

// ThreadSanitizer calls this for each race that it prints.
extern "C" void __tsan_on_report(void *)
{
    note("data race, see the report of ThreadSanitizer");
}
#endif
