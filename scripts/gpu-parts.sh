# shellcheck shell=bash disable=SC2154
# The two parts of gpu-check.sh, which sources this file: the steps with the programs of $pack, the most important first.

sized() { # SMOKE USUAL
    [[ -n $smoke ]] && echo "$1" || echo "$2"
}

# A run by the command line. $runs gets the time of its evaluations, with that of the first step but without that of making
# the model. STEPS is large enough for the clocks to rise and for the first step not to matter.
measure() { # NAME LIMIT STEPS BODIES ARGUMENT...
    local name=$1 limit long bodies each
    limit=$(sized 600 "$2") long=$(sized 2 "$3") bodies=$(sized 33 "$4")
    shift 4
    step "run $name" "$limit" "${riccatree[@]}" run "$@" --bodies "$bodies" --t-end "${long}e-4" --dt 1e-4 --frames 2 \
        --json || return
    each=$(grep -oE '"ns_per_body_evaluation": *[0-9.e+-]+' "$log.step" | tail -n 1)
    runs+=("{\"run\": $(quoted "$name"), \"bodies\": $bodies, \"steps\": $long, \"us_per_evaluation\": $(
        awk -v c="${each##*: }" -v n="$bodies" 'BEGIN { printf "%.3f", c * n * 1e-3 }')}")
    echo "    ${runs[-1]}"
}

# Cases of a benchmark: median and spread of five repetitions, after half a second that warms the device up. The results
# are kept only if the benchmark ran to its end.
bench() { # NAME LIMIT PROGRAM MIN_SECONDS FLAG...
    local name=$1 limit program=$pack/release/$3 least=$4
    limit=$(sized 600 "$2")
    shift 4
    [[ -x $program ]] || { skip "bench $name" "not in the pack"; return; }
    step "bench $name" "$limit" "${release[@]}" "$program" ${smoke:+$smoke} --benchmark_repetitions="$(sized 1 5)" \
        --benchmark_min_warmup_time="$(sized 0 0.5)" --benchmark_min_time="$least" --benchmark_report_aggregates_only=true \
        --benchmark_out="$log.json" --benchmark_out_format=json "$@" || return
    benchmarks+=("{\"bench\": $(quoted "$name"), \"result\": $(
        sed -E '/"host_name":/d; s/: -?(NaN|Infinity)/: null/; s/^ +//' "$log.json" | tr -d '\n')}")
    awk '$1 ~ /_median$/ {
        line = "    " $1
        for (i = 2; i <= NF; i++) if ($i ~ /^(time_per_(evaluation|loop|call)|items_per_second)=/) line = line " " $i
        print line }' "$log.step"
}

speed() {
    local cuda=--backend=cuda
    bench "steps" 120 bench_segments 1 $cuda '--benchmark_filter=^steps64/(branch|chain)/[a-z]+/cuda/'
    measure "branch abi" 60 5000 33334 branch --method abi --backend cuda
    measure "branch riccati" 60 5000 33334 branch --method riccati --backend cuda
    measure "chain abi" 60 5000 33334 chain --method abi --backend cuda
    measure "million abi" 90 500 1000000 chain --method abi --backend cuda
    bench "batch" 60 bench_batch 0.2 $cuda --benchmark_filter=^steps64
    bench "hinges" 90 bench_hinges 0.1 $cuda --benchmark_filter=steps64
    bench "million" 90 bench_segments 0.2 $cuda --benchmark_filter=^huge_steps64
    bench "batch of 100,000" 90 bench_batch 0.2 $cuda --benchmark_filter=^steps64 "--size=$(sized 8 100000)"
    bench "ensembles" 90 bench_ensemble 0.1 $cuda
    bench "calls" 60 bench_calls 0.1 $cuda '--benchmark_filter=/cuda/'
    measure "four-bars" 60 20 20001 fourbars --backend cuda
    measure "four-bars cpu" 60 20 20001 fourbars --backend cpu
    measure "ladder" 60 20 3000 ladder --backend cuda
    measure "ladder cpu" 60 20 3000 ladder --backend cpu
    bench "loops" 120 bench_loops 0.05 $cuda --benchmark_filter=/whole/
    if has_any libcublas.so.1{3,2} && has_any libcudart.so.1{3,2}; then
        bench "library" 60 bench_library 0.1
    else
        skip "bench library" "no cuBLAS on this machine"
    fi
    bench "longest" 120 bench_segments 0.2 $cuda --benchmark_filter=^huge_longest
    bench "segments" 120 bench_segments 0.1 $cuda \
        '--benchmark_filter=^(step|evaluate)/|^steps64/(chain/[a-z]+/cuda[0-9]|[^bc]|binary|comb)'
}

# The tests of rct_gpu_test (tests/CMakeLists.txt).
tests() {
    local test
    while read -r -a test; do
        step "test ${test[0]}" 90 "${release[@]}" "$pack/release/${test[1]}" "${test[@]:2}"
    done <"$pack/tests"
    step "golden bits" 60 env RICCATREE_PLUGINS="$pack/strict" "$pack/strict/t52_device_repeats"
    if has_any libcusolver.so.1{2,1}; then
        step "dense" 60 "${riccatree[@]}" compare random --bodies "$(sized 30 1000)" \
            --perturb 1 --backend cuda --reference dense --json
    else
        skip "dense" "no cuSOLVER on this machine"
    fi
}

# Profiles what the kernels wait for. ncu runs the kernels of graphs one by one, so the times of launches are not those of a run.
profile() { # NAME FAMILY ARGUMENT...
    command -v ncu >/dev/null || { skip "ncu $1" "no ncu"; return; }
    offer "ncu $1" 90 ncu --target-processes all --clock-control none --launch-skip 6 --launch-count 12 --set basic \
        --section WarpStateStats --section InstructionStats --section MemoryWorkloadAnalysis \
        "${riccatree[@]}" run "${@:2}" --bodies "$(sized 33 33334)" --t-end 3e-4 --dt 1e-4 --backend cuda
}

# The step is skipped if the tool fails already with two bodies, unless it failed because of a finding: then the tool
# refuses this machine.
sanitize() { # TOOL
    local run=(compute-sanitizer --target-processes all --tool "$1" --error-exitcode 9) status=0
    command -v compute-sanitizer >/dev/null || { skip "$1" "no compute-sanitizer"; return; }
    timeout 60 "${run[@]}" "${riccatree[@]}" accel chain --bodies 2 --backend cuda >"$log.step" 2>&1 || status=$?
    if ((status != 0)) && { ((status != 9)) || grep -q 'not supported' "$log.step"; }; then
        cat "$log.step" >>"$log"
        skip "$1" "it refuses this machine: $(complaint)"
    else
        step "$1" 90 "${run[@]}" "${release[@]}" "$pack/release/t54_device" one
    fi
}

rest() {
    local tool
    tests
    profile branch branch
    profile chain chain
    profile hinges chain --hinge revolute
    for tool in memcheck racecheck synccheck; do
        sanitize $tool
    done
}
