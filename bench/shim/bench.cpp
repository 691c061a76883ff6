/* The C interface of bench.h over Google Benchmark. rct_bench is benchmark::State seen from C. */
#include "bench/shim/bench.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace
{

bool smoke = false;
const char *backend = "cpu";
int64_t only_size = 0;

benchmark::State &state_of(rct_bench *bench)
{
    return *reinterpret_cast<benchmark::State *>(bench);
}

const benchmark::State &state_of(const rct_bench *bench)
{
    return *reinterpret_cast<const benchmark::State *>(bench);
}

/* The value of argument i, "NAME=VALUE" or "NAME" and the next one, which is skipped; else NULL. */
const char *value_of(const char *name, int argc, char **argv, int *i)
{
    const size_t length = std::strlen(name);
    const char *argument = argv[*i];
    if (std::strncmp(argument, name, length) != 0) {
        return nullptr;
    }
    if (argument[length] == '=') {
        return argument + length + 1;
    }
    return argument[length] == '\0' && *i + 1 < argc ? argv[++*i] : nullptr;
}

/* Take our own out of the arguments, which Google Benchmark would not know. What has no value stays, and
 * is refused there. */
void take_arguments(int *argc, char **argv)
{
    int kept = 0;
    for (int i = 0; i < *argc; i++) {
        const char *value;
        if (std::strcmp(argv[i], "--smoke") == 0) {
            smoke = true;
        } else if ((value = value_of("--backend", *argc, argv, &i)) != nullptr) {
            backend = value;
        } else if ((value = value_of("--size", *argc, argv, &i)) != nullptr &&
                   std::atoll(value) > 0) {
            only_size = std::atoll(value);
        } else {
            argv[kept++] = argv[i];
        }
    }
    argv[kept] = nullptr;
    *argc = kept;
}

/* What a result means without which its numbers cannot be compared. */
void add_context()
{
    benchmark::AddCustomContext("riccatree_version", RCT_BENCH_VERSION);
    benchmark::AddCustomContext("riccatree_commit", RCT_BENCH_COMMIT);
    benchmark::AddCustomContext("riccatree_build_type", RCT_BENCH_BUILD_TYPE);
    benchmark::AddCustomContext("riccatree_compiler", RCT_BENCH_COMPILER);
    benchmark::AddCustomContext("riccatree_backend", backend);
}

} // namespace

/* Wall clock, since a sweep may use threads of its own. */
void rct_bench_add(const rct_bench_case *added)
{
    const rct_bench_case c = *added;
    const bool linear = c.linear && c.size_count > 0 && !smoke;
    auto *family = benchmark::RegisterBenchmark(c.name, [c, linear](benchmark::State &state) {
        c.run(reinterpret_cast<rct_bench *>(&state), c.context);
        if (linear) {
            state.SetComplexityN(state.range(0));
        }
    });
    family->UseRealTime()->Unit(benchmark::kMicrosecond);
    const bool one = c.size_count > 1 && (smoke || only_size > 0);
    for (int i = 0; i < (one ? 1 : c.size_count); i++) {
        const int64_t size = smoke && c.smoke_size > 0 ? c.smoke_size : c.sizes[i];
        family->Arg(only_size > 0 ? only_size : size);
    }
    if (smoke) {
        family->Iterations(1);
    } else if (linear) {
        family->Complexity(benchmark::oN);
    }
}

const char *rct_bench_backend()
{
    return backend;
}

int64_t rct_bench_size(const rct_bench *bench)
{
    return state_of(bench).range(0);
}

int rct_bench_keep_running(rct_bench *bench)
{
    return state_of(bench).KeepRunning() ? 1 : 0;
}

void rct_bench_pause(rct_bench *bench)
{
    state_of(bench).PauseTiming();
}

void rct_bench_resume(rct_bench *bench)
{
    state_of(bench).ResumeTiming();
}

void rct_bench_keep(const void *data)
{
    benchmark::DoNotOptimize(data);
    benchmark::ClobberMemory();
}

int64_t rct_bench_iterations(const rct_bench *bench)
{
    return state_of(bench).iterations();
}

void rct_bench_set_items(rct_bench *bench, int64_t items)
{
    state_of(bench).SetItemsProcessed(items);
}

void rct_bench_set_bytes(rct_bench *bench, int64_t bytes)
{
    state_of(bench).SetBytesProcessed(bytes);
}

void rct_bench_set_counter(rct_bench *bench, const char *name, double value)
{
    state_of(bench).counters[name] = value;
}

/* Google Benchmark divides by the time, or the time by it. */
void rct_bench_set_time_per_item(rct_bench *bench, const char *name, int64_t items)
{
    state_of(bench).counters[name] = benchmark::Counter(
        static_cast<double>(items), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void rct_bench_set_label(rct_bench *bench, const char *label)
{
    state_of(bench).SetLabel(label);
}

void rct_bench_fail(const char *text)
{
    std::fprintf(stderr, "benchmark failed: %s\n", text);
    std::exit(1);
}

int main(int argc, char **argv)
{
    take_arguments(&argc, argv);
    setenv("RICCATREE_PLUGINS", RCT_BENCH_PLUGINS, 0); /* of this build, unless told otherwise */
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    add_context();
    rct_bench_setup();
    const size_t ran = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return ran > 0 ? 0 : 1; /* the filter, or the backend, leaves nothing */
}
