#!/usr/bin/env bash
# Builds and runs the benchmark of sweeps, ten repetitions of each case, writes the statistics to
# bench/results/CLASS/sweeps.json and prints the medians. CLASS names the kind of machine, such as
# epyc-2core; further arguments go to the benchmark (--benchmark_filter=...). Waits, up to ten
# minutes, for the machine to be quiet.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

class=${1:?usage: bench.sh CLASS [flags of the benchmark]}
shift
if [[ ! $class =~ ^[A-Za-z0-9._-]+$ ]]; then
    echo "bench: the machine class \"$class\" is no file name" >&2
    exit 2
fi
cmake --preset release >/dev/null
cmake --build --preset release --target bench_sweeps >/dev/null

# Quiet: for five seconds nothing runs but the process that looks.
quiet=0
for ((second = 0; second < 600 && quiet < 5; second++)); do
    read -r _ _ _ running _ </proc/loadavg
    quiet=$((${running%/*} <= 1 ? quiet + 1 : 0))
    sleep 1
done
((quiet == 5)) || echo "bench: the machine is not quiet; see the spread" >&2

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
folder=bench/results/$class
mkdir -p "$folder"
# Google Benchmark writes the load, the compiler and the commit into the file by itself.
build/release/bench/bench_sweeps --benchmark_repetitions=10 --benchmark_min_time=0.1 \
    --benchmark_report_aggregates_only=true --benchmark_context="cpu_model=${cpu//,/ }" \
    --benchmark_out="$folder/sweeps.json" --benchmark_out_format=json "$@" >/dev/null 2>&1

# The keys of a result stand one a line, its name first.
awk -F'[:,] *' '
    function text(s) { gsub(/[" ]/, "", s); return s }
    $1 ~ /"run_name"/ { name = text($2); sub(/\/real_time$/, "", name) }
    $1 ~ /"aggregate_name"/ { kind = text($2) }
    $1 ~ /"bytes_per_body"/ { bytes[kind, name] = $2 }
    $1 ~ /"time_per_body"/ {
        if (kind == "mean") order[++count] = name
        time[kind, name] = $2
    }
    END {
        printf "%-32s %10s %8s %12s\n", "case", "ns/body", "spread", "bytes/body"
        for (i = 1; i <= count; i++) {
            n = order[i]
            printf "%-32s %10.1f %7.1f%% %12.0f\n", n, 1e9 * time["median", n],
                   100 * time["cv", n], bytes["median", n]
        }
    }' "$folder/sweeps.json"
