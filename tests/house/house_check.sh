#!/usr/bin/env bash
# House rules that no compiler checks. Prints every breach with file and line; the exit status is 1 if there is one.
# usage: house_check.sh [ROOT]
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
breaches=0

breach() {
    echo "$1"
    breaches=$((breaches + 1))
}

# forbid REASON PATTERN FILE...: no line of the files matches the extended regular expression.
forbid() {
    local reason=$1 pattern=$2
    shift 2
    if (($# > 0)) && grep -HnE -- "$pattern" "$@"; then
        breach "^ $reason"
    fi
}

# sources FOLDER...: the source files below the folders that exist.
sources() {
    local folder
    for folder in "$@"; do
        [[ ! -d $folder ]] || find "$folder" -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' \
            -o -name '*.cuh'
    done | sort
}

mapfile -t house < <(sources include src kernels python)
mapfile -t neutral < <(sources include src | grep -v '^src/backend/')
mapfile -t library < <(sources src kernels | grep -v '^src/cli/')
mapfile -t all < <(sources include src kernels tests bench examples python)
((${#house[@]} > 0)) || breach "no sources found in $PWD"

forbid "machines belong in kernels/ and src/backend/" \
    '[Cc][Uu][Dd][Aa]|_mm(256|512)?_|__m(128|256|512)|mmintrin|arm_neon|vector_size|__AVX' \
    "${neutral[@]}"
mapfile -t without_mpi < <(sources include src kernels bench examples | grep -vE '^src/ranks/(mpi/|launcher\.c)')
forbid "MPI belongs in src/ranks/mpi/" '\<mpi\.h\>|\<P?MPI_' "${without_mpi[@]}"
forbid "the library never ends the process; return a status" \
    '(^|[^A-Za-z0-9_])(_?exit|_Exit|quick_exit|abort)[[:space:]]*\(' "${library[@]}"
forbid "the library never prints; fill the rct_error" \
    '(^|[^A-Za-z0-9_])(v?printf|puts|putchar|perror)[[:space:]]*\(|\<(stdout|stderr)\>' \
    "${library[@]}"
forbid "finish it, or put it into the issue list" '\<(TODO|FIXME|XXX)\>' "${all[@]}"

for file in "${house[@]}"; do
    lines=$(wc -l <"$file")
    ((lines <= 400)) || breach "$file: $lines lines; split files of more than 400 lines"
done
for file in "${all[@]}"; do
    [[ $(head -c 2 "$file") == "/"[*/] ]] || breach "$file:1: open with what the file does"
done

mapfile -t modules < <(find python -name '*.py' 2>/dev/null | sort)
for file in "${modules[@]}"; do
    lines=$(wc -l <"$file")
    ((lines <= 400)) || breach "$file: $lines lines; split files of more than 400 lines"
    [[ $(head -c 3 "$file") == '"""' ]] || breach "$file:1: open with what the file does"
done

mapfile -t scripts < <(find . -name '*.sh' -not -path './build/*' -printf '%P\n')
while read -r count folder; do
    ((count <= 40)) || breach "$folder: $count source files; divide folders of more than 40"
done < <(printf '%s\n' "${all[@]}" "${modules[@]}" "${scripts[@]}" | sed 's|/[^/]*$||' | sort | uniq -c)

if ((breaches > 0)); then
    echo "house check: $breaches breaches"
    exit 1
fi
echo "house check: ${#all[@]} files are in order"
