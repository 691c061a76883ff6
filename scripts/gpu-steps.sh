# shellcheck shell=bash disable=SC2154,SC2034
# Steps of gpu-check.sh and their report; sourced. A step has a limit of seconds and gets no more than the time left for
# all steps. The next step begins whatever the outcome. After each step the report, $result, is written anew as complete
# JSON; $log has the output of all steps. The sourcing script sets result, log, seconds_most and the facts.
steps=()
runs=()
benchmarks=()
host=$(uname -srm)
declare -A count=([passed]=0 [failed]=0 [skipped]=0)

quoted() { # as a JSON string
    local LC_ALL=C
    local text=${1//[^[:print:]]/ }
    text=${text//\\/\\\\}
    printf '"%s"' "${text//\"/\\\"}"
}

listed() { # NAME ARRAY: a key with an array, one entry per line
    local -n all=$2
    local entries
    printf -v entries ',\n    %s' "${all[@]}"
    printf '  "%s": [%s]' "$1" "${all[*]:+${entries:1}$'\n'  }"
}

report() {
    {
        echo "{"
        echo "  \"device\": $(quoted "$device"), \"driver\": $(quoted "$driver"), \"commit\": $(quoted "$commit"),"
        echo "  \"date\": $(quoted "$date"), \"host\": $(quoted "$host"), \"seconds\": $SECONDS,"
        echo "  \"passed\": ${count[passed]}, \"failed\": ${count[failed]}, \"skipped\": ${count[skipped]},"
        listed facts facts && echo ,
        listed runs runs && echo ,
        listed steps steps && echo ,
        listed benchmarks benchmarks && echo
        echo "}"
    } >"$result.part" && mv "$result.part" "$result"
}

note() { # NAME STATUS SECONDS WHY
    steps+=("{\"step\": $(quoted "$1"), \"status\": $(quoted "$2"), \"seconds\": $3, \"why\": $(quoted "$4")}")
    printf '%-24s %-8s %6.1f s  %s\n' "$1" "$2" "$3" "$4"
    count[$2]=$((count[$2] + 1))
    report
}

skip() { # NAME WHY
    note "$1" skipped 0 "$2"
}

# The most telling line of the output of the last step.
complaint() {
    local said
    said=$(grep -aE 'rror|ERR|FAIL|failed|fatal|refuse' "$log.step" | tail -n 1)
    [[ -n $said ]] || said=$(grep -av '^[[:space:]]*$' "$log.step" | tail -n 1)
    echo "${said:0:300}"
}

# attempt OTHERWISE NAME LIMIT COMMAND...: the step is `passed` if the command exits with status 0, `skipped` with status 77
# (a test with nothing to do), else OTHERWISE.
attempt() {
    local otherwise=$1 name=$2 limit=$3 from=$EPOCHREALTIME status=0 left seconds said outcome=passed why=''
    shift 3
    left=$((seconds_most - SECONDS))
    if ((left < 3)); then
        skip "$name" "no time left of $seconds_most s"
        return 1
    fi
    printf '\n==== %s: %s\n' "$name" "$*" >>"$log"
    timeout -k 5 $((limit < left ? limit : left)) "$@" >"$log.step" 2>&1 </dev/null || status=$?
    cat "$log.step" >>"$log"
    seconds=$(awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    case $status in
    0) ;;
    77) outcome=skipped why="nothing to do" ;;
    124 | 137) outcome=$otherwise why="out of time" ;;
    *) outcome=$otherwise why="exit status $status" ;;
    esac
    said=$( ((status == 0)) || complaint)
    why+=${said:+: $said}
    note "$name" "$outcome" "$seconds" "$why"
    return "$status"
}

# A step that must succeed.
step() { # NAME LIMIT COMMAND...
    attempt failed "$@"
}

# A step with a tool of the machine, which may refuse: then the step is skipped.
offer() { # NAME LIMIT COMMAND...
    attempt skipped "$@"
}
