#!/usr/bin/env bash
# Builds and runs all benchmarks, with ten repetitions of each case. Writes the statistics to
# bench/results/CLASS/NAME.json, with date, load, compiler and commit in their context, and prints
# medians and ratios. CLASS names the kind of machine, such as epyc-2core. Names after CLASS choose
# among model, sweeps, segments, huge, batch, ensemble, hinges, loads, implicit, calls, loops, machine and library.
# `library` needs cuBLAS and a GPU and runs only when named. Each benchmark gets the flags in BENCH_FLAGS, such as
# --backend=cuda. The script waits up to two minutes until the machine is quiet. The benchmarks then take about five
# minutes, and `huge` takes 4 GB of memory.
set -euo pipefail
[[ ${1:-} != @(-h|--help) ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

class=${1:?usage: bench.sh CLASS [model|sweeps|segments|huge|batch|ensemble|hinges|loads|implicit|calls|loops|machine|library]...}
shift
if [[ ! $class =~ ^[A-Za-z0-9._-]+$ ]]; then
    echo "bench: the machine class \"$class\" is not a file name" >&2
    exit 2
fi
names=("$@")
((${#names[@]} > 0)) || names=(machine segments huge sweeps batch ensemble hinges loads implicit calls loops model)
cmake --preset release >/dev/null
cmake --build --preset release >/dev/null

for ((wait = 0; wait < 12; wait++)); do
    read -r load _ </proc/loadavg
    awk "BEGIN { exit !($load < 0.5) }" && break
    sleep 10
done
echo "bench: load $load, $(git rev-parse --short=12 HEAD)"

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
folder=bench/results/$class
mkdir -p "$folder"

# run NAME BENCHMARK [FLAGS...]: flags in BENCH_FLAGS override these.
run() {
    local out=$folder/$1.json program=build/release/bench/bench_$2
    shift 2
    # shellcheck disable=SC2086
    "$program" --benchmark_repetitions=10 --benchmark_min_time=0.1 \
        --benchmark_report_aggregates_only=true --benchmark_context="cpu_model=${cpu//,/ }" \
        --benchmark_out="$out" --benchmark_out_format=json "$@" ${BENCH_FLAGS:-} >/dev/null 2>&1
    sed -i '/"host_name":/d' "$out"
}

# A result file has one key per line, and the name of a result comes first. A ratio compares medians of one process.
report() {
    awk -F'[:,] *' '
    function text(s) { gsub(/[" ]/, "", s); return s }
    function ratio(upper, lower, label) {
        if ((upper in median) && (lower in median) && median[lower] > 0)
            printf "%-44s %7.2f\n", label, median[upper] / median[lower]
    }
    $1 ~ /"run_name"/ { name = text($2); sub(/\/real_time$/, "", name) }
    $1 ~ /"family_index"/ { family = $2 }
    $1 ~ /"per_family_instance_index"/ { place = 100 * family + $2; if (place > last) last = place }
    $1 ~ /"aggregate_name"/ { kind = text($2); if (kind == "median") placed[place] = name }
    $1 ~ /"bytes_per_body"/ { bytes[kind, name] = $2 }
    $1 ~ /"segments"/ { segments[kind, name] = $2 }
    $1 ~ /"peak_memory"/ { peak[kind, name] = $2 }
    $1 ~ /"ratio"/ { ratios[kind, name] = $2 }
    $1 ~ /"real_time"/ { elapsed[kind, name] = $2 } # for cases that have no other counter
    $1 ~ /"time_unit"/ { scale[name] = text($2) }
    $1 ~ /"time_per_body"|"(items|bytes)_per_second"/ {
        value[kind, name] = $2
        unit[name] = $1 ~ /time/ ? "ns/body" : $1 ~ /items/ ? "M/s" : "MB/s"
    }
    END {
        printf "%-44s %9s %-8s %7s %10s %9s\n", "case", "median", "", "spread", "bytes/body",
               "segments"
        for (i = 0; i <= last; i++) { # in the order they were added, not the order they ran in
            if (!(i in placed)) continue
            n = order[++count] = placed[i]
            if (!(n in unit)) {
                t = elapsed["median", n]
                printf "%-44s %9s %-8s %6.1f%%\n", n, sprintf(t < 1000 ? "%.4g" : "%.0f", t),
                       scale[n], 100 * elapsed["cv", n]
                continue
            }
            time = unit[n] == "ns/body"
            median[n] = value["median", n]
            printf "%-44s %9.1f %-8s %6.1f%% %10.0f %9.0f", n,
                   (time ? 1e9 : 1e-6) * median[n], unit[n], 100 * value["cv", n],
                   bytes["median", n], segments["median", n]
            if (("median", n) in peak) printf "   peak %.2f GB", 1e-9 * peak["median", n]
            if (("median", n) in ratios)
                printf "   ratio %.2f %5.1f%%", ratios["median", n], 100 * ratios["cv", n]
            print ""
        }
        for (i = 1; i <= count; i++) {
            n = order[i]
            if (split(n, part, "/") != 5 || part[4] != "serial") continue
            what = part[1] "/" part[2] "/"
            own = what part[3] "/"
            size = "/" part[5]
            label = part[1] " " part[2] " " part[5] ": "
            if (part[3] == "abi") {
                ratio(n, own "threads1" size, label "serial / 1 thread")
                ratio(n, own "threads2" size, label "serial / 2 threads")
                ratio(n, own "auto" size, label "serial / auto")
            } else {
                ratio(n, what "abi/serial" size, label "riccati / abi, serial")
                ratio(own "threads2" size, what "abi/threads2" size,
                      label "riccati / abi, 2 threads")
            }
        }
    }' "$1"
}

for name in "${names[@]}"; do
    case $name in
    model | sweeps | batch | ensemble | hinges | loads | implicit | calls | loops | machine | library) run "$name" "$name" ;;
    segments) run segments segments --benchmark_filter=-^huge \
        --benchmark_enable_random_interleaving=true ;;
    huge) run huge segments --benchmark_filter=^huge --benchmark_min_time=0.02 ;;
    *)
        echo "bench: there is no benchmark \"$name\"" >&2
        exit 2
        ;;
    esac
    report "$folder/$name.json"
done
